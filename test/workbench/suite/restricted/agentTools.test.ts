import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { languageModelTools, settings } from '../../../../src/common/contributions';
import { errorOf, invoke } from '../../agentCalls';
import { extensionApi, inWorkspace, until } from '../../asking';
import { docsService } from '../../docsService';
import { suiteEnvironment } from '../../suiteEnvironment';

const question = 'How do I verify the signature of a webhook?';

describe('the docs tools in Restricted Mode', () => {
  before(() => {
    assert.equal(vscode.workspace.isTrusted, false, 'the window trusts the folder');
  });

  it('answer from the docs that the user chose', async () => {
    (await extensionApi()).useSite(suiteEnvironment().site);
    const found = await invoke(languageModelTools.search, { query: 'verify webhook signature' });
    assert.match(found, /path: `v2\/en\/webhooks/);
    const page = await invoke(languageModelTools.readPage, { page: 'v2/en/webhooks' });
    assert.match(page, /Parcelwren-Signature/);
    assert.match(await invoke(languageModelTools.ask, { question }), /Parcelwren-Signature/);
  });

  // Shows faults.md T13.
  it('ask no site that the workspace names', async () => {
    (await extensionApi()).useSite(undefined);
    const { site } = suiteEnvironment();
    const file = inWorkspace('.vscode/settings.json');
    const before = await vscode.workspace.fs.readFile(file);
    const named = { [settings.baseUrl]: site.url, [settings.domain]: site.domain };
    const content = JSON.stringify({ ...named, 'editor.tabSize': 7 });
    const exchanges = (await docsService.exchanges()).length;
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.from(content));
      // VS Code reads the file some time after it was written.
      await until(() => vscode.workspace.getConfiguration('editor').get('tabSize') === 7);
      const { message } = await errorOf(invoke(languageModelTools.ask, { question }));
      assert.match(message, /^No docs are set up yet\./);
      assert.equal((await docsService.exchanges()).length, exchanges);
    } finally {
      await vscode.workspace.fs.writeFile(file, before);
    }
  });
});

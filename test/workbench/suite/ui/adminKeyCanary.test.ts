import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  commands,
  settings,
  exportCommands,
  exportSettings,
} from '../../../../src/common/contributions';
import { assertNoTrace, filesBelow } from '../../../builders/canary';
import {
  answerPrompt,
  ask,
  extensionApi,
  inWorkspace,
  quickInput,
  startAfresh,
  until,
  whenOnDisk,
} from '../../asking';
import { docsService } from '../../docsService';
import {
  begin,
  clearNotifications,
  configure,
  exportQuickly,
  exportRequests,
  exportRow,
  forgetExports,
  jobUnderWay,
  nameFile,
  whenNotified,
  startExporting,
  stopExporting,
  takeAction,
  temporaryFolder,
} from '../../exporting';
import { pressKey, takeScreenshot, workbench } from '../../pageDriver';
import { hostDataFolder, suiteEnvironment } from '../../suiteEnvironment';

/** Says which of two problems a test waits for, and that it was told in full. */
const REFUSED = 'has no export in its plan';
const FAILED = 'could not be used at page 7';

/** faults.md F1, F4: the key of the suite's service is the canary. */
describe('the admin key in the window', () => {
  const { site } = suiteEnvironment();
  const key = site.adminKey;
  /** All that the window showed, at each step. */
  const shown: string[] = [];
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    temporary = await temporaryFolder();
    await startExporting();
    await configure(settings.logLevel, 'debug');
  });

  after(async () => {
    await forgetExports();
    await stopExporting();
    await configure(settings.logLevel, undefined);
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await clearNotifications();
    await temporary.remove();
  });

  /** Keeps what the document holds now, and what its fields show. */
  const look = async (): Promise<void> => {
    const page = await workbench.evaluate(`[
      document.documentElement.outerHTML,
      document.body.innerText,
      ...[...document.querySelectorAll('input, textarea')]
        .filter((field) => field.offsetParent !== null)
        .map((field) => field.value),
    ].join('\\n')`);
    shown.push(String(page));
  };

  it('is set, used for an export and its download, and echoed by what fails', async () => {
    const done = begin(exportCommands.setAdminKey);
    await answerPrompt(key);
    await done;
    await look();
    await exportQuickly();
    await look();
    await takeAction('has completed', 'Download Bundle');
    await nameFile(path.join(temporary.folder, 'site.tar.gz'));
    await whenNotified('Downloaded ');
    await look();
    await clearNotifications();

    const headers = { 'content-type': 'application/json' };
    await docsService.queue({
      when: { method: 'POST', pathIncludes: '/v1/static-export/jobs' },
      respond: {
        status: 401,
        headers,
        body: JSON.stringify({ error: `The key ${key} ${REFUSED}, Bearer ${key}` }),
      },
    });
    const refused = begin(exportCommands.exportSite, { exportDomain: site.domain });
    await whenNotified(REFUSED);
    await look();
    await takeScreenshot('key-echoed');
    await clearNotifications();
    await refused;

    await docsService.queue(
      jobUnderWay({ status: 'failed', error: { message: `Key ${key} ${FAILED}` } }),
    );
    await begin(exportCommands.exportSite, { exportDomain: site.domain });
    await whenNotified(FAILED);
    await workbench.waitFor(exportRow, { hasText: 'failed', nth: 0 });
    await look();
    await vscode.commands.executeCommand('notifications.showList');
    await look();
    await docsService.clearFaults();
    await clearNotifications();

    const [start] = await exportRequests('POST', '/v1/static-export/jobs');
    assert.equal(start?.headers['authorization'], `Bearer ${key}`);
  });

  it('is in nothing that the window showed: tree, notifications, prompts', () => {
    assert.ok(shown.some((text) => text.includes(REFUSED)));
    assert.ok(shown.some((text) => text.includes(FAILED)));
    assert.ok(shown.some((text) => text.includes('[redacted]')));
    assertNoTrace(key, shown);
  });

  it('is in no message to the webview', async () => {
    const { posted, useSite } = await extensionApi();
    // The site that this sets comes with its admin key.
    await startAfresh();
    await ask('How do I create a shipment?');
    useSite(undefined);
    assert.notEqual(posted.length, 0);
    assertNoTrace(key, posted);
  });

  it('is in no setting', () => {
    const extension = vscode.extensions.getExtension('docs-assistant.docs-assistant');
    assert.ok(extension);
    const { contributes } = extension.packageJSON as {
      contributes: { configuration: Configuration | Configuration[] };
    };
    const names = [contributes.configuration]
      .flat()
      .flatMap(({ properties }) => Object.keys(properties));
    assert.ok(names.includes(exportSettings.apiUrl));
    const values = names.map((name) => vscode.workspace.getConfiguration().inspect(name));
    assert.ok(JSON.stringify(values).includes(site.url));
    assertNoTrace(key, values);
  });

  it('is in no line of the log, at its most talkative', async () => {
    await vscode.commands.executeCommand(commands.openLog);
    const { logged } = await extensionApi();
    const channel = vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === 'output')
      .map((document) => document.getText());
    const text = [...logged, ...channel].join('\n');
    assert.match(text, /Set the admin key for/);
    assert.match(text, /The export of sample is failed/);
    assert.match(text, /POST http:\/\/127\.0\.0\.1:\d+\/v1\/static-export\/jobs 401/);
    assertNoTrace(key, text);
    assert.doesNotMatch(text, /X-Signature/, 'the query of a presigned link');
  });

  it('is in nothing that the browser keeps, outside of VS Code’s sealed secret storage', async () => {
    await whenOnDisk(FAILED);
    const kept = await browserState();
    assert.ok(kept.includes(FAILED));
    assertNoTrace(key, kept);
    assert.ok(!kept.includes('X-Signature'), 'the query of a presigned link');
  });

  it('is in no file that the host or the download wrote', () => {
    const files = filesBelow(hostDataFolder());
    const storage = path.join('globalStorage', 'docs-assistant.docs-assistant', 'claims');
    assert.ok([...files.keys()].some((file) => file.includes(storage)));
    assertNoTrace(key, files);
    assertNoTrace(key, filesBelow(temporary.folder));
  });

  it('is sent to the address of the user alone, whatever the workspace says', async () => {
    const file = inWorkspace('.vscode/settings.json');
    const before = await vscode.workspace.fs.readFile(file).then(
      (bytes) => bytes,
      () => undefined,
    );
    const hostile = { [exportSettings.apiUrl]: elsewhere(), 'editor.tabSize': 7 };
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(hostile)));
      await until(() => vscode.workspace.getConfiguration('editor').get('tabSize') === 7);
      assert.equal(vscode.workspace.getConfiguration().get(exportSettings.apiUrl), site.url);
      await exportQuickly();
      const starts = await exportRequests('POST', '/v1/static-export/jobs');
      assert.equal(starts.length, 4);
      for (const { headers } of starts) assert.equal(headers['host'], new URL(site.url).host);
    } finally {
      if (before) await vscode.workspace.fs.writeFile(file, before);
      else await vscode.workspace.fs.delete(file);
      await until(() => vscode.workspace.getConfiguration('editor').get('tabSize') !== 7);
      await clearNotifications();
    }
  });

  it('is not sent to another address of the user, and the prompt names both', async () => {
    await configure(exportSettings.apiUrl, elsewhere());
    const asked = (await docsService.exchanges()).length;
    const done = begin(exportCommands.exportSite, { exportDomain: site.domain });
    await workbench.waitFor(quickInput);
    const prompt = await workbench.text('.quick-input-widget .quick-input-message', {
      hasText: 'is not sent there',
    });
    assert.ok(prompt.includes(`The export API is now at ${elsewhere()}`), prompt);
    assert.ok(prompt.includes(`The admin key for ${site.url} is not sent there`), prompt);
    await takeScreenshot('key-for-another-address');
    assert.equal(await workbench.inputValue(quickInput), '', 'the key is not offered either');
    await pressKey('Escape');
    await done;
    assert.equal((await docsService.exchanges()).length, asked);
    await configure(exportSettings.apiUrl, site.url);
  });

  /** Returns the address of the same service at another origin. */
  function elsewhere(): string {
    return site.url.replace('127.0.0.1', 'localhost');
  }
});

interface Configuration {
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Returns everything in the page's storage but one entry: `secrets.provider`, in which VS Code
 * keeps the secret storage, sealed with a key of which the server holds a half.
 */
async function browserState(): Promise<string> {
  const state = await workbench.evaluate(`(async () => {
    const result = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const kept = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name));
      try {
        for (const store of database.objectStoreNames) {
          const objects = database.transaction(store).objectStore(store);
          const [keys, values] = await Promise.all([
            result(objects.getAllKeys()),
            result(objects.getAll()),
          ]);
          const texts = values.map((value) =>
            value instanceof Uint8Array ? new TextDecoder().decode(value) : value);
          kept.push(name, store, keys, texts);
        }
      } finally {
        database.close();
      }
    }
    const local = Object.entries(localStorage).filter(([name]) => name !== 'secrets.provider');
    return JSON.stringify([kept, local, Object.entries(sessionStorage), document.cookie]);
  })()`);
  return String(state);
}

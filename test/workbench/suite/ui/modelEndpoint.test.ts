import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import {
  fails,
  type ModelEndpoint,
  saysThen,
  says,
  startModelEndpoint,
} from '../../../fakes/modelEndpoint';
import { answerPrompt, ask, extensionApi, newThread, startAfresh } from '../../asking';
import { begin, choose, clearNotifications, whenNotified } from '../../exporting';
import { chat, takeScreenshot, workbench } from '../../pageDriver';
import { hostDataFolder, suiteEnvironment } from '../../suiteEnvironment';

const key = 'sk-CANARY-0123456789abcdef';
const question = 'How do I verify the signature of a webhook?';
const box = '.quick-input-widget';

/** Returns the texts of all files below a folder. */
async function textsBelow(folder: string): Promise<string> {
  let texts = '';
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    texts += await readFile(path.join(entry.parentPath, entry.name), 'latin1').catch(() => '');
  }
  return texts;
}

describe('a reply by an endpoint', () => {
  let endpoint: ModelEndpoint;

  before(async () => {
    endpoint = await startModelEndpoint();
    await startAfresh();
    const extension = vscode.extensions.getExtension('docs-assistant.docs-assistant');
    assert.ok(extension);
    const folder = path.join(extension.extensionPath, 'dist', 'sampleDocs');
    const docs = { kind: 'folder', folder, label: 'Sample Docs' };
    await vscode.commands.executeCommand(commands.chooseDocs, docs);
    await clearNotifications();
  });
  after(async () => {
    const choosing = begin(commands.answerWith);
    await choose('Quotes');
    await choosing;
    await clearNotifications();
    await vscode.commands.executeCommand(commands.stopLocalService);
    await endpoint.stop();
  });

  it('is set up in the window, with a key that stays in secret storage', async () => {
    endpoint.models = (response, request) => {
      const isAllowed = request.headers.authorization === `Bearer ${key}`;
      if (!isAllowed) return fails(401, { message: 'no key' })(response, request);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'tiny', max_model_len: 8192 }] }));
    };
    const choosing = begin(commands.answerWith);
    await choose('An OpenAI-Compatible Endpoint');
    await workbench.waitFor(box, { hasText: 'URL of the endpoint' });
    await answerPrompt(endpoint.baseUrl);
    await workbench.waitFor(box, { hasText: `Key for ${endpoint.host}` });
    await takeScreenshot('answer-with-key');
    await answerPrompt(key);
    await choose('tiny');
    await workbench.waitFor(box, { hasText: 'search by words only' });
    await choose('None');
    await choosing;
    await whenNotified(`Replies are written by tiny`);
    await chat.waitFor('.site-answers', { hasText: `tiny · ${endpoint.host}` });
    await clearNotifications();

    endpoint.reply = says('Every delivery has a `Parcelwren-Signature` header [1].');
    const reply = await ask(question);
    assert.match(reply, /Every delivery has a Parcelwren-Signature header/);
    assert.equal(endpoint.replyRequests[0]?.headers.authorization, `Bearer ${key}`);

    const { logged, posted } = await extensionApi();
    const leaks = { logged, posted, files: await textsBelow(hostDataFolder()) };
    for (const [place, content] of Object.entries(leaks)) {
      assert.ok(!JSON.stringify(content).includes('CANARY'), `the key is in ${place}`);
    }
  });

  it('keeps what came when the endpoint breaks off, and says so', async () => {
    await newThread();
    endpoint.reply = saysThen(
      ['Every delivery has a `Parcelwren-Signature` header [1]. And '],
      (response) => void response.destroy(),
    );
    const reply = await ask(question);
    assert.match(reply, /Every delivery has a Parcelwren-Signature header/);
    assert.match(reply, /The reply is cut off here: the model tiny/);
  });

  it('is set by a request at a service that no window started, as that of npm start', async () => {
    const { useSite } = await extensionApi();
    useSite({ ...suiteEnvironment().site, takesWriter: true });
    await newThread();
    const choosing = begin(commands.answerWith);
    await choose(`tiny · ${endpoint.host}`);
    await choosing;
    await chat.waitFor('.site-answers', { hasText: `tiny · ${endpoint.host}` });
    endpoint.reply = says('Every delivery has a `Parcelwren-Signature` header [1].');
    endpoint.replyRequests.length = 0;
    const reply = await ask(question);
    assert.match(reply, /Every delivery has a Parcelwren-Signature header/);
    assert.equal(endpoint.replyRequests.length, 1);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, languageModelTools, settings } from '../../../../src/common/contributions';
import { errorOf, invoke } from '../../agentCalls';
import { answerPrompt, extensionApi, startAfresh, until } from '../../asking';
import { docsService, holdMidReply, lastQuestion } from '../../docsService';
import { suiteEnvironment } from '../../suiteEnvironment';

const question = 'How do I verify the signature of a webhook?';

describe('the docs tools, called through vscode.lm.invokeTool', () => {
  beforeEach(startAfresh);

  it('are listed for agents', async () => {
    await until(() => vscode.lm.tools.some(({ name }) => name === languageModelTools.ask));
    const listed = vscode.lm.tools.filter(({ name }) => name.startsWith('docsAssistant_'));
    assert.deepEqual(
      listed.map(({ name }) => name).toSorted(),
      Object.values(languageModelTools).toSorted(),
    );
    for (const { description, inputSchema, tags } of listed) {
      assert.ok(description.length > 100);
      assert.ok(inputSchema && 'properties' in inputSchema);
      assert.ok(tags.includes('documentation'));
    }
  });

  it('search, read the page that was found, and answer with sources', async () => {
    const found = await invoke(languageModelTools.search, { query: 'verify webhook signature' });
    const path = /path: `(v2\/en\/webhooks[^`]*)`/.exec(found)?.[1];
    assert.ok(path, found);

    const page = await invoke(languageModelTools.readPage, { page: path });
    assert.match(page, /Parcelwren-Signature/);

    const answer = await invoke(languageModelTools.ask, {
      question,
      code: 'verify(request)',
      path: '/home/somebody/project/src/webhooks.py',
    });
    assert.match(answer, /Parcelwren-Signature/);
    assert.match(answer, /\nSources in .*:\n1\. \[Webhooks/);
    const { body } = await lastQuestion();
    assert.deepEqual(body.context, [
      { type: 'code', value: 'verify(request)', path: 'webhooks.py' },
    ]);
  });

  it('keep to the tokens that the caller has left', async () => {
    const countTokens = (text: string): Promise<number> => Promise.resolve(text.length);
    const tokenizationOptions = { tokenBudget: 900, countTokens };
    for (const [name, input] of [
      [languageModelTools.ask, { question }],
      [languageModelTools.search, { query: 'webhooks' }],
      [languageModelTools.readPage, { page: 'v2/en/webhooks' }],
    ] as const) {
      const text = await invoke(name, input, { tokenizationOptions });
      assert.ok(text.length <= 900 && text.length > 300, `${name}: ${text.length} characters`);
      assert.match(text, /cut|left out/i);
    }
  });

  it('say what is wrong with 1 MB, and send nothing', async () => {
    const before = (await docsService.exchanges()).length;
    const large = 'x'.repeat(1024 * 1024);
    for (const [name, input] of [
      [languageModelTools.ask, { question: large }],
      [languageModelTools.ask, { question, code: large }],
      [languageModelTools.search, { query: large }],
      [languageModelTools.readPage, { page: large }],
      [languageModelTools.ask, {}],
      [languageModelTools.ask, { question: 7 }],
    ] as const) {
      const { message } = await errorOf(invoke(name, input));
      assert.match(message, /Change the input, then call again\./);
      assert.ok(message.length < 300);
    }
    assert.equal((await docsService.exchanges()).length, before);
  });

  it('stop in the middle of a reply when the call is canceled', async () => {
    await holdMidReply('agent-cancels');
    const source = new vscode.CancellationTokenSource();
    const call = errorOf(invoke(languageModelTools.ask, { question }, {}, source.token));
    await docsService.whenHeld('agent-cancels');
    source.cancel();
    const error = await call;
    assert.ok(error.name === 'Canceled' || error instanceof vscode.CancellationError, error.name);
    while ((await lastQuestion()).exchange.state === 'open') {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await lastQuestion()).exchange.state, 'client-gone');
    await docsService.openGate('agent-cancels');
  });

  it('answer twenty callers at once', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => {
      const kind = index % 4;
      if (kind === 0) return invoke(languageModelTools.ask, { question: `${question} (${index})` });
      return kind === 1
        ? invoke(languageModelTools.readPage, { page: 'v2/en/webhooks' })
        : invoke(languageModelTools.search, { query: `webhook ${index}` });
    });
    for (const text of await Promise.all(calls)) assert.match(text, /webhook/i);
  });

  it('say before set-up what the user has to do, without a stack', async () => {
    (await extensionApi()).useSite(undefined);
    for (const [name, input] of [
      [languageModelTools.ask, { question }],
      [languageModelTools.search, { query: 'webhooks' }],
      [languageModelTools.readPage, { page: 'webhooks' }],
    ] as const) {
      const { message, stack } = await errorOf(invoke(name, input));
      assert.match(message, /^No docs are set up yet\. Ask the user to run “Docs Assistant:/);
      assert.doesNotMatch(stack ?? '', /docs-assistant[^\n]*\.js/);
    }
  });

  describe('with a hosted site', () => {
    const configure = async (site?: { url: string; domain: string }): Promise<void> => {
      const configuration = vscode.workspace.getConfiguration();
      const { Global } = vscode.ConfigurationTarget;
      await configuration.update(settings.baseUrl, site?.url, Global);
      await configuration.update(settings.domain, site?.domain, Global);
    };

    beforeEach(async () => {
      const { site } = suiteEnvironment();
      await configure(site);
      (await extensionApi()).useSite(undefined);
      const done = vscode.commands.executeCommand(commands.setAssistantKey);
      await answerPrompt(site.key);
      await done;
    });

    afterEach(() => configure());

    it('ask it, name what cannot be searched, and keep its key to themselves', async () => {
      const { site } = suiteEnvironment();
      const answer = await invoke(languageModelTools.ask, { question });
      assert.match(answer, /Parcelwren-Signature/);
      const { exchange } = await lastQuestion();
      assert.equal(exchange.headers['authorization'], `Bearer ${site.key}`);

      const { message } = await errorOf(invoke(languageModelTools.search, { query: 'webhooks' }));
      assert.match(message, /is a hosted docs site, which can be asked but not searched/);

      await docsService.queue({
        respond: {
          status: 429,
          headers: { 'retry-after': '33' },
          body: JSON.stringify({ error: `Too many with ${site.key}` }),
        },
      });
      const limited = await errorOf(invoke(languageModelTools.ask, { question }));
      assert.match(limited.message, /Call again in \d\d seconds, not sooner/);
      const logged = (await extensionApi()).logged.join('\n');
      for (const text of [answer, message, limited.message, limited.stack ?? '', logged]) {
        assert.ok(!text.includes(site.key), 'the key got out');
      }
    });
  });
});

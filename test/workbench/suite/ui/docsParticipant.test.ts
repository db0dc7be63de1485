import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chatParticipants, commands } from '../../../../src/common/contributions';
import { ask, extensionApi, inWorkspace, startAfresh, until } from '../../asking';
import { docsService, holdMidReply, lastQuestion, threadIdOf } from '../../docsService';
import { chat } from '../../pageDriver';

/**
 * Returns the result of a question to `@docs`. The hosts have no chat model, so a test calls the
 * handler itself.
 */
async function askDocs(
  prompt: string,
  references: readonly vscode.ChatPromptReference[] = [],
  history: vscode.ChatContext['history'] = [],
  token = new vscode.CancellationTokenSource().token,
) {
  const said = { markdown: '', progress: [] as string[], references: [] as string[] };
  const buttons: vscode.Command[] = [];
  const { answerDocs } = await extensionApi();
  const result = await answerDocs(
    { prompt, references },
    { history },
    {
      progress: (sentence) => said.progress.push(sentence),
      markdown: (text) => (said.markdown += typeof text === 'string' ? text : text.value),
      reference: (value) => {
        const uri = value instanceof vscode.Location ? value.uri : value;
        said.references.push(uri.toString());
      },
      button: (command) => buttons.push(command),
    },
    token,
  );
  return { ...said, buttons, result };
}

describe('@docs in VS Code’s own chat', () => {
  beforeEach(startAfresh);

  it('is registered in this host', async () => {
    const { logged } = await extensionApi();
    assert.deepEqual(
      logged.filter((line) => line.includes('@docs is not available')),
      [],
    );
  });

  // Shows faults.md N10.
  it('answers with what the reader attached, and goes on in the panel', async () => {
    const script = inWorkspace('src/webhooks.py');
    const { markdown, references, buttons, result } = await askDocs(
      'How do I verify the signature of a webhook?',
      [
        { id: 'vscode.implicit.viewport', value: inWorkspace('README.md') },
        { id: 'vscode.file', value: inWorkspace('data') },
        {
          id: 'vscode.selection',
          value: new vscode.Location(script, new vscode.Range(0, 0, 2, 0)),
        },
      ],
    );
    const { body, exchange } = await lastQuestion();
    const document = await vscode.workspace.openTextDocument(script);
    assert.deepEqual(body.context, [
      {
        type: 'code',
        value: document.getText(new vscode.Range(0, 0, 2, 0)),
        path: 'src/webhooks.py',
      },
    ]);
    assert.match(markdown, /^> data was not attached because it can’t be read as text\./);
    assert.match(markdown, /signature/i);
    assert.match(markdown, /\*\*Sources\*\*\n\n1\. \[/);
    assert.ok(references.length > 0);
    assert.ok(references.every((url) => url.startsWith('http')));
    assert.equal(result.errorDetails, undefined);

    const [button] = buttons;
    assert.equal(button?.title, 'Continue in Docs Assistant');
    await vscode.commands.executeCommand(
      button.command,
      ...((button.arguments ?? []) as unknown[]),
    );
    const { snapshot } = await extensionApi();
    await until(() => snapshot().thread.title.startsWith('How do I verify the signature'));
    assert.deepEqual(
      snapshot().thread.messages.map(({ role }) => role),
      ['user', 'assistant'],
    );
    await chat.waitFor('article.reply', { hasText: 'signature' });
    await ask('And which header is it in?', 1);
    const followUp = await lastQuestion();
    assert.equal(followUp.body.messages.length, 3);
    assert.equal(followUp.body.threadId, threadIdOf(exchange));
    assert.notEqual(followUp.body.threadId, undefined);
  });

  it('follows up on earlier questions of the same chat, and leaves out those to others', async () => {
    const first = await askDocs('How do I verify the signature of a webhook?');
    const { exchange } = await lastQuestion();
    const participant = chatParticipants.docs;
    // VS Code alone can construct turns.
    const { ChatRequestTurn, ChatResponseTurn, ChatResponseMarkdownPart } = vscode;
    const turn = (prompt: string, to: string): vscode.ChatRequestTurn =>
      Object.assign(Object.create(ChatRequestTurn.prototype) as vscode.ChatRequestTurn, {
        prompt,
        participant: to,
      });
    const reply = (to: string, result: vscode.ChatResult): vscode.ChatResponseTurn =>
      Object.assign(Object.create(ChatResponseTurn.prototype) as vscode.ChatResponseTurn, {
        response: [new ChatResponseMarkdownPart('So.')],
        participant: to,
        result,
      });
    const history = [
      turn('Write a poem', 'other.poet'),
      reply('other.poet', { metadata: { threadId: 'x', replyId: 'x', siteId: 'x' } }),
      turn('How do I verify the signature of a webhook?', participant),
      reply(participant, first.result),
    ];
    const { result } = await askDocs('And which header is it in?', [], history);
    const { body } = await lastQuestion();
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.equal(body.threadId, threadIdOf(exchange));
    const threadOf = ({ metadata }: vscode.ChatResult): unknown =>
      (metadata as { readonly threadId?: unknown } | undefined)?.threadId;
    assert.equal(threadOf(result), threadOf(first.result));
  });

  it('says what went wrong, with the actions that can help', async () => {
    await docsService.goDown();
    const { result, buttons, markdown } = await askDocs('How do I get started?');
    assert.match(result.errorDetails?.message ?? '', /^Can’t reach /);
    const offered = buttons.map(({ command }) => command);
    assert.ok(offered.includes(commands.openSettings), offered.join());
    assert.ok(!offered.includes(commands.continueThread), 'there is nothing to continue');
    assert.equal(markdown, '');
  });

  it('stops when the reader stops it', async () => {
    await holdMidReply('stopped-docs-participant');
    const source = new vscode.CancellationTokenSource();
    const outcome = askDocs('How do I get started?', [], [], source.token);
    await docsService.whenHeld('stopped-docs-participant');
    source.cancel();
    const { result } = await outcome;
    assert.equal(result.errorDetails, undefined);
    await docsService.openGate('stopped-docs-participant');
  });
});

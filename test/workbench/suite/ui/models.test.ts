import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import {
  ask,
  extensionApi,
  newThread,
  replyText,
  send,
  startAfresh,
  whenReplyEnds,
} from '../../asking';
import { begin, choose, clearNotifications, whenNotified } from '../../exporting';
import {
  modelOffer,
  offerAnew,
  offerButton,
  type ScriptedModel,
  scriptedModel,
  serveSampleDocs,
} from '../../models';
import { chat, takeScreenshot } from '../../pageDriver';

async function answerWith(...choices: readonly string[]): Promise<void> {
  const choosing = begin(commands.answerWith);
  for (const choice of choices) await choose(choice);
  await choosing;
}

const question = 'How do I verify the signature of a webhook?';
const header = '.site-answers';

describe('the offer of a model', () => {
  let model: ScriptedModel;

  before(async () => {
    await startAfresh();
    await serveSampleDocs();
    await clearNotifications();
  });
  beforeEach(async () => {
    await newThread();
    model = await offerAnew();
  });
  after(async () => {
    await answerWith('Quotes');
    await clearNotifications();
    await vscode.commands.executeCommand(commands.stopLocalService);
  });

  it('holds back the first question, and sends it to the model when it is taken', async () => {
    await send(question);
    await chat.waitFor(modelOffer, { hasText: 'Scripted One can write the replies' });
    await chat.waitFor(header, { hasText: 'Quotes' });
    await takeScreenshot('model-offer');
    assert.deepEqual(model.requests, []);
    assert.equal(await chat.count(replyText), 0);

    await chat.click(offerButton, { hasText: 'Answer with Scripted One' });
    await chat.waitFor(replyText, { hasText: 'Every delivery has a signature' });
    await whenReplyEnds();
    await chat.waitFor(header, { hasText: 'Scripted One' });
    assert.equal(await chat.count(modelOffer), 0);
    assert.ok(model.requests.length > 0);

    await ask('How do I rotate the secret of a webhook?', 1);
    assert.equal(await chat.count(modelOffer), 0, 'it is offered again');
    assert.match(
      await chat.text('article.reply', { nth: 1 }),
      /Every delivery has a signature/,
      'the choice is not used for the next question',
    );
  });

  it('lets the question be answered with quotes when it is refused, and is not made again', async () => {
    await send(question);
    await chat.click(offerButton, { hasText: 'Quotes only' });
    await chat.waitFor(replyText, { hasText: 'HMAC-SHA256' });
    await whenReplyEnds();
    await chat.waitFor(header, { hasText: 'Quotes' });
    await newThread();
    await ask('How do I rotate the secret of a webhook?');
    assert.equal(await chat.count(modelOffer), 0);
    assert.deepEqual(model.requests, []);
  });

  it('is not answered by stopping, so the next question gets it again', async () => {
    await send(question);
    await chat.waitFor(modelOffer);
    await vscode.commands.executeCommand(commands.stopReply);
    await chat.waitFor(modelOffer, {}, 'detached');
    await chat.waitFor('article.reply .retry');
    assert.deepEqual(model.requests, []);
    await newThread();
    await send(question);
    await chat.click(offerButton, { hasText: 'Quotes only' });
    await chat.waitFor(replyText, { hasText: 'HMAC-SHA256' });
    await whenReplyEnds();
  });
});

describe('a reply by a model of VS Code', () => {
  before(async () => {
    await startAfresh();
    await serveSampleDocs();
    await clearNotifications();
  });
  beforeEach(async () => {
    await newThread();
    const model = await scriptedModel();
    model.requests = [];
    model.failure = undefined;
  });
  after(async () => {
    await answerWith('Quotes');
    await clearNotifications();
    await vscode.commands.executeCommand(commands.stopLocalService);
  });

  it('is written from the docs, cited and checked, the whole way from the panel', async () => {
    const model = await scriptedModel();
    model.replies = [
      ['You prepare the search', '{"queries": ["verify webhook signature"]}'],
      [
        'You answer questions about',
        'Every delivery has a `Parcelwren-Signature` header with a time and a signature [1]. ' +
          'The signature expires after 47 minutes [1]. See [the mirror](https://evil.example/m).',
      ],
    ];
    await answerWith('Scripted One');
    await whenNotified('Replies are written by Scripted One');
    await chat.waitFor(header, { hasText: 'Scripted One' });
    await clearNotifications();

    const reply = await ask(question);

    assert.match(reply, /Every delivery has a Parcelwren-Signature header/);
    await chat.waitFor('article.reply .citation', { nth: 0 });
    assert.equal(await chat.count('article.reply a[href*="evil"]'), 0);
    const { thread } = (await extensionApi()).snapshot();
    const shown = thread.messages.at(-1);
    assert.ok(shown?.role === 'assistant');
    const sources = shown.parts.flatMap((part) => (part.type === 'source-url' ? part.url : []));
    assert.ok(
      sources.some((url) => url.includes('/webhooks#verify-the-signature')),
      String(sources),
    );
    const searches = shown.parts.flatMap((part) => (part.type === 'search' ? part.query : []));
    assert.ok(searches.includes('verify webhook signature'), String(searches));
    const proof = shown.parts.find((part) => part.type === 'proof');
    assert.ok(proof?.type === 'proof', 'no proof');
    assert.ok(
      proof.found >= 1 && proof.unproven.some(({ reason }) => reason === 'number'),
      JSON.stringify(proof),
    );
    await chat.waitFor('article.reply .unproven', { hasText: '47' });
    await takeScreenshot('reply-by-a-model');

    const request = model.requests.find(({ text }) => text.includes('You answer questions about'));
    assert.ok(request);
    assert.match(request.text, /keyed with the endpoint's whole secret/);
    assert.match(request.text, /How do I verify the signature of a webhook\?/);
    assert.deepEqual(request.optionNames, []);
  });

  it('becomes quotes, and says why, when the model refuses', async () => {
    const model = await scriptedModel();
    model.failure = 'boom';
    const reply = await ask(question);
    assert.match(reply, /The model Scripted One didn't answer/);
    assert.match(reply, /These are quotes from the docs/);
    assert.match(reply, /Every delivery has a Parcelwren-Signature header/);
  });

  it('becomes quotes, and names the quota, when VS Code blocks the request', async () => {
    const model = await scriptedModel();
    model.failure = 'Blocked';
    const reply = await ask(question);
    assert.match(reply, /The model Scripted One didn't answer \(its quota is used up/);
  });

  it('is not asked for once the reader chose quotes', async () => {
    const model = await scriptedModel();
    await answerWith('Quotes');
    await chat.waitFor(header, { hasText: 'Quotes' });
    const reply = await ask(question);
    assert.doesNotMatch(reply, /Scripted One/);
    assert.deepEqual(model.requests, []);
  });
});

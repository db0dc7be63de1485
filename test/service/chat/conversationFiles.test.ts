/** Files, edited questions and other branches with the local docs service, through real HTTP. */
import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/chat/conversation/thread';
import { MAX_FILE_BYTES, MAX_FILES_BYTES } from '../../../src/shared/limits';
import { aFile } from '../../builders/asking';
import type { FaultProxy } from '../../fakes/faultProxy';
import { aQuestion, ask, textOf } from './asking';
import type { Session } from './conversationSession';
import { bodyOf, eachSession, question } from '../service/sampleSession';
import type { SampleService } from '../service/sampleService';

interface SentPart {
  readonly type: string;
  readonly text?: string;
  readonly mediaType?: string;
  readonly url?: string;
  readonly filename?: string;
}

function fileOf(filename: string, mediaType: string, content: string | Uint8Array): Attachment {
  const bytes = Buffer.from(content);
  return aFile({
    id: filename,
    filename,
    mediaType,
    sizeBytes: bytes.length,
    url: `data:${mediaType};base64,${bytes.toString('base64')}`,
  });
}

const code = 'const ok = webhooks.verifySignature(request.body, secret);\n';

describe('Conversation with the local docs service, files', () => {
  let service: SampleService;
  let proxy: FaultProxy;
  let session: Session;
  eachSession((opened) => ({ service, proxy, session } = opened));

  /** The parts of each message of the last request. */
  const sent = (): readonly (readonly SentPart[])[] => {
    const messages = bodyOf(proxy, -1)['messages'] as { parts: SentPart[] }[];
    return messages.map(({ parts }) => parts);
  };

  const cited = (): string =>
    session.reply.parts.map((part) => (part.type === 'source-url' ? part.url : '')).join(' ');

  it('sends a text file beside the question, and gets an answer about its content', async () => {
    session.conversation.pending.addFile(fileOf('hooks.ts', 'text/typescript', code));
    const reply = await session.ask('What does this do?');
    assert.equal(reply.status, 'complete');
    assert.deepEqual(sent()[0], [
      { type: 'text', text: 'What does this do?' },
      {
        type: 'file',
        mediaType: 'text/typescript',
        url: `data:text/typescript;base64,${Buffer.from(code).toString('base64')}`,
        filename: 'hooks.ts',
      },
    ]);
    assert.match(cited(), /webhook/);
  });

  for (const [filename, mediaType] of [
    ['hooks.yaml', 'application/yaml'],
    ['hooks.json', 'application/vnd.api+json; charset=utf-8'],
    ['notes.md', 'text/markdown'],
  ] as const) {
    it(`has ${mediaType} read as text`, async () => {
      session.conversation.pending.addFile(
        fileOf(filename, mediaType, 'webhook signature: verify'),
      );
      await session.ask('What is this about?');
      assert.match(cited(), /webhook/);
    });
  }

  it('says that a picture is not read, and answers from the words of the question', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    session.conversation.pending.addFile(fileOf('a`b.png', 'image/png', png));
    session.conversation.pending.addFile(fileOf('fake.txt', 'text/plain', png));
    await session.ask(question);
    const note = session.replyText.split('\n\n').find((text) => text.startsWith("I can't"));
    assert.match(note ?? '', /^I can't read `a b\.png` and `fake\.txt`.*text files only/);
    assert.match(cited(), /shipment/);
  });

  it('says so in the language of the question', async () => {
    session.conversation.pending.addFile(fileOf('a.png', 'image/png', 'x'));
    await session.ask('Wie lege ich eine Sendung an und was zeigt das Bild?');
    assert.match(session.replyText, /^Ich kann `a\.png` nicht lesen/m);
  });

  it('sends files of the maximum size', async () => {
    const large = 'webhook signature\n'.padEnd(MAX_FILE_BYTES, 'words ');
    const files = Array.from({ length: MAX_FILES_BYTES / MAX_FILE_BYTES }, (_, index) =>
      fileOf(`large${index}.txt`, 'text/plain', large),
    );
    const outcome = await ask(service.url, {
      messages: [aQuestion('What is this about?', { files })],
    });
    assert.equal(outcome.end?.status, 'complete');
    assert.match(JSON.stringify(outcome.parts), /webhooks#/);
  });

  it('names a file that no longer fits beside the reply, and sends only the new one', async () => {
    const content = 'x'.repeat(MAX_FILE_BYTES);
    session.conversation.pending.addFile(fileOf('old.txt', 'text/plain', content));
    assert.equal((await session.ask(question)).notice, undefined);
    session.conversation.pending.addFile(fileOf('new.txt', 'text/plain', content));
    const reply = await session.ask('and in Python?');
    assert.equal(reply.status, 'complete');
    assert.match(reply.notice ?? '', /too large .*: old\.txt\. Attach/);
    assert.deepEqual(
      sent().map((parts) => parts.flatMap(({ filename }) => filename ?? [])),
      [[], [], ['new.txt']],
    );
  });

  it('sends a file again with the next question', async () => {
    session.conversation.pending.addFile(fileOf('hooks.ts', 'text/typescript', code));
    await session.ask('What does this do?');
    await session.ask(question);
    assert.deepEqual(
      sent().map((parts) => parts.filter(({ type }) => type === 'file').length),
      [1, 0, 0],
    );
  });

  it("asks an edited question with the files of the original, without the original's reply", async () => {
    session.conversation.pending.addFile(fileOf('hooks.ts', 'text/typescript', code));
    await session.ask('What does this do?');
    await session.ask(question);
    const [first] = session.messages;
    session.conversation.editQuestion(first?.id ?? assert.fail(), 'What is this for?');
    await session.whenEnded();
    assert.deepEqual(
      sent().map((parts) => parts.map(({ text, filename }) => text ?? filename)),
      [['What is this for?', 'hooks.ts']],
    );
    assert.equal(
      bodyOf(proxy, -1)['threadId'],
      undefined,
      'the service would read it as following up',
    );
    assert.match(cited(), /webhook/);
    const edited = session.messages[0];
    assert.deepEqual(edited?.branch, { index: 1, count: 2 });

    session.conversation.showBranch(edited.id, 0);
    assert.deepEqual(
      session.messages.map((message) => message.role === 'user' && message.text),
      ['What does this do?', false, question, false],
    );
  });

  it('keeps both replies to a question that is asked again', async () => {
    await session.ask(question);
    const before = session.replyText;
    session.conversation.retry(session.reply.id);
    const again = await session.whenEnded();
    assert.deepEqual(again.branch, { index: 1, count: 2 });
    assert.equal(textOf(again.parts), before);
    assert.equal(sent().length, 1);
  });
});

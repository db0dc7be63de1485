import assert from 'node:assert/strict';
import type { AssistantClient } from '../../../src/chat/assistant/assistantClient';
import { runReply, type ReplyRunInput } from '../../../src/chat/conversation/replyRun';
import { DocsAssistantError } from '../../../src/common/errors';
import type { ErrorCode } from '../../../src/shared/errorInfo';
import { SeenSecrets } from '../../../src/site/keyStore';
import { SignedInKeys } from '../../../src/site/signedInKeys';
import { MemoryKeyStore, MemoryThreadKeyStore } from '../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';

const origin = 'https://docs.example.com';
const signIn = { provider: 'microsoft', scopes: ['api://docs/.default'] };

/** Returns an editor whose provider gives tokens one after the other. `undefined` is a reader who refuses. */
function editor(...tokens: (string | undefined)[]) {
  const asked: string[] = [];
  const memento = new MemoryMemento();
  const seen = new SeenSecrets();
  const saved = new MemoryKeyStore();
  const keys = new SignedInKeys({
    keys: saved,
    memento,
    seen,
    token: ({ provider, scopes }, how) => {
      asked.push(`${how} ${provider} ${scopes.join(' ')}`);
      return Promise.resolve(tokens.shift());
    },
  });
  return { asked, memento, seen, saved, keys };
}

describe('SignedInKeys', () => {
  it('reads the token of an origin silently, and stores no token', async () => {
    const { keys, asked, memento, seen } = editor('a.b.c', 'd.e.f');
    assert.equal(await keys.signIns.start(origin, signIn), 'a.b.c');
    assert.equal(await keys.read('assistant', origin), 'd.e.f');
    assert.deepEqual(asked, [
      'ask microsoft api://docs/.default',
      'silent microsoft api://docs/.default',
    ]);
    const stored = memento.keys().map((name) => memento.get(name));
    assert.deepEqual(stored, [signIn]);
    assert.deepEqual(seen.values, ['a.b.c', 'd.e.f'], 'the log can redact them');
  });

  it('gives the token to no other origin and for no other purpose', async () => {
    const { keys, saved } = editor('a.b.c');
    await saved.save('admin', origin, 'docs_admin');
    await keys.signIns.start(origin, signIn);
    assert.equal(await keys.read('admin', origin), 'docs_admin');
    assert.equal(await keys.read('assistant', 'https://docs.example.com:8443'), undefined);
  });

  it('remembers no sign-in that the reader refused', async () => {
    const { keys } = editor(undefined);
    assert.equal(await keys.signIns.start(origin, signIn), undefined);
    assert.equal(keys.signIns.has(origin), false);
  });

  for (const [what, change] of [
    ['a key that is saved', (keys: SignedInKeys) => keys.save('assistant', origin, 'docs_dsc_1')],
    ['removing the key', (keys: SignedInKeys) => keys.forget('assistant', origin)],
  ] as const) {
    it(`forgets the sign-in after ${what}`, async () => {
      const { keys, memento } = editor('a.b.c');
      await keys.signIns.start(origin, signIn);
      await change(keys);
      assert.equal(keys.signIns.has(origin), false);
      assert.deepEqual(memento.keys(), []);
    });
  }

  it('removes a saved key, and leaves a sign-in that has nothing to do with it', async () => {
    const { keys, saved } = editor('a.b.c');
    await keys.signIns.start(origin, signIn);
    await keys.save('admin', origin, 'docs_admin');
    assert.equal(await saved.read('admin', origin), 'docs_admin');
    await keys.forget('admin', origin);
    assert.equal(await saved.read('admin', origin), undefined);
    assert.equal(keys.signIns.has(origin), true);
  });

  it('reads the saved key if what is remembered is damaged', async () => {
    const { keys, memento, saved } = editor();
    await saved.save('assistant', origin, 'docs_dsc_1');
    await memento.update(`signIn:${origin}`, { provider: 7 });
    assert.equal(await keys.read('assistant', origin), 'docs_dsc_1');
  });
});

describe('a question where the reader signs in', () => {
  const input: ReplyRunInput = {
    settings: {
      baseUrl: origin,
      assistantDomain: 'acme',
      fp: 'anonymous',
      retrievalPageSize: 5,
      filter: {},
      idleTimeoutMs: 1000,
      headersTimeoutMs: 1000,
    },
    currentPath: undefined,
    thread: { id: 't', title: '', createdAt: '', updatedAt: '', messages: [] },
    messages: [],
    question: { role: 'user', id: 'q', createdAt: '', text: 'Why?', contextItems: [] },
  };

  /** Asks a service that accepts one token, and refuses others with an error. Returns the tokens that it got. */
  async function ask(
    keys: SignedInKeys,
    accepted: string,
    refusal: ErrorCode = 'key-rejected',
  ): Promise<readonly string[]> {
    const sent: string[] = [];
    const client: Pick<AssistantClient, 'ask'> = {
      async *ask({ key }) {
        sent.push(key);
        await Promise.resolve();
        if (key !== accepted) throw new DocsAssistantError(refusal, { host: 'x' });
        yield { ops: [] };
      },
    };
    const ports = {
      loadClient: () => Promise.resolve(client),
      threadKeys: new MemoryThreadKeyStore(),
      keys,
      log: new RecordingLog(),
    };
    const updates = runReply(ports, input, new AbortController().signal);
    while ((await updates.next()).done !== true);
    return sent;
  }

  it('asks to sign in anew once if the token is refused', async () => {
    const { keys, asked } = editor('old', 'old', 'new');
    await keys.signIns.start(origin, signIn);
    assert.deepEqual(await ask(keys, 'new'), ['old', 'new']);
    assert.deepEqual(
      asked.map((each) => each.split(' ')[0]),
      ['ask', 'silent', 'anew'],
    );
  });

  it('says what to do if the new token is refused as well', async () => {
    const { keys } = editor('old', 'old', 'new');
    await keys.signIns.start(origin, signIn);
    await assert.rejects(ask(keys, 'other'), { code: 'key-rejected' });
  });

  it('asks to sign in if the reader has signed out, and says what to do after a refusal', async () => {
    const { keys } = editor('old', undefined, 'new', undefined, undefined);
    await keys.signIns.start(origin, signIn);
    assert.deepEqual(await ask(keys, 'new'), ['new']);
    await assert.rejects(ask(keys, 'new'), {
      code: 'not-signed-in',
      details: { host: 'docs.example.com', signsIn: true },
    });
  });

  // A reply spends a credit, so a question is never repeated once the service may have taken it.
  for (const code of ['forbidden', 'service-down', 'connection-lost'] satisfies ErrorCode[]) {
    it(`neither signs in anew nor asks again after another error: ${code}`, async () => {
      const { keys, asked } = editor('old', 'old', 'new');
      await keys.signIns.start(origin, signIn);
      await assert.rejects(ask(keys, 'new', code), { code });
      assert.equal(asked.length, 2);
    });
  }

  it('asks nobody to sign in for a refused key', async () => {
    const { keys, saved, asked } = editor('new');
    await saved.save('assistant', origin, 'docs_dsc_1');
    await assert.rejects(ask(keys, 'new'), { code: 'key-rejected' });
    assert.deepEqual(asked, []);
  });
});

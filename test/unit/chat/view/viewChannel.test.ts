import assert from 'node:assert/strict';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import {
  PROTOCOL_VERSION,
  type HostEnvelope,
  type ViewSnapshot,
} from '../../../../src/shared/protocol';
import { viewStrings } from '../../../../src/shared/viewStrings';
import { ViewChannel } from '../../../../src/chat/view/viewChannel';
import type { ViewHandlers } from '../../../../src/chat/view/viewChannel';
import { RecordingLog } from '../../../fakes/recordingLog';

const ready = (id = 1, protocolVersion = PROTOCOL_VERSION) => ({
  kind: 'request',
  id,
  name: 'view-ready',
  params: { protocolVersion },
});

const submit = (id: number, params: unknown = { text: 'Why?' }) => ({
  kind: 'request',
  id,
  name: 'question-submit',
  params,
});

/** Returns handlers that record what they were called with. */
function recordingHandlers(calls: unknown[]): ViewHandlers {
  const record =
    (name: string, result: unknown = null) =>
    (params: unknown) => {
      calls.push([name, params]);
      return result;
    };
  const names = ['question-submit', 'link-open', 'reply-stop'];
  const entries = names.map((name) => [name, record(name, { messageId: 'm1' })]);
  return Object.fromEntries(entries) as ViewHandlers;
}

function aChannel(
  handlers?: Partial<ViewHandlers>,
  given: { readonly loadHandlers?: () => Promise<ViewHandlers> } = {},
) {
  const log = new RecordingLog();
  const calls: unknown[] = [];
  const channel = new ViewChannel({
    restored: Promise.resolve(),
    snapshot: () => ({
      site: { isConfigured: true, label: 'acme', isLocal: false, filter: {} },
      thread: { id: 't1', title: '', messages: [] },
      contextItems: [],
      suggestions: [],
      now: 0,
      strings: viewStrings,
    }),
    loadHandlers: () => Promise.resolve({ ...recordingHandlers(calls), ...handlers }),
    translate: plainTranslate,
    log,
    ...given,
  });
  const attach = () => {
    const posted: HostEnvelope[] = [];
    let reloads = 0;
    const connection = channel.attach({
      post: (envelope) => {
        posted.push(envelope);
        return Promise.resolve(true);
      },
      reload: () => reloads++,
    });
    return { connection, posted, reloads: () => reloads };
  };
  return { channel, log, calls, attach };
}

const ops = { name: 'reply-ops', messageId: 'm1', ops: ['a'] } as const;

function snapshotIn(envelope: HostEnvelope | undefined): ViewSnapshot {
  assert.ok(envelope && 'kind' in envelope && envelope.kind === 'reply' && envelope.ok);
  return envelope.result as ViewSnapshot;
}

describe('ViewChannel', () => {
  it('posts nothing before the page is ready, then a snapshot that includes what it missed', async () => {
    const { channel, attach } = aChannel();
    const { connection, posted } = attach();
    channel.tell(ops);
    channel.tell(ops);
    assert.deepEqual(posted, []);
    await connection.receive(ready());
    assert.equal(posted.length, 1);
    assert.equal(snapshotIn(posted[0]).seq, 2);
  });

  it('numbers changes on from the snapshot, those of a reply as bare tuples', async () => {
    const { channel, attach } = aChannel();
    const { connection, posted } = attach();
    await connection.receive(ready());
    channel.tell(ops);
    channel.tell({ name: 'context-items', params: { items: [] } });
    assert.deepEqual(posted.slice(1), [
      [1, 'a'],
      { kind: 'event', seq: 2, name: 'context-items', params: { items: [] } },
    ]);
  });

  // Shows faults.md E4.
  it('answers a page that says twice that it is ready twice, with the same state', async () => {
    const { attach } = aChannel();
    const { connection, posted } = attach();
    await Promise.all([connection.receive(ready(1)), connection.receive(ready(2))]);
    assert.deepEqual(snapshotIn(posted[0]), snapshotIn(posted[1]));
  });

  it('posts nothing to a hidden page until it is ready again', async () => {
    const { channel, attach } = aChannel();
    const { connection, posted } = attach();
    await connection.receive(ready());
    connection.hide();
    channel.tell(ops);
    assert.equal(posted.length, 1);
    await connection.receive(ready(2));
    assert.equal(snapshotIn(posted[1]).seq, 1);
  });

  // Shows faults.md E3.
  it('posts nothing to a page that is gone, not even the answer to its last request', async () => {
    const { channel, attach } = aChannel();
    const { connection, posted } = attach();
    await connection.receive(ready());
    const asked = connection.receive(submit(2));
    connection.dispose();
    await asked;
    channel.tell(ops);
    assert.equal(posted.length, 1);
  });

  it('speaks to the newest page alone', async () => {
    const { channel, attach } = aChannel();
    const first = attach();
    await first.connection.receive(ready());
    const second = attach();
    await second.connection.receive(ready());
    channel.tell(ops);
    assert.equal(first.posted.length, 1);
    assert.equal(second.posted.length, 2);
  });

  it('keeps the focus for a page that is still loading', async () => {
    const { channel, attach } = aChannel();
    channel.focusComposer('How?');
    const { connection, posted } = attach();
    await connection.receive(ready());
    assert.deepEqual(posted.slice(1), [
      { kind: 'event', seq: 1, name: 'composer-focus', params: { text: 'How?' } },
    ]);
    channel.focusComposer();
    assert.equal(posted.length, 3);
  });

  it('loads a page of another version anew, once', async () => {
    const { attach } = aChannel();
    const { connection, reloads } = attach();
    await connection.receive(ready(1, PROTOCOL_VERSION + 1));
    await connection.receive(ready(2, PROTOCOL_VERSION + 1));
    assert.equal(reloads(), 1);
  });

  it('keeps what a command wants for the page that is loaded anew', async () => {
    const { channel, attach } = aChannel();
    const { connection, posted } = attach();
    channel.focusComposer('Why?');
    await connection.receive(ready(1, PROTOCOL_VERSION + 1));
    assert.equal(posted.length, 0);
    await connection.receive(ready(1));
    const params = { text: 'Why?' };
    assert.deepEqual(posted.at(-1), { kind: 'event', seq: 1, name: 'composer-focus', params });
  });

  it('answers a request once, with the result of its handler', async () => {
    const { attach, calls } = aChannel();
    const { connection, posted } = attach();
    await connection.receive(submit(7));
    assert.deepEqual(calls, [['question-submit', { text: 'Why?' }]]);
    assert.deepEqual(posted, [{ kind: 'reply', id: 7, ok: true, result: { messageId: 'm1' } }]);
  });

  it('answers with null when a handler returns nothing', async () => {
    const { attach } = aChannel({ 'reply-stop': () => undefined });
    const { connection, posted } = attach();
    const params = { messageId: 'm1' };
    await connection.receive({ kind: 'request', id: 8, name: 'reply-stop', params });
    assert.deepEqual(posted, [{ kind: 'reply', id: 8, ok: true, result: null }]);
  });

  it('answers with the error of a handler that fails', async () => {
    const { attach } = aChannel({
      'question-submit': () => {
        throw new DocsAssistantError('not-configured');
      },
    });
    const { connection, posted } = attach();
    await connection.receive(submit(7));
    const [envelope] = posted;
    assert.ok(envelope && 'kind' in envelope && envelope.kind === 'reply' && !envelope.ok);
    assert.equal(envelope.error.code, 'not-configured');
  });

  for (const [what, message] of [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'question-submit'],
    ['an array', [submit(1)]],
    ['another kind', { ...submit(1), kind: 'event' }],
    ['an unknown name', { kind: 'request', id: 1, name: 'fetch', params: { url: 'x' } }],
    ['the name __proto__', { kind: 'request', id: 1, name: '__proto__', params: {} }],
    ['the name constructor', { kind: 'request', id: 1, name: 'constructor', params: {} }],
    ['an id that is no number', { ...submit(1), id: '1' }],
  ] as const) {
    it(`ignores ${what} and logs it without its content`, async () => {
      const { attach, calls, log } = aChannel();
      const { connection, posted } = attach();
      await connection.receive(message);
      assert.deepEqual([posted, calls], [[], []]);
      assert.deepEqual(log.messages('warn'), [
        'The chat view sent something that is no request; it was ignored',
      ]);
    });
  }

  for (const [what, params] of [
    ['missing', null],
    ['of the wrong type', { text: 1 }],
    ['too long', { text: 'x'.repeat(100_001) }],
    ['an array', ['Why?']],
  ] as const) {
    it(`refuses parameters that are ${what} before any handler sees them`, async () => {
      const { attach, calls, log } = aChannel();
      const { connection, posted } = attach();
      await connection.receive(submit(3, params));
      assert.deepEqual(calls, []);
      assert.equal(posted.length, 1);
      assert.deepEqual(log.messages('error'), []);
    });
  }

  it('hands a handler the known parameters alone', async () => {
    const { attach, calls } = aChannel();
    const { connection } = attach();
    const message: unknown = JSON.parse(
      '{"kind":"request","id":1,"name":"question-submit","params":{"text":"Why?","url":"https://evil.example","__proto__":{"isAdmin":true}}}',
    );
    await connection.receive(message);
    assert.deepEqual(calls, [['question-submit', { text: 'Why?' }]]);
    assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
  });

  it('loads its handlers once, as they remember what they offered, and again after a failure', async () => {
    let loads = 0;
    const { attach } = aChannel(undefined, {
      loadHandlers: () => {
        loads++;
        return loads === 1
          ? Promise.reject(new Error('not there yet'))
          : Promise.resolve(recordingHandlers([]));
      },
    });
    const { connection, posted } = attach();
    await connection.receive(ready());
    for (const id of [2, 3, 4]) await connection.receive(submit(id));
    assert.equal(loads, 2);
    const answers = posted.flatMap((envelope) =>
      'kind' in envelope && envelope.kind === 'reply' ? [envelope.ok] : [],
    );
    assert.deepEqual(answers, [true, false, true, true]);
  });
});

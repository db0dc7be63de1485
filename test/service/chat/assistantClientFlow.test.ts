/** faults.md A: a reply's stream over time: held, cut, stopped, endless. Through real HTTP. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AssistantClient } from '../../../src/chat/assistant/assistantClient';
import type { MessagePart } from '../../../src/shared/uiMessage';
import { FakeClock } from '../../fakes/fakeClock';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import type { Fault } from '../../fakes/faults';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, settingsFor, type Asking, type Outcome } from './asking';
import {
  counted,
  delta,
  finish,
  done,
  replyOf,
  start,
  streamFault,
  textEnd,
  textStart,
} from './replyStream';

const opening = start + textStart;
const closing = textEnd + finish + done;

describe('AssistantClient: a reply’s stream over time', () => {
  let proxy: FaultProxy;

  beforeEach(async () => {
    proxy = await startFaultProxy();
  });

  afterEach(() => proxy.stop());

  const askWith = (fault: Fault, asking: Asking = {}): Promise<Outcome> => {
    proxy.queue(fault);
    return ask(proxy.url, asking);
  };

  const assertCode = (outcome: Outcome, code: string): void => {
    assert.equal(outcome.thrown, undefined);
    assert.equal(outcome.error?.code, code);
  };

  describe('recorded replies', () => {
    const folder = 'test/fixtures/replies';
    for (const file of ['reply.sse', 'followUp.sse', 'nothingFound.sse']) {
      it(`A1: are read alike in one piece, byte by byte and at other cuts: ${file}`, async () => {
        const stream = readFileSync(`${folder}/${file}`, 'utf8');
        const whole = await askWith(streamFault(stream));
        assert.equal(whole.end?.status, 'complete');
        assert.equal(whole.threadId, 'thread-1');
        assert.notEqual(whole.text, '');
        assert.doesNotMatch(whole.text, /\uFFFD/);
        for (const pieceBytes of [1, 13, 97]) {
          const cut = await askWith(streamFault(stream, { pieceBytes }));
          assert.deepEqual(cut.parts, whole.parts);
          assert.deepEqual(cut.end, whole.end);
        }
      });
    }
  });

  it('A2: immediately delivers an event that ends with a lone CR', async () => {
    let seen = '';
    const asked = askWith(
      streamFault(replyOf('first ', 'second'), {
        rewrite: [{ do: 'line-ends', with: '\r' }],
        cues: [{ at: { text: 'second"}\r\r' }, do: 'hold', gate: 'rest' }],
      }),
      {
        onUpdate: (_, parts) => {
          seen = lastText(parts) ?? seen;
          if (seen === 'first second') proxy.openGate('rest');
        },
      },
    );
    assert.equal((await asked).end?.status, 'complete');
  });

  it('A4: immediately delivers data that follows a comment in the same network chunk', async () => {
    const gate = { at: { text: 'second"}\n\n' }, do: 'hold', gate: 'rest' } as const;
    let seen = '';
    const asked = askWith(
      streamFault(`${opening}: ping\n\n${delta('first ')}: ping\n${delta('second')}${closing}`, {
        cues: [gate],
      }),
      {
        onUpdate: (_, parts) => {
          seen = lastText(parts) ?? seen;
          if (seen === 'first second') proxy.openGate('rest');
        },
      },
    );
    // The gate is opened by what was read before it, so this ends only if nothing was kept back.
    assert.equal((await asked).end?.status, 'complete');
  });

  for (const how of ['reset', 'close'] as const) {
    it(`A14: keeps the text if the connection breaks off (${how}), and does not ask again`, async () => {
      const outcome = await askWith(
        streamFault(`${opening}${delta('kept')}${delta('later')}${closing}`, {
          cues: [
            { at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'seen' },
            { at: { text: 'kept"}\n\n' }, do: how },
          ],
        }),
        {
          onUpdate: (_, parts) => {
            if (lastText(parts) === 'kept') proxy.openGate('seen');
          },
        },
      );
      assertCode(outcome, 'connection-lost');
      assert.equal(outcome.text, 'kept');
      assert.equal(proxy.exchanges.length, 1);
    });
  }

  it('A15: gives up after the idle time without a byte, and keeps the text', async () => {
    const clock = new FakeClock();
    const fault = streamFault(`${opening}${delta('kept')}${closing}`, {
      cues: [{ at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'never' }],
    });
    const settings = { ...settingsFor(proxy.url), idleTimeoutMs: 30_000 };
    let read = (): void => {};
    const hasText = new Promise<void>((resolve) => (read = resolve));
    const asked = askWith(fault, {
      clock,
      settings,
      onUpdate: (_, parts) => {
        if (lastText(parts) === 'kept') read();
      },
    });
    await hasText;
    await clock.advance(29_999);
    assert.equal(proxy.exchanges[0]?.state, 'open');
    await clock.advance(1);
    const outcome = await asked;
    assertCode(outcome, 'timed-out');
    assert.match(outcome.sentence ?? '', /30 s/);
    assert.equal(outcome.text, 'kept');
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });

  it('A15: counts any byte as a sign of life, comments included', async () => {
    const clock = new FakeClock();
    const pings = ['p0', 'p1', 'p2'];
    const fault = streamFault(
      `${opening}${pings.map((ping) => `: ${ping}\n\n`).join('')}${delta('a')}${closing}`,
      { cues: pings.map((ping) => ({ at: { text: `: ${ping}\n\n` }, do: 'hold', gate: ping })) },
    );
    const settings = { ...settingsFor(proxy.url), idleTimeoutMs: 30_000 };
    let received = 0;
    const client = new AssistantClient({
      fetch: async (url, init) => counted(await fetch(url, init), (bytes) => (received += bytes)),
      clock,
      log: new RecordingLog(),
    });
    const asked = askWith(fault, { client, settings });
    for (const ping of pings) {
      await proxy.whenHeld(ping);
      const sent = proxy.exchanges[0]?.responseBytes ?? 0;
      while (received < sent) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(20_000);
      proxy.openGate(ping);
    }
    const outcome = await asked;
    assert.equal(outcome.end?.status, 'complete');
    assert.equal(outcome.text, 'a');
  });

  it('A16: shows single bytes as they arrive, with one update per event', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `word${index} `);
    const growths = new Set<string | undefined>();
    const outcome = await askWith(streamFault(replyOf(...texts), { pieceBytes: 1 }), {
      onUpdate: (_, parts) => growths.add(lastText(parts)),
    });
    assert.equal(outcome.text, texts.join(''));
    assert.ok(growths.size >= texts.length, `${growths.size} different texts`);
    assert.ok(outcome.updateCount <= texts.length + 8, `${outcome.updateCount} updates`);
  });

  const tooLong: readonly [string, Fault][] = [
    [
      'one line of 12 MB',
      streamFault('', { respond: { body: 'x'.repeat(1_000_000), repeat: 12 } }),
    ],
    [
      'a line that never ends',
      streamFault('', {
        respond: { body: `data: ${'x'.repeat(1000)}`.repeat(100), repeat: 1_000_000 },
      }),
    ],
  ];
  for (const [what, fault] of tooLong) {
    it(`A17: stops at ${what}, and closes the connection`, async () => {
      const outcome = await askWith(fault);
      assertCode(outcome, 'bad-stream');
      await proxy.until(() => proxy.exchanges[0]?.state !== 'open');
      assert.ok((proxy.exchanges[0]?.responseBytes ?? 0) < 64_000_000);
    });
  }

  it('A17: keeps the received part of an endless reply, and closes the connection', async () => {
    const body = delta('x'.repeat(1000)).repeat(100);
    const outcome = await askWith(streamFault('', { respond: { body, repeat: 1_000_000 } }));
    assert.deepEqual(outcome.end, { status: 'incomplete', isDegraded: false, isTooLong: true });
    assert.ok(outcome.text.length > 16_000_000);
    await proxy.until(() => proxy.exchanges[0]?.state !== 'open');
    assert.ok((proxy.exchanges[0]?.responseBytes ?? 0) < 64_000_000);
  });

  it('A17: reads a hundred thousand tiny deltas whole', async () => {
    const outcome = await askWith(
      streamFault('', {
        respond: { body: delta('x'), repeat: 1e5 },
      }),
    );
    assert.equal(outcome.text.length, 1e5);
    assert.equal(outcome.end?.status, 'incomplete');
  });

  it('A25: reports 204 as an empty reply', async () => {
    assertCode(await askWith({ respond: { status: 204 } }), 'empty-reply');
  });

  it('A26: keeps the text of a compressed stream that is cut', async () => {
    // Cut only once its start was read: a connection that breaks may take what is being decoded along.
    const outcome = await askWith(
      streamFault(`${opening}${delta('kept')}${delta('x'.repeat(500))}${closing}`, {
        rewrite: [],
        encode: 'gzip',
        cues: [
          { at: 150, do: 'hold', gate: 'seen' },
          { at: 150, do: 'close' },
        ],
      }),
      {
        onUpdate: (_, parts) => {
          if (lastText(parts)?.startsWith('kept')) proxy.openGate('seen');
        },
      },
    );
    assertCode(outcome, 'connection-lost');
    assert.match(outcome.text, /^kept/);
  });

  for (const cue of ['end', 'reset'] as const) {
    it(`A26: reports a lost connection if the body is not in its named encoding (${cue})`, async () => {
      const outcome = await askWith(
        streamFault(replyOf('a'), {
          headers: { 'content-encoding': 'gzip' },
          cues: [{ at: 60, do: cue }],
        }),
        { settings: { ...settingsFor(proxy.url), idleTimeoutMs: 5000 } },
      );
      // fetch can lose the failure of a body that has ended by then. The idle time ends the wait.
      const isSilent = cue === 'end' && outcome.error?.code === 'timed-out';
      assertCode(outcome, isSilent ? 'timed-out' : 'connection-lost');
      assert.equal(outcome.text, '');
      assert.equal(proxy.exchanges.length, 1);
    });
  }

  const stopPlaces: readonly [string, Fault][] = [
    ['before the headers', { cues: [{ at: 'headers', do: 'hold', gate: 'never' }] }],
    ['after the headers', { cues: [{ at: 0, do: 'hold', gate: 'never' }] }],
    ['in mid-text', { cues: [{ at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'never' }] }],
  ];
  for (const [place, fault] of stopPlaces) {
    it(`A27: stops at once ${place}, without an error, and keeps the text`, async () => {
      const stop = new AbortController();
      const reason = new Error('Stopped by the test');
      let onText = (): void => {};
      const hasText = new Promise<void>((resolve) => (onText = resolve));
      const asked = askWith(streamFault(replyOf('kept'), fault), {
        signal: stop.signal,
        onUpdate: () => onText(),
      });
      await proxy.whenHeld('never');
      if (place === 'in mid-text') await hasText;
      stop.abort(reason);
      const outcome = await asked;
      assert.equal(outcome.thrown, reason);
      assert.equal(outcome.text, place === 'in mid-text' ? 'kept' : '');
      await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
    });
  }

  it('A27: is complete if the end marker came before the connection was held open', async () => {
    const clock = new FakeClock();
    const asked = askWith(
      streamFault(replyOf('a') + ': rest\n\n', {
        cues: [{ at: { text: '[DONE]\n\n' }, do: 'hold', gate: 'never' }],
      }),
      { clock },
    );
    assert.equal((await asked).end?.status, 'complete');
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });
});

function lastText(parts: readonly MessagePart[]): string | undefined {
  const last = parts.findLast((part) => part.type === 'text');
  return last?.type === 'text' ? last.text : undefined;
}

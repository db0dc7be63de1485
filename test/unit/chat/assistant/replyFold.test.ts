/** The parts of a reply are those that the reducer of `ai` makes of a stream that is valid. */
import assert from 'node:assert/strict';
import { readUIMessageStream, uiMessageChunkSchema, type UIMessageChunk } from 'ai';
import { ChunkStream } from '../../../../src/chat/assistant/chunkStream';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { assertForAllCuts } from '../../../builders/ask';
import { applied } from '../../../builders/ops';
import { events } from '../../../builders/stream';

/** Streams that are generated, and chunks of each: snapshots of `ai` cost the square of them. */
const SEEDS = 40;
const LENGTH = 60;

/** Returns a source of whole numbers below a limit, the same ones for each seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const words = ['Grüße ', '世界', '👩‍👩‍👧‍👦 ', 'and ', '\n', '', '`code`', ' ', '<b>', '[1]'];

/**
 * Returns a stream that is valid by every rule of `ai`, with texts that grow in each other's midst.
 */
function validStream(seed: number, length: number): UIMessageChunk[] {
  const below = numbers(seed);
  const chunks: UIMessageChunk[] = [{ type: 'start', messageId: 'm' }];
  const open = new Map<string, 'text' | 'reasoning'>();
  let isInStep = false;
  let next = 0;
  const id = (): string => `id ${next++}`;
  const metadata = (): { providerMetadata?: { acme: { at: number } } } =>
    below(3) === 0 ? { providerMetadata: { acme: { at: chunks.length } } } : {};
  const closeAll = (): void => {
    for (const [openId, kind] of open) chunks.push({ type: `${kind}-end`, id: openId });
    open.clear();
  };
  const makers: readonly (() => void)[] = [
    () => {
      const kind = below(3) === 0 ? 'reasoning' : 'text';
      // An id may come again once its text has ended.
      const newId = below(4) === 0 && !open.has('again') ? 'again' : id();
      open.set(newId, kind);
      chunks.push({ type: `${kind}-start`, id: newId, ...(kind === 'text' ? {} : metadata()) });
    },
    () => {
      const [openId, kind] = [...open][below(open.size)] ?? [];
      if (openId === undefined || kind === undefined) return;
      open.delete(openId);
      chunks.push({ type: `${kind}-end`, id: openId, ...(kind === 'text' ? {} : metadata()) });
    },
    () => {
      closeAll();
      if (isInStep) chunks.push({ type: 'finish-step' });
      isInStep = true;
      chunks.push({ type: 'start-step' });
    },
    () => {
      if (!isInStep || below(3) > 0) return;
      chunks.push({ type: 'reset-step' });
      open.clear();
    },
    () => {
      const title = below(2) === 0 ? {} : { title: `Page ${next}` };
      const url = `https://docs.example.com/${next}`;
      chunks.push({ type: 'source-url', sourceId: id(), url, ...title, ...metadata() });
    },
    () => chunks.push({ type: 'file', url: `data:,${next++}`, mediaType: 'text/plain' }),
    () => chunks.push({ type: 'message-metadata', messageMetadata: { at: next } }),
  ];
  while (chunks.length < length) {
    const [openId, kind] = [...open][below(open.size)] ?? [];
    if (openId === undefined || kind === undefined || below(3) === 0)
      makers[below(makers.length)]?.();
    else {
      const delta = words[below(words.length)] ?? '';
      chunks.push({ type: `${kind}-delta`, id: openId, delta });
    }
  }
  closeAll();
  chunks.push({ type: 'finish', finishReason: 'stop' });
  return chunks;
}

describe('the fold of a reply', () => {
  it('gives the parts of the reducer of ai after every single chunk, over generated streams', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const chunks = validStream(seed, LENGTH);
      const expected = await statesByAi(chunks);
      const stream = new ChunkStream();
      let parts: readonly MessagePart[] = [];
      for (const [index, chunk] of chunks.entries()) {
        stream.push({ data: JSON.stringify(chunk) });
        parts = applied(parts, stream.take());
        const state = `seed ${seed}, chunk ${index}: ${JSON.stringify(chunk)}`;
        assert.deepEqual(withoutEmptied(parts), expected[index], state);
      }
    }
  });

  it('gives the parts of the reducer of ai however the network cuts a stream', async () => {
    for (let seed = 101; seed <= 104; seed++) {
      const chunks = validStream(seed, LENGTH);
      const expected = (await statesByAi(chunks)).at(-1);
      await assertForAllCuts(events(...chunks, '[DONE]'), ({ parts }) =>
        assert.deepEqual(withoutEmptied(parts), expected),
      );
    }
  });

  it('meets every kind of change in the generated streams', () => {
    const types = new Set<string>(
      Array.from({ length: SEEDS }, (_, index) => validStream(index + 1, LENGTH))
        .flat()
        .map(({ type }) => type),
    );
    for (const type of ['reset-step', 'finish-step', 'reasoning-end', 'file', 'source-url']) {
      assert.ok(types.has(type), type);
    }
  });
});

/**
 * Returns the state that `ai` alone makes of the chunks up to each of them, in our words. Each
 * chunk is checked by its schema first, so that a stream that it refuses is no test.
 */
async function statesByAi(chunks: readonly UIMessageChunk[]): Promise<unknown[]> {
  const schema = uiMessageChunkSchema();
  for (const chunk of chunks) assert.ok((await schema.validate?.(chunk))?.success);
  const marked = chunks.flatMap((chunk, index): UIMessageChunk[] => [
    chunk,
    { type: 'message-metadata', messageMetadata: { after: index } },
  ]);
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of marked) controller.enqueue(chunk);
      controller.close();
    },
  });
  const states: unknown[] = [];
  for await (const { metadata, parts } of readUIMessageStream({ stream, terminateOnError: true })) {
    if (typeof metadata !== 'object' || metadata === null || !('after' in metadata)) continue;
    // The first snapshot with a mark is the one behind that chunk.
    states[Number(metadata.after)] ??= withoutEmptied(parts.map(partInOurWords));
  }
  return states;
}

function partInOurWords(part: object): object {
  const known = ['type', 'text', 'sourceId', 'url', 'title', 'mediaType', 'providerMetadata'];
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => known.includes(name) && value !== undefined),
  );
}

/** Ours empties the parts of a step that starts anew, so that no index shifts; theirs removes them. */
function withoutEmptied(parts: readonly object[]): object[] {
  return parts.filter((part) => !('text' in part && part.text === ''));
}

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type MessageId, messageLines } from '../../../../src/docsTools/mcp/messageLines';

const MAX = 2000;

/** Returns what passed, and the IDs of what was dropped. */
async function passed(
  input: string,
  chunkBytes: number,
): Promise<{ readonly output: string; readonly ids: readonly MessageId[] }> {
  const ids: MessageId[] = [];
  const bytes = Buffer.from(input);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const lines = messageLines(MAX, (id) => ids.push(id));
  return { output: await text(Readable.from(chunks).pipe(lines)), ids };
}

const long = 'ü'.repeat(2 * MAX);

describe('messageLines', () => {
  it('passes on lines up to the limit, and drops longer ones, however they arrive', async () => {
    const fits = `${'a'.repeat(MAX - 1)}\n`;
    const input = `{"id":1}\n${long}\n${fits}\n\n${long}x\n{"id":2}\n`;
    for (const chunkBytes of [1, 7, 999, 100_000]) {
      const { output, ids } = await passed(input, chunkBytes);
      assert.equal(output, `{"id":1}\n${fits}\n\n{"id":2}\n`);
      assert.deepEqual(ids, [null, null]);
    }
  });

  for (const [message, id] of [
    [{ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { long } }, 7],
    [{ method: 'tools/call', params: { long, id: 5 }, jsonrpc: '2.0', id: 8 }, 8],
    [{ method: 'tools/call', params: { long }, id: 'a-1', jsonrpc: '2.0' }, 'a-1'],
    [{ jsonrpc: '2.0', method: 'x', params: { id: 5, long } }, null],
    [{ jsonrpc: '2.0', method: 'x', params: { long, id: 5 } }, null],
    [{ jsonrpc: '2.0', method: 'x', params: { long, text: '"id":6}' } }, null],
    [{ params: { id: 1, long: { long } }, method: 'x', jsonrpc: '2.0' }, null],
  ] as const) {
    it(`finds the ID ${id} of a request with ${Object.keys(message).join(', ')}`, async () => {
      const { output, ids } = await passed(`${JSON.stringify(message)}\n`, 1000);
      assert.deepEqual({ output, ids }, { output: '', ids: [id] });
    });
  }

  it('takes no ID from lines that aren’t JSON', async () => {
    for (const line of [`{"id":007,${long}`, `{"id":"a\tb",${long}`, `{"id":-,${long}"id":01}`]) {
      assert.deepEqual((await passed(`${line}\n`, 500)).ids, [null], line.slice(0, 20));
    }
  });
});

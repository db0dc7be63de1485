import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type MessageId,
  messageLines,
  refusalOf,
} from '../../../../src/docsTools/mcp/messageLines';

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

describe('refusalOf', () => {
  for (const [line, code, id] of [
    ['hello', -32_700, null],
    ['Content-Length: 20', -32_700, null],
    ['{"jsonrpc":"2.0","id":1,', -32_700, null],
    ['42', -32_600, null],
    ['null', -32_600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, null],
    ['{"jsonrpc":"2.0"}', -32_600, null],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600, 1],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', -32_600, 'a'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, null],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
    ['{"jsonrpc":"2.0","method":7}', -32_600, null],
    ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}', -32_602, 1],
    ['{"jsonrpc":"2.0","id":"a","method":"initialize"}', -32_602, 'a'],
    ['{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":5}}', -32_602, 2],
    ['{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":5}}', -32_602, 2],
    ['{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":5}}', -32_602, 3],
    ['{"jsonrpc":"2.0","id":3,"method":"resources/read"}', -32_602, 3],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call"}', -32_602, 4],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{}}', -32_602, 4],
    [
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"x","arguments":7}}',
      -32_602,
      4,
    ],
  ] as const) {
    it(`answers ${line} with ${code} and the ID ${id}`, () => {
      const refusal = refusalOf(line);
      assert.deepEqual([refusal?.code, refusal?.id], [code, id]);
    });
  }

  for (const line of [
    '',
    ' \r\n',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"question":7}}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://local/a","_meta":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/x","params":[]}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The line is not JSON."}}',
    '{"jsonrpc":"2.0","id":null,"result":7}',
  ]) {
    it(`answers nothing to “${line.trim()}”`, () => {
      assert.equal(refusalOf(line), undefined);
    });
  }
});

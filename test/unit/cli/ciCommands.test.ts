import assert from 'node:assert/strict';
import { CiCommandBreaker, jsonWithoutCiCommands } from '../../../src/cli/ciCommands';
import { seededRandom } from '../../builders/seededRandom';

/** Returns whether a CI takes a line for a command of its own. */
const isCommand = (line: string): boolean =>
  // eslint-disable-next-line no-control-regex -- the styles of a terminal
  /^(?:\s|\u001b\[[\d;]*m)*::|##\w*\[/.test(line);

const broken = (...pieces: readonly string[]): string => {
  const breaker = new CiCommandBreaker();
  return pieces.map((piece) => breaker.push(piece)).join('');
};

describe('CiCommandBreaker', () => {
  for (const line of [
    '::error::no',
    '  ::stop-commands::x',
    'a ##[add-mask]x',
    '###[group]x',
    '##vso[task.setvariable variable=x]y',
    '##[a]##[b]',
  ]) {
    it(`takes the command out of “${line}”, also in pieces`, () => {
      assert.ok(isCommand(line));
      for (const shown of [
        broken(line),
        broken(...Array.from(line)),
        broken('a\n', ...Array.from(line)),
      ]) {
        assert.ok(!shown.split('\n').some(isCommand), shown);
        assert.equal(shown.replaceAll(' ', '').replace(/^a\n/, ''), line.replaceAll(' ', ''));
      }
      const json = jsonWithoutCiCommands(JSON.stringify({ line }, null, 2));
      assert.ok(!json.split('\n').some(isCommand), json);
      assert.deepEqual(JSON.parse(json), { line });
    });
  }

  it('leaves headings, colons and other lines as they are', () => {
    for (const line of ['## Heading', '# [link](x)', 'std::vector', 'a: b', '## a [b]', '']) {
      assert.equal(broken(line), line);
      assert.equal(broken(...Array.from(line)), line);
      assert.equal(jsonWithoutCiCommands(JSON.stringify(line)), JSON.stringify(line));
    }
  });

  // Shows faults.md L24.
  it('takes every command out of any text, however it is cut', () => {
    const random = seededRandom(20);
    const bits = [':', '::', '#', '##', '[', 'vso', ' ', '\n', 'a', '\u001b[1m', '\u2028', '\t'];
    for (let round = 0; round < 5000; round++) {
      const pieces = Array.from({ length: 12 }, () => {
        return Array.from({ length: 1 + random(3) }, () => bits[random(bits.length)]).join('');
      });
      const shown = broken(...pieces);
      assert.ok(!shown.split('\n').some(isCommand), JSON.stringify(pieces));
      assert.equal(shown.replaceAll(' ', ''), pieces.join('').replaceAll(' ', ''));
    }
  });

  it('breaks a command after a style of the terminal, and none in the middle of a line', () => {
    assert.equal(broken('\u001b[1m::error::x'), '\u001b[1m: :error::x');
    const breaker = new CiCommandBreaker();
    breaker.restart('middle');
    assert.equal(breaker.push('::error::a ##[b]\n::c'), '::error::a ## [b]\n: :c');
    breaker.restart('start');
    assert.equal(breaker.push('::'), ': :');
  });
});

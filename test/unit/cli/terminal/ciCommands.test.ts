import assert from 'node:assert/strict';
import { jsonWithoutCiCommands, withoutCiCommands } from '../../../../src/cli/terminal/ciCommands';

/** Returns whether a CI takes a line for a command of its own. */
const isCommand = (line: string): boolean => /^\s*::|##\w*\[/.test(line);

describe('withoutCiCommands', () => {
  for (const line of [
    '::error::no',
    '  ::stop-commands::x',
    'a ##[add-mask]x',
    '###[group]x',
    '##vso[task.setvariable variable=x]y',
    '##[a]##[b]',
  ]) {
    it(`takes the command out of “${line}”`, () => {
      assert.ok(isCommand(line));
      const shown = withoutCiCommands(line);
      assert.ok(!isCommand(shown), shown);
      assert.equal(shown.replaceAll(' ', ''), line.replaceAll(' ', ''));
      const json = jsonWithoutCiCommands(JSON.stringify({ line }, null, 2));
      assert.ok(!json.split('\n').some(isCommand), json);
      assert.deepEqual(JSON.parse(json), { line });
    });
  }

  it('leaves headings, colons and other lines as they are', () => {
    for (const line of ['## Heading', '# [link](x)', 'std::vector', 'a: b', '## a [b]', '']) {
      assert.equal(withoutCiCommands(line), line);
      assert.equal(jsonWithoutCiCommands(JSON.stringify(line)), JSON.stringify(line));
    }
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { constants, withConstant } from '../../bench/leaveOneOut.mjs';

describe('the constants that are chosen without a set', () => {
  for (const constant of constants) {
    it(`${constant.name} is replaced where ${constant.file} declares it`, async () => {
      const contents = await readFile(`src/docs/${constant.file}`, 'utf8');
      for (const other of constant.others) {
        const changed = withConstant(contents, constant, other);
        assert.notEqual(changed, contents);
        assert.equal(changed.split('\n').length, contents.split('\n').length);
      }
    });
  }

  it('say where one is not declared', () => {
    const moved = { file: 'search/preferences.ts', name: 'SECONDARY', others: [] };
    assert.throws(() => withConstant('let SECONDARY = 0.7;', moved, '1'), {
      message: 'search/preferences.ts declares no SECONDARY.',
    });
  });
});

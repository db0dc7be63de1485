import assert from 'node:assert/strict';
import { translatePattern } from '../../../../webview/code/grammarPlugin.mjs';

/** Returns the source, and the numbers that its groups had where they are different now. */
function translated(pattern: string, ...asked: number[]): readonly unknown[] {
  const [source, , , groups] = translatePattern(pattern, new Set(asked)) ?? assert.fail();
  return [source, groups];
}

describe('a pattern of a grammar, translated', () => {
  it('keeps the groups that are asked for, with their numbers', () => {
    assert.deepEqual(translated('(a)((b)|c)(d)', 3), ['(?:a)(?:(b)|c)(?:d)', [3]]);
    assert.deepEqual(translated('(a)(b)(c)', 3, 1), ['(a)(?:b)(c)', [1, 3]]);
    assert.deepEqual(translated('(a)', 0), ['(?:a)', []]);
  });

  it('is left as it is where all its groups are asked for', () => {
    assert.deepEqual(translated('(a)(?:b|c)(d)', 0, 1, 2), ['(a)(?:b|c)(d)', undefined]);
  });

  it('takes no bracket for a group that is a character, or that looks around', () => {
    assert.deepEqual(translated(String.raw`\((?=x)(?<!y)[(\]()]*(z)`), [
      String.raw`\((?=x)(?<!y)[\(\]\(\)]*(?:z)`,
      [],
    ]);
  });

  it('keeps all groups where it refers to one of them itself', () => {
    assert.deepEqual(translated(String.raw`(a)(['"])b*\2`), [String.raw`(a)(['"])b*\2`, undefined]);
  });

  it('has a short class of letters, in which all beyond ASCII is one', () => {
    const [source = ''] = translatePattern('^[_[:alpha:]]+$', new Set()) ?? [];
    const letters = new RegExp(source, 'v');
    assert.ok(['_a', 'Zürich', '変数'].every((text) => letters.test(text)));
    assert.ok(!['a1', 'a b', 'a-b', ''].some((text) => letters.test(text)));
  });

  it('is null where JavaScript has nothing for it', () => {
    assert.equal(translatePattern('(a', new Set()), null);
  });
});

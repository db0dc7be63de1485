import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  translatePattern,
  translatedGrammar,
  variantModule,
} from '../../../../webview/code/grammarPlugin.mjs';

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

describe('a grammar that is nearly another one', () => {
  const tsx = translatedGrammar('tsx');
  const grammarSchema = v.object({ grammar: v.unknown(), patterns: v.array(v.unknown()) });

  /** Returns a grammar with its patterns in the place of their keys. */
  const resolved = (name: string, read: unknown): unknown => {
    const { grammar, patterns } = v.parse(grammarSchema, read);
    return JSON.parse(JSON.stringify(grammar), (field, value: unknown) => {
      if (typeof value !== 'string' || !/^(?:match|begin|end|while)$/.test(field)) {
        return value ?? undefined;
      }
      const [key = '', ...marks] = value.split('\u0001');
      const [owner, index] = key.split(':');
      assert.equal(owner, name);
      return [patterns[Number(index)], marks];
    });
  };

  for (const name of ['javascript', 'typescript']) {
    it(`has every rule of ${name} after it is made from that one`, async () => {
      const base = JSON.stringify(await tsx);
      const module = await variantModule(name);
      const source = module.replace(
        "import base from 'grammar:tsx';",
        () => `const base = ${base};`,
      );
      const made: unknown = await import(
        `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
      );
      const own = await translatedGrammar(name);
      assert.deepEqual(
        resolved(name, v.parse(v.object({ default: v.unknown() }), made).default),
        resolved(name, own),
      );
      assert.ok(module.length < 0.5 * JSON.stringify(own).length, 'it holds what differs');
    });
  }
});

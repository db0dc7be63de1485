import assert from 'node:assert/strict';
import { CodeColors, fallbackRules } from '../../../../webview/code/codeColors';

const styleOf = (
  rules: readonly (readonly [scope: string, foreground?: string | undefined, fontStyle?: string])[],
  path: string,
) => {
  const colors = new CodeColors(
    rules.map(([scope, foreground, fontStyle]) => ({
      scope: scope.split(','),
      ...(foreground === undefined ? {} : { foreground }),
      ...(fontStyle === undefined ? {} : { fontStyle }),
    })),
  );
  const { foreground, fontStyle } = colors.styleOf(path.split(' '));
  return [foreground, fontStyle];
};

describe('the color of code', () => {
  it('is that of the longest scope that holds it', () => {
    const rules = [
      ['string', 'a'],
      ['string.quoted.double', 'b'],
      ['string.quoted', 'c'],
    ] as const;
    assert.deepEqual(styleOf(rules, 'source.ts string.quoted.double.ts'), ['b', undefined]);
    assert.deepEqual(styleOf(rules, 'source.ts string.template.ts'), ['a', undefined]);
    assert.deepEqual(styleOf(rules, 'source.ts strings'), [undefined, undefined]);
  });

  it('is that of the rule that stands last among equal ones', () => {
    assert.deepEqual(
      styleOf(
        [
          ['comment', 'a'],
          ['comment', 'b'],
        ],
        'source.ts comment.line',
      ),
      ['b', undefined],
    );
  });

  it('is that of a rule for these surroundings before one for any', () => {
    const rules = [
      ['source.ts meta.function string', 'a'],
      ['meta.function string', 'b'],
      ['string', 'c'],
    ] as const;
    assert.deepEqual(styleOf(rules, 'source.ts meta.function.ts meta.block string.quoted'), [
      'a',
      undefined,
    ]);
    assert.deepEqual(styleOf(rules, 'source.js meta.function.js string.quoted'), ['b', undefined]);
    assert.deepEqual(styleOf(rules, 'source.js string.quoted'), ['c', undefined]);
  });

  it('is that of a direct child only where the rule says so', () => {
    const rules = [['meta.a > string', 'a']] as const;
    assert.deepEqual(styleOf(rules, 'source.ts meta.a string'), ['a', undefined]);
    assert.deepEqual(styleOf(rules, 'source.ts meta.a meta.b string'), [undefined, undefined]);
  });

  it('comes from outside where a scope has none of its own', () => {
    const rules = [
      ['comment', 'a', 'italic'],
      ['keyword', undefined, 'bold'],
      ['plain', undefined, ''],
    ] as const;
    assert.deepEqual(styleOf(rules, 'source.ts comment.block'), ['a', 'italic']);
    assert.deepEqual(styleOf(rules, 'source.ts comment.block keyword.tag'), ['a', 'bold']);
    assert.deepEqual(styleOf(rules, 'source.ts comment.block plain'), ['a', undefined]);
  });

  it('is one of VS Code’s own variables where the theme is not known', () => {
    const colors = new CodeColors(fallbackRules);
    for (const scope of ['comment.line', 'keyword.control', 'string.quoted', 'constant.numeric']) {
      assert.match(
        colors.styleOf(['source.x', scope]).foreground ?? '',
        /^var\(--vscode-[\w-]+\)$/,
      );
    }
  });
});

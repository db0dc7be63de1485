import assert from 'node:assert/strict';
import { CodeColors, fallbackRules } from '../../../../webview/code/codeColors';

const styleOf = (
  rules: readonly (readonly [scope: string, foreground?: string | undefined, fontStyle?: string])[],
  path: string,
) => {
  const colors = new CodeColors(
    rules.map(([scope, foreground, fontStyle]) => ({
      scope: scope.split(','),
      foreground,
      fontStyle,
    })),
  );
  const { foreground, fontStyle } = colors.styleOf(path.split(' '));
  return [foreground, fontStyle];
};

describe('the color of code', () => {
  it('comes from the longest matching scope', () => {
    const rules = [
      ['string', 'a'],
      ['string.quoted.double', 'b'],
      ['string.quoted', 'c'],
    ] as const;
    assert.deepEqual(styleOf(rules, 'source.ts string.quoted.double.ts'), ['b', undefined]);
    assert.deepEqual(styleOf(rules, 'source.ts string.template.ts'), ['a', undefined]);
    assert.deepEqual(styleOf(rules, 'source.ts strings'), [undefined, undefined]);
  });

  it('comes from the last of several equal rules', () => {
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

  it('comes from a rule with matching parents before a rule without parents', () => {
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

  it('comes from a rule for direct children only if the scope is a direct child', () => {
    const rules = [['meta.a > string', 'a']] as const;
    assert.deepEqual(styleOf(rules, 'source.ts meta.a string'), ['a', undefined]);
    assert.deepEqual(styleOf(rules, 'source.ts meta.a meta.b string'), [undefined, undefined]);
  });

  it('is inherited if a scope has no color of its own', () => {
    const rules = [
      ['comment', 'a', 'italic'],
      ['keyword', undefined, 'bold'],
      ['plain', undefined, ''],
    ] as const;
    assert.deepEqual(styleOf(rules, 'source.ts comment.block'), ['a', 'italic']);
    assert.deepEqual(styleOf(rules, 'source.ts comment.block keyword.tag'), ['a', 'bold']);
    assert.deepEqual(styleOf(rules, 'source.ts comment.block plain'), ['a', undefined]);
  });

  it('is one of VS Code’s variables if the theme is unknown', () => {
    const colors = new CodeColors(fallbackRules);
    for (const scope of ['comment.line', 'keyword.control', 'string.quoted', 'constant.numeric']) {
      assert.match(
        colors.styleOf(['source.x', scope]).foreground ?? '',
        /^var\(--vscode-[\w-]+\)$/,
      );
    }
  });
});

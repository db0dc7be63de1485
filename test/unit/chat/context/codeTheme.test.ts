import assert from 'node:assert/strict';
import {
  customRules,
  mergeTheme,
  parseRulesFile,
  parseThemeFile,
} from '../../../../src/chat/context/codeTheme';

const theme = (content: unknown) => parseThemeFile(JSON.stringify(content));

describe('the colors of a theme', () => {
  it('are read from JSON with comments and trailing commas', () => {
    const file = parseThemeFile(`\ufeff{
      // Made by hand.
      "include": "./base.json",
      "colors": { "editor.foreground": "#D4D4D4", },
      "tokenColors": [
        { "name": "Comments", "scope": ["comment", "punctuation.definition.comment"],
          "settings": { "foreground": "#6A9955", "fontStyle": "italic" } },
        { "scope": "string, meta.embedded source", "settings": { "foreground": "#CE9178" } },
      ],
    }`);
    assert.deepEqual(file, {
      include: './base.json',
      foreground: '#d4d4d4',
      rules: [
        {
          scope: ['comment', 'punctuation.definition.comment'],
          foreground: '#6a9955',
          fontStyle: 'italic',
        },
        { scope: ['string', 'meta.embedded source'], foreground: '#ce9178' },
      ],
    });
  });

  it('may be in a file of their own, plain or named as older files name them', () => {
    assert.deepEqual(theme({ tokenColors: './rules.json' }), {
      rulesPath: './rules.json',
      rules: [],
    });
    const rules = [{ scope: 'comment', settings: { foreground: '#123' } }];
    const wanted = [{ scope: ['comment'], foreground: '#123' }];
    assert.deepEqual(parseRulesFile(JSON.stringify(rules)), wanted);
    assert.deepEqual(parseRulesFile(JSON.stringify({ tokenColors: rules })), wanted);
    assert.deepEqual(parseRulesFile(JSON.stringify({ settings: rules })), wanted);
    assert.deepEqual(parseRulesFile('<plist></plist>'), []);
  });

  it('are those that can be used, where others are not', () => {
    const file = theme({
      include: 7,
      colors: 'none',
      tokenColors: [
        null,
        'comment',
        { scope: 'a' },
        { scope: 'b', settings: { foreground: 'red; background: url(https://evil.example)' } },
        { scope: 'c', settings: { foreground: '#12345' } },
        { scope: ['', ' '], settings: { foreground: '#123456' } },
        { scope: 'd', settings: { fontStyle: 'blink italic italic bold' } },
        { scope: 'e', settings: { fontStyle: '' } },
      ],
    });
    assert.deepEqual(file, {
      rules: [
        { scope: ['d'], fontStyle: 'italic bold' },
        { scope: ['e'], fontStyle: '' },
      ],
    });
  });

  for (const broken of ['', 'null', '7', '[]', '"x"', '{"tokenColors": {', '['.repeat(100_000)]) {
    it(`are not read from ${JSON.stringify(broken.slice(0, 20))}, which breaks nothing`, () => {
      assert.deepEqual(parseThemeFile(broken)?.rules ?? [], []);
      assert.deepEqual(parseRulesFile(broken), []);
    });
  }

  it('begin with what a theme includes and end with what the reader changed', () => {
    const base = theme({
      colors: { 'editor.foreground': '#111111' },
      tokenColors: [{ scope: 'comment', settings: { foreground: '#222222' } }],
    });
    const own = theme({ tokenColors: [{ scope: 'comment', settings: { foreground: '#333333' } }] });
    assert.ok(base && own);
    const custom = customRules({ comments: '#444444' }, 'Mine');
    const view = mergeTheme('dark', [base, own], custom);
    assert.equal(view.kind, 'dark');
    assert.equal(view.foreground, '#111111');
    assert.deepEqual(
      view.rules.map(({ foreground }) => foreground),
      ['#222222', '#333333', '#444444'],
    );
  });

  it('have the general color of a rule without scopes, or that of their kind', () => {
    const general = theme({ tokenColors: [{ settings: { foreground: '#abcdef' } }] });
    assert.ok(general);
    assert.deepEqual(mergeTheme('light', [general], []), {
      kind: 'light',
      foreground: '#abcdef',
      rules: [],
    });
    assert.equal(mergeTheme('hc-light', [], []).foreground, '#000000');
    assert.equal(mergeTheme('hc-dark', [], []).foreground, '#ffffff');
  });

  it('are bounded, the last rules counting most', () => {
    const tokenColors = Array.from({ length: 4_000 }, (_, index) => ({
      scope: `scope-${index}`,
      settings: { foreground: '#123456' },
    }));
    const file = theme({ tokenColors });
    assert.ok(file);
    const { rules } = mergeTheme('dark', [file, file], []);
    assert.equal(rules.length, 5_000);
    assert.deepEqual(rules.at(-1)?.scope, ['scope-3999']);
  });
});

describe("the reader's changes to token colors", () => {
  const colors = (setting: unknown, name = 'Solarized Light') =>
    customRules(setting, name).map(({ scope, foreground }) => `${scope[0]} ${foreground}`);

  it('are simple ones, for VS Code’s scopes, and TextMate rules', () => {
    assert.deepEqual(
      customRules(
        {
          strings: { foreground: '#111111', fontStyle: 'italic' },
          numbers: '#222222',
          textMateRules: [{ scope: 'variable', settings: { foreground: '#333333' } }],
          semanticHighlighting: true,
        },
        'Any',
      ),
      [
        { scope: ['string', 'meta.embedded.assembly'], foreground: '#111111', fontStyle: 'italic' },
        { scope: ['constant.numeric'], foreground: '#222222' },
        { scope: ['variable'], foreground: '#333333' },
      ],
    );
  });

  it('count for the themes that they name, after those for all', () => {
    const setting = {
      '[Solarized Light]': { numbers: '#222222' },
      '[Other][*Light]': { numbers: '#333333' },
      '[Sol*zed*]': { numbers: '#444444' },
      '[Solarized]': { numbers: '#555555' },
      '[*Dark*]': { numbers: '#666666' },
      numbers: '#111111',
    };
    assert.deepEqual(colors(setting), [
      'constant.numeric #111111',
      'constant.numeric #222222',
      'constant.numeric #333333',
      'constant.numeric #444444',
    ]);
  });

  it('are none where the setting is something else', () => {
    for (const setting of [null, undefined, 'x', 7, [], { comments: 7 }, { '[x]': null }]) {
      assert.deepEqual(customRules(setting, 'x'), []);
    }
  });
});

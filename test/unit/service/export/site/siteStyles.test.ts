import assert from 'node:assert/strict';
import { parse } from 'acorn';
import { siteScript, themeScript } from '../../../../../src/service/export/site/siteScript';
import { baseStyles, siteStyleSheet } from '../../../../../src/service/export/site/siteStyles';

/** Returns the colors of the light theme, then of the dark one. */
function themes(): Map<string, string>[] {
  return [...baseStyles.matchAll(/color-scheme: \w+;([^}]*)/g)]
    .slice(0, 2)
    .map(
      ([, text = '']) =>
        new Map(
          [...text.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name = '', value = '']) => [
            name,
            value,
          ]),
        ),
    );
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe('the style sheet of a site', () => {
  const pairs: [text: string[], on: string[]][] = [
    [
      ['text', 'muted', 'accent'],
      ['page', 'soft', 'raised'],
    ],
    [['text', 'accent', 'muted'], ['accent-soft']],
    [['text', 'accent'], ['mark']],
    [['note', 'tip', 'important', 'warning', 'caution'], ['soft']],
    [['code-string'], ['code-added']],
    [['caution'], ['code-removed']],
    [['page'], ['accent']],
  ];
  for (const [index, name] of ['light', 'dark'].entries()) {
    it(`has readable text in the ${name} theme`, () => {
      const colours = themes()[index];
      assert.ok(colours && colours.size > 20);
      const code = [...colours.keys()].filter((key) => /^code(?!-added|-removed)/.test(key));
      const poor = [...pairs, [code, ['soft']] as const].flatMap(([texts, grounds]) =>
        texts.flatMap((text) =>
          grounds
            .map((on) => ({
              text,
              on,
              ratio: contrast(colours.get(text) ?? '', colours.get(on) ?? ''),
            }))
            .filter(({ ratio }) => !(ratio >= 4.5)),
        ),
      );
      assert.deepEqual(poor, []);
    });
  }

  it('applies the dark theme for the system’s and the reader’s choice alike', () => {
    assert.equal(siteStyleSheet.split('--page: #131614;').length - 1, 2);
  });

  it('fetches nothing', () => {
    assert.doesNotMatch(siteStyleSheet, /url\(|@import|https?:/);
  });
});

describe('the scripts of a site', () => {
  it('parse without errors, and fetch nothing', () => {
    for (const script of [themeScript, siteScript]) {
      parse(script, { ecmaVersion: 2022, sourceType: 'script' });
      assert.doesNotMatch(script, /\bfetch\b|XMLHttpRequest|import\(|https?:|innerHTML|eval\(/);
    }
  });
});

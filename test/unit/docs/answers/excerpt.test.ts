import assert from 'node:assert/strict';
import { excerpt } from '../../../../src/docs/answers/excerpt';
import type { SectionBlock } from '../../../../src/docs/pages/sections';
import { termsOf } from '../../../../src/docs/search/terms';

const prose = (markdown: string): SectionBlock => ({ kind: 'prose', markdown, text: markdown });
const code = (text: string): SectionBlock => ({
  kind: 'code',
  markdown: `\`\`\`\n${text}\n\`\`\``,
  text,
});

/** Returns the Markdown of the blocks that are shown to somebody who asks for these words. */
function shown(blocks: readonly SectionBlock[], words: string, budget: number): string[] {
  const asked = new Set(termsOf(words).map(({ text }) => text));
  const weightOf = (term: string): number => (asked.has(term) ? 1 : 0);
  return excerpt(blocks, { weightOf, codeLanguage: undefined }, budget).map(
    ({ markdown }) => markdown,
  );
}

describe('excerpt', () => {
  const noise = (name: string): SectionBlock => prose(`${name} says nothing. `.repeat(10).trim());

  it('has every block whole where all fit, also those without a word of the question', () => {
    const blocks = [prose('Herons fish.'), noise('Bees'), noise('Bees'.repeat(10))];
    assert.deepEqual(
      shown(blocks, 'herons', 1_000),
      blocks.map(({ markdown }) => markdown),
    );
  });

  it('keeps the item of an inner list below its outer item, if both are shown', () => {
    const fill = (name: string): string => `- ${name} ${'says nothing '.repeat(15)}`;
    const inner = '  - Herons eat frogs.\n    - Frogs that herons eat.';
    const list = (outer: string): SectionBlock => {
      const markdown = [fill('Bees'), outer, inner, fill('Wasps')].join('\n');
      return { kind: 'list', markdown, text: markdown };
    };
    const asked = (outer: string): string[] => shown([list(outer)], 'herons eat frogs', 1_000);
    assert.deepEqual(asked('- Herons eat frogs here:'), [`- Herons eat frogs here:\n${inner}`]);
    assert.deepEqual(asked('- Here:'), [inner.replaceAll(/^ {2}/gm, '')]);
  });

  it('has the line that introduces the code that answers', () => {
    const lead = prose('Run this:');
    const blocks = [prose('Birds.'), lead, code('heron start'), noise('One'), noise('Two')];
    assert.deepEqual(shown(blocks, 'heron start', 30), ['Run this:', code('heron start').markdown]);
  });

  it('leaves out a paragraph above the code that does not introduce it', () => {
    const blocks = [prose('Birds.'), prose('A pond.'), code('heron start'), noise('One')];
    assert.deepEqual(shown(blocks, 'heron start', 30), ['Birds.', code('heron start').markdown]);
  });

  it('prefers the first paragraph, unless another one says much more', () => {
    const [first, second] = ['Herons fish here.', 'Herons eat at noon.'];
    const third = 'Herons eat frogs at noon.';
    const blocks = [prose(first), prose(second), prose(third)];
    assert.deepEqual(shown(blocks, 'herons eat', 20), [first]);
    assert.deepEqual(shown(blocks, 'herons eat frogs noon', 30), [third]);
  });

  it('prefers code of several blocks that say as much', () => {
    const blocks = [prose('Birds.'), prose('The heron rests.'), code('heron rests'), noise('One')];
    assert.deepEqual(shown(blocks, 'heron rests', 24), [code('heron rests').markdown]);
  });

  it('prefers code in the programming language that is wanted', () => {
    const [js, python] = (['javascript', 'python'] as const).map((codeLanguage) => ({
      ...code(`heron.rest("${codeLanguage}")`),
      codeLanguage,
    }));
    const blocks = [prose('Birds.'), js!, noise('One'), python!];
    const wish = { weightOf: () => 0, codeLanguage: 'python' } as const;
    assert.deepEqual(excerpt(blocks, wish, 30), [python]);
  });

  it('has only the rows of a long table that match best, below its head', () => {
    const rows = Array.from({ length: 13 }, (_, row) => `| bird${row} | pond${row} |`);
    const table = (shownRows: readonly string[]): string =>
      ['| Bird | Pond |', '|---|---|', ...shownRows].join('\n');
    const block = (shownRows: readonly string[]): SectionBlock => ({
      kind: 'table',
      markdown: table(shownRows),
      text: shownRows.join('\n'),
    });
    assert.deepEqual(shown([block(rows)], 'bird7', 5_000), [table(['| bird7 | pond7 |'])]);
    const whole = rows.slice(0, 12);
    assert.deepEqual(shown([block(whole)], 'bird7', 5_000), [table(whole)]);
  });

  it('has the label of an inner list of a long list only with the items of that list', () => {
    const list = [
      '- `fish()`: Herons fish.',
      '',
      '  **Parameters**',
      '  - `pond`: Where it is.',
      ...Array.from({ length: 13 }, (_, item) => `- \`bird${item}()\`: Birds sing all day.`),
    ].join('\n');
    const block: SectionBlock = { kind: 'list', markdown: list, text: list };
    assert.deepEqual(shown([block], 'herons', 5_000), ['- `fish()`: Herons fish.']);
    assert.deepEqual(shown([block], 'herons pond', 5_000), [
      '- `fish()`: Herons fish.\n\n  **Parameters**\n  - `pond`: Where it is.',
    ]);
  });

  it('has no colon at the end of an item whose inner list is left out', () => {
    const list = [
      '- `fish`: How herons fish. One of these ways:',
      '  - `dive`: Diving.',
      ...Array.from({ length: 13 }, (_, item) => `- \`bird${item}\`: Birds sing all day.`),
    ].join('\n');
    const block: SectionBlock = { kind: 'list', markdown: list, text: list };
    assert.deepEqual(shown([block], 'herons', 5_000), [
      '- `fish`: How herons fish. One of these ways …',
    ]);
    assert.deepEqual(shown([block], 'herons diving', 5_000), [
      '- `fish`: How herons fish. One of these ways:\n  - `dive`: Diving.',
    ]);
  });

  it('cuts a long paragraph of a section that does not fit, and shows where sentences are missing', () => {
    const filler = (name: string): string => `${name} ${'goes on and on '.repeat(20).trim()}.`;
    const long = prose(
      [
        filler('Alpha'),
        'Herons eat fish.',
        'Herons eat frogs.',
        filler('Beta'),
        'Herons eat mice.',
        filler('Gamma'),
        filler('Delta'),
      ].join(' '),
    );
    assert.deepEqual(shown([long, noise('One')], 'herons eat', 1_200), [
      '… Herons eat fish. Herons eat frogs. … Herons eat mice. …',
    ]);
  });

  it('leaves out what only the site of Nest reads: the name of a file, and the same code in JavaScript', () => {
    const lines = (...all: string[]): SectionBlock => code(all.join('\n'));
    const both = lines('@@filename(owls)', 'a: number', '@@switch', 'a');
    assert.deepEqual(shown([both], 'owls', 1_000), [lines('a: number').markdown]);
  });
});

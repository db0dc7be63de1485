import assert from 'node:assert/strict';
import { calloutsAsAlerts } from '../../../../../src/docs/pages/markup/alertMarks';

const changed = [
  ['of Obsidian with a title that folds', '> [!info]- Owls\n> A', '> [!NOTE]\n> **Owls**\n>\n> A'],
  ['of Obsidian with their own names', '> [!faq]\n> A', '> [!NOTE]\n> **Faq**\n>\n> A'],
  ['of Obsidian inside of each other', '> > [!bug]+ B', '> > [!CAUTION]\n> > **B**'],
  ['of Obsidian in a list', '- > [!danger] B\n  > C', '- > [!CAUTION]\n  > **B**\n  >\n  > C'],
  ['of ReadMe with a title', '> 📘 Owls\n>\n> A', '> [!NOTE]\n> **Owls**\n>\n> A'],
  ['of ReadMe without a blank line', '> ❗️ Owls\n> A', '> [!CAUTION]\n> Owls\n> A'],
  ['of ReadMe that begin with their name', '> ⚠️ **Warning**: A', '> [!WARNING]\n> A'],
  ['of ReadMe that are only named', '> ℹ️ Note:\n> A', '> [!NOTE]\n> A'],
  [
    'whose sentence goes on',
    '> [!note] A bird\n> that sings.',
    '> [!NOTE]\n> A bird\n> that sings.',
  ],
  ['of Docsify', 'A\n\n!> B\nC\n\n?> D', 'A\n\n> [!IMPORTANT]\n> B\n> C\n\n> [!TIP]\n> D'],
  ['of Notion', '<aside>\n💡 **A**\n</aside>', '<aside>\n\n💡 **A**\n\n</aside>'],
] as const;

const kept = [
  '> [!NOTE]\n> A',
  '> [!div class="next"]\n> A',
  '> 👍',
  '<aside>\n<p>A</p>\n</aside>',
  '> A\n> ⚠️ B',
  '```md\n!> A\n\n> 📘 B\n```',
];

describe('Callouts in quotes and paragraphs', () => {
  for (const [kind, source, alerts] of changed) {
    it(`${kind} are alerts`, () => {
      assert.equal(calloutsAsAlerts(source), alerts);
    });
  }
  for (const source of kept) {
    it(`are told from other text: ${source.replaceAll('\n', '⏎')}`, () => {
      assert.equal(calloutsAsAlerts(source), source);
    });
  }

  it('of Nest lose the kind before their name', () => {
    const quote = (kind: string): string => `A\n\n> ${kind}**Hint** B\n> C\n`;
    assert.equal(calloutsAsAlerts(quote('info ')), quote(''));
    assert.equal(calloutsAsAlerts('> Note **that** A'), '> Note **that** A');
  });
});

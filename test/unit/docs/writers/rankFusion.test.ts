import assert from 'node:assert/strict';
import type { FoundSection } from '../../../../src/docs/pages/page';
import { joinByRank } from '../../../../src/docs/writers/rankFusion';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { aQuestion, indexOf } from '../../service/docs';

const index = indexOf({
  'cache.md': '# Cache\n\nPelicans.\n\n## Signals\n\nStorks.\n\n## Limits\n\nHerons.\n',
  'other.md': '# Other\n\nGulls.\n',
});

/** Returns the section of the docs that has a word. */
function section(word: string): FoundSection {
  const [found] = retrieve(index, aQuestion(word), undefined, 1).sections;
  assert.ok(found, word);
  return found;
}

const joined = (lists: readonly (readonly string[])[]): string[] =>
  joinByRank(
    lists.map((words) => ({ sections: words.map(section), weight: 1 })),
    5,
  ).map((found) => found.section.heading);

describe('joined searches', () => {
  it('put the page first that each search has first, though in different sections', () => {
    assert.deepEqual(
      joined([
        ['Pelicans', 'Gulls'],
        ['Storks', 'Gulls'],
        ['Herons', 'Gulls'],
      ]),
      ['Cache', 'Other', 'Signals', 'Limits'],
    );
  });

  it('put the section of a page first that most searches have', () => {
    assert.deepEqual(joined([['Pelicans'], ['Storks'], ['Gulls', 'Storks']])[0], 'Signals');
  });
});

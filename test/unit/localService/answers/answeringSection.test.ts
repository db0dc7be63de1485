import assert from 'node:assert/strict';
import { withAnsweringSection } from '../../../../src/localService/answers/answeringSection';
import type { Retrieval } from '../../../../src/localService/search/retrieval';
import { buildQuery } from '../../../../src/localService/search/query';
import { aQuestion, filler, indexOf } from '../docs';

const index = indexOf({
  'x.md': filler('invoices'),
  'y.md': filler('maps'),
  'keys.md': `# Keys

A key opens the API.

## Send a key

Put the key into a header of at most 64 characters.

## How long keys are kept

A key is kept for 24 hours.

## Keep keys in Python

\`\`\`python
keep(key, hours=24)
\`\`\`

A Python key is kept for 99 hours.
`,
  'other.md': '# Other\n\nA key can be other things, too.\n',
});

function foundBy(headings: readonly string[], rest: Partial<Retrieval> = {}): Retrieval {
  const sections = [...index.pages()].flatMap((page) =>
    page.sections
      .filter(({ heading }) => headings.includes(heading))
      .map((section) => ({ page, section, strength: 1 })),
  );
  const query = buildQuery(aQuestion('How long is a key kept?'), index);
  return { query, sections, ...rest };
}

function headingsOf(retrieval: Retrieval, pageSize: number): string[] {
  const { sections } = withAnsweringSection('How long is a key kept?', retrieval, index, pageSize);
  return sections.map(({ section }) => section.heading);
}

describe('withAnsweringSection', () => {
  it('adds the section of the best page that answers, after the one that was found', () => {
    const found = foundBy(['Send a key', 'Other'], { codeLanguage: 'go' });
    assert.deepEqual(headingsOf(found, 5), ['Send a key', 'How long keys are kept', 'Other']);
  });

  it('returns no more sections than requested', () => {
    const found = foundBy(['Send a key', 'Other'], { codeLanguage: 'go' });
    assert.deepEqual(headingsOf(found, 2), ['Send a key', 'How long keys are kept']);
  });

  it('changes nothing when the section is already there', () => {
    const found = foundBy(['Send a key', 'How long keys are kept'], { codeLanguage: 'go' });
    assert.equal(withAnsweringSection('How long is a key kept?', found, index, 5), found);
  });

  it('changes nothing when nothing was found', () => {
    assert.deepEqual(headingsOf(foundBy([]), 5), []);
  });
});

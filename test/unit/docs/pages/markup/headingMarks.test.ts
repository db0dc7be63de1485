import assert from 'node:assert/strict';
import { parsePage } from '../../../../../src/docs/pages/page';

function headings(source: string, path = 'guide.md'): string[] {
  return parsePage(path, source).sections.map(({ heading, slug }) => `${heading} #${slug}`);
}

describe('Marks behind headings', () => {
  const forms = [
    ['Nextra and Fumadocs', 'Set up [#usage]', 'guide.mdx'],
    ['Docsify', 'Set up :id=usage', 'guide.md'],
    ['Markdoc', 'Set up {% #usage .wide %}', 'guide.md'],
    ['Markdoc with a name', 'Set up {% id="usage" %}', 'guide.md'],
    ['MDX', 'Set up \\{#usage}', 'guide.mdx'],
  ] as const;
  for (const [tool, heading, path] of forms) {
    it(`set the ID of a heading as ${tool} reads them`, () => {
      assert.deepEqual(headings(`# A\n\n## ${heading}\n\nB`, path), ['Set up #usage']);
    });
  }

  it('for a table of contents are no part of the heading', () => {
    assert.deepEqual(
      headings(
        '# A\n\n## Set up {docsify-ignore}\n\nB\n\n## Start [!toc]\n\nC\n\n## End {% .wide %}\n\nD',
      ),
      ['Set up #set-up', 'Start #start', 'End #end'],
    );
  });

  it('are told from the numbers of issues and from code', () => {
    assert.deepEqual(headings('# A\n\n## Fix owls [#12]\n\nB'), ['Fix owls [#12] #fix-owls-12']);
    const code = '```sh\n# Set up [#usage]\n```';
    assert.equal(parsePage('guide.md', code).sections[0]?.blocks[0]?.markdown, code);
  });
});

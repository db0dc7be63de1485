import assert from 'node:assert/strict';
import { absoluteLinks, sectionFragment } from '../../../../src/docs/pages/links';
import { parsePage } from '../../../../src/docs/pages/page';
import { SetIndex } from '../../../../src/docs/search/setIndex';

const definitions = '[Big owl]: https://x.dev/owl "Owl"\n[k]: <https://x.dev/k>';

/** Returns a text of a page with these definitions as it stands in a reply. */
function replied(markdown: string): string {
  const page = parsePage('birds.md', `${markdown}\n\n${definitions}`);
  return absoluteLinks(markdown, new SetIndex(), page, { write: (href) => href });
}

describe('References in a text of a page', () => {
  it('are links, in each of the three forms', () => {
    assert.equal(
      replied('An [owl][big Owl], a [big\nowl][] and a [Big owl].'),
      'An [owl](https://x.dev/owl), a [big\nowl](https://x.dev/owl) and a [Big owl](https://x.dev/owl).',
    );
    assert.equal(replied('![k] and [[k]]'), '[k](https://x.dev/k) and [[k](https://x.dev/k)]');
  });

  it('leave their definitions out of the text', () => {
    assert.equal(
      replied(`- [k]\n- b\n\n  [k]: https://x.dev/k\n  [Big owl]: https://x.dev/owl "Owl"\n\n- c`),
      '- [k](https://x.dev/k)\n- b\n\n\n- c',
    );
  });

  it('are told from other text in brackets', () => {
    for (const text of [
      '[x] and [ ] and [constructor]',
      '`[k]` \\[k\\]',
      '[k](',
      `[${'k'.repeat(2000)}]`,
    ])
      assert.equal(replied(text), text.replace(/^\[k\]\($/, '[k](https://x.dev/k)('));
    assert.equal(replied('[k]: is a bird'), '[k](https://x.dev/k): is a bird');
  });
});

describe('A link to a section of a page', () => {
  const page = parsePage('birds.md', '# Birds\n\nBoth.\n\n## Owls & Wrens\n\nBirds.');
  for (const [written, fragment] of [
    ['#owls--wrens', '#owls--wrens'],
    ['#Owls--Wrens', '#owls--wrens'],
    ['#owls-wrens', '#owls--wrens'],
    ['#ducks', '#ducks'],
    ['', ''],
  ] as const) {
    it(`leads to “${fragment}” if it is written “${written}”, as other generators may`, () =>
      assert.equal(sectionFragment(page, written), fragment));
  }
});

import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

function read(source: string): string {
  return readPage('guide.md', source)
    .text.replace(/\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
}

describe('Blocks of MDC', () => {
  it('are callouts and titled parts, inside of each other', () => {
    assert.equal(
      read(
        '::note{to="/owls"}\nA\n::\n\n::tabs{.wide}\n:::tabs-item{label="npm" icon="i-npm"}\nB\n:::\n\n:::tabs-item[pnpm]\nC\n:::\n::\n\nD',
      ),
      '<aside class="note">\n\nA\n\n</aside>\n\n<a id="npm">\n\n**npm**\n\nB\n\n<a id="pnpm">\n\n**pnpm**\n\nC\n\nD',
    );
  });

  it('show the title of their properties, and neither these nor the names of slots', () => {
    assert.equal(
      read(
        '::card\n---\nicon: i-owl\ntitle: "Owls at night"\n---\n#default\nA\n\n:video{src="/a.mp4" .wide}\n\n#footer\nB\n::\n\n## C',
      ),
      '<a id="owls-at-night">\n\n**Owls at night**\n\nA\n\nB\n\n## C',
    );
  });

  it('keep a rule that begins no properties', () => {
    assert.equal(
      read('::note\n---\nA\n::\n\nB\n\n---'),
      '<aside class="note">\n\n---\nA\n\n</aside>\n\nB\n\n---',
    );
  });

  it('keep links with a title, and no other component without text', () => {
    assert.equal(
      read(
        'A\n\n:read-more{title="Owls & more" to="/owls"}\n\n:read-more{to="/b"}\n\n:video{src="/a.mp4"}\n\nB',
      ),
      'A\n\n[Owls & more](/owls)\n\nB',
    );
  });

  const kept = ['::youtube[Owls]\n\nA', '```md\n::note\nA\n::\n```\n\n::note\n\nB', 'A\n::\n\nB'];
  for (const text of kept) {
    it(`are told from other text: ${text.replaceAll('\n', '⏎')}`, () => {
      assert.equal(readPage('guide.md', text).text, text);
    });
  }
});

import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

function read(source: string): string {
  return readPage('guide.md', source)
    .text.replace(/\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
}

function block(name: string, data: unknown): string {
  return `[block:${name}]\n${JSON.stringify(data, undefined, 2)}\n[/block]`;
}

describe('Blocks of ReadMe', () => {
  it('are callouts, headings and code', () => {
    const codes = [
      { code: 'curl x \\\n  -i', language: 'curl', name: 'cURL' },
      { code: 'a()', language: 'javascript' },
    ];
    assert.equal(
      read(
        [
          block('callout', { type: 'warning', title: 'Owls', body: 'A *b*.\n\nC' }),
          block('api-header', { title: 'Set up', type: 'basic' }),
          'D',
          block('code', { codes }),
        ].join('\n'),
      ),
      '<aside class="warning">\n\n**Owls**\n\nA *b*.\n\nC\n\n</aside>\n\n## Set up\n\nD\n\n' +
        '```curl title="cURL"\ncurl x \\\n  -i\n```\n\n```javascript\na()\n```',
    );
  });

  it('are tables with all cells in their places', () => {
    const data = { 'h-0': 'A', 'h-1': 'B', '1-0': 'e', '0-0': '`c`', '0-1': 'x | y\n\nz' };
    assert.equal(
      read(block('parameters', { data, cols: 2, rows: 2 })),
      '| A | B |\n| --- | --- |\n| `c` | x \\| y<br>z |\n| e |',
    );
  });

  it('are images, embedded pages and HTML', () => {
    assert.equal(
      read(
        [
          block('image', { images: [{ image: ['/a.png', 'a.png'], caption: 'An owl' }] }),
          block('embed', { html: '<iframe src="x"></iframe>', url: '/b', title: 'B' }),
          block('html', { html: '<div><p>C</p></div>' }),
        ].join('\n\n'),
      ),
      '![An owl](/a.png)\n\n[B](/b)\n\nC',
    );
  });

  it('show variables and terms by their names', () => {
    assert.equal(
      read('Use <<apiKey>> and <<glossary:owl house>>, not `<<x>>`.'),
      'Use apiKey and owl house, not `<<x>>`.',
    );
  });

  const kept = [
    '[block:code]\nA\n[/block]',
    '[block:owls]\n{}\n[/block]',
    '[block:code]\n{}',
    '```\n[block:callout]\n{}\n[/block]\n```',
  ];
  for (const text of kept) {
    it(`are told from other text: ${text.replaceAll('\n', '⏎')}`, () => {
      assert.equal(read(text), text);
    });
  }
});

import assert from 'node:assert/strict';
import { readPageFrame, withoutTag, withTag } from '../../../src/enhance/pageTag';
import { seededRandom } from '../../builders/seededRandom';

const files = { script: 'assistant-0123456789abcdef.js', index: '00112233445566778899' };
const tag = (folder: string): string =>
  `<script defer src="${folder}_docs-assistant/${files.script}" data-docs-assistant="${files.index}"></script>`;

function tagged(html: string, page = 'index.html', basePath = ''): string {
  const result = withTag(Buffer.from(html, 'latin1'), page, basePath, files);
  return typeof result === 'string' ? result : result.toString('latin1');
}

describe('the tag of the assistant', () => {
  for (const [name, html, expected] of [
    [
      'at the end of the head',
      '<head><title>A</title></head><body>',
      `<head><title>A</title>${tag('')}</head><body>`,
    ],
    [
      'before the body, if the head has no end',
      '<title>A</title><BODY class=a>',
      `<title>A</title>${tag('')}<BODY class=a>`,
    ],
    ['at the end of a page without both', '<h1>A</h1>\r\n', `<h1>A</h1>\r\n${tag('')}`],
    [
      'in the head, not in what looks like its end',
      '<head><!-- </head> --><script>"</head>"</script></head>',
      `<head><!-- </head> --><script>"</head>"</script>${tag('')}</head>`,
    ],
  ] as const) {
    it(`stands ${name}`, () => {
      assert.equal(tagged(html), expected);
    });
  }

  it('leads to the folder by a relative path, from every depth and around a base', () => {
    assert.ok(tagged('<body>', 'a/b/c.html').includes(tag('../../')));
    assert.ok(tagged('<base href="/docs/"><body>', 'a/b/c.html', '/docs').includes(tag('')));
    assert.ok(tagged('<base href="../"><body>', 'a/b/c.html', '/docs').includes(tag('../')));
    const encoded = '/d%C3%B6cs';
    assert.ok(tagged(`<base href="${encoded}/a/"><body>`, 'b.html', encoded).includes(tag('../')));
    assert.equal(tagged('<base href="https://docs.test/"><body>', 'a/b/c.html'), 'base');
    assert.equal(tagged('<base href="/"><body>', 'a/b/c.html', '/docs'), 'base');
  });

  it('leads out of a base with letters beyond ASCII, in every encoding of the page', () => {
    for (const [href, encoding] of [
      ['/döcs/a/', 'utf8'],
      ['/döcs/a/', 'latin1'],
      ['/d&ouml;cs/a/', 'utf8'],
    ] as const) {
      const bytes = Buffer.from(`<base href="${href}"><title>Ü</title><body>`, encoding);
      const result = withTag(bytes, 'b.html', '/d%C3%B6cs', files);
      assert.ok(typeof result !== 'string', `${href} in ${encoding}`);
      assert.equal(
        result.toString(encoding),
        `<base href="${href}"><title>Ü</title>${tag('../')}<body>`,
      );
    }
  });

  it('replaces the tag of an earlier run or version', () => {
    const old =
      '<script defer src="../_docs-assistant/assistant-00ff.js" data-docs-assistant="aa"></script>';
    assert.equal(tagged(`<head>${old}</head>`), `<head>${tag('')}</head>`);
    assert.equal(tagged(tagged('<head></head>')), `<head>${tag('')}</head>`);
  });

  for (const [policy, isAllowed] of [
    ["default-src 'self'", true],
    ["default-src 'none'; script-src 'self' 'sha256-abc='", true],
    ['script-src https:', true],
    ["img-src 'none'", true],
    ["default-src 'none'", false],
    ["default-src 'self'; script-src 'sha256-abc='", false],
    ["script-src 'self'; script-src-elem 'nonce-abc'", false],
    ["script-src 'self' 'strict-dynamic' 'nonce-abc'", false],
  ] as const) {
    it(`${isAllowed ? 'is for' : 'leaves out'} pages with the policy ${policy}`, () => {
      const html = `<head><meta http-equiv="Content-Security-Policy" content="${policy}"></head>`;
      assert.equal(tagged(html) === 'policy', !isAllowed);
    });
  }

  it('leaves out pages of frames and pages in UTF-16', () => {
    assert.equal(tagged('<head></head><frameset><frame src="a.html"></frameset>'), 'frames');
    assert.equal(
      withTag(Buffer.from('\ufeff<body>', 'utf16le'), 'index.html', '', files),
      'encoding',
    );
  });

  it('comes out again without another byte changed, whatever the bytes are', () => {
    const random = seededRandom(20_261_126);
    const pieces = [
      '<head>',
      '</head>',
      '<body>',
      '\r\n',
      '\0',
      'ü',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '&lt;',
      "'",
      '"',
      '<',
      'é\u00ff',
      '<title>',
    ];
    for (let round = 0; round < 500; round++) {
      const html = Array.from({ length: 12 }, () => pieces[random(pieces.length)]).join('');
      const bytes = Buffer.from(html, 'latin1');
      const result = withTag(bytes, 'a/b.html', '', files);
      if (typeof result === 'string') continue;
      assert.equal(result.length, bytes.length + tag('../').length, JSON.stringify(html));
      assert.deepEqual(withoutTag(result), bytes, JSON.stringify(html));
    }
  });

  it('reads no further than elements nest in real pages', () => {
    const deep = '<div>'.repeat(3000);
    assert.equal(tagged(`${deep}<frameset>`), `${deep}<frameset>${tag('')}`);
    assert.equal(tagged(`<head></head>${deep}`), `<head>${tag('')}</head>${deep}`);
  });

  it('knows the pages that ask to be left out', () => {
    for (const [meta, isHidden] of [
      ['<meta name="robots" content="noindex">', true],
      ['<META NAME="ROBOTS" CONTENT="NOINDEX, nofollow">', true],
      ['<meta name="robots" content="none">', true],
      ['<meta name="robots" content="index, follow">', false],
      ['<meta name="description" content="noindex">', false],
      ['<!-- <meta name="robots" content="noindex"> -->', false],
      ['</head><body><meta name="robots" content="noindex">', false],
    ] as const)
      assert.equal(readPageFrame(`<head>${meta}</head>`).isHidden, isHidden, meta);
  });
});

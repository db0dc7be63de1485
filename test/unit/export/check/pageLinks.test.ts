import assert from 'node:assert/strict';
import { brokenOf, checked, checkedPage, fetchesOf, page } from './site';

describe('Check Bundle on pages: links into the bundle', () => {
  const cases: Record<string, string> = {
    'a link': '<a href="gone.html">x</a>',
    'an area of an image map': '<map name="m"><area href="gone.html"></map>',
    'an image': '<img src="gone.html" alt="">',
    'an image button': '<input type="image" src="gone.html" alt="">',
    'an image of a list': '<img srcset="index.html 1x, gone.html 2x" alt="">',
    'a source of a picture': '<picture><source srcset="gone.html"><img alt=""></picture>',
    'a preloaded list of images': '<link rel="preload" as="image" imagesrcset="gone.html 2x">',
    'a script': '<script src="gone.html"></script>',
    'a style sheet': '<link rel="stylesheet" href="gone.html">',
    'an icon': '<link rel="shortcut icon" href="gone.html">',
    'a preloaded font': '<link rel="preload" as="font" href="gone.html">',
    'a preloaded module': '<link rel="modulepreload" href="gone.html">',
    'a manifest': '<link rel="manifest" href="gone.html">',
    'the next page': '<link rel="next" href="gone.html">',
    'a prefetched page': '<link rel="prefetch" href="gone.html">',
    'a poster': '<video poster="gone.html"></video>',
    'a film': '<video src="gone.html"></video>',
    'a film’s source': '<video><source src="gone.html"></video>',
    subtitles: '<video><track src="gone.html"></video>',
    'a sound': '<audio src="gone.html"></audio>',
    'an object': '<object data="gone.html"></object>',
    'an embedded file': '<embed src="gone.html">',
    'a frame': '<iframe src="gone.html"></iframe>',
    'an address within a frame’s own text': `<iframe srcdoc="<a href='gone.html'>x</a>"></iframe>`,
    'a form that asks': '<form action="gone.html"><button>x</button></form>',
    'a button with an address': '<form><button formaction="gone.html">x</button></form>',
    'a redirection': '<meta http-equiv="refresh" content="0; url=gone.html">',
    'a background of old': '<table background="gone.html"></table>',
    'a style attribute': '<p style="background: url(gone.html)">x</p>',
    'an inline style': '<style>p { background: url("gone.html") }</style>',
    'an inline script': '<script>fetch("gone.html")</script>',
    'an inline module': '<script type="module">import "./gone.html"</script>',
    'an import map': '<script type="importmap">{"imports":{"x":"./gone.html"}}</script>',
    'a scope of an import map':
      '<script type="importmap">{"scopes":{"./a/":{"x":"./gone.html"}}}</script>',
    'a handler': `<button onclick="fetch('gone.html')">x</button>`,
    'an image of a drawing': '<svg><image href="gone.html"/></svg>',
    'an old link of a drawing': '<svg><a xlink:href="gone.html"><text>x</text></a></svg>',
    'a filter’s image': '<svg><filter><feImage href="gone.html"/></filter></svg>',
    'a used symbol': '<svg><use href="gone.html#x"/></svg>',
    'a fill': '<svg><path fill="url(gone.html#x)"/></svg>',
    'what is shown without scripts': '<noscript><img src="gone.html" alt=""></noscript>',
    'a shadow tree': '<p><template shadowrootmode="open"><img src="gone.html"></template></p>',
  };
  for (const [what, body] of Object.entries(cases)) {
    it(`reports ${what} that does not exist, with its line`, async () => {
      const report = await checkedPage(body);
      const [first, ...others] = report.broken;
      assert.deepEqual(others, []);
      assert.equal(first?.reason, 'missing-file');
      assert.equal(first.file, 'index.html');
      assert.equal(first.line, 3);
      assert.match(first.address, /gone\.html/);
      assert.deepEqual(report.outsideFetches, []);
    });
  }

  it('reports nothing for the same links once the file exists', async () => {
    const body = Object.values(cases).join('\n');
    const report = await checkedPage(body, { 'gone.html': page('<svg><g id="x"/></svg>') });
    assert.deepEqual(brokenOf(report), []);
    assert.ok(report.checkedLinks >= Object.keys(cases).length);
  });

  for (const address of [
    'mailto:a@example.com',
    'tel:+1234',
    'javascript:void(0)',
    'data:image/png;base64,AAAA',
    'blob:https://example.com/1',
    'about:blank',
    'vscode:extension/x',
    '',
    '#',
    '#top',
    '#TOP',
    '?page=2',
    '#:~:text=some%20words',
  ]) {
    it(`reports nothing about ${JSON.stringify(address)}`, async () => {
      const report = await checkedPage(`<a href="${address}">x</a>`);
      assert.deepEqual(brokenOf(report), []);
      assert.deepEqual(report.outsideLinks, { count: 0, byHost: [] });
    });
  }

  it('ignores placeholders of templates and commented-out HTML', async () => {
    const body =
      '<template><a href="{{url}}">x</a><script>fetch("gone")</script></template><!-- <img src="gone.png"> -->';
    assert.deepEqual(brokenOf(await checkedPage(body)), []);
  });

  it('lists what a template would fetch from other hosts', async () => {
    const report = await checkedPage(
      '<template><img src="https://cdn.example.com/a.png"></template>',
    );
    assert.deepEqual(fetchesOf(report), ['image https://cdn.example.com/a.png']);
  });

  it('uses the first of two attributes with the same name, as browsers do', async () => {
    const report = await checkedPage('<a href="index.html" href="gone.html">x</a>');
    assert.deepEqual(brokenOf(report), []);
    assert.equal(report.checkedLinks, 1);
  });

  it('decodes entities in links', async () => {
    const report = await checkedPage('<a href="a&amp;b.html">x</a><a href="c&#46;html">x</a>', {
      'a&b.html': page(''),
      'c.html': page(''),
    });
    assert.deepEqual(brokenOf(report), []);
  });

  it('checks no attribute of SVG behind the end of a drawing', async () => {
    const report = await checkedPage('<svg><g id="x"/></svg><x-card href="gone.html">x</x-card>');
    assert.deepEqual(brokenOf(report), []);
  });

  it('does not treat texts of other types as scripts or styles', async () => {
    const body =
      '<script type="application/json">{"a": "fetch(\'gone\')"}</script><script type="text/template" src="gone.html"></script><textarea><img src="gone.png"></textarea>';
    const report = await checkedPage(body);
    assert.deepEqual(brokenOf(report), []);
    assert.deepEqual(report.notes, []);
  });

  for (const broken of [
    '<a href="gone.html',
    '<a href=gone.html',
    '<img src="gone.html" alt="<<<>>>',
    '<p><<a href="gone.html">x',
    '<style>p { background: url(gone.html',
    '<script>fetch("gone.html")',
    '<svg><use href="gone.html#x"',
    '\u0000<a \u0000 href="gone.html">',
    '<![CDATA[<a href="gone.html">',
  ]) {
    it(`survives ${JSON.stringify(broken)}`, async () => {
      const report = await checked({ 'index.html': broken });
      assert.equal(report.pages, 1);
      assert.deepEqual(report.outsideFetches, []);
    });
  }
});

describe('Check Bundle on pages: anchors', () => {
  it('finds IDs and names of links, on the same page and on others, decoded', async () => {
    const report = await checked({
      'index.html': page(
        '<h2 id="here">x</h2><a href="#here">x</a> <a href="b.html#old">x</a> <a href="b#%C3%BCber%20uns">x</a>',
      ),
      'b.html': page('<a name="old"></a><h2 id="über uns">x</h2><a href="index.html#here">x</a>'),
    });
    assert.deepEqual(brokenOf(report), []);
    assert.equal(report.checkedLinks, 4);
  });

  it('finds IDs that are percent-encoded themselves, as markdown-it-anchor writes them', async () => {
    const report = await checked({
      'a.html': page('<h2 id="what%3F"></h2><a href="#what%3F">x</a>\n<a href="#what?">x</a>'),
      'b.html': page('<a href="a.html#what%3F">x</a>\n<a href="a.html#What%3F">x</a>'),
    });
    assert.deepEqual(brokenOf(report), [
      'a.html:4 #what? → missing-anchor',
      'b.html:4 a.html#What%3F → missing-anchor (what%3F)',
    ]);
  });

  it('reports a missing ID, and suggests one that differs in case', async () => {
    const report = await checked({
      'a.html': page(
        '<a href="b.html#gone">x</a>\n<a href="b.html#Here">x</a>\n<a href="#no">x</a>',
      ),
      'b.html': page('<h2 id="here">x</h2>\n<a href="a.html#no">x</a>'),
    });
    assert.deepEqual(brokenOf(report), [
      'a.html:3 b.html#gone → missing-anchor',
      'a.html:4 b.html#Here → missing-anchor (here)',
      'a.html:5 #no → missing-anchor',
      'b.html:4 a.html#no → missing-anchor',
    ]);
  });

  it('does not treat an ID in a template or the name of a form field as an anchor', async () => {
    const report = await checkedPage(
      '<template><p id="a"></p></template><input name="b"><a href="#a">x</a>\n<a href="#b">x</a>',
    );
    assert.deepEqual(brokenOf(report), [
      'index.html:3 #a → missing-anchor',
      'index.html:4 #b → missing-anchor',
    ]);
  });

  it('looks for symbols in drawings, but not for anchors in videos and PDFs', async () => {
    const report = await checkedPage(
      '<svg><use href="icons.svg#there"/>\n<use href="icons.svg#gone"/></svg><video src="a.mp4#t=10"></video><a href="a.pdf#page=2">x</a><img src="icons.svg#svgView(viewBox(0,0,1,1))" alt="">',
      {
        'icons.svg': '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="there"/></svg>',
        'a.mp4': '',
        'a.pdf': '',
      },
    );
    assert.deepEqual(brokenOf(report), ['index.html:4 icons.svg#gone → missing-anchor']);
  });

  it('checks references within an inline drawing', async () => {
    const report = await checkedPage(
      '<svg><linearGradient id="g"/><path fill="url(#g)"/>\n<path fill="url(#gone)"/></svg>',
    );
    assert.deepEqual(brokenOf(report), ['index.html:4 #gone → missing-anchor']);
  });
});

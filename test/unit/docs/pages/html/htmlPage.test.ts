import assert from 'node:assert/strict';
import { canonicalUrlIn, readHtmlPage } from '../../../../../src/docs/pages/html/htmlPage';
import { pageMarkdown } from '../../../../../src/docs/pages/pageMarkdown';
import { parsePage } from '../../../../../src/docs/pages/page';
import { generatorPages } from './generatorPages';

const main = (content: string, head = ''): string =>
  `<html><head><title>Page | Site</title>${head}</head><body><nav>Menu</nav><main>${content}</main></body></html>`;

/** Content of a page without the title that the page has from its head. */
const markdownOf = (content: string, head = '', path = 'guide/page.html'): string =>
  pageMarkdown(path, main(content, head)).text.replace(/^# Page \{#_top\}\n\n/, '');

describe('HTML pages', () => {
  for (const { generator, path, html, title, markdown } of generatorPages) {
    it(`reads the main content of ${generator} and nothing of its frame`, () => {
      assert.equal(pageMarkdown(path, html).text, markdown);
      const page = parsePage(path, html);
      assert.equal(page.title, title);
      assert.equal(/frame/.exec(JSON.stringify(page)), null);
    });
  }

  it('have all their sections without a known container, and nothing of the lists of links around them', () => {
    const paragraph = (word: string, times: number): string =>
      `<p>${`The ${word} flies over the harbor. `.repeat(times)}</p>`;
    const links = Array.from({ length: 30 }, (_, n) => `<p><a href="p${n}.html">Page ${n}</a></p>`);
    const { text } = pageMarkdown(
      'kernel.html',
      `<html><body><div class="index">${links.join('')}</div><div class="sect1"><h2>Kernel</h2>
        <div class="sect2"><h3>Memory</h3>${paragraph('pelican', 9).repeat(4)}</div>
        <div class="sect2"><h3>Limits</h3>${paragraph('stork', 9)}</div>
        <div class="sect2"><h3>Overcommit</h3>${paragraph('heron', 9)}</div>
      </div></body></html>`,
    );
    for (const word of ['pelican', 'stork', 'heron']) assert.match(text, new RegExp(word));
    assert.doesNotMatch(text, /Page 7/);
  });

  it('have the text of all their articles, if there is no element for the main content', () => {
    const article = (name: string): string =>
      `<article><h2>${name}</h2><p>${'Wrens sing in the garden. '.repeat(4)}</p></article>`;
    const html = `<body><nav>Menu</nav><div>${article('A')}${article('B')}</div><footer>End</footer>`;
    assert.deepEqual(
      parsePage('a.html', html).sections.map(({ heading }) => heading),
      ['A', 'B'],
    );
  });

  it('have sections at the IDs of their headings, with code in its language', () => {
    const page = parsePage(
      'install.html',
      generatorPages.find(({ generator }) => generator === 'Docusaurus')?.html ?? '',
    );
    assert.deepEqual(
      page.sections.map(({ heading, slug, ancestors }) => [heading, slug, ancestors]),
      [
        ['Install', '_top', []],
        ['Packages', 'packages', []],
        ['Options', 'options', ['Packages']],
      ],
    );
    const code = page.sections[1]?.blocks.find(({ kind }) => kind === 'code');
    assert.equal(code?.codeLanguage, 'bash');
    assert.equal(code.text, 'npm install wren\n\nnpm start\n');
    assert.deepEqual(
      page.sections[2]?.blocks.map(({ kind }) => kind),
      ['table', 'prose', 'prose'],
    );
  });

  for (const [classes, language] of [
    ['brush: js; toolbar: false', 'js'],
    ['brush: haskell', 'haskell'],
    ['sourceCode lua', 'lua'],
    ['hljs elm', 'elm'],
  ] as const) {
    it(`have code in the language of its class: ${classes}`, () => {
      assert.equal(markdownOf(`<pre class="${classes}">a</pre>`), `\`\`\`${language}\na\n\`\`\``);
    });
  }

  it('drop the characters that only break lines, and keep those that join letters and emoji', () => {
    const title = 'می\u200cخواهم 👩\u200d💻';
    const label = `${title} docu\u00admen\u200bta\u2060tion\ufeff`;
    const plain = `${title} documentation`;
    const page = readHtmlPage('a.html', `<main><h1>${label}</h1><p>${label}</p></main>`);
    assert.equal(page.title, plain);
    assert.equal(
      markdownOf(
        `<div class="admonition note"><p class="admonition-title">${label}</p><p>${label}</p></div>`,
      ),
      `<aside class="note">\n\n**${plain}**\n\n${plain}\n\n</aside>`,
    );
    assert.equal(
      markdownOf('<p><code>a\u00ad_\u2060b</code></p><pre><code>c\u00ad_\u2060d</code></pre>'),
      '`a_b`\n\n```\nc_d\n```',
    );
  });

  it('have one piece of code for elements of code without a gap', () => {
    assert.equal(
      markdownOf(
        '<p><code>models.</code><code>Field</code>, <code>a</code> <code>b</code><samp>c</samp></p>',
      ),
      '`models.Field`, `a` `b``c`',
    );
  });

  it('take description, language and canonical URL from the head', () => {
    const html = main(
      '<p>Some text about birds.</p>',
      '<meta name="description" content=" All about\n birds "><link rel="canonical" href="https://x.dev/docs/page#top">',
    ).replace('<html>', '<html lang="de-CH">');
    const page = parsePage('page.html', html);
    assert.equal(page.description, 'All about birds');
    assert.equal(page.language, 'de-CH');
    assert.equal(page.canonicalUrl, 'https://x.dev/docs/page');
    assert.equal(canonicalUrlIn(html), 'https://x.dev/docs/page');
  });

  for (const href of ['/relative', 'javascript:alert(1)', 'ftp://x.dev/', 'https://me:pw@x.dev/']) {
    it(`take no canonical URL from ${href}`, () => {
      assert.equal(canonicalUrlIn(`<link rel="canonical" href="${href}">`), undefined);
    });
  }

  it('have links as their base resolves them', () => {
    const links = '<p><a href="next.html#x">Next</a>, <a href="#here">here</a></p>';
    assert.equal(markdownOf(links), '[Next](next.html#x), [here](#here)');
    assert.equal(
      markdownOf(links, '<base href="/docs/">'),
      '[Next](/docs/next.html#x), [here](#here)',
    );
    assert.equal(markdownOf(links, '<base href="../">'), '[Next](/next.html#x), [here](#here)');
    assert.equal(
      markdownOf(links, '<base href="https://cdn.x.dev/v2/">'),
      '[Next](https://cdn.x.dev/v2/next.html#x), [here](#here)',
    );
  });

  it('have no links that run scripts', () => {
    assert.equal(
      markdownOf(
        '<p>A <a href="javascript:steal()">link</a> and <a href=" data:text/html,x">one</a></p>',
      ),
      'A link and one',
    );
  });

  it('keep images with their words, and the words alone of inlined images', () => {
    assert.equal(
      markdownOf(
        '<p><img src="a.png" alt="The states [of] a parcel"></p><p>Icon: <img src="data:image/png;base64,AAAA" alt="green"></p>',
      ),
      '![The states \\[of\\] a parcel](a.png)\n\nIcon: green',
    );
  });

  it('link to each embedded video and file, resolved by the base of the page', () => {
    assert.equal(
      markdownOf(
        '<p>Watch.</p><iframe src="https://video.dev/1" title="Intro"></iframe><iframe src="more.html"></iframe><embed src="a.pdf"><iframe></iframe>',
        '<base href="/docs/">',
      ),
      'Watch.\n\n[Intro](https://video.dev/1)\n\n[/docs/more.html](/docs/more.html)\n\n[/docs/a.pdf](/docs/a.pdf)',
    );
  });

  it('keep the columns of a table in place, with code and lists in its cells', () => {
    assert.equal(
      markdownOf(
        '<table><tr><th colspan="2">Both</th><th>Third</th></tr><tr><td><pre>a\nb</pre></td><td><ul><li>one</li><li>two</li></ul></td><td>x | y</td></tr></table>',
      ),
      '| Both |  | Third |\n| --- | --- | --- |\n| `a b` | - one<br>- two | x \\| y |',
    );
  });

  it('keep the cells of a table in place below one that spans several rows', () => {
    assert.equal(
      markdownOf(
        '<table><thead><tr><th>Group</th><th>Name</th><th>Default</th></tr></thead><tbody><tr><td rowspan="2">Net</td><td>port</td><td rowspan="3">none</td></tr><tr><td>host</td></tr><tr><td>Log</td><td>level</td></tr><tr><td>Log</td><td>file</td><td>a.log</td></tr></tbody></table>',
      ),
      '| Group | Name | Default |\n| --- | --- | --- |\n| Net | port | none |\n|  | host |  |\n| Log | level |  |\n| Log | file | a.log |',
    );
  });

  it('keep notes and headings in the cells of a table, and the blocks of a table that is only for layout', () => {
    const note = '<ul><li><div class="note"><p>Wrens sing.</p></div></li></ul>';
    assert.equal(
      markdownOf(`<table><tr><th>A</th></tr><tr><td><h4>Birds</h4>${note}</td></tr></table>`),
      '| A |\n| --- |\n| Birds<br>- Wrens sing. |',
    );
    const inner = '<table><tr><th>B</th></tr><tr><td>1</td></tr></table>';
    assert.equal(
      markdownOf(
        `<table role="presentation"><tr><td><h2>Birds</h2></td><td>${inner}</td></tr></table>`,
      ),
      '## Birds\n\n| B |\n| --- |\n| 1 |',
    );
  });

  it('have code of Doxygen, whose lines are elements, and no other parts of the same class', () => {
    const lines = '<div class="line">auto c = Client();</div><div class="line">c.retry(3);</div>';
    assert.equal(
      markdownOf(`<div class="fragment">${lines}</div><div class="fragment"><p>Text</p></div>`),
      '```\nauto c = Client();\nc.retry(3);\n```\n\nText',
    );
  });

  it('have signatures of TypeDoc as code, with their lines', () => {
    assert.equal(
      markdownOf(
        '<ul class="tsd-signatures"><li><div class="tsd-signature"><span>send</span><span>(</span><br/>\u00a0\u00a0<span>parcel</span>: <a href="P.html">Parcel</a>,<br/><span>)</span></div><p>Sends one.</p></li></ul>',
      ),
      '- ```\n  send(\n    parcel: Parcel,\n  )\n  ```\n\n  Sends one.',
    );
  });

  it('keep a list whose items have headings without IDs', () => {
    assert.equal(
      markdownOf('<ul><li><h3><a href="/a">Birds</a></h3><p>Wrens</p></li><li>Fish</li></ul>'),
      '- ### Birds\n\n  Wrens\n\n- Fish',
    );
  });

  it('keep nested and numbered lists, quotes and tasks', () => {
    assert.equal(
      markdownOf(
        '<ol><li>First<ul><li>inner</li></ul></li><li>Second</li></ol><blockquote><p>Said.</p></blockquote><ul><li><input type="checkbox" checked disabled> Done</li></ul><p>After.</p>',
      ),
      '1. First\n\n   - inner\n\n2. Second\n\n> Said.\n\n- [x] Done\n\nAfter.',
    );
  });

  it('have the explanations of marks in code as a list, which Asciidoctor writes into a table', () => {
    const row = (mark: number, text: string): string =>
      `<tr><td><i class="conum" data-value="${mark}"></i><b>${mark}</b></td><td>${text}</td></tr>`;
    const table = `<table><tbody>${row(1, 'Number of <em>further</em> calls.')}${row(2, 'Pause between them.')}</tbody></table>`;
    assert.equal(
      markdownOf(
        `<pre>retries: 3 <b>(1)</b>\nwait: 2s <b>(2)</b></pre><div class="colist arabic">${table}</div>`,
      ),
      '```\nretries: 3 (1)\nwait: 2s (2)\n```\n\n1. Number of *further* calls.\n\n2. Pause between them.',
    );
  });

  it('end a paragraph where line breaks follow each other', () => {
    assert.equal(
      markdownOf('<p><br>Owls<br>\nhunt.<br>\n<br>\n<br>Wrens <b>do<br><br>not</b>.</p>'),
      '<br>Owls<br> hunt.\n\nWrens **do<br><br>not**.',
    );
  });

  it('keep the source of formulas once', () => {
    assert.equal(
      markdownOf(
        '<p>Let <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span>.</p>',
      ),
      'Let $x^2$.',
    );
    assert.equal(
      markdownOf(
        '<p>Let <math><semantics><mi>x</mi><annotation encoding="StarMath 5.0">x sup 2</annotation><annotation encoding="application/x-tex">x^2</annotation></semantics></math>.</p>',
      ),
      'Let $x^2$.',
    );
  });

  it('show text that looks like Markdown or HTML as it is', () => {
    const text = 'Use *stars*, `ticks`, <b> and [x](y)';
    const page = parsePage('a.html', main(`<p>${text.replaceAll('<', '&lt;')}</p>`));
    assert.equal(page.sections[0]?.blocks[0]?.text, 'Use *stars*, ticks, <b> and [x](y)');
  });

  for (const [what, lines] of [
    ['elements without line breaks', '<div>one</div><div></div><div>three</div>'],
    [
      'elements with line breaks',
      '<span class="line">one</span>\n<span class="line"></span>\n<span class="line">three</span>',
    ],
    [
      'elements that end in line breaks',
      '<span class="token-line">one<br></span><span class="token-line"><br></span><span class="token-line">three<br></span>',
    ],
    ['plain text', 'one\n\nthree'],
    ['line breaks', 'one<br><br>three'],
    [
      'a table of numbered lines',
      '<table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers">1</td><td class="hljs-ln-line hljs-ln-code">one</td></tr><tr><td class="hljs-ln-numbers">2</td><td class="hljs-ln-code"></td></tr><tr><td class="hljs-ln-numbers">3</td><td class="hljs-ln-code">three</td></tr></tbody></table>',
    ],
  ] as const) {
    it(`keep the lines of code that is ${what}`, () => {
      assert.equal(markdownOf(`<pre><code>${lines}</code></pre>`), '```\none\n\nthree\n```');
    });
  }

  for (const [what, html, reason] of [
    ['only refreshes', '<meta http-equiv="refresh" content="0; url=/new">', /another page/],
    [
      'only runs a script to another page',
      '<body><script>window.location.href="/new"</script>Moved</body>',
      /another page/,
    ],
    ['only has frames', '<frameset><frame src="a.html"></frameset>', /frames/],
    [
      'is filled by a script',
      '<body><div id="root"></div><script src="app.js"></script></body>',
      /no text/,
    ],
    ['is empty', '', /no text/],
  ] as const) {
    // Shows faults.md K2.
    it(`have no sections if the page ${what}, and say so`, () => {
      const page = parsePage('page.html', html);
      assert.deepEqual(page.sections, []);
      assert.match(page.problems[0]?.reason ?? '', reason);
    });
  }

  it('stay pages if they reload themselves every few minutes', () => {
    const page = parsePage(
      'status.html',
      main('<p>All systems work.</p>', '<meta http-equiv="refresh" content="300">'),
    );
    assert.equal(page.sections.length, 1);
  });

  for (const [what, html] of [
    [
      'never closes an element',
      '<body><main><h1>Title</h1><p>Some <b>bold <i>text<ul><li>one<li>two',
    ],
    [
      'closes what is not open',
      '</div></p><main></span><h1>Title</h1></b><p>Some bold text</p>one two</main></body></main>',
    ],
    [
      'nests a block in a link in a heading',
      '<main><h1><a href="/"><div>Title</div></a></h1><p>Some bold text</p>one two</main>',
    ],
    ['has no elements around it', '<h1>Title</h1>Some bold text<p>one two'],
  ] as const) {
    // Shows faults.md K1.
    it(`read a page whose HTML ${what}`, () => {
      const page = parsePage('page.html', html);
      assert.equal(page.title, 'Title');
      const text = JSON.stringify(page.sections);
      for (const word of ['Some', 'bold', 'text', 'one', 'two'])
        assert.ok(text.includes(word), word);
    });
  }

  it('read what follows too many elements as text', () => {
    const text = markdownOf(`${'<b>a</b> '.repeat(40_000)}<p>last <i>words</i></p>`);
    assert.match(text, /\*\*a\*\*/);
    assert.match(text, /last words/);
  });

  it('read a page of 100,000 nested elements', () => {
    const html = `<main><h1>Deep</h1>${'<div>'.repeat(100_000)}The bottom.</main>`;
    assert.match(JSON.stringify(parsePage('page.html', html).sections), /The bottom/);
    const deep = '<div>'.repeat(300);
    assert.equal(
      markdownOf(
        `${deep}One <b>two</b><script>no()</script> three${'</div>'.repeat(300)}<b>four</b>`,
      ),
      'One two three\n\n**four**',
    );
  });

  it('keep the labels of tabs at their contents, whatever classes are in these', () => {
    assert.equal(
      markdownOf(
        '<div class="tabbed-set"><div class="tabbed-labels"><label>Linux</label><label>Windows</label></div><div class="tabbed-content"><div class="tabbed-block"><div class="blocks"><p>One</p><p>Two</p></div></div><div class="tabbed-block"><p>Three</p></div></div></div>',
      ),
      '**Linux**\n\nOne\n\nTwo\n\n**Windows**\n\nThree',
    );
  });

  it('name the only tab that they contain', () => {
    const tabs =
      '<ul role="tablist"><li role="tab">npm</li><li role="tab" aria-selected="true">Yarn</li></ul>';
    assert.equal(
      markdownOf(`<div>${tabs}<div role="tabpanel"><p>Run yarn.</p></div></div>`),
      '**Yarn**\n\nRun yarn.',
    );
  });

  it('keep what is hidden only until a reader opens it', () => {
    assert.equal(
      markdownOf(
        '<div role="tabpanel" hidden>Later</div><p hidden>Never</p><div hidden="until-found">Found</div>',
      ),
      'Later\n\nFound',
    );
  });

  it('keep an element whose name sounds like the frame if it is most of the page', () => {
    assert.equal(
      markdownOf(`<div class="sidebar"><p>${'All of the text. '.repeat(10).trim()}</p></div>`),
      'All of the text. '.repeat(10).trim(),
    );
  });

  it('take the title from the heading above the main content, else from the head', () => {
    const above =
      '<html><head><title>Keys | S</title></head><body><header><h1>Keys</h1></header><div class="vp-doc"><p>Make a key and keep it safe somewhere.</p></div></body></html>';
    assert.equal(readHtmlPage('a.html', above).title, 'Keys');
    for (const [start, end] of [
      ['<article>', '</article>'],
      ['<div role="main">', '</div>'],
    ] as const) {
      const html = `<title>S</title>${start}<header><h1>Keys</h1></header><div class="vp-doc"><p>Make a key and keep it safe in a place that others do not know.</p></div>${end}`;
      assert.equal(readHtmlPage('a.html', html).title, 'Keys', start);
    }
    assert.equal(readHtmlPage('a.html', main('<p>x</p>')).title, 'Page');
    assert.equal(
      readHtmlPage(
        'a.html',
        '<title>State - of - the art :: Wren</title><meta property="og:site_name" content="Wren"><main>x</main>',
      ).title,
      'State - of - the art',
    );
  });

  it('take no title from the name of the site', () => {
    const html =
      '<html><head><title>Hash Maps - The Book</title></head><body><h1 class="menu-title">The Book</h1><div class="page"><main><h2 id="hash-maps"><a class="header" href="#hash-maps">Hash Maps</a></h2><p>Keys and values.</p></main></div></body></html>';
    const page = parsePage('ch08.html', html);
    assert.equal(page.title, 'Hash Maps');
    assert.deepEqual(
      page.sections.map(({ heading, slug }) => [heading, slug]),
      [['Hash Maps', 'hash-maps']],
    );
  });

  it('have a section for each function of an API that opens, with links in its name', () => {
    assert.equal(
      markdownOf(
        '<h1>Struct Vec <button id="copy-path">Copy item path</button></h1><details open><summary><section id="method.push"><a class="src rightside" href="mod.rs.html">Source</a><h4 class="code-header">pub fn <a href="#method.push" class="fn">push</a>(&amp;mut self)</h4></section></summary><p>Appends an element.</p><pre class="rust"><code>v.push(1);</code></pre></details>',
      ),
      '# Struct Vec {#_top}\n\n#### pub fn push(&mut self) {#method.push}\n\nAppends an element.\n\n```rust\nv.push(1);\n```',
    );
  });

  it('keep the ID of a section that is named as the page', () => {
    const page = parsePage(
      'a.html',
      main('<h1>Keys</h1><p>All.</p><h2 id="keys">Keys</h2><p>Make one.</p>'),
    );
    assert.deepEqual(
      page.sections.map(({ slug }) => slug),
      ['_top', 'keys'],
    );
  });

  for (const [name, html] of [
    ['rows of a table', `<table>${'<tr><td>x'.repeat(130_000)}</table>`],
    ['backticks in code', `<pre><code>${'` '.repeat(130_000)}</code></pre>`],
    ['backticks in a line', `<p><code>${'` '.repeat(130_000)}</code></p>`],
  ] as const) {
    it(`can have more ${name} than a function takes arguments`, () => {
      const { markdown } = readHtmlPage('a.html', main(`<h1>Big</h1><p>Text</p>${html}`));
      assert.ok(markdown.length > 260_000);
    });
  }

  it('keep the forms of one example apart', () => {
    assert.equal(
      markdownOf(
        '<pre><input type="checkbox"><code class="language-js mjs">import fs from "fs";</code><code class="language-js cjs">const fs = require("fs");</code><button>copy</button></pre>',
      ),
      '```js\nimport fs from "fs";\n\nconst fs = require("fs");\n```',
    );
  });
});

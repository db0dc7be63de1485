import assert from 'node:assert/strict';
import { pageMarkdown } from '../../../../../src/docs/pages/pageMarkdown';

const whole = (body: string): string =>
  pageMarkdown(
    'guide/page.html',
    `<html><head><title>Page</title></head><body>${body}</body></html>`,
  ).text.replace(/^# Page \{#_top\}\n\n/, '');

const markdownOf = (content: string): string => whole(`<main>${content}</main>`);

const text = '<p>The relay sends parcels with birds over the harbor, and back again.</p>';
const textMarkdown = 'The relay sends parcels with birds over the harbor, and back again.';

describe('HTML of further builders', () => {
  it('keeps a term whose text is a link to itself, as mandoc writes it', () => {
    assert.equal(
      markdownOf(
        '<dl class="Bl-tag"><dt id="k"><a class="permalink" href="#k"><code class="Fl">-k</code></a></dt><dd>Keep going.</dd></dl>',
      ),
      '<a id="k">\n\n- **`-k`**: Keep going.',
    );
  });

  it('keeps code in a term that Texinfo writes as a sample', () => {
    assert.equal(
      markdownOf(
        '<dl class="table"><dt><samp class="option">--keep</samp></dt><dd><p>Keep going.</p></dd></dl>',
      ),
      '- **`--keep`**: Keep going.',
    );
  });

  it('has all definitions of one term together', () => {
    assert.equal(
      markdownOf(
        '<dl><dt>Parameters:</dt><dd><code>to</code> the receiver</dd><dd><code>weight</code> in grams</dd><dt>Returns:</dt><dd>nothing</dd></dl>',
      ),
      '- **Parameters**: `to` the receiver\n\n  `weight` in grams\n\n- **Returns**: nothing',
    );
  });

  it('has sections at the anchors before their headings, as older Texinfo and Doxygen write them', () => {
    assert.equal(
      markdownOf(
        `<a name="Writing-Rules"></a>\n<h3 class="section">2.1 Writing Rules</h3>${text}`,
      ).split('\n')[0],
      '### 2.1 Writing Rules {#Writing-Rules}',
    );
  });

  it('has a section for each method of Javadoc 8, at its anchor', () => {
    assert.equal(
      markdownOf(
        '<div class="details"><ul class="blockList"><li class="blockList"><a name="method.detail"><!--   --></a><h3>Method Detail</h3><a name="send-int-"><!--   --></a><ul class="blockListLast"><li class="blockList"><h4>send</h4><pre>public&nbsp;void&nbsp;send(int&nbsp;weight)</pre><div class="block">Sends it.</div></li></ul></li></ul></div>',
      ),
      '### Method Detail {#method.detail}\n\n#### send {#send-int-}\n\n```\npublic void send(int weight)\n```\n\nSends it.',
    );
  });

  it('has sections at the IDs of functions of ExDoc', () => {
    assert.equal(
      markdownOf(
        '<section class="detail" id="send/2"><div class="detail-header"><a href="#send/2" class="detail-link"><i></i></a><h1 class="signature">send(parcel, opts)</h1><a href="https://example.org/x" class="icon-action"><i></i></a></div><section class="docstring"><p>Sends it.</p></section></section>',
      ),
      '# send(parcel, opts) {#send/2}\n\nSends it.',
    );
  });

  it('has a section for each function of Sphinx before version 4', () => {
    assert.equal(
      markdownOf(
        '<h1 id="api">API</h1><dl class="class"><dt id="wren.Parcel"><em class="property">class </em><code class="descclassname">wren.</code><code class="descname">Parcel</code><span class="sig-paren">(</span><em>to</em><span class="sig-paren">)</span><a class="reference internal" href="_modules/wren.html#Parcel"><span class="viewcode-link">[source]</span></a><a class="headerlink" href="#wren.Parcel">¶</a></dt><dd><p>A parcel.</p></dd></dl>',
      ),
      '# API {#api}\n\n## `class wren.Parcel(to)` {#wren.Parcel}\n\nA parcel.',
    );
  });

  it('keeps the names in a signature that link to other parts of the page', () => {
    assert.equal(
      markdownOf(
        '<dl class="py function"><dt class="sig sig-object py" id="fly"><span class="sig-name descname">fly</span><span class="sig-paren">()</span> &#x2192; <a class="reference internal" href="#wren.Parcel">Parcel</a><a class="headerlink" href="#fly">¶</a></dt><dd><p>Flies.</p></dd></dl>',
      ),
      '## `fly() → Parcel` {#fly}\n\nFlies.',
    );
  });

  it('has headings of Haddock, which are in links to themselves, and its declarations without marks', () => {
    assert.equal(
      whole(
        `<div id="content"><div id="module-header"><p class="caption">Data.Wren</p></div>${text}<a href="#g:1" id="g:1"><h1>Sending</h1></a><div class="top"><p class="src"><a id="v:send" class="def">send</a> :: Int -&gt; IO () <a href="src/Data.Wren.html#send" class="link">Source</a> <a href="#v:send" class="selflink">#</a></p><div class="doc"><p>Sends it.</p></div></div></div>`,
      ),
      `<a id="module-header">\n\nData.Wren\n\n${textMarkdown}\n\n## Sending {#g:1}\n\n### \`send :: Int -> IO ()\` {#v:send}\n\nSends it.`,
    );
  });

  it('has notes of DocBook with their titles, with and without a table', () => {
    assert.equal(
      markdownOf(
        '<h2 id="a">A</h2><div class="note" style="margin-left: 0.5in"><h3 class="title">Note</h3><p>Restart it.</p></div><div class="warning"><table border="0" summary="Warning"><tr><td rowspan="2" align="center" width="25"><img alt="[Warning]" src="images/warning.png"></td><th align="left">Keep a copy</th></tr><tr><td align="left" valign="top"><p>Never as root.</p></td></tr></table></div>',
      ),
      '## A {#a}\n\n<aside class="note">\n\n**Note**\n\nRestart it.\n\n</aside>\n\n<aside class="warning">\n\n**Keep a copy**\n\nNever as root.\n\n</aside>',
    );
  });

  it('has notes of DocFX with their titles, not as sections', () => {
    assert.equal(
      markdownOf('<div class="NOTE"><h5>Note</h5><p>Slow.</p></div>'),
      '<aside class="note">\n\n**Note**\n\nSlow.\n\n</aside>',
    );
  });

  it('has notes of Confluence, Notion and Doxygen as notes', () => {
    assert.equal(
      markdownOf(
        '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Careful</p><span class="aui-icon"></span><div class="confluence-information-macro-body"><p>Never as root.</p></div></div>',
      ),
      '<aside class="warning">\n\n**Careful**\n\nNever as root.\n\n</aside>',
    );
    assert.equal(
      markdownOf(
        '<figure class="block-color-gray_background callout"><div><span class="icon">💡</span></div><div>A hint.</div></figure>',
      ),
      '<aside class="note">\n\n💡\n\nA hint.\n\n</aside>',
    );
    assert.equal(
      markdownOf('<dl class="section warning"><dt>Warning</dt><dd>Heavy.</dd></dl>'),
      '<aside class="warning">\n\n**Warning**\n\nHeavy.\n\n</aside>',
    );
  });

  it('has code of Confluence in its language, with its title', () => {
    assert.equal(
      markdownOf(
        '<div class="code panel pdl"><div class="codeHeader panelHeader pdl"><b>start.sh</b></div><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false; theme: Confluence" data-theme="Confluence">relay --start</pre></div></div>',
      ),
      '```bash title="start.sh"\nrelay --start\n```',
    );
  });

  it('has signatures of Dokka as code, without the link to the source', () => {
    assert.equal(
      markdownOf(
        '<div class="symbol monospace"><span class="token keyword">fun </span><a href="send.html"><span class="token function">send</span></a><span class="token punctuation">(</span>to: String<span class="token punctuation">)</span><span class="clearfix"><span class="floating-right">(<a href="https://example.org/x">source</a>)</span></span></div>',
      ),
      '```\nfun send(to: String)\n```',
    );
  });

  it('has the source of a method of YARD as code, without the numbers of its lines', () => {
    assert.equal(
      markdownOf(
        '<table class="source_code"><tr><td><pre class="lines">\n\n12\n13</pre></td><td><pre class="code"><span class="info file"># File \'a.rb\', line 12</span>\n\ndef send\nend</pre></td></tr></table>',
      ),
      "```\n# File 'a.rb', line 12\n\ndef send\nend\n```",
    );
  });

  it('has the prototype of a function of Doxygen as code', () => {
    assert.equal(
      markdownOf(
        '<div class="memproto"><table class="mlabels"><tr>\n<td class="mlabels-left"><table class="memname"><tr>\n<td class="memname">bool wren::Parcel::send </td>\n<td>(</td>\n<td class="paramtype">const std::string &amp;&#160;</td>\n<td class="paramname"><em>to</em>, </td></tr>\n<tr>\n<td class="paramkey"></td>\n<td></td>\n<td class="paramtype">int&#160;</td>\n<td class="paramname"><em>weight</em>&#160;</td></tr>\n<tr>\n<td></td>\n<td>)</td>\n<td></td>\n<td></td></tr></table></td>\n<td class="mlabels-right"><span class="mlabels"><span class="mlabel">inline</span></span></td></tr></table></div>',
      ),
      '```\nbool wren::Parcel::send ( const std::string & to, int weight ) inline\n```',
    );
  });

  it('has cells of notebooks in their language, without the prompts of their input', () => {
    assert.equal(
      markdownOf(
        '<div class="jp-InputPrompt jp-InputArea-prompt">In&nbsp;[1]:</div><div class="highlight hl-ipython3"><pre><span></span>wren.pack()\n</pre></div>',
      ),
      '```python\nwren.pack()\n```',
    );
  });

  it('has the numbers of a list that begins later, as Notion writes each item', () => {
    assert.equal(
      markdownOf(
        '<ol type="1" class="numbered-list" start="1"><li>Stop it.</li></ol><ol type="1" class="numbered-list" start="2"><li>Start it.</li></ol>',
      ),
      '1. Stop it.\n\n2. Start it.',
    );
    assert.equal(markdownOf('<ol start="-4"><li>Stop it.</li></ol>'), '1. Stop it.');
  });

  for (const [builder, frame] of [
    [
      'DocBook',
      '<div class="navheader"><table summary="Navigation header"><tr><th colspan="3">Chapter 2</th></tr><tr><td><a accesskey="p" href="a.html">Prev</a></td></tr></table><hr></div>',
    ],
    [
      'Texinfo',
      '<div class="nav-panel"><p>Next: <a href="O.html" accesskey="n" rel="next">Options</a>, Up: <a href="index.html" accesskey="u" rel="up">Top</a></p></div>',
    ],
    [
      'older Texinfo',
      '<div class="header"><p>Next: <a href="Options.html" accesskey="n" rel="next">Options</a>, Up: <a href="index.html#Top" accesskey="u" rel="up">Top</a> &nbsp; [<a href="index.html#SEC_Contents" rel="contents">Contents</a>]</p></div>',
    ],
    [
      'YARD',
      '<div id="header"><div id="menu"><a href="../_index.html">Index (P)</a> &raquo; <span class="title">Parcel</span></div></div>',
    ],
    [
      'YARD below the text',
      '<div id="footer">Generated by <a href="https://yardoc.org">yard</a></div>',
    ],
    [
      'Dokka',
      '<div class="footer"><span>Generated by </span><a href="https://x.org">dokka</a></div>',
    ],
    [
      'Dokka at a name',
      '<div class="copy-popup-wrapper"><span>Link copied to clipboard</span></div>',
    ],
    ['Confluence', '<div class="toc-macro rbtoc1"><ul><li><a href="#a">A</a></li></ul></div>'],
    [
      'Microsoft Learn',
      '<div class="page-metadata-container"><ul class="metadata page-metadata"><li>3 minutes to read</li></ul></div><div id="center-doc-outline" class="doc-outline"><h2 class="title">In this article</h2></div>',
    ],
    ['DocFX', '<a href="https://github.com/edit">Improve this Doc</a>'],
    [
      'Zendesk',
      '<div class="article-author"><a href="/u">Ann</a></div><section class="related-articles"><h2>Related articles</h2></section><section class="article-comments"><h2>Comments</h2></section>',
    ],
    [
      'Haddock',
      '<div id="package-header"><span class="caption">wren-1.0: Parcels</span><ul class="links" id="page-menu"><li><a href="index.html">Contents</a></li></ul></div>',
    ],
    ['Notion', '<div class="page-header-icon"><span class="icon">🐦</span></div>'],
    ['YARD at a list', '<a href="#" class="summary_toggle">collapse</a>'],
    ['Word', '<p class=MsoToc1><a href="#_Toc1">1. Start</a></p>'],
  ] as const) {
    it(`has no part of the frame that ${builder} writes into the content`, () => {
      assert.equal(markdownOf(frame + text), textMarkdown);
    });
  }

  it('keeps a header that has the title, or no links', () => {
    assert.equal(
      markdownOf(`<div class="header"><h2 id="a"><a href="b.html">Class A</a></h2></div>${text}`),
      `## [Class A](b.html) {#a}\n\n${textMarkdown}`.replace('[Class A](b.html)', 'Class A'),
    );
    assert.equal(
      markdownOf(`<div class="header">GET /parcels</div>${text}`),
      `GET /parcels\n\n${textMarkdown}`,
    );
  });
});

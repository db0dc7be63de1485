/**
 * Pages as generators of docs write them, cut to what matters. All that belongs to a site's frame
 * has the word `frame` in it, so a test can look for what got in by mistake.
 */

export interface GeneratorPage {
  readonly generator: string;
  readonly path: string;
  readonly html: string;
  readonly title: string;
  /** The page's main content. */
  readonly markdown: string;
}

const page = (head: string, body: string): string =>
  `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">${head}</head>\n<body>${body}</body>\n</html>`;

export const generatorPages: readonly GeneratorPage[] = [
  {
    generator: 'Docusaurus',
    path: 'docs/install.html',
    title: 'Install',
    html: page(
      '<title data-rh="true">Install | frame site</title><meta data-rh="true" name="description" content="How to install it."><link data-rh="true" rel="canonical" href="https://docs.example.com/docs/install">',
      `<div role="region" aria-label="Skip to main content"><a class="skipToContent_fXgn" href="#__docusaurus_skipToContent_fallback">frame skip</a></div>
<nav aria-label="Main" class="navbar navbar--fixed-top"><a href="/">frame brand</a></nav>
<div id="__docusaurus_skipToContent_fallback" class="main-wrapper mainWrapper_z2l0"><aside class="theme-doc-sidebar-container"><nav class="menu"><ul class="theme-doc-sidebar-menu menu__list"><li><a href="/docs/x">frame page</a></li></ul></nav></aside>
<main class="docMainContainer_TBSr"><div class="container"><div class="row"><div class="col docItemCol_VOVn"><article>
<nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z_bl" aria-label="Breadcrumbs"><ul class="breadcrumbs"><li>frame crumb</li></ul></nav>
<div class="tocCollapsible_ETCw theme-doc-toc-mobile tocMobile_ITEo"><button type="button">frame On this page</button></div>
<div class="theme-doc-markdown markdown"><header><h1>Install</h1></header>
<p>Use a package manager. See the <a href="/docs/config#port">port setting</a>.</p>
<h2 class="anchor anchorWithStickyNavbar_LWe7" id="packages">Packages<a href="#packages" class="hash-link" aria-label="Direct link to Packages" title="Direct link to Packages">&#8203;</a></h2>
<div class="theme-tabs-container tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_LNqP tabs__item--active">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item tabItem_LNqP">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><div class="language-bash codeBlockContainer_Ckt0 theme-code-block" style="--prism-color:#393A34"><div class="codeBlockTitle_Ktv7">Terminal</div><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-bash codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><span class="token-line" style="color:#393A34"><span class="token function" style="color:#d73a49">npm</span><span class="token plain"> install wren</span><br></span><span class="token-line" style="color:#393A34"><span class="token plain" style="display:inline-block"></span><br></span><span class="token-line" style="color:#393A34"><span class="token plain">npm start</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard">frame copy</button></div></div></div></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><p>Run <code>yarn add wren</code>.</p></div></div></div>
<div class="theme-admonition theme-admonition-warning admonition_xJq3 alert alert--warning"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 16 16"><path d="M8"></path></svg></span>Node 20</div><div class="admonitionContent_BuS1"><p>Older versions fail.</p></div></div>
<h3 class="anchor" id="options">Options<a href="#options" class="hash-link" aria-label="Direct link to Options">&#8203;</a></h3>
<table><thead><tr><th>Name</th><th style="text-align:right">Default</th></tr></thead><tbody><tr><td><code>port</code></td><td style="text-align:right">4100</td></tr></tbody></table>
<details class="details_lb9f alert alert--info details_b_Ee"><summary>Why not 3000?</summary><div><div class="collapsibleContent_i85q"><p>It is often taken.</p></div></div></details>
</div>
<footer class="theme-doc-footer docusaurus-mt-lg"><a href="https://github.com/x/edit" class="theme-edit-this-page">frame edit</a></footer></article>
<nav class="pagination-nav docusaurus-mt-lg" aria-label="Docs pages"><a class="pagination-nav__link" href="/docs/y">frame next</a></nav></div>
<div class="col col--3"><div class="tableOfContents_bqdL thin-scrollbar theme-doc-toc-desktop"><ul class="table-of-contents"><li><a href="#packages">frame Packages</a></li></ul></div></div></div></div></main></div>
<footer class="theme-layout-footer footer"><p>frame copyright</p></footer>`,
    ),
    markdown: `# Install {#_top}

Use a package manager. See the [port setting](/docs/config#port).

## Packages {#packages}

**npm**

\`\`\`bash title="Terminal"
npm install wren

npm start
\`\`\`

**Yarn**

Run \`yarn add wren\`.

<aside class="warning">

**Node 20**

Older versions fail.

</aside>

### Options {#options}

| Name | Default |
| --- | --- |
| \`port\` | 4100 |

**Why not 3000?**

It is often taken.`,
  },
  {
    generator: 'VitePress',
    path: 'guide/start.html',
    title: 'Getting Started',
    html: page(
      '<title>Getting Started | frame</title><meta name="description" content="First steps.">',
      `<div id="app"><div class="Layout"><span tabindex="-1"></span><a href="#VPContent" class="VPSkipLink visually-hidden">frame skip</a><header class="VPNav"><a href="/">frame nav</a></header>
<aside class="VPSidebar"><nav class="nav"><p>frame sidebar</p></nav></aside>
<div class="VPContent has-sidebar" id="VPContent"><div class="VPDoc has-sidebar has-aside"><div class="container"><div class="aside"><div class="VPDocAside"><nav class="VPDocAsideOutline"><a href="#a">frame outline</a></nav></div></div>
<div class="content"><div class="content-container"><main class="main"><div style="position:relative;" class="vp-doc _guide_start"><div><h1 id="getting-started" tabindex="-1">Getting Started <a class="header-anchor" href="#getting-started" aria-label="Permalink to &quot;Getting Started&quot;">&#8203;</a></h1>
<p>You need <strong>Node&nbsp;20</strong> &amp; a shell.</p>
<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" name="group-1" id="tab-1" checked><label data-title="npm" for="tab-1">npm</label><input type="radio" name="group-1" id="tab-2"><label data-title="pnpm" for="tab-2">pnpm</label></div><div class="blocks">
<div class="language-sh vp-adaptive-theme active"><button title="Copy Code" class="copy">frame</button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;">npm</span><span> add -D wren</span></span></code></pre></div>
<div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy">frame</button><span class="lang">sh</span><pre class="shiki vp-code" tabindex="0"><code><span class="line"><span>pnpm</span><span> add -D wren</span></span></code></pre></div></div></div>
<h2 id="the-file-wren-config-ts" tabindex="-1">The file <code>wren.config.ts</code> <a class="header-anchor" href="#the-file-wren-config-ts" aria-label="Permalink">&#8203;</a></h2>
<div class="language-ts line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki vp-code"><code><span class="line highlighted"><span>export default {</span></span>
<span class="line"><span>  port: 4100,</span></span>
<span class="line"></span>
<span class="line"><span>};</span></span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>
<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Restart after a change.</p></div>
<details class="details custom-block"><summary>Details</summary><p>More text.</p></details>
</div></div></main><footer class="VPDocFooter"><div class="edit-info"><a class="VPLink edit-link-button" href="https://github.com/x">frame Edit this page</a></div><nav class="prev-next"><a href="/x">frame Next page</a></nav></footer></div></div></div></div></div>
<footer class="VPFooter"><p>frame footer</p></footer></div></div>`,
    ),
    markdown: `# Getting Started {#getting-started}

You need **Node 20** & a shell.

**npm**

\`\`\`sh
npm add -D wren
\`\`\`

**pnpm**

\`\`\`sh
pnpm add -D wren
\`\`\`

## The file \`wren.config.ts\` {#the-file-wren-config-ts}

\`\`\`ts
export default {
  port: 4100,

};
\`\`\`

<aside class="tip">

**TIP**

Restart after a change.

</aside>

**Details**

More text.`,
  },
  {
    generator: 'MkDocs Material',
    path: 'setup/index.html',
    title: 'Setup',
    html: page(
      '<title>Setup - frame docs</title><link rel="canonical" href="https://docs.example.com/setup/">',
      `<input class="md-toggle" type="checkbox"><div data-md-component="skip"><a href="#setup" class="md-skip">frame skip</a></div><header class="md-header"><nav>frame header</nav></header>
<div class="md-container"><main class="md-main"><div class="md-main__inner md-grid"><div class="md-sidebar md-sidebar--primary"><nav class="md-nav">frame nav</nav></div><div class="md-sidebar md-sidebar--secondary"><nav class="md-nav md-nav--secondary">frame toc</nav></div>
<div class="md-content" data-md-component="content"><article class="md-content__inner md-typeset"><a href="https://github.com/x/edit" title="Edit this page" class="md-content__button md-icon"><svg></svg>frame</a>
<h1 id="setup">Setup<a class="headerlink" href="#setup" title="Permanent link">&para;</a></h1>
<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio"><input id="__tabbed_1_2" name="__tabbed_1" type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">Linux</label><label for="__tabbed_1_2">Windows</label></div>
<div class="tabbed-content"><div class="tabbed-block"><div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal">1</span>
<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><code><a id="__codelineno-0-1" name="__codelineno-0-1"></a><span class="nb">export</span> <span class="nv">A</span><span class="o">=</span><span class="m">1</span>
<a id="__codelineno-0-2" name="__codelineno-0-2"></a>wren start
</code></pre></div></td></tr></table></div></div><div class="tabbed-block"><p>Use the installer.</p></div></div></div>
<div class="admonition note"><p class="admonition-title">Proxy</p><p>Set it first.</p><ul><li>one</li><li>two</li></ul></div>
<h2 id="terms">Terms<a class="headerlink" href="#terms" title="Permanent link">&para;</a></h2>
<dl><dt><code>timeout</code></dt><dd>Seconds to wait. The default is 30.</dd><dt>Retry</dt><dd><p>A second try.</p><p>It waits twice as long.</p></dd></dl>
<div class="language-python highlight"><span class="filename">app.py</span><pre id="__code_1"><span></span><button class="md-clipboard">frame</button><code><span class="kn">import</span> <span class="nn">wren</span>
</code></pre></div>
<aside class="md-source-file"><span>frame Last update</span></aside><form class="md-feedback">frame helpful?</form></article></div></div></main><footer class="md-footer"><nav class="md-footer__inner">frame next</nav></footer></div>`,
    ),
    markdown: `# Setup {#setup}

**Linux**

\`\`\`
export A=1
wren start
\`\`\`

**Windows**

Use the installer.

<aside class="note">

**Proxy**

Set it first.

- one

- two

</aside>

## Terms {#terms}

- **\`timeout\`**: Seconds to wait. The default is 30.

- **Retry**: A second try.

  It waits twice as long.

\`\`\`python title="app.py"
import wren
\`\`\``,
  },
  {
    generator: 'Sphinx',
    path: 'api/client.html',
    title: 'Client',
    html: page(
      '<title>Client &#8212; frame 1.0 documentation</title>',
      `<div class="wy-grid-for-nav"><nav data-toggle="wy-nav-shift" class="wy-nav-side"><div role="search"><form id="rtd-search-form">frame search</form></div></nav><section data-toggle="wy-nav-shift" class="wy-nav-content-wrap"><div class="wy-nav-content"><div class="rst-content"><div role="navigation" aria-label="Page navigation"><ul class="wy-breadcrumbs"><li>frame crumb</li></ul></div>
<div role="main" class="document" itemscope="itemscope"><div itemprop="articleBody">
<section id="client"><span id="index-0"></span><h1>Client<a class="headerlink" href="#client" title="Link to this heading"></a></h1>
<div class="contents local topic" id="contents"><ul class="simple"><li><a class="reference internal" href="#usage">frame Usage</a></li></ul></div>
<section id="usage"><h2>Usage<a class="headerlink" href="#usage">¶</a></h2>
<div class="literal-block-wrapper docutils container" id="id1"><div class="code-block-caption"><span class="caption-text">main.py</span><a class="headerlink" href="#id1">¶</a></div><div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span><span class="kn">from</span> <span class="nn">wren</span> <span class="kn">import</span> <span class="n">Client</span>
<span class="linenos">2</span><span class="n">Client</span><span class="p">()</span>
</pre></div></div></div>
<dl class="py class"><dt class="sig sig-object py" id="wren.Client"><em class="property"><span class="pre">class</span> </em><span class="sig-prename descclassname"><span class="pre">wren.</span></span><span class="sig-name descname"><span class="pre">Client</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">timeout</span></span><span class="o"><span class="pre">=</span></span><span class="default_value"><span class="pre">30</span></span></em><span class="sig-paren">)</span><a class="reference internal" href="../_modules/wren.html#Client"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#wren.Client">¶</a></dt>
<dd><p>Sends requests.</p><dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd"><p><strong>timeout</strong> – seconds to wait.</p></dd></dl>
<dl class="py method"><dt class="sig sig-object py" id="wren.Client.close"><span class="sig-name descname"><span class="pre">close</span></span><span class="sig-paren">(</span><span class="sig-paren">)</span><a class="headerlink" href="#wren.Client.close">¶</a></dt><dd><p>Closes the connection.</p></dd></dl></dd></dl>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Not for threads.</p></div></section></section></div></div>
<footer><div class="rst-footer-buttons" role="navigation">frame Next</div><hr/><div role="contentinfo"><p>frame Copyright</p></div></footer></div></div></section></div>`,
    ),
    markdown: `# Client {#client}

## Usage {#usage}

\`\`\`python title="main.py"
from wren import Client
Client()
\`\`\`

### \`class wren.Client(timeout=30)\` {#wren.Client}

Sends requests.

- **Parameters**: **timeout** – seconds to wait.

#### \`close()\` {#wren.Client.close}

Closes the connection.

<aside class="warning">

**Warning**

Not for threads.

</aside>`,
  },
  {
    generator: 'Starlight',
    path: 'reference/index.html',
    title: 'Reference',
    html: page(
      '<title>Reference | frame</title>',
      `<a href="#_top" class="astro-7q">frame Skip</a><div class="page sl-flex"><header class="header">frame header</header><nav class="sidebar" aria-label="Main">frame nav</nav><div class="main-frame"><div class="lg:sl-flex"><aside class="right-sidebar-container"><div class="right-sidebar"><starlight-toc>frame toc</starlight-toc></div></aside><div class="main-pane"><main data-pagefind-body lang="en" dir="ltr"><div class="content-panel"><div class="sl-container"><h1 id="_top">Reference</h1></div></div><div class="content-panel"><div class="sl-container"><div class="sl-markdown-content">
<p>All settings of the file.</p>
<div class="sl-heading-wrapper level-h2"><h2 id="syntax">Syntax</h2><a class="sl-anchor-link" href="#syntax"><span aria-hidden="true" class="sl-anchor-icon"><svg></svg></span><span class="sr-only">frame Section titled “Syntax”</span></a></div>
<starlight-tabs data-sync-key="pkg"><div class="tablist-wrapper not-content"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-0" id="tab-0" aria-selected="true">YAML</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1" aria-selected="false">JSON</a></li></ul></div>
<div id="tab-panel-0" aria-labelledby="tab-0" role="tabpanel"><div class="expressive-code"><link rel="stylesheet" href="/_astro/ec.css"><figure class="frame has-title not-content"><figcaption class="header"><span class="title">wren.yaml</span></figcaption><pre data-language="yaml"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code"><span style="--0:#569CD6">port</span><span>: 4100</span></div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code">
</div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">3</div></div><div class="code"><span class="indent">  </span><span>host: a</span></div></div></code></pre><div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard" data-code="frame"><div></div></button></div></figure></div></div>
<div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel" hidden><p>The same as an object.</p></div></starlight-tabs>
<aside aria-label="Caution" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Caution</p><div class="starlight-aside__content"><p>Keep a backup.</p></div></aside>
</div><footer class="sl-flex"><div class="meta sl-flex"><a href="https://github.com/x" class="sl-flex">frame Edit page</a></div><div class="pagination-links"><a href="/x" rel="next">frame Next</a></div></footer></div></div></main></div></div></div></div>`,
    ),
    markdown: `# Reference {#_top}

All settings of the file.

## Syntax {#syntax}

**YAML**

\`\`\`yaml title="wren.yaml"
port: 4100

  host: a
\`\`\`

**JSON**

The same as an object.

<aside class="caution">

**Caution**

Keep a backup.

</aside>`,
  },
  {
    generator: 'Mintlify',
    path: 'api/keys.html',
    title: 'Keys',
    html: page(
      '<title>Keys - frame</title><meta name="description" content="Make and revoke keys."/><meta property="og:site_name" content="frame"/>',
      `<div id="navbar">frame nav</div><div id="sidebar-content"><ul class="sidebar-group"><li>frame page</li></ul></div><div id="content-container"><div id="content-area"><header id="header" class="relative"><div class="eyebrow">frame Group</div><h1 id="page-title" class="inline-block text-2xl">Keys</h1><button id="page-context-menu-button">frame Copy page</button><div class="mt-2 text-lg prose"><p>Make and revoke keys.</p></div></header>
<div class="mdx-content relative mt-8 mb-14 prose" data-page-title="Keys" id="content"><h2 class="flex whitespace-pre-wrap group font-semibold" id="make-a-key"><div class="absolute" tabindex="-1"><a href="#make-a-key" class="-ml-10" aria-label="Navigate to header">&#8203;<div class="w-6"><svg></svg></div></a></div><span class="cursor-pointer">Make a key</span></h2>
<div class="callout my-4 px-5 py-4 overflow-hidden rounded-2xl flex gap-3 border" data-callout-type="info"><div data-component-part="callout-icon"><svg aria-label="Info"></svg></div><div data-component-part="callout-content"><span data-as="p">Keys end after 90 days.</span></div></div>
<span data-as="p">Send it in the <code>Authorization</code> header.</span>
<div class="code-block mt-5 mb-8" language="json"><div class="flex" data-component-part="code-block-header"><div data-component-part="code-block-header-filename"><div>Reply</div></div><button data-testid="copy-code-button" aria-label="Copy the contents from the code block">frame</button></div><div class="w-0" data-component-part="code-block-root"><pre class="shiki shiki-themes" language="json"><code language="json" numberoflines="3"><span class="line"><span>{</span></span>
<span class="line"><span>  "id": "k_1"</span></span>
<span class="line"><span>}</span></span></code></pre></div></div></div>
<div class="feedback-toolbar"><p>frame Was this page helpful?</p></div><div id="pagination"><a href="/x">frame Next</a></div></div><div id="table-of-contents"><ul><li>frame toc</li></ul></div></div>`,
    ),
    markdown: `# Keys {#_top}

## Make a key {#make-a-key}

<aside class="note">

Keys end after 90 days.

</aside>

Send it in the \`Authorization\` header.

\`\`\`json title="Reply"
{
  "id": "k_1"
}
\`\`\``,
  },
  {
    generator: 'GitBook',
    path: 'basics/quickstart.html',
    title: 'Quickstart',
    html: page(
      '<title>Quickstart | frame</title>',
      `<header id="site-header">frame header</header><div class="flex"><aside data-testid="table-of-contents"><ul><li>frame nav</li></ul></aside><aside class="group/page-outline"><ul><li><a href="#a">frame outline</a></li></ul></aside><main class="relative min-w-0 flex-1"><header class="max-w-3xl mx-auto"><nav aria-label="Breadcrumb"><ol><li>frame crumb</li></ol></nav><h1 class="text-4xl font-bold">Quickstart</h1><p class="text-lg">Ready in a minute.</p></header>
<div class="grid [&amp;&gt;*+*]:mt-5"><h2 id="create-a-space" class="text-3xl flex"><div class="hash grid-area-1-1"><a href="#create-a-space" aria-label="Direct link to heading"><svg></svg></a></div><div class="flex-1">Create a space</div></h2><p class="mx-auto">Press <strong>New</strong>.</p>
<div class="hint transition-colors bg-info rounded-md"><div class="py-4"><svg class="gb-icon"></svg></div><div class="flex-1"><p>You can rename it.</p></div></div>
<div class="group/codeblock"><div class="relative"><pre class="relative overflow-auto"><code id="abc" class="min-w-full"><span class="highlight-line"><span class="highlight-line-content"><span>gitbook init</span></span></span><span class="highlight-line"><span class="highlight-line-content"><span>gitbook serve</span></span></span></code></pre></div></div>
<ul class="space-y-2"><li class="leading-normal flex"><div class="mr-1"><div class="h-1"></div></div><div class="flex-1"><p>First step</p></div></li></ul></div>
<div class="flex flex-row mt-6"><a href="/next" rel="next">frame Next</a></div><div class="page-feedback">frame helpful</div><footer>frame Last updated</footer></main></div>`,
    ),
    markdown: `# Quickstart {#_top}

Ready in a minute.

## Create a space {#create-a-space}

Press **New**.

<aside class="tip">

You can rename it.

</aside>

\`\`\`
gitbook init
gitbook serve
\`\`\`

- First step`,
  },
  {
    generator: 'Nextra',
    path: 'docs/routing.html',
    title: 'Routing',
    html: page(
      '<title>Routing – frame</title>',
      `<div class="nextra-nav-container">frame nav</div><div class="mx-auto flex"><aside class="nextra-sidebar-container">frame side</aside><nav class="nextra-toc" aria-label="table of contents">frame toc</nav><article class="w-full break-words nextra-content"><main class="w-full"><div class="nextra-breadcrumb">frame crumb</div><h1 class="mt-2 text-4xl">Routing</h1><p class="mt-6">Files become routes.</p><h2 class="font-semibold">Dynamic<a href="#dynamic" id="dynamic" class="subheading-anchor" aria-label="Permalink for this section"></a></h2><div class="nextra-callout overflow-x-auto flex"><div class="select-none">💡</div><div class="w-full min-w-0"><p>Brackets make it dynamic.</p></div></div><div class="nextra-code-block nextra-code relative mt-6"><div class="filename">app/page.tsx</div><pre class="overflow-x-auto" data-language="tsx" data-theme="default"><code class="nextra-code" dir="ltr" data-language="tsx"><span class="line"><span>export default Page</span></span>
</code></pre><div class="nextra-button"><button title="Copy code">frame</button></div></div><div class="mb-8 pagination"><a href="/x">frame Next</a></div></main></article></div><footer>frame footer</footer>`,
    ),
    markdown: `# Routing {#_top}

Files become routes.

## Dynamic {#dynamic}

<aside class="note">

💡

Brackets make it dynamic.

</aside>

\`\`\`tsx title="app/page.tsx"
export default Page
\`\`\``,
  },
  {
    generator: 'Hugo Docsy',
    path: 'docs/tasks/index.html',
    title: 'Tasks',
    html: page(
      '<title>Tasks | frame</title>',
      `<header><nav class="td-navbar js-navbar-scroll">frame nav</nav></header><div class="container-fluid td-outer"><div class="td-main"><div class="row"><aside class="td-sidebar d-print-none">frame</aside><aside class="td-sidebar-toc d-print-none"><div class="td-toc">frame toc</div></aside><main class="col-12 td-main" role="main"><nav aria-label="breadcrumb" class="td-breadcrumbs"><ol class="breadcrumb"><li>frame crumb</li></ol></nav><div class="td-content"><h1>Tasks</h1><div class="lead">What you can do.</div><header class="article-meta"></header><h2 id="run">Run<a class="td-heading-self-link" href="#run" aria-label="Heading self-link"></a></h2>
<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1
</span><span class="lnt">2
</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl"><span class="kd">func</span> main() {
</span></span><span class="line"><span class="cl">}
</span></span></code></pre></td></tr></table></div></div>
<ul class="nav nav-tabs" id="tabs-0" role="tablist"><li class="nav-item"><button class="nav-link active" id="tabs-00-00-tab" data-bs-toggle="tab" data-bs-target="#tabs-00-00" role="tab" aria-controls="tabs-00-00" aria-selected="true">Helm</button></li><li class="nav-item"><button class="nav-link" id="tabs-00-01-tab" data-bs-target="#tabs-00-01" role="tab" aria-controls="tabs-00-01">kubectl</button></li></ul><div class="tab-content" id="tabs-0-content"><div class="tab-body tab-pane fade show active" id="tabs-00-00" role="tabpanel" aria-labelledby="tabs-00-00-tab"><p>Install the chart.</p></div><div class="tab-body tab-pane fade" id="tabs-00-01" role="tabpanel"><p>Apply the file.</p></div></div>
<div class="alert alert-warning" role="alert"><div class="h4 alert-heading" role="heading">Quota</div><p>Ten at most.</p></div>
<div class="d-print-none"><h2 class="feedback--title">frame Feedback</h2></div><div class="text-muted mt-5 pt-3 border-top td-page-meta__lastmod">frame Last modified</div></div></main></div></div><footer class="td-footer">frame</footer></div>`,
    ),
    markdown: `# Tasks {#_top}

What you can do.

## Run {#run}

\`\`\`go
func main() {
}
\`\`\`

**Helm**

Install the chart.

**kubectl**

Apply the file.

<aside class="warning">

**Quota**

Ten at most.

</aside>`,
  },
  {
    generator: 'mdBook',
    path: 'ch01.html',
    title: 'Hello, Cargo',
    html: page(
      '<title>Hello, Cargo - frame book</title>',
      `<nav id="sidebar" class="sidebar"><ol class="chapter">frame</ol></nav><div id="page-wrapper" class="page-wrapper"><div class="page"><div id="menu-bar">frame bar</div><div id="content" class="content"><main><h1 id="hello-cargo"><a class="header" href="#hello-cargo">Hello, Cargo</a></h1><p>Let’s check.</p><pre><code class="language-console">$ cargo --version
</code></pre><p><span class="filename">Filename: Cargo.toml</span></p><pre><pre class="playground"><code class="language-rust editable">fn main() {}
</code></pre></pre></main><nav class="nav-wrapper" aria-label="Page navigation"><a rel="next" href="x">frame</a></nav></div></div></div>`,
    ),
    markdown: `# Hello, Cargo {#hello-cargo}

Let’s check.

\`\`\`console
$ cargo --version
\`\`\`

Filename: Cargo.toml

\`\`\`rust
fn main() {}
\`\`\``,
  },
  {
    generator: 'Antora',
    path: 'latest/ref.html',
    title: 'Settings',
    html: page(
      '<title>Settings :: frame</title>',
      `<header class="header">frame</header><div class="body"><div class="nav-container"><aside class="nav">frame</aside></div><main class="article"><div class="toolbar" role="navigation"><nav class="breadcrumbs">frame</nav></div><div class="content"><aside class="toc sidebar"><div class="toc-menu">frame</div></aside><article class="doc"><h1 class="page">Settings</h1><div class="sect1"><h2 id="_memory"><a class="anchor" href="#_memory"></a>Memory</h2><div class="sectionbody"><div class="paragraph"><p>Set the heap.</p></div><div class="admonitionblock important"><table><tr><td class="icon"><i class="fa icon-important" title="Important"></i></td><td class="content">Restart the node.</td></tr></table></div><div class="listingblock"><div class="title">heap.conf</div><div class="content"><pre class="highlightjs highlight"><code class="language-ini hljs" data-lang="ini">heap=1g</code></pre></div></div><div class="dlist"><dl><dt class="hdlist1">heap</dt><dd><p>Size of the heap.</p></dd></dl></div></div></div><nav class="pagination">frame next</nav></article></div></main></div><footer class="footer">frame</footer>`,
    ),
    markdown: `# Settings {#_top}

## Memory {#_memory}

Set the heap.

<aside class="important">

Restart the node.

</aside>

\`\`\`ini title="heap.conf"
heap=1g
\`\`\`

- **heap**: Size of the heap.`,
  },
  {
    generator: 'Javadoc',
    path: 'api/com/acme/RetryPolicy.html',
    title: 'Class RetryPolicy',
    html: page(
      '<title>RetryPolicy (frame API)</title>',
      `<div class="flex-box"><header role="banner"><nav role="navigation"><div class="top-nav"><a href="../../index.html">frame</a></div></nav></header><div class="flex-content"><main role="main"><div class="header"><h1 title="Class RetryPolicy" class="title">Class RetryPolicy</h1></div><section class="class-description" id="class-description"><hr><div class="type-signature"><span class="modifiers">public final class </span><span class="element-name type-name-label">RetryPolicy</span>
<span class="extends-implements">extends Object</span></div><div class="block">Says how often a call is retried.</div></section><section class="details"><ul class="details-list"><li><section class="method-details" id="method-detail"><h2>Method Details</h2><ul class="member-list"><li><section class="detail" id="of(int)"><h3>of</h3><div class="member-signature"><span class="modifiers">public static</span>&nbsp;<span class="return-type">RetryPolicy</span>&nbsp;<span class="element-name">of</span><wbr><span class="parameters">(int&nbsp;times)</span></div><div class="block">Returns a policy.</div><dl class="notes"><dt>Parameters:</dt><dd><code>times</code> - from 0 to 10</dd></dl></section></li><li><section class="detail" id="times()"><h3>times</h3><div class="block">Returns the retries.</div></section></li></ul></section></li></ul></section></main><footer role="contentinfo">frame</footer></div></div>`,
    ),
    markdown: `# Class RetryPolicy {#_top}

<a id="class-description">

---

\`\`\`
public final class RetryPolicy
extends Object
\`\`\`

Says how often a call is retried.

## Method Details {#method-detail}

### of {#of(int)}

\`\`\`
public static RetryPolicy of(int times)
\`\`\`

Returns a policy.

- **Parameters**: \`times\` \\- from 0 to 10

### times {#times()}

Returns the retries.`,
  },
  {
    generator: 'a page without any generator',
    path: 'old/notes.html',
    title: 'Release Notes',
    html:
      '<html><head><title>Release Notes - frame</title></head><body><div class="nav-menu"><a href="a.html">frame A</a> <a href="b.html">frame B</a> <a href="c.html">frame C</a></div>' +
      '<div class="wrap"><div class="text"><p>Version 4 needs a new license file, which the portal has.<p>It also drops the old importer: use the command <tt>wren import</tt> in its place.<h2><a name="fixes"></a>Fixes</h2><ul><li>Crash at start<li>Slow search</ul></div><div class="links"><a href="x">frame X</a></div></div></body></html>',
    markdown: `# Release Notes {#_top}

Version 4 needs a new license file, which the portal has.

It also drops the old importer: use the command wren import in its place.

## Fixes {#fixes}

- Crash at start

- Slow search`,
  },
];

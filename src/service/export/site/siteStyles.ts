/** The site's style sheet. Text has a contrast of at least 4.5 with its background. */

const light = `
  --page: #fdfdfb; --soft: #f4f5f1; --raised: #ffffff; --line: #e1e4dc; --line-strong: #c9cec2;
  --text: #1e211d; --muted: #5b6258; --accent: #0b6a55; --accent-soft: #e3f1ec; --mark: #fff0b8;
  --shadow: 0 1px 2px #1e211d14, 0 8px 24px #1e211d14;
  --code: #24292a; --code-comment: #656d66; --code-keyword: #98306a; --code-string: #1c6b3d;
  --code-number: #944600; --code-name: #1f57ad; --code-type: #6a47b3; --code-attribute: #755200;
  --code-built-in: #0d6270; --code-added: #dff3e2; --code-removed: #fbe3e1;
  --note: #1f5fb0; --tip: #0b6a55; --important: #6a47b3; --warning: #8a5800; --caution: #b0302a;
`;

const dark = `
  --page: #131614; --soft: #1b1f1c; --raised: #1e2320; --line: #2d332e; --line-strong: #465048;
  --text: #e5e9e3; --muted: #a0a99f; --accent: #74d2b4; --accent-soft: #17332b; --mark: #4b4013;
  --shadow: 0 1px 2px #0008, 0 8px 24px #0008;
  --code: #dde3dd; --code-comment: #939d94; --code-keyword: #f092c1; --code-string: #93d8a8;
  --code-number: #f2b47e; --code-name: #8fbcff; --code-type: #c6adff; --code-attribute: #e4c57e;
  --code-built-in: #80d6df; --code-added: #173a22; --code-removed: #47201f;
  --note: #8ab8ff; --tip: #74d2b4; --important: #c6adff; --warning: #ecc06a; --caution: #ff9d94;
`;

/** Styles that every page needs. The 404 page only has these. */
export const baseStyles = `
:root { color-scheme: light;${light}}
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark;${dark}} }
:root[data-theme="dark"] { color-scheme: dark;${dark}}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 1.4rem + 1.6vw, 2.35rem); letter-spacing: -.022em; margin: 0 0 .75rem; }
.skip { position: absolute; left: -999rem; top: 0; z-index: 30; padding: .6rem 1rem; background: var(--accent); color: var(--page); }
.skip:focus { left: .5rem; top: .5rem; }
.not-found { min-height: 100vh; display: grid; place-content: center; text-align: center; padding: 2rem; }
.not-found strong { font-size: clamp(4rem, 14vw, 8rem); line-height: 1; letter-spacing: -.05em; color: var(--accent); }
.not-found h1 { margin: 1rem 0 .25rem; }
.not-found p { color: var(--muted); max-width: 24rem; text-wrap: balance; margin: 0 auto 2rem; }
.button { display: inline-block; padding: .6rem 1.1rem; border-radius: 8px; background: var(--accent); color: var(--page); font-weight: 600; text-decoration: none; }
`;

export const siteStyleSheet = `${baseStyles}
/* Head of the page */
.top { position: sticky; top: 0; z-index: 10; background: var(--page); border-bottom: 1px solid var(--line); }
.top-inner { display: flex; align-items: center; gap: .75rem; height: 3.75rem; max-width: 92rem; margin: 0 auto; padding: 0 1.5rem; }
.brand { display: flex; align-items: center; gap: .6rem; min-width: 0; font-weight: 650; letter-spacing: -.01em; color: var(--text); text-decoration: none; white-space: nowrap; }
.brand svg { flex: none; color: var(--accent); }
.brand span { overflow: hidden; text-overflow: ellipsis; }
.tools { display: flex; align-items: center; gap: .5rem; margin-inline-start: auto; }
.icon-button, .menu > summary { display: inline-flex; align-items: center; justify-content: center; gap: .4rem; height: 2.25rem; min-width: 2.25rem; padding: 0 .6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--text); font: inherit; font-size: .875rem; text-decoration: none; cursor: pointer; }
.icon-button:hover, .menu > summary:hover { border-color: var(--line-strong); }
.icon-button svg { display: block; }
.icon-button.menu-button { display: none; }
html:not(.js) .theme-button, html:not(.js) .search { display: none; }
.theme-button .moon, :root[data-theme="dark"] .theme-button .sun { display: none; }
:root[data-theme="dark"] .theme-button .moon { display: block; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) .theme-button .sun { display: none; }
  :root:not([data-theme="light"]) .theme-button .moon { display: block; }
}
.menu { position: relative; }
.menu > summary { list-style: none; white-space: nowrap; }
.menu > summary::-webkit-details-marker { display: none; }
.menu > summary::after { content: ""; width: .4rem; height: .4rem; margin-inline-start: .1rem; border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: translateY(-.1rem) rotate(45deg); }
.menu-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.menu ul { position: absolute; inset-inline-end: 0; top: calc(100% + .35rem); z-index: 20; min-width: 9rem; max-height: 60vh; overflow: auto; margin: 0; padding: .35rem; list-style: none; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
.menu li a { display: block; padding: .35rem .7rem; border-radius: 6px; color: var(--text); font-size: .9rem; text-decoration: none; white-space: nowrap; }
.menu li a:hover { background: var(--soft); }
.menu li a[aria-current] { color: var(--accent); font-weight: 600; }

/* Search */
.search { position: relative; flex: 0 1 17rem; min-width: 0; }
.search input { width: 100%; height: 2.25rem; padding: 0 2.4rem 0 2.1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); color: var(--text); font: inherit; font-size: .875rem; }
.search input::placeholder { color: var(--muted); opacity: 1; }
.search input::-webkit-search-cancel-button { display: none; }
.search > svg { position: absolute; left: .65rem; top: .6rem; color: var(--muted); pointer-events: none; }
.search kbd { position: absolute; right: .5rem; top: .5rem; min-width: 1.25rem; padding: 0 .3rem; border: 1px solid var(--line); border-radius: 5px; background: var(--raised); color: var(--muted); font: .75rem/1.15rem ui-monospace, monospace; text-align: center; pointer-events: none; }
.search input:focus ~ kbd { display: none; }
.results { position: absolute; inset-inline-end: 0; top: calc(100% + .4rem); z-index: 20; width: min(30rem, calc(100vw - 2rem)); max-height: min(30rem, 70vh); overflow: auto; padding: .4rem; background: var(--raised); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); }
.results[hidden] { display: none; }
.results a { display: block; padding: .5rem .7rem; border-radius: 8px; color: var(--text); text-decoration: none; line-height: 1.35; }
.results a[aria-selected="true"], .results a:hover { background: var(--accent-soft); }
.results b { font-weight: 600; }
.results small { display: block; color: var(--muted); }
.results p { margin: .5rem .7rem; color: var(--muted); }

/* Columns */
.layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr) 14rem; gap: 0 3rem; max-width: 92rem; margin: 0 auto; padding: 0 1.5rem; }
.side { position: sticky; top: 3.75rem; align-self: start; max-height: calc(100vh - 3.75rem); overflow: auto; padding: 2rem .25rem 3rem 0; scrollbar-width: thin; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li a { display: block; margin: 1px 0; padding: .28rem .75rem; border-radius: 7px; color: var(--muted); font-size: .9rem; line-height: 1.4; text-decoration: none; }
.side li a:hover { color: var(--text); background: var(--soft); }
.side li a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 600; }
.side .folder { margin-top: 1.25rem; }
.side .folder .folder { margin-top: .5rem; padding-inline-start: .75rem; }
.side .folder-title, .side summary { display: block; padding: .2rem .75rem; color: var(--text); font-size: .875rem; font-weight: 650; }
.side .folder-title a { margin: 0 -.75rem; color: inherit; font-size: inherit; }
.side summary { cursor: pointer; border-radius: 7px; list-style: none; }
.side summary::-webkit-details-marker { display: none; }
.side summary::before { content: ""; display: inline-block; width: .4rem; height: .4rem; margin-inline-end: .6rem; border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: translateY(-.1rem) rotate(-45deg); }
.side details[open] > summary::before { transform: translateY(-.15rem) rotate(45deg); }
.side .more { font-style: italic; }
.side-close { display: none; }
main { min-width: 0; padding: 2rem 0 4rem; }
.article { max-width: 46rem; margin: 0 auto; }
.home > main { grid-column: 2 / -1; }
.home .article { max-width: 60rem; }
.toc { position: sticky; top: 3.75rem; align-self: start; max-height: calc(100vh - 3.75rem); overflow: auto; padding: 2.2rem 0 3rem; font-size: .85rem; line-height: 1.4; scrollbar-width: thin; }
.toc summary { font-weight: 650; color: var(--text); list-style: none; margin-bottom: .6rem; }
.toc summary::-webkit-details-marker { display: none; }
.toc ol { list-style: none; margin: 0; padding: 0; border-inline-start: 1px solid var(--line); }
.toc a { display: block; margin-inline-start: -1px; padding: .22rem .9rem; border-inline-start: 2px solid transparent; color: var(--muted); text-decoration: none; }
.toc .deep a { padding-inline-start: 1.8rem; }
.toc a:hover { color: var(--text); }
.toc a[aria-current] { color: var(--accent); border-color: var(--accent); }

/* Text */
.article .breadcrumbs li { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.article .breadcrumbs ol { display: flex; flex-wrap: wrap; gap: .1rem .5rem; margin: 0 0 1.25rem; padding: 0; list-style: none; font-size: .85rem; color: var(--muted); }
.breadcrumbs li + li::before { content: "/"; margin-inline-end: .5rem; color: var(--line-strong); }
.breadcrumbs a { color: var(--muted); text-decoration: none; }
.breadcrumbs a:hover { color: var(--text); text-decoration: underline; }
.article .lead { margin: 0 0 2rem; color: var(--muted); font-size: 1.15rem; line-height: 1.5; text-wrap: pretty; }
.article h2 { margin: 2.75rem 0 .9rem; font-size: 1.5rem; }
.article h3 { margin: 2.1rem 0 .7rem; font-size: 1.2rem; }
.article h4, .article h5, .article h6 { margin: 1.7rem 0 .5rem; font-size: 1.02rem; }
.article p, .article ul, .article ol { margin: 0 0 1.1rem; }
.article li > ul, .article li > ol { margin: .25rem 0 .5rem; }
.article ul, .article ol { padding-inline-start: 1.5rem; }
.article li { margin: .3rem 0; }
.article li::marker { color: var(--muted); }
.article li > p { margin-bottom: .5rem; }
.article hr { margin: 2.5rem 0; border: 0; border-top: 1px solid var(--line); }
.article img { max-width: 100%; height: auto; border-radius: 8px; background: #fff; }
.article p > img:only-child { display: block; margin: 1.5rem auto; padding: .75rem; border: 1px solid var(--line); }
.article kbd { padding: .1em .4em; border: 1px solid var(--line-strong); border-bottom-width: 2px; border-radius: 5px; background: var(--soft); font: .85em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.article :target { border-radius: 4px; background: var(--mark); box-shadow: 0 0 0 .35rem var(--mark); }
.anchor { text-decoration: none; font-weight: 400; opacity: 0; transition: opacity .12s; }
.anchor::before { content: "#"; padding: 0 .2rem; }
:is(h2, h3, h4, h5, h6):hover > .anchor, .anchor:focus-visible { opacity: 1; }
blockquote { margin: 0 0 1.2rem; padding: .1rem 0 .1rem 1.1rem; border-inline-start: 3px solid var(--line-strong); color: var(--muted); }
blockquote > :last-child, .callout > :last-child { margin-bottom: 0; }
.callout { --tone: var(--note); margin: 1.5rem 0; padding: .9rem 1.1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--tone); border-radius: 8px; background: var(--soft); }
.callout.tip { --tone: var(--tip); } .callout.important { --tone: var(--important); }
.callout.warning { --tone: var(--warning); } .callout.caution { --tone: var(--caution); }
.article .callout-label { margin: 0 0 .3rem; color: var(--tone); font-size: .875rem; font-weight: 650; }
.table { overflow-x: auto; margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-size: .925rem; line-height: 1.5; overflow-wrap: normal; }
th, td { padding: .55rem .9rem; border-top: 1px solid var(--line); text-align: start; vertical-align: top; }
thead th { border-top: 0; background: var(--soft); font-weight: 650; white-space: nowrap; }
td { min-width: 5rem; }
.center { text-align: center; } .right { text-align: right; }

/* Code */
code { font: .875em/1.5 ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-variant-ligatures: none; }
:not(pre) > code { padding: .13em .38em; border-radius: 5px; background: var(--soft); border: 1px solid var(--line); overflow-wrap: anywhere; }
td > code { white-space: nowrap; }
a > code { color: inherit; }
.code { position: relative; margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: 10px; background: var(--soft); overflow: hidden; }
.code figcaption { min-height: 2.3rem; padding: .42rem 1rem; border-bottom: 1px solid var(--line); color: var(--muted); font-size: .8rem; line-height: 1.45rem; padding-inline-end: 5.5rem; }
.code pre { margin: 0; padding: .95rem 1rem; overflow-x: auto; tab-size: 4; color: var(--code); font-size: .85rem; line-height: 1.6; }
.code pre code { font-size: inherit; line-height: inherit; }
.copy { position: absolute; inset-inline-end: .4rem; top: .3rem; height: 1.7rem; padding: 0 .6rem; border: 1px solid transparent; border-radius: 6px; background: none; color: var(--muted); font: inherit; font-size: .8rem; cursor: pointer; }
.copy:hover, .copy:focus-visible { color: var(--text); border-color: var(--line-strong); background: var(--raised); }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--code-comment); }
.hljs-comment { font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-doctag, .hljs-meta .hljs-keyword { color: var(--code-keyword); }
.hljs-string, .hljs-regexp, .hljs-char, .hljs-addition { color: var(--code-string); }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet { color: var(--code-number); }
.hljs-title, .hljs-section, .hljs-name { color: var(--code-name); }
.hljs-type, .hljs-class, .hljs-title.class_ { color: var(--code-type); }
.hljs-attr, .hljs-attribute, .hljs-property, .hljs-selector-attr, .hljs-selector-class, .hljs-selector-id { color: var(--code-attribute); }
.hljs-built_in, .hljs-variable, .hljs-template-variable, .hljs-subst, .hljs-link { color: var(--code-built-in); }
.hljs-subst, .hljs-params { color: var(--code); }
.hljs-addition { background: var(--code-added); } .hljs-deletion { color: var(--caution); background: var(--code-removed); }
.hljs-emphasis { font-style: italic; } .hljs-strong { font-weight: 700; }

/* End of the page, and pages that list others */
.pager { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; margin-top: 3.5rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
.pager a { display: block; padding: .8rem 1.1rem; border: 1px solid var(--line); border-radius: 10px; text-decoration: none; }
.pager a:hover { border-color: var(--accent); }
.pager small { display: block; color: var(--muted); }
.pager span { font-weight: 600; }
.pager .next { grid-column: 2; text-align: end; }
.hero { padding: 1.5rem 0 .5rem; }
.hero h1 { font-size: clamp(2.1rem, 1.5rem + 2.6vw, 3.2rem); margin-bottom: .5rem; }
.hero p { color: var(--muted); font-size: 1.15rem; margin: 0 0 1.5rem; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.article .chips { padding: 0; } .chips li { margin: 0; }
.chips a { display: block; padding: .3rem .85rem; border: 1px solid var(--line); border-radius: 99px; font-size: .875rem; text-decoration: none; color: var(--text); }
.chips a:hover { border-color: var(--accent); }
.chips a[aria-current] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent); font-weight: 600; }
.article .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: .9rem; min-width: 0; margin: 0 0 1rem; padding: 0; list-style: none; }
.article .cards li { margin: 0; min-width: 0; }
.cards a { display: block; height: 100%; padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--text); text-decoration: none; }
.cards a:hover { border-color: var(--accent); box-shadow: var(--shadow); }
.cards b { display: block; font-weight: 650; }
.cards span { display: block; margin-top: .2rem; color: var(--muted); font-size: .9rem; line-height: 1.45; }
.list-title { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
.list-title a { font-size: .9rem; font-weight: 400; letter-spacing: 0; }
.article .columns { columns: 17rem; gap: 2rem; padding: 0; list-style: none; }
.columns li { margin: 0; break-inside: avoid; padding: .15rem 0; }

@media (max-width: 75rem) {
  .layout { grid-template-columns: 16rem minmax(0, 1fr); gap: 0 2.5rem; }
  .toc { position: static; grid-column: 2; grid-row: 1; max-height: none; padding: 2rem 0 0; width: 100%; max-width: 46rem; margin: 0 auto; }
  .toc details { padding: .7rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
  .toc summary { cursor: pointer; margin: 0; }
  .toc summary::after { content: ""; float: inline-end; width: .45rem; height: .45rem; margin-top: .35rem; border: solid var(--muted); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
  .toc details[open] summary { margin-bottom: .6rem; }
  .side { grid-row: 1 / span 2; }
  .layout > main { grid-column: 2; }
}
@media (max-width: 56rem) {
  .top-inner, .layout { padding-inline: 1rem; }
  .layout { display: flex; flex-direction: column; }
  .toc { order: 1; padding-top: 1.25rem; } main { order: 2; padding: 1.5rem 0 3rem; }
  .side { order: 3; position: static; max-height: none; padding: 1.5rem 0 3rem; border-top: 1px solid var(--line); }
  .icon-button.menu-button { display: inline-flex; }
  .js .side { position: fixed; inset-block: 0; inset-inline-start: 0; z-index: 40; width: min(20rem, 88vw); max-height: none; padding: 1rem 1rem 3rem; background: var(--page); border: 0; box-shadow: var(--shadow); visibility: hidden; transform: translateX(-102%); transition: transform .18s ease, visibility 0s .18s; }
  [dir="rtl"].js .side { transform: translateX(102%); }
  .js.side-open .side { visibility: visible; transform: none; transition: transform .18s ease; }
  .js.side-open { overflow: hidden; }
  .js.side-open body::after { content: ""; position: fixed; inset: 0; z-index: 35; background: #0007; }
  .js .side-close { display: inline-flex; float: inline-end; }
}
@media (max-width: 40rem) {
  .search kbd { display: none; }
  .top-inner { flex-wrap: wrap; height: auto; padding-block: .6rem; gap: .5rem; }
  .tools { display: contents; } .brand { margin-inline-end: auto; flex: 1 1 0; }
  .search { order: 5; flex: 1 0 100%; max-width: 100%; }
  .results { width: 100%; }
  html { scroll-padding-top: 8rem; }
  .pager { grid-template-columns: minmax(0, 1fr); } .pager .next { grid-column: 1; }
}
@media (max-width: 28rem) { .brand svg { display: none; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print {
  .top, .side, .toc, .pager, .anchor, .copy, .breadcrumbs, .skip { display: none !important; }
  .layout { display: block; padding: 0; } main { padding: 0; } .article { max-width: none; }
  .code, .table, .callout { break-inside: avoid; } .code pre { white-space: pre-wrap; }
  .article a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em; color: var(--muted); }
}
`;

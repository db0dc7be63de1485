import assert from 'node:assert/strict';
import { scriptAddresses } from '../../../../src/export/check/scriptFetches';
import { brokenOf, checked, checkedPage, fetchesOf, page } from './site';

const host = 'https://api.example.com';

function read(script: string): string[] {
  const result = scriptAddresses(script);
  assert.ok(result.isReadable, script);
  return result.found.map(({ kind, address }) => `${kind} ${address}`);
}

describe('scriptAddresses', () => {
  const loads: Record<string, readonly string[]> = {
    [`fetch("${host}/x")`]: [`fetch ${host}/x`],
    [`window.fetch('${host}/x', {})`]: [`fetch ${host}/x`],
    [`globalThis['fetch'](\`${host}/x\`)`]: [`fetch ${host}/x`],
    [`fetch(new URL('${host}/x'))`]: [`fetch ${host}/x`],
    [`fetch(new Request("${host}/x"))`]: [`fetch ${host}/x`],
    [`const api = '${host}'; fetch(api + '/x')`]: [`fetch ${host}/x`],
    [`const api = '${host}'; const users = \`\${api}/users\`; fetch(users)`]: [
      `fetch ${host}/users`,
    ],
    [`fetch(\`${host}/users/\${id}\`)`]: [`fetch ${host}/users/`],
    [`fetch('${host}/users/' + id)`]: [`fetch ${host}/users/`],
    'new WebSocket("wss://live.example.com")': ['fetch wss://live.example.com'],
    'new EventSource("/events")': ['fetch /events'],
    [`new XMLHttpRequest().open('get', '${host}/x', true)`]: [`fetch ${host}/x`],
    [`navigator.sendBeacon('${host}/x', body)`]: [`beacon ${host}/x`],
    [`importScripts('a.js', '${host}/b.js')`]: ['script a.js', `script ${host}/b.js`],
    [`new Worker('/w.js'); new SharedWorker("${host}/w.js")`]: [
      'worker /w.js',
      `worker ${host}/w.js`,
    ],
    "new Worker(new URL('./w.js', import.meta.url), { type: 'module' })": ['fetch ./w.js'],
    "new URL('.', import.meta.url); new URL('../assets/', import.meta.url)": [],
    [`new URL('${host}/', import.meta.url)`]: [`fetch ${host}/`],
    "navigator.serviceWorker.register('/sw.js')": ['worker /sw.js'],
    "CSS.paintWorklet.addModule('/paint.js')": ['worker /paint.js'],
    [`import a from '${host}/a.js'; export * from './b.js'; export { c } from '../c.js'`]: [
      `import ${host}/a.js`,
      'import ./b.js',
      'import ../c.js',
    ],
    "import('./lazy.js').then(run)": ['import ./lazy.js'],
    [`async () => { await import("${host}/lazy.js") }`]: [`import ${host}/lazy.js`],
    [`image.src = '${host}/pixel.gif'`]: [`fetch ${host}/pixel.gif`],
    [`script.setAttribute('src', '${host}/a.js')`]: [`fetch ${host}/a.js`],
    [`new Audio('${host}/ding.mp3')`]: [`media ${host}/ding.mp3`],
    [`new FontFace('A', 'url(${host}/a.woff2)')`]: [`font ${host}/a.woff2`],
  };
  for (const [script, expected] of Object.entries(loads)) {
    it(`reads ${script}`, () => {
      assert.deepEqual(read(script), expected);
    });
  }

  for (const script of [
    "import React from 'react'; import('lodash/fp')",
    'fetch(address); fetch(); fetch(`${host}/x`); fetch(host + "/x")',
    `fetch('https://api.' + region + '.example.com/x')`,
    `fetch(\`https://\${host}/x\`)`,
    `let api = '${host}/x'; api = other; fetch(api)`,
    `const a = '${host}/x'; function f(a) { fetch(a) }`,
    `const a = a; fetch(a)`,
    `const text = '${host}/x'; console.log(text)`,
    `// fetch('${host}/x')`,
    `window.open('${host}/x', '_blank')`,
    `link.href = '${host}/x'`,
    `router.register('/sw.js')`,
    `constructor('${host}/x'); new toString('${host}/x')`,
    'fetch(5); new Worker(null)',
  ]) {
    it(`guesses no URL in ${script}`, () => {
      assert.deepEqual(read(script), []);
    });
  }

  for (const script of [
    'with (window) { fetch("/x") }',
    '<!-- old\nfetch("/x")',
    '#!/usr/bin/env node\nfetch("/x")',
    'return fetch("/x")',
    'await fetch("/x")',
    'var a = 010; fetch("/x")',
    'a?.b ?? c; class A { #p = 1; static { fetch("/x") } }',
  ]) {
    it(`parses ${JSON.stringify(script)}`, () => {
      assert.deepEqual(read(script), ['fetch /x']);
    });
  }

  it('reports why and where a script cannot be parsed', () => {
    assert.deepEqual(scriptAddresses('let a = ;'), {
      isReadable: false,
      reason: 'Unexpected token',
      offset: 8,
    });
  });

  it('gives up on extremely nested code without crashing', () => {
    const deep = scriptAddresses(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    assert.equal(deep.isReadable, false);
  });
});

describe('Check Bundle on scripts', () => {
  it('resolves imports relative to the script, and fetches relative to the page', async () => {
    const report = await checked({
      'guides/a.html': page(
        '<script type="module" src="../assets/a.js"></script>\n<script>fetch("search.json")</script>',
      ),
      'index.html': page('<script>\n\n  fetch("search.json");\n</script>'),
      'guides/search.json': '{}',
      'assets/a.js':
        'import "./b.js";\nimport("./gone.js");\nfetch("only-the-page-knows.json");\nfetch("/search.json");\n',
      'assets/b.js': 'export * from "../assets/c.js"',
      'assets/c.js': '',
    });
    assert.deepEqual(brokenOf(report), [
      'assets/a.js:2 ./gone.js → missing-file',
      'assets/a.js:4 /search.json → missing-file',
      'index.html:5 search.json → missing-file',
    ]);
    assert.equal(report.broken[2]?.column, 10);
  });

  it('lists what files and inline scripts fetch from other hosts, with their lines', async () => {
    const report = await checked({
      'index.html': page(`<script>\nfetch("${host}/a?key=1#x")</script>`),
      'a.mjs': `//\nnew WebSocket("wss://live.example.com/?token=1")`,
    });
    assert.deepEqual(
      report.outsideFetches.map(({ file, line, column, address }) => [file, line, column, address]),
      [
        ['a.mjs', 2, 16, 'wss://live.example.com/'],
        ['index.html', 4, 8, `${host}/a`],
      ],
    );
  });

  it('notes a script that cannot be parsed, and goes on', async () => {
    const report = await checked({
      'index.html': page('<script>\nlet = ;</script><img src="gone.png" alt="">'),
      'a.js': 'const a: number = 1;',
    });
    assert.deepEqual(
      report.notes.map(({ code, file, line, column }) => [code, file, line, column]),
      [
        ['unreadable-script', 'a.js', 1, 8],
        ['unreadable-script', 'index.html', 4, 7],
      ],
    );
    assert.equal(report.brokenCount, 1);
  });

  it('reads each file that a script loads, whatever its name, but no offered download', async () => {
    const report = await checked({
      'index.html': page('<script src="run.txt?v=1"></script><a href="example.mjs">x</a>'),
      'run.txt': `fetch("${host}/run")`,
      'example.mjs': `import "./gone.mjs"; fetch("${host}/example")`,
      'data.json': '{}',
    });
    assert.deepEqual(fetchesOf(report), [`fetch ${host}/run`]);
    assert.deepEqual(brokenOf(report), []);
  });

  it('reports a finding for each of many pages with the same script', async () => {
    const body = page('<script>fetch("/gone.json")</script>');
    const report = await checked({ 'a.html': body, 'b.html': body, 'c/d.html': body });
    assert.deepEqual(brokenOf(report), [
      'a.html:3 /gone.json → missing-file',
      'b.html:3 /gone.json → missing-file',
      'c/d.html:3 /gone.json → missing-file',
    ]);
  });

  it('reads event handlers in attributes', async () => {
    const report = await checkedPage(`<button onclick="fetch('${host}/x')">x</button>`);
    assert.deepEqual(fetchesOf(report), [`fetch ${host}/x`]);
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parsePage } from '../../../src/docs/pages/page';
import type { LocalService } from '../../../src/service/server/server';
import { DocsError } from '../../../src/docs/docsError';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, docsFolder, startService, until } from './localServiceAsking';
import {
  adminKey,
  bundleOf,
  bytesOf,
  errorOf,
  exportSite,
  filesOf,
  start,
} from './localServiceExporting';

const sampleDocs = path.resolve('src/service/sample/docs');

const page = (title: string, text: string, head = ''): string =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><nav><a href="/">Menu pelican</a></nav><main><h1>${title}</h1>${text}</main><footer>pelican footer</footer></body></html>`;

const canonical = (url: string): string => `<link rel="canonical" href="${url}">`;

/** The words of a page that a search can find, by section. */
const wordsOf = (file: string, source: string): string[] =>
  parsePage(file, source).sections.flatMap(({ heading, blocks }) => [
    ...(heading.match(/[\p{L}\p{N}]+/gu) ?? []),
    ...blocks.flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? []),
  ]);

describe('bundle of the local docs service', () => {
  let bundle: Awaited<ReturnType<typeof docsFolder>> | undefined;
  let service: LocalService | undefined;
  const log = new RecordingLog();

  const startBundle = async (files: Parameters<typeof docsFolder>[0]): Promise<LocalService> => {
    bundle = await docsFolder(files);
    service = await startService('', {
      docs: { kind: 'bundle', folder: bundle.root },
      adminKey,
      log,
    });
    await service.whenIndexed();
    return service;
  };
  afterEach(async () => {
    await service?.stop();
    await bundle?.remove();
    service = bundle = undefined;
    log.assertNoErrors();
  });

  const sourcesOf = async (running: LocalService, question: string): Promise<string[]> =>
    (await ask(running, question)).sources.map(({ url }) => url.replace(running.url, ''));

  it('answers from what a service has exported, with the words of its Markdown', async () => {
    const exporting = await startService(sampleDocs, { adminKey });
    let files: Map<string, string>;
    try {
      const jobId = await exportSite(exporting);
      const { bundleUrl } = await bundleOf(exporting, jobId);
      files = await filesOf(await bytesOf(bundleUrl));
    } finally {
      await exporting.stop();
    }
    const running = await startBundle(Object.fromEntries(files));
    const reply = await ask(running, 'How many times is a failed webhook delivery tried again?');
    // The canonical URL of this export is a name of this machine, at which nothing answers.
    assert.match(
      reply.sources[0]?.url ?? '',
      /^http:\/\/127\.0\.0\.1:\d+\/docs\/v2\/en\/webhooks#/,
    );
    assert.match(reply.text, /8 attempts in all/);
    const shown = await fetch(reply.sources[0]?.url ?? '');
    assert.equal(shown.status, 200);
    assert.match(await shown.text(), /<h2 id="retries">Retries<\/h2>/);

    for (const name of ['v2/en/webhooks', 'v2/en/errors', 'v2/en/quickstart', 'v2/de/errors']) {
      const html = files.get(`${name}.html`);
      assert.ok(html, name);
      const source = await readFile(path.join(sampleDocs, `${name}.md`), 'utf8').catch(() =>
        readFile(path.join(sampleDocs, `${name}.mdx`), 'utf8'),
      );
      const inSource = new Set(wordsOf(`${name}.mdx`, source));
      const inPage = new Set(wordsOf(`${name}.html`, html));
      assert.deepEqual(
        [...inSource].filter((word) => !inPage.has(word)),
        [],
        name,
      );
      // The page adds its description, and the label of a note.
      const description = parsePage(`${name}.mdx`, source).description.match(/[\p{L}\p{N}]+/gu);
      const added = [...inPage].filter(
        (word) => !inSource.has(word) && description?.includes(word) !== true,
      );
      assert.ok(added.length <= 5, `${name}: ${added.join(' ')}`);
    }
  });

  it('cites pages at their canonical URL, and shows them itself without the network', async () => {
    const running = await startBundle({
      'index.html': page(
        'Home',
        '<p>All about birds.</p>',
        canonical('https://docs.example.com/birds/'),
      ),
      'guide/fish.html': page(
        'Fish',
        '<p>Fish are eaten.</p><h2 id="how-it-eats">Eating</h2><p>A pelican scoops up fish. See <a href="../index.html">home</a>.</p><img src="../img/fish.png" alt="A fish">',
        canonical('https://docs.example.com/birds/guide/fish'),
      ),
      'guide/old.html': page(
        'Old',
        '<p>Penguins swim.</p>',
        canonical('https://docs.example.com/birds/'),
      ),
      'img/fish.png': new Uint8Array([1, 2, 3]),
    });
    assert.deepEqual(await sourcesOf(running, 'What does a pelican scoop up?'), [
      'https://docs.example.com/birds/guide/fish#how-it-eats',
    ]);
    // A page whose canonical URL is another page's is cited here.
    assert.deepEqual(await sourcesOf(running, 'Do penguins swim?'), ['/docs/guide/old#_top']);

    const shown = await fetch(`${running.url}/docs/guide/fish.html`);
    assert.equal(new URL(shown.url).pathname, '/docs/guide/fish');
    const html = await shown.text();
    assert.match(html, /<h2 id="how-it-eats">Eating<\/h2>/);
    assert.match(html, /<a href="\/docs\/" rel="noreferrer">home<\/a>/);
    assert.match(
      html,
      /href="https:\/\/docs\.example\.com\/birds\/guide\/fish"[^>]*>Open on docs\.example\.com</,
    );
    const image = /<img src="([^"]+)"/.exec(html)?.[1] ?? '';
    assert.equal((await fetch(running.url + image)).headers.get('content-type'), 'image/png');
  });

  it('cites pages at their canonical URL if all of them are in a folder of their own', async () => {
    const running = await startBundle({
      'birds-1.0/index.html': page('Home', '<p>All.</p>', canonical('https://docs.example.com/')),
      'birds-1.0/guide/fish.html': page(
        'Fish',
        '<p>Pelicans eat fish.</p>',
        canonical('https://docs.example.com/guide/fish'),
      ),
    });
    assert.deepEqual(await sourcesOf(running, 'pelicans'), ['https://docs.example.com/guide/fish']);
  });

  it('can be a single page', async () => {
    const running = await startBundle({ 'index.html': page('Home', '<p>Pelicans eat fish.</p>') });
    assert.deepEqual(await sourcesOf(running, 'pelicans'), ['/docs/#_top']);
  });

  it('cites its own pages if the pages name several sites', async () => {
    const running = await startBundle({
      'a.html': page('A', '<p>Pelicans eat fish.</p>', canonical('https://one.example.com/a')),
      'b.html': page('B', '<p>Storks eat frogs.</p>', canonical('https://two.example.com/b')),
      'c.html': page('C', '<p>Penguins swim.</p>', canonical('https://three.example.com/c')),
    });
    assert.deepEqual(await sourcesOf(running, 'pelicans'), ['/docs/a#_top']);
  });

  // Shows faults.md K3.
  it('has each page once, and no error pages, redirects and pages without text', async () => {
    const running = await startBundle({
      'index.html': page('Home', '<p>All about birds.</p>'),
      '404.html': page('Not found', '<p>Pelicans are not here.</p>'),
      'birds.html': page('Birds', '<p>Pelicans eat fish.</p>'),
      'birds.md': '# Birds\n\nPelicans eat fish, says the Markdown.\n',
      'moved.html': '<meta http-equiv="refresh" content="0; url=birds.html"><p>Pelicans moved</p>',
      'app.html': '<body><div id="root"></div><script src="a.js"></script></body>',
      'frames.html': '<frameset><frame src="birds.html"></frameset>',
    });
    const { pages, sections } = await running.whenIndexed();
    assert.deepEqual({ pages, sections }, { pages: 2, sections: 2 });
    const { text } = await ask(running, 'pelicans');
    assert.match(text, /says the Markdown/);
    assert.match(log.text(), /Left out moved\.html: it only leads to another page/);
    assert.match(log.text(), /Left out frames\.html: it only has frames/);
  });

  it('reads the beginning of a huge page, and says so', async () => {
    const filler = '<p>More and more text about nothing at all.</p>'.repeat(230_000);
    const running = await startBundle({
      'huge.html': page('Huge', `<p>Pelicans eat fish.</p>${filler}`),
    });
    assert.equal((await sourcesOf(running, 'pelicans')).length, 1);
    assert.match(log.text(), /Read only the beginning of huge\.html: it has 1\d{7} bytes/);
  });

  it('reads the encoding that a page names', async () => {
    const running = await startBundle({
      'a.html': Buffer.from(
        page('Größe', '<p>Die Größe des Pakets.</p>', '<meta charset="iso-8859-1">'),
        'latin1',
      ),
      'b.html': Buffer.from(page('Привет', '<p>Пеликан ест рыбу.</p>'), 'utf16le').fill(
        '\uFEFF',
        0,
        0,
      ),
    });
    assert.match((await ask(running, 'Größe des Pakets')).text, /Die Größe des Pakets/);
  });

  it('is updated when a page changes', async () => {
    const running = await startBundle({ 'a.html': page('A', '<p>Pelicans eat fish.</p>') });
    await bundle?.write('a.html', page('A', '<p>Storks eat frogs.</p>'));
    await until(async () => (await sourcesOf(running, 'storks')).length === 1);
    await bundle?.write('b.html', page('B', '<p>Penguins swim.</p>'));
    await until(async () => (await sourcesOf(running, 'penguins')).length === 1);
  });

  it('is not exported again', async () => {
    const running = await startBundle({ 'a.html': page('A', '<p>Pelicans eat fish.</p>') });
    const sentence = await errorOf(await start(running, { domain: running.domain }), 409);
    assert.match(sentence, /published site already/);
  });

  it('must be a folder', async () => {
    await assert.rejects(
      startService('', { docs: { kind: 'bundle', folder: '/no/such/folder' } }),
      (error) => error instanceof DocsError && /doesn't exist/.test(error.message),
    );
  });
});

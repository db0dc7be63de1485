import assert from 'node:assert/strict';
import path from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import * as v from 'valibot';
import type { DocsTools } from '../../../src/docsTools/docsTools';
import { pageSchema, searchResultSchema } from '../../../src/docsTools/toolDefinitions';
import type { LocalService } from '../../../src/service/server/server';
import { RecordingLog } from '../../fakes/recordingLog';
import { DocsSite, htmlPage, sitemapOf } from '../service/docsSite';
import { docsFolder, startService } from '../service/localServiceAsking';
import { aCall, toolsOf } from './toolsOver';

const sampleDocs = path.resolve('src/service/sample/docs');

const html = (title: string, text: string, url?: string): string =>
  `<!doctype html><html><head><title>${title}</title>${url === undefined ? '' : `<link rel="canonical" href="${url}">`}</head><body><nav>Menu</nav><main><h1>${title}</h1>${text}</main></body></html>`;

describe('search_docs and read_docs_page', () => {
  describe('over a folder', () => {
    let service: LocalService;
    let tools: DocsTools;
    const log = new RecordingLog();
    before(async () => {
      service = await startService(sampleDocs, { log });
      await service.whenIndexed();
      tools = toolsOf(service);
    });
    after(async () => {
      await service.stop();
      log.assertNoErrors();
    });

    it('find the section with its heading, path, URL and the fitting excerpt', async () => {
      const { text, data } = await tools.search({ query: 'verify webhook signature' }, aCall());
      const [best] = data.sections;
      assert.equal(best?.title, 'Webhooks');
      assert.equal(best.heading, 'Verify the signature');
      assert.equal(best.path, 'v2/en/webhooks#verify-the-signature');
      assert.equal(best.url, `${service.url}/docs/v2/en/webhooks#verify-the-signature`);
      assert.deepEqual([best.version, best.language], ['v2', 'en']);
      assert.match(best.excerpt, /Parcelwren-Signature/);
      assert.equal(data.isWeak, false);
      assert.match(
        text,
        /^\d sections of Sample Docs for “verify webhook signature”, best first\./,
      );
      assert.match(
        text,
        /### 1\. \[Webhooks › Verify the signature\]\(http.*\)\nv2 · en · path: `v2/,
      );
      assert.deepEqual(v.parse(searchResultSchema, data), data);
    });

    it('search only what the filters name', async () => {
      const german = await tools.search({ query: 'Webhooks', language: 'de' }, aCall());
      assert.ok(german.data.sections.length > 0);
      assert.ok(german.data.sections.every(({ language }) => language === 'de'));
      const old = await tools.search({ query: 'webhooks', version: 'v1', limit: 2 }, aCall());
      assert.deepEqual(
        old.data.sections.map(({ version }) => version),
        ['v1', 'v1'],
      );
      const none = await tools.search({ query: 'webhooks', groups: ['nobody'] }, aCall());
      assert.deepEqual(none.data.sections, []);
      assert.match(
        none.text,
        /^Nothing in Sample Docs matches “webhooks”\. Search with other words/,
      );
    });

    it('name the versions and languages of the docs if none fits the filter of a call', async () => {
      const query = 'verify a webhook';
      const { text } = await tools.search(
        { query, version: 'latest', language: 'English' },
        aCall(),
      );
      assert.equal(
        text,
        'Nothing in Sample Docs matches “verify a webhook”. Search with other words, remove filters, or call ask_docs. These docs have the versions v2, v1 and the languages de, en. Leave out a filter that none of their pages has.',
      );
      const checked = await tools.checkClaims(
        { text: 'A webhook endpoint must answer with `2xx` within 10 seconds.', version: 'v9' },
        aCall(),
      );
      assert.match(
        checked.text,
        /^Sample Docs supports 0 of 1 statements\. These docs have the versions v2, v1\. Leave out/,
      );
      const grouped = await tools.search({ query, groups: ['beta'] }, aCall());
      assert.match(grouped.text, / These docs have the groups admin, api, guides, sdk\. Leave out/);
    });

    it('mark sections that only share words with the query', async () => {
      const { text, data } = await tools.search(
        { query: 'Kafka consumer groups and webhooks' },
        aCall(),
      );
      assert.ok(data.sections.length > 0);
      assert.equal(data.isWeak, true);
      assert.match(text, /^No section of Sample Docs answers .* These come nearest:/);
    });

    it('read a page as Markdown, by path, URL, file and route from the root', async () => {
      const { data } = await tools.readPage({ page: 'v2/en/webhooks' }, aCall());
      assert.match(data.markdown, /^# Webhooks\n\n/);
      assert.match(data.markdown, /\n\n## Verify the signature\n\n/);
      assert.doesNotMatch(data.markdown, /^---$|<\/?[A-Z]/m);
      assert.equal(data.offset, 0);
      assert.deepEqual(v.parse(pageSchema, data), data);
      for (const page of [
        `${service.url}/docs/v2/en/webhooks`,
        '/v2/en/webhooks/',
        'v2/en/webhooks.mdx',
        './v2/en/webhooks.html',
        '/docs/v2/en/webhooks?tab=1',
      ]) {
        assert.equal((await tools.readPage({ page }, aCall())).data.path, data.path, page);
      }
    });

    it('begin at the section that a fragment names', async () => {
      const { text, data } = await tools.readPage(
        { page: 'v2/en/webhooks#verify-the-signature' },
        aCall(),
      );
      assert.match(data.markdown, /^## Verify the signature\n/);
      assert.ok(data.offset > 0);
      assert.match(text, new RegExp(`\\[This piece begins at character ${data.offset} of`));
    });

    it('say that a page lacks the section that a fragment names', async () => {
      const read = async (page: string, offset?: number): Promise<string> =>
        (await tools.readPage({ page, offset }, aCall())).text;
      assert.match(
        await read('v2/en/webhooks#no-such-part'),
        /\n\n\[The page has no section `#no-such-part`\. This is its start\.\]\n\n# Webhooks\n/,
      );
      for (const page of ['v2/en/webhooks', 'v2/en/webhooks#', 'v2/en/webhooks#webhooks']) {
        assert.doesNotMatch(await read(page), /has no section/, page);
      }
      assert.doesNotMatch(await read('v2/en/webhooks#no-such-part', 200), /has no section/);
    });

    it('give a long page in pieces that make up the whole', async () => {
      const page = 'v2/en/webhooks';
      const whole = (await tools.readPage({ page }, aCall())).data.markdown;
      const budget = { tokens: 500, count: (text: string) => Promise.resolve(text.length / 4) };
      const pieces: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const result = await tools.readPage({ page, offset }, aCall({ budget }));
        assert.ok((await budget.count(result.text)) <= 500);
        const fences = result.data.markdown.match(/^ *```/gm) ?? [];
        assert.equal(fences.length % 2, 0, 'a fence is open');
        pieces.push(result.data.markdown);
        const { nextOffset } = result.data;
        if (nextOffset !== undefined)
          assert.match(result.text, new RegExp(`offset ${nextOffset}\\.`));
        offset = nextOffset;
      }
      assert.ok(pieces.length > 3, `${pieces.length} pieces`);
      const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
      const missing = new Set(words(whole));
      for (const word of words(pieces.join('\n'))) missing.delete(word);
      assert.deepEqual([...missing], []);
    });

    it('offer similar pages in place of a missing one', async () => {
      await assert.rejects(tools.readPage({ page: 'guides/webhooks-v3' }, aCall()), {
        code: 'unknown-page',
        message:
          /^Sample Docs has no such page\. Pages with a similar address: `v\d\/\w\w\/webhooks`/,
      });
    });

    for (const page of [
      '../../package.json',
      '/etc/passwd',
      'file:///etc/passwd',
      '%2e%2e/%2e%2e/x',
      'v2/en/%00',
      'C:\\x',
    ]) {
      // Shows faults.md T10.
      it(`find nothing at ${page}`, async () => {
        await assert.rejects(tools.readPage({ page }, aCall()), { code: 'unknown-page' });
      });
    }

    it('refuse an offset behind the end with the length of the page', async () => {
      await assert.rejects(
        tools.readPage({ page: 'v2/en/webhooks', offset: 10_000_000 }, aCall()),
        {
          code: 'bad-input',
          message:
            /^offset must be less than \d+, which is the length of the page\. Change the input/,
        },
      );
    });

    it('resolve links of a page, so that they can be read too', async () => {
      const { data } = await tools.readPage({ page: 'v2/en/webhooks' }, aCall());
      const links = [...data.markdown.matchAll(/\]\((http:\/\/127[^)]*)\)/g)].map(
        ([, url = '']) => url,
      );
      assert.ok(links.length > 0);
      for (const page of links.filter((url) => !url.endsWith('.svg'))) {
        await tools.readPage({ page }, aCall());
      }
    });
  });

  describe('over a bundle', () => {
    it('read HTML pages as Markdown, at their published URLs too', async () => {
      const bundle = await docsFolder({
        'index.html': html('Home', '<p>Welcome.</p>', 'https://docs.example.com/'),
        'guides/birds.html': html(
          'Birds',
          '<p>Pelicans eat fish.</p><h2 id="wings">Wings</h2><pre><code class="language-js">const a = 1;</code></pre>',
          'https://docs.example.com/guides/birds',
        ),
      });
      const service = await startService('', { docs: { kind: 'bundle', folder: bundle.root } });
      try {
        await service.whenIndexed();
        const tools = toolsOf(service);
        const { data } = await tools.search({ query: 'What do pelicans eat?' }, aCall());
        assert.equal(data.sections[0]?.url, 'https://docs.example.com/guides/birds');
        for (const page of [
          'https://docs.example.com/guides/birds#wings',
          'http://docs.example.com/guides/birds.html#wings',
          'guides/birds.html#wings',
        ]) {
          const read = await tools.readPage({ page }, aCall());
          assert.equal(read.data.markdown, '## Wings\n\n```js\nconst a = 1;\n```', page);
        }
        const home = await tools.readPage({ page: 'https://docs.example.com' }, aCall());
        assert.match(home.data.markdown, /Welcome/);
      } finally {
        await service.stop();
        await bundle.remove();
      }
    });
  });

  describe('over a public site', () => {
    it('search and read the pages that were fetched', async () => {
      const site = await DocsSite.start({});
      site.answers = {
        '/sitemap.xml': sitemapOf([`${site.url}/birds`, `${site.url}/fish`]),
        '/birds': htmlPage('Birds', '<p>Pelicans eat fish.</p>'),
        '/fish': htmlPage('Fish', '<p>Fish swim in water.</p>'),
      };
      const cache = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-site-'));
      const service = await startService('', { docs: { kind: 'site', url: site.url, cache } });
      try {
        await service.whenIndexed();
        const tools = toolsOf(service);
        const { data } = await tools.search({ query: 'pelicans' }, aCall());
        assert.equal(data.sections[0]?.url, `${site.url}/birds`);
        const page = await tools.readPage({ page: `${site.url}/birds` }, aCall());
        assert.match(page.data.markdown, /^# Birds\n\nPelicans eat fish\./);
      } finally {
        await service.stop();
        await site.stop();
        await rm(cache, { recursive: true, force: true, maxRetries: 5 });
      }
    });
  });

  it('say that pages are still being read', async () => {
    const site = await DocsSite.start({});
    site.answers = {
      '/sitemap.xml': sitemapOf([`${site.url}/birds`, `${site.url}/fish`]),
      '/birds': htmlPage('Birds', '<p>Pelicans eat fish.</p>'),
      // Never comes.
      '/fish': () => undefined,
    };
    const cache = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-site-'));
    const docs = { kind: 'site', url: site.url, cache } as const;
    const service = await startService('', { docs, patienceMs: 0 });
    try {
      const tools = toolsOf(service);
      const { text, data } = await tools.search({ query: 'pelicans' }, aCall());
      assert.equal(data.isIndexing, true);
      assert.match(text, /Pages are still being read, so search again in 10 seconds/);
    } finally {
      await service.stop();
      await site.stop();
      await rm(cache, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});

import assert from 'node:assert/strict';
import type { PageResponse, SearchResponse } from '../../../src/common/localDocsApi';
import { json } from '../../builders/ask';
import { settled } from '../../fakes/fakeClock';
import { aCall, hosted, local, localKey, tokenBudget, toolsWith } from './asking';

type Section = SearchResponse['sections'][number];

const aSection = (section: Partial<Section> = {}): Section => ({
  title: 'Webhooks',
  url: 'http://127.0.0.1:4100/docs/webhooks#retries',
  path: 'webhooks#retries',
  heading: 'Retries',
  excerpt: 'A delivery is tried again.',
  ...section,
});

const found = (
  sections: readonly Section[],
  facts: Partial<SearchResponse> = {},
): SearchResponse => ({
  sections: [...sections],
  isWeak: false,
  isIndexed: true,
  pages: 3,
  ...facts,
});

const aPage = (page: Partial<PageResponse> = {}): PageResponse => ({
  title: 'Webhooks',
  url: 'http://127.0.0.1:4100/docs/webhooks',
  path: 'webhooks',
  markdown: '# Webhooks\n\nText.',
  start: 0,
  ...page,
});

describe('search_docs', () => {
  it('sends the query with the filters of the settings, which its own replace', async () => {
    const target = {
      ...local,
      settings: { ...local.settings, filter: { version: 'v1', language: 'de' } },
    };
    const { tools, server } = toolsWith(target, [json(200, found([]))]);
    await tools.search({ query: ' webhooks ', version: 'v2' }, aCall());
    const { url, headers, body, init } = server.request(0);
    assert.equal(url, 'http://127.0.0.1:4100/local/v1/sample/search');
    assert.equal(headers.get('authorization'), `Bearer ${localKey}`);
    assert.equal(init.redirect, 'manual');
    assert.deepEqual(body, {
      query: 'webhooks',
      limit: 8,
      filter: { version: 'v2', language: 'de', groups: [] },
    });
  });

  for (const tokens of [40, 150, 400, 1500]) {
    it(`fits ${tokens} tokens with shorter excerpts first, then fewer sections`, async () => {
      const excerpt = `${'A sentence of the section. '.repeat(30)}\n\n\`\`\`js\nlet a = 1;\nlet b = 2;\n\`\`\``;
      const sections = Array.from({ length: 8 }, (_, index) =>
        aSection({ title: `Page ${index}`, excerpt }),
      );
      const { tools } = toolsWith(local, [json(200, found(sections))]);
      const budget = tokenBudget(tokens);
      const { text, data } = await tools.search({ query: 'webhooks' }, aCall({ budget }));
      assert.ok((await budget.count(text)) <= tokens, text);
      assert.equal(data.sections.length + data.omittedSections, 8);
      if (tokens < 150) return;
      assert.ok(data.sections.length > 0);
      assert.equal((text.match(/```/g) ?? []).length % 2, 0, text);
      if (data.omittedSections > 0)
        assert.match(text, /\d more sections? (?:was|were) found and left out/);
    });
  }

  it('gives a short section all that a long one leaves', async () => {
    const short = aSection({ excerpt: 'Short.' });
    const long = aSection({ excerpt: 'A sentence. '.repeat(200).trim() });
    const { tools } = toolsWith(local, [json(200, found([short, long]))]);
    const { data } = await tools.search({ query: 'x' }, aCall({ budget: tokenBudget(400) }));
    assert.equal(data.sections[0]?.excerpt, 'Short.');
    assert.ok((data.sections[1]?.excerpt.length ?? 0) > 800);
  });

  it('says of a named package that it has no pages, and not of all packages', async () => {
    const packages = { ...local, local: { ...local.local, hasPackages: true } } as typeof local;
    const answers = [
      json(200, { kind: 'found', sets: ['parcels@1.0.0'] }),
      json(200, found([], { pages: 0 })),
    ];
    const input = { query: 'x', package: 'parcels' };
    const { text } = await toolsWith(packages, [...answers]).tools.search(input, aCall());
    assert.equal(text, 'parcels has no pages.');
    const asked = { ...packages, local: { ...packages.local, hasWriter: false } } as typeof local;
    const { tools } = toolsWith(asked, [...answers]);
    const reply = await tools.ask({ question: 'x', package: 'parcels' }, aCall());
    assert.equal(reply.text, 'parcels@1.0.0 has no pages.');
  });

  it('says of docs without languages that they have none, if a filter for one finds nothing', async () => {
    const filters = {
      versions: Array.from({ length: 12 }, (_, n) => `v${n}`),
      languages: [],
      groups: [],
    };
    const { tools } = toolsWith(local, [json(200, found([])), json(200, filters)]);
    const { text } = await tools.search({ query: 'x', version: '99', language: 'en' }, aCall());
    assert.match(
      text,
      / These docs have the versions v0, v1, [^.]*v9, … and no languages\. Leave out a filter/,
    );
  });

  it('says that pages are being read before it names the nearest sections', async () => {
    const answers = [json(200, found([aSection()], { isWeak: true, isIndexed: false }))];
    const { text } = await toolsWith(local, answers).tools.search({ query: 'x' }, aCall());
    assert.match(
      text,
      /^No section of Sample Docs answers “x”\. Pages are still being read, so search again in 10 seconds for more\. These come nearest:\n/,
    );
  });

  it('says that the docs have no pages, or that nothing matches', async () => {
    const { tools } = toolsWith(local, [
      json(200, found([], { pages: 0 })),
      json(200, found([])),
      json(200, found([], { isIndexed: false })),
    ]);
    const text = async (): Promise<string> => (await tools.search({ query: 'x' }, aCall())).text;
    assert.equal(await text(), 'Sample Docs has no pages.');
    assert.match(await text(), /^Nothing in Sample Docs matches “x”\. Search with other words/);
    assert.match(await text(), /Pages are still being read, so search again in 10 seconds/);
  });

  for (const name of ['search', 'readPage'] as const) {
    // Shows faults.md T5.
    it(`${name} names a hosted site and what to call instead`, async () => {
      const { tools, server } = toolsWith(hosted, [], 'vscode');
      await assert.rejects(tools[name]({ query: 'x', page: 'x' }, aCall()), {
        code: 'no-searchable-docs',
        message:
          /^“acme · api\.example\.com” is a hosted docs site.* Call ask_docs instead, or ask the user to run “Docs Assistant: Choose Docs…”/,
      });
      assert.equal(server.requests.length, 0);
    });
  }

  for (const body of [
    '',
    '{}',
    '[]',
    'null',
    '{"sections":"none"}',
    '{"sections":[{"title":1}]}',
    '<html>',
  ]) {
    it(`takes ${body === '' ? 'nothing' : body} for no answer`, async () => {
      const { tools } = toolsWith(local, [json(200, body)]);
      await assert.rejects(tools.search({ query: 'x' }, aCall()), { code: 'bad-stream' });
    });
  }

  it('accepts fields of a newer service', async () => {
    const body = { ...found([{ ...aSection(), score: 3 } as Section]), took: 5 };
    const { tools } = toolsWith(local, [json(200, body)]);
    assert.equal((await tools.search({ query: 'x' }, aCall())).data.sections.length, 1);
  });

  it('lets no title or path of a page become Markdown of its own', async () => {
    const section = aSection({
      title: 'A](javascript:x) [b\n# c',
      heading: '`code` <b>',
      path: 'a`b\n# c',
      url: 'javascript:alert(1)',
    });
    const { tools } = toolsWith(local, [json(200, found([section]))]);
    const { text } = await tools.search({ query: 'x' }, aCall());
    assert.match(
      text,
      /### 1\. A\\\]\(javascript:x\) \\\[b # c › \\`code\\` \\<b\\>\npath: ``a`b # c``/,
    );
  });

  it('runs eight at once and lets no caller starve behind canceled ones', async () => {
    let open: (() => void)[] = [];
    const answers = Array.from(
      { length: 20 },
      () => () =>
        new Promise<Response>((resolve) => {
          open.push(() => {
            resolve(new Response(JSON.stringify(found([]))));
          });
        }),
    );
    const { tools, server } = toolsWith(local, answers);
    const canceled = Array.from({ length: 10 }, () => new AbortController());
    const gaveUp = canceled.map(({ signal }) =>
      assert.rejects(tools.search({ query: 'x' }, aCall({ signal })), /gave up/),
    );
    const patient = Array.from({ length: 10 }, () => tools.search({ query: 'x' }, aCall()));
    await settled();
    assert.equal(server.requests.length, 8);
    for (const call of canceled) call.abort(new Error('gave up'));
    await Promise.all(gaveUp);
    await settled();
    assert.equal(server.requests.length, 16, 'the places were not freed');
    while (open.length > 0) {
      const now = open;
      open = [];
      for (const answer of now) answer();
      await settled();
    }
    await Promise.all(patient);
    assert.equal(server.requests.length, 18, 'a canceled caller was served');
  });

  it('refuses a call when two hundred wait, and says when to call again', async () => {
    const never = (): Promise<Response> => new Promise(() => undefined);
    const { tools } = toolsWith(
      local,
      Array.from({ length: 8 }, () => never),
    );
    const canceled = Array.from({ length: 208 }, () => new AbortController());
    const waiting = canceled.map(({ signal }) =>
      assert.rejects(tools.search({ query: 'x' }, aCall({ signal })), /over/),
    );
    await settled();
    await assert.rejects(tools.search({ query: 'x' }, aCall()), {
      code: 'busy',
      message: /^Too many calls wait already\. Wait until earlier calls have returned/,
    });
    for (const call of canceled) call.abort(new Error('over'));
    await Promise.all(waiting);
  });
});

describe('read_docs_page', () => {
  it('says how to read on, and where a piece begins', async () => {
    const markdown = `# Webhooks\n\n${'A paragraph.\n\n'.repeat(5000)}The end.`;
    const { tools } = toolsWith(local, [
      json(200, aPage({ markdown })),
      json(200, aPage({ markdown })),
    ]);
    const first = await tools.readPage({ page: 'webhooks' }, aCall());
    const { nextOffset = 0 } = first.data;
    assert.ok(first.text.length <= 32_000);
    assert.match(
      first.text,
      new RegExp(
        `\\[Cut at character ${nextOffset} of ${markdown.length}\\. To read on, call read_docs_page with offset ${nextOffset}\\.\\]$`,
      ),
    );
    const second = await tools.readPage({ page: 'webhooks', offset: nextOffset }, aCall());
    assert.match(second.text, new RegExp(`\\[This piece begins at character ${nextOffset} of`));
    assert.equal(second.data.offset, nextOffset);
  });

  it('begins at the section of a fragment for an offset of 0, which models send for none', async () => {
    const markdown = '# Webhooks\n\nText.\n\n## Retries\n\nSeven.';
    const start = markdown.indexOf('## Retries');
    const { tools } = toolsWith(local, [json(200, aPage({ markdown, start }))]);
    const { data } = await tools.readPage({ page: 'webhooks#retries', offset: 0 }, aCall());
    assert.equal(data.markdown, '## Retries\n\nSeven.');
  });

  it('takes the address of a resource', async () => {
    const { tools, server } = toolsWith(local, [json(200, aPage())]);
    await tools.readPage({ page: 'docs://local/a%20b/webhooks#retries' }, aCall());
    assert.deepEqual(server.request(0).body, { page: 'a%20b/webhooks#retries' });
  });

  it('tells version, language and path of the page', async () => {
    const { tools } = toolsWith(local, [json(200, aPage({ version: 'v2', language: 'en' }))]);
    const { text } = await tools.readPage({ page: 'webhooks' }, aCall());
    assert.equal(
      text,
      '[Webhooks](http://127.0.0.1:4100/docs/webhooks) · path: `webhooks` · v2 · en\n\n# Webhooks\n\nText.',
    );
  });

  it('suggests pages for an address that leads nowhere', async () => {
    const body = { error: 'None.', suggestions: ['a/b', 'c`d'], isIndexed: false };
    const { tools } = toolsWith(local, [json(404, body)]);
    await assert.rejects(tools.readPage({ page: 'x' }, aCall()), {
      message:
        'Sample Docs has no such page. Pages with a similar address: `a/b`, ``c`d``. Call again with one of them, or find the page with search_docs. Pages are still being read, so the page may be there in 10 seconds.',
    });
  });

  it('takes a 404 of another kind for a service that is not there', async () => {
    const { tools } = toolsWith(local, [json(404, { error: "This URL doesn't exist." })]);
    await assert.rejects(tools.readPage({ page: 'x' }, aCall()), { code: 'unknown-site' });
  });
});

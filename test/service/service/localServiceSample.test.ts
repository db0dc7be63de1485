import assert from 'node:assert/strict';
import path from 'node:path';
import type { LocalService } from '../../../src/service/server/server';
import { ask, startService } from './localServiceAsking';

const sampleDocs = path.resolve('src/service/sample/docs');

/** Questions that people ask, each with the page and section that must answer first. */
const questions: readonly (readonly [question: string, first: RegExp, fields?: object])[] = [
  ['How do I verify a webhook signature?', /v2\/en\/webhooks#verify-the-signature$/],
  ['How do I authenticate?', /v2\/en\/authentication/],
  ['What are the rate limits?', /v2\/en\/rate-limits/],
  ['How do I paginate through all shipments?', /v2\/en\/pagination/],
  ['What does error code 422 mean?', /v2\/en\/errors#error-codes$/],
  ['How do I cancel a shipment?', /v2\/en\/resources\/shipments/],
  ['What happens when a webhook delivery fails?', /v2\/en\/webhooks#retries$/],
  ['How do I install the Python SDK?', /v2\/en\/sdk\/python/],
  ['how do I migrate from v1 to v2', /v2\/en\/guides\/migrate-v1-to-v2/],
  ['In v1, how do I verify webhooks?', /v1\/en\/webhooks/],
  ['Wie prüfe ich die Signatur eines Webhooks?', /v2\/de\/webhooks/],
  ['Wie storniere ich eine Sendung?', /v2\/de\/shipping/],
  ['webhooks', /v1\/en\/webhooks/, { filter: { version: 'v1' } }],
  ['How do I handle errors?', /v2\/en\/sdk\/go#errors$/, { currentPath: 'v2/en/sdk/go' }],
  [
    'What does this do?',
    /v2\/en\/webhooks#verify-in-python$/,
    {
      context: [
        {
          type: 'code',
          path: 'src/hooks.py',
          value: 'event = parcelwren.webhooks.construct_event(body, header, secret)',
        },
      ],
    },
  ],
];

describe('local docs service over the sample docs', () => {
  let service: LocalService;

  before(async () => {
    service = await startService(sampleDocs);
    await service.whenIndexed();
  });
  after(() => service.stop());

  for (const [question, page, fields] of questions) {
    it(`answers "${question}"${fields ? ` with ${Object.keys(fields).join()}` : ''}`, async () => {
      const { sources, text } = await ask(service, question, fields);
      assert.ok(
        sources.slice(0, 5).some(({ url }) => page.test(url)),
        JSON.stringify(sources),
      );
      assert.ok(text.includes(`[1](${sources[0]?.url ?? ''})`));
    });
  }

  it('answers "and in Python?" after a question about signatures', async () => {
    const { threadId } = await ask(service, 'How do I verify a webhook signature?');
    const { sources, text } = await ask(service, 'and in Python?', { threadId });
    assert.match(sources[0]?.url ?? '', /v2\/en\/webhooks#verify-in-python$/);
    assert.match(text, /```python/);
  });

  it('quotes another passage for a follow-up than for the question before', async () => {
    const passageOf = ({ text }: { readonly text: string }): string =>
      text.split('**Read more**')[0]?.replaceAll(/\[\d+\]\([^)]*\)/g, '') ?? '';
    const first = await ask(service, 'How long is an idempotency key remembered?');
    const { threadId } = first;
    const second = await ask(service, 'And what comes after that?', { threadId });
    assert.match(passageOf(first), /24 hours/);
    assert.doesNotMatch(passageOf(second), /24 hours/);
    const pageOf = ({ sources }: Pick<typeof first, 'sources'>): string =>
      sources[0]?.url.replace(/#.*/, '') ?? '';
    assert.equal(pageOf(second), pageOf(first));
  });

  it('cites only pages that it shows, at headings that they have', async () => {
    const cited = new Set<string>();
    for (const [question, , fields] of questions) {
      for (const { url } of (await ask(service, question, fields)).sources) cited.add(url);
    }
    assert.ok(cited.size > 20);
    for (const url of cited) {
      const response = await fetch(url);
      assert.equal(response.status, 200, url);
      const slug = decodeURIComponent(new URL(url).hash.slice(1));
      if (slug !== '') assert.ok((await response.text()).includes(` id="${slug}"`), url);
    }
  });

  it('links only to what is there', async () => {
    const broken: string[] = [];
    const start = await (await fetch(service.url)).text();
    const pages = [...start.matchAll(/href="(\/docs\/[^"]*)"/g)].map(([, href]) => href ?? '');
    assert.ok(pages.length >= 20);
    for (const page of pages) {
      const html = await (await fetch(service.url + page)).text();
      for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"#]*)[^"]*"/g)) {
        if (target === '' || /^[a-z]+:/.test(target)) continue;
        const url = new URL(target, service.url + page);
        if ((await fetch(url, { method: 'HEAD' })).status !== 200)
          broken.push(`${page}: ${target}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  for (const question of [
    'What is the weather in Paris?',
    'What is the meaning of life?',
    'Who won the football world cup?',
    'How do I bake a chocolate cake with the API?',
    'Wie wird das Wetter morgen in Berlin?',
    'Tell me a joke',
    'hello',
  ]) {
    it(`asserts nothing about "${question}"`, async () => {
      const { sources, text, chunks } = await ask(service, question);
      if (sources.length === 0) assert.doesNotMatch(text, /\]\(/);
      else {
        const start = chunks.find(({ type }) => type === 'text-start');
        assert.deepEqual(start?.['providerMetadata'], { localDocs: { role: 'closest' } });
        assert.match(text, /^(?:This may help:|Das hilft vielleicht:)/);
      }
    });
  }
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LocalService } from '../../src/localService/server';
import { ask, startService } from './localServiceAsking';

const sampleDocs = path.resolve('src/localService/sample/docs');
const sampleWorkspace = path.resolve('src/localService/sample/workspace');

/** What people ask, and the page and section that must answer first. */
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

  for (const [question, first, fields] of questions) {
    it(`answers "${question}"${fields ? ` with ${Object.keys(fields).join()}` : ''}`, async () => {
      const { sources, text } = await ask(service, question, fields);
      assert.match(sources[0]?.url ?? '', first);
      assert.ok(text.includes(`[1](${sources[0]?.url ?? ''})`));
    });
  }

  it('answers "and in Python?" after a question about signatures', async () => {
    const { threadId } = await ask(service, 'How do I verify a webhook signature?');
    const { sources, text } = await ask(service, 'and in Python?', { threadId });
    assert.match(sources[0]?.url ?? '', /v2\/en\/webhooks#verify-in-python$/);
    assert.match(text, /```python/);
  });

  describe('about code of the sample workspace', () => {
    let code: Readonly<Record<'createShipment' | 'buyLabel' | 'verification', object>>;

    before(async () => {
      const selected = async (file: string, first: RegExp, last: RegExp): Promise<object> => {
        const source = await readFile(path.join(sampleWorkspace, file), 'utf8');
        const lines = source.split('\n');
        const start = lines.findIndex((line) => first.test(line));
        const end = lines.findIndex((line, number) => number > start && last.test(line));
        assert.ok(start >= 0 && end > start, file);
        return { type: 'code', path: file, value: lines.slice(start, end + 1).join('\n') };
      };
      code = {
        createShipment: await selected('src/createShipment.ts', /function createShipment/, /^}/),
        buyLabel: await selected('src/createShipment.ts', /function buyLabel/, /^}/),
        verification: await selected('src/webhooks.py', /^def is_valid/, /^ {4}return any/),
      };
    });

    for (const [question, name, first] of [
      ['How do I make this call safe to retry?', 'createShipment', /\/(?:idempotency|rate-limits)/],
      ['How do I make creating a shipment safe to repeat?', 'createShipment', /\/idempotency/],
      ['Is it safe to repeat this call?', 'createShipment', /\/idempotency/],
      ['Is it safe to repeat this call?', 'buyLabel', /\/idempotency/],
      ['What does the idempotency key do here?', 'createShipment', /\/idempotency#send-an/],
      ['And what if the rate has expired?', 'buyLabel', /\/rates#expiry$/],
      ['How do I create shipments?', 'createShipment', /\/shipments#create-a-shipment$/],
      ['What units are these sizes in?', 'createShipment', /#units-times-and-money$/],
      ['Can I call this twice?', 'buyLabel', /#a-label-was-bought-twice$/],
      ['Which formats can I pass here?', 'buyLabel', /\/labels#formats-and-sizes$/],
      ['Explain this code', 'buyLabel', /#compare-rates-and-buy-a-label$/],
      ['Why do we compare digests here?', 'verification', /\/webhooks#verify-in-python$/],
      ['Kann ich diesen Aufruf wiederholen?', 'createShipment', /\/de\/errors#wiederholungen/],
      ['Was macht dieser Aufruf?', 'createShipment', /\/de\/quickstart#sendung-anlegen$/],
      // Clear questions, of which the code is not to change the subject.
      ['How do I verify a webhook signature?', 'createShipment', /#verify-the-signature$/],
      ['How do I cancel a shipment?', 'buyLabel', /\/shipments#void-a-shipment$/],
      ['How do I paginate through all shipments?', 'buyLabel', /\/pagination/],
    ] as const) {
      it(`answers "${question}" about ${name}`, async () => {
        const { sources } = await ask(service, question, { context: [code[name]] });
        assert.match(sources[0]?.url ?? '', first);
      });
    }

    it('names idempotency among the first two for a call that is to be retried', async () => {
      const { sources } = await ask(service, 'How do I make this call safe to retry?', {
        context: [code.createShipment],
      });
      assert.match(
        sources
          .slice(0, 2)
          .map(({ url }) => url)
          .join(),
        /\/idempotency/,
      );
    });

    it('prefers sections in the language of the code to those in others', async () => {
      const { sources } = await ask(service, 'How do I handle errors?', {
        context: [code.createShipment],
      });
      for (const { url } of sources.slice(0, 2)) assert.match(url, /typescript/);
    });

    it('follows up on the code of the question before', async () => {
      const context = [code.buyLabel];
      const { threadId } = await ask(service, 'Is it safe to repeat this call?', { context });
      const question = 'And what if the rate has expired?';
      const plain = await ask(service, question, { threadId });
      assert.match(plain.sources[0]?.url ?? '', /\/rates#expiry$/);
      const withCode = await ask(service, question, { threadId, context });
      assert.match(withCode.sources[0]?.url ?? '', /\/rates#expiry$/);
    });

    for (const [question, name] of [
      ['What is the weather in Paris?', 'createShipment'],
      ['Is it going to rain here?', 'createShipment'],
      ['Welches Wetter gibt es hier?', 'buyLabel'],
      ['Can I pay this with PayPal?', 'createShipment'],
      ['Does it support PayPal?', 'buyLabel'],
      ['Kann ich hier mit PayPal bezahlen?', 'buyLabel'],
      ['How do I insure a shipment?', 'createShipment'],
      ['Is this covered by insurance?', 'createShipment'],
      ['Is creating this shipment covered by insurance?', 'createShipment'],
      ['Does this support insurance for parcels?', 'buyLabel'],
      ['Can it send a fax?', 'buyLabel'],
      ['Tell me a joke about this', 'createShipment'],
    ] as const) {
      it(`finds nothing about "${question}" in ${name}`, async () => {
        const { sources, text } = await ask(service, question, { context: [code[name]] });
        assert.deepEqual(sources, []);
        assert.doesNotMatch(text, /\]\(/);
      });
    }
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
    it(`finds nothing about "${question}"`, async () => {
      const { sources, text } = await ask(service, question);
      assert.deepEqual(sources, []);
      assert.doesNotMatch(text, /\]\(/);
    });
  }
});

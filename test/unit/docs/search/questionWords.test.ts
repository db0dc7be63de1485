import assert from 'node:assert/strict';
import { QuestionWords } from '../../../../src/docs/search/questionWords';
import { buildQuery } from '../../../../src/docs/search/query';
import { aQuestion, filler, indexOf } from '../../service/docs';

const index = indexOf({
  'webhooks.md': '# Webhooks\n\nConfigure the signature of webhooks. Signatures expire.\n',
  'stages.md': '# Stages\n\nEach stage has a benchmark. A signatory signs in any color.\n',
  'filler.md': filler('parcels'),
});
const termsIn = (text: string): string[] => [...new QuestionWords(index).termsOf(text).keys()];

describe('the words of a question', () => {
  for (const [written, meant] of [
    ['webhok', 'webhook'],
    ['wehbook', 'webhook'],
    ['webbhook', 'webhook'],
    ['benchmurk', 'benchmark'],
  ] as const) {
    it(`are those of the docs: “${written}” means “${meant}”`, () => {
      assert.deepEqual(termsIn(written), termsIn(meant));
    });
  }

  it('stay as they are if they are short, begin otherwise or with a word of the docs, or are in the docs', () => {
    for (const word of ['colur', 'xebhook', 'config', 'signatory']) {
      assert.deepEqual(termsIn(word), termsIn(word.toUpperCase()));
      assert.ok(!termsIn(word).some((term) => ['color', 'webhook', 'configure'].includes(term)));
    }
  });

  it('stay two if the docs have them as one, too', () => {
    const stores = indexOf({
      'keystore.md': '# Keystore\n\nThe keystore takes a minute to open.\n',
      'shops.md': '# Shops\n\nA key opens the store.\n',
    });
    const terms = (text: string): string[] => [...new QuestionWords(stores).termsOf(text).keys()];
    assert.deepEqual(terms('key store'), [...terms('key'), ...terms('store')]);
  });

  it('are one name if the attached code has them as one', () => {
    const keys = indexOf({
      'keys.md': '# Keys\n\nPass `idempotencyKey` with each call.\n',
      'other.md': '# Other\n\nA key that a lock has, and idempotency.\n',
    });
    const weightIn = (value: string) =>
      buildQuery(
        {
          ...aQuestion('What does the idempotency key do?'),
          contextItems: [{ type: 'code', value }],
        },
        keys,
      ).terms.get('idempotencykey');
    assert.equal(weightIn('send(order, { idempotencyKey });'), 1);
    assert.equal(weightIn('send(order, { key });'), undefined);
  });

  for (const [name, letter] of [
    ['ASCII', 'x'],
    ['other letters', 'ä'],
  ] as const) {
    it(`are found at once in a word of 50,000 letters: ${name}`, () => {
      const query = buildQuery(aQuestion(letter.repeat(50_000)), index);
      assert.deepEqual([...query.terms.values()], [1]);
    });
  }

  it('are shown as the question writes them', () => {
    assert.deepEqual(buildQuery(aQuestion('webhok signature'), index).words, [
      'webhok',
      'signature',
    ]);
  });

  it('are shown with names of code whole', () => {
    const code = 'signWebhooks(key);';
    const question = {
      ...aQuestion('How do I set signatureKey?'),
      contextItems: [{ type: 'code' as const, value: code }],
    };
    assert.deepEqual(buildQuery(question, index).words, ['set', 'signatureKey', 'signWebhooks']);
  });

  it('count for the tone of the reply as if they were written right', () => {
    const { own } = buildQuery(aQuestion('webhok signature'), index);
    assert.deepEqual(own, buildQuery(aQuestion('webhook signature'), index).own);
  });

  it('have the product’s name as most pages have it', () => {
    const nest = indexOf({
      'nest.md': '# Nest\n\nNest has modules.\n\n## Modules of Nest\n\nNest loads them.\n',
      'prisma.md': '# Databases\n\nNestJS and PrismaJS. Nest and Prisma.\n',
      'other.md': '# Other\n\nNest runs on Node.js.\n',
    });
    const termsOf = (text: string): string[] => [...buildQuery(aQuestion(text), nest).terms.keys()];
    for (const written of ['NestJS modules', 'nestjs modules', 'Nest.js modules', 'NESTJS modules'])
      assert.deepEqual(termsOf(written), ['nest', 'modul']);
    // Few pages are about Prisma, and these files are code.
    assert.ok(termsOf('PrismaJS modules').includes('prismajs'));
    for (const path of ['src/nest.js', 'nest.js.map', '@x/nest.js'])
      assert.ok(termsOf(`${path} modules`).includes('js'), path);
  });
});

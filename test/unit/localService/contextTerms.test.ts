import assert from 'node:assert/strict';
import { contextTermsOf } from '../../../src/localService/contextTerms';
import { filler, indexOf } from './docs';

const index = indexOf({
  'a.md': '## Orders\n\nOrders have a width, a height and a warehouse.\n',
  'b.md': '## Bake a cake\n\n```ts\nclient.cakes.bake(order, { ovenSlot: 3 });\n```\n',
  'c.md': '## Oven slot\n\nThe slot of the oven.\n\n## Order slots\n\nBy order.\n',
  'd.md': `${filler('orders')}\nAn order is loaded first.\n`,
  'e.md': filler('maps'),
  'f.md': filler('bills'),
});

const codeTerms = (value: string, own: readonly string[] = []) =>
  contextTermsOf([{ type: 'code', value }], index, new Set(own));
const ranked = (value: string, own?: readonly string[]): string[] => [
  ...codeTerms(value, own).terms.keys(),
];

describe('contextTermsOf', () => {
  it('puts an identifier that the docs have as a whole before the words around it', () => {
    assert.equal(ranked('order(order.width, order.height, { ovenSlot: order })')[0], 'ovenslot');
  });

  it('leaves out what the docs do not have and what all code is full of', () => {
    assert.deepEqual(ranked('const zebra: Promise<string> = await import("xylophone")'), []);
  });

  it('counts what is called and passed for more than what the code names itself', () => {
    for (const [declared, called] of [
      ['const warehouse = client.width()', 'let { warehouse } = x; y.z.warehouse()'],
      ['def warehouse(width):', 'shop->warehouse(1)'],
      ['const [height, warehouse] = x; use(warehouse)', 'Shop::warehouse(1)'],
      ['warehouse := open()', 'bake(x, warehouse=1)'],
      ['warehouse = 1\nf(warehouse)', '{ "warehouse": 1 }'],
    ] as const) {
      const [low, high] = [declared, called].map(
        (code) => codeTerms(code).terms.get('warehous') ?? 0,
      );
      assert.ok((low ?? 0) > 0 && (high ?? 0) > 3 * (low ?? 0), `${declared} | ${called}`);
    }
  });

  it('tells what the code calls, up to the object that it is called on', () => {
    assert.deepEqual(
      codeTerms('client.cakes?.bake({ ovenSlot: order.slots })').called,
      new Set(['bake', 'cake']),
    );
  });

  it('counts an identifier for more whose words the question has', () => {
    const code = 'client.bake({ ovenSlot: 1 })';
    const [asked, other] = [['oven', 'slot'], ['oven']].map(
      (own) => codeTerms(code, own).terms.get('ovenslot') ?? 0,
    );
    assert.ok((asked ?? 0) > 2 * (other ?? 0) && (other ?? 0) > 0);
  });

  it('takes prose by its words, without those that say little', () => {
    const { terms, called } = contextTermsOf(
      [{ type: 'textSelection', value: 'For example: the warehouse.' }],
      index,
      new Set(),
    );
    assert.deepEqual([...terms.keys()], ['warehous']);
    assert.equal(called.size, 0);
  });

  it('is done with hundreds of thousands of characters in no time', () => {
    for (const value of [
      ' '.repeat(500_000),
      '{ '.repeat(250_000),
      `x${',\n '.repeat(150_000)}y`,
    ]) {
      const start = performance.now();
      codeTerms(value);
      assert.ok(performance.now() - start < 5000);
    }
  });
});

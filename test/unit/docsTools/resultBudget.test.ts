import assert from 'node:assert/strict';
import { fitResult } from '../../../src/docsTools/resultBudget';

const make = (length: number): { text: string } => ({
  text: `${'word '.repeat(Math.max(0, Math.floor(length / 5)))}end`,
});
/** A tokenizer that needs more tokens for some texts, as real ones do. */
const tokensOf = (text: string): number => Math.ceil(text.length / 2.7);

// Shows faults.md T8.
describe('fitResult', () => {
  it('keeps to the own limit without a budget', async () => {
    assert.equal((await fitResult(make, 100, undefined)).text.length, 103);
  });

  it('keeps to the own limit under a large budget', async () => {
    const result = await fitResult(make, 100, {
      tokens: 100_000,
      count: (text) => Promise.resolve(tokensOf(text)),
    });
    assert.equal(result.text.length, 103);
  });

  for (const tokens of [5, 20, 100, 1000, 5000]) {
    it(`fits ${tokens} tokens and leaves little of them unused`, async () => {
      const count = (text: string): Promise<number> => Promise.resolve(tokensOf(text));
      const { text } = await fitResult(make, 40_000, { tokens, count });
      assert.ok(tokensOf(text) <= tokens, `${tokensOf(text)} tokens`);
      assert.ok(tokensOf(text) >= tokens * 0.8 - 4, `only ${tokensOf(text)} tokens`);
    });
  }

  it('counts a few times only', async () => {
    let counts = 0;
    const count = (text: string): Promise<number> => {
      counts++;
      return Promise.resolve(tokensOf(text));
    };
    await fitResult(make, 40_000, { tokens: 777, count });
    assert.ok(counts <= 4, `${counts} counts`);
  });

  for (const tokens of [0, 1, -5, Number.NaN]) {
    it(`fits a budget of ${tokens} tokens with a text that cannot get shorter`, async () => {
      const stubborn = (): { text: string } => ({ text: 'a text of its own length' });
      const count = (text: string): Promise<number> => Promise.resolve(tokensOf(text));
      const { text } = await fitResult(stubborn, 1000, { tokens, count });
      assert.ok(tokensOf(text) <= Math.max(0, tokens || 0), text);
    });
  }

  for (const [name, count] of [
    ['fails', () => Promise.reject(new Error('no tokenizer'))],
    ['answers nonsense', () => Promise.resolve(Number.NaN)],
    ['answers less than nothing', () => Promise.resolve(-1)],
  ] as const) {
    it(`estimates when the counter ${name}`, async () => {
      const { text } = await fitResult(make, 40_000, { tokens: 100, count });
      assert.ok(text.length <= 300 && text.length > 200, `${text.length} characters`);
    });
  }
});

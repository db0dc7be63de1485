import assert from 'node:assert/strict';
import { quoteInMetadata, SourceQuotes } from '../../../../src/chat/assistant/replySources';
import { quoteIn } from '../../../../src/chat/assistant/searchTool';
import { outcomeOf } from '../../../builders/ask';
import { events } from '../../../builders/stream';

const finish = [{ type: 'text-delta', id: '0', delta: 'So.' }, { type: 'finish' }];
const source = (sourceId: string, url: string, more = {}) => ({
  type: 'source-url',
  sourceId,
  url,
  ...more,
});
const found = (output: unknown) => ({ type: 'tool-output-available', toolCallId: 'call', output });

/** Returns the quotes of the last update that held any. */
async function quotesOf(...chunks: readonly unknown[]) {
  const { updates } = await outcomeOf([events(...chunks, ...finish)]);
  return updates.findLast(({ quotes }) => quotes)?.quotes;
}

describe('what a service quotes of its sources', () => {
  it('is read from the usual fields, what is surely a quote first', () => {
    for (const name of ['quote', 'excerpt', 'snippet', 'content', 'text', 'markdown']) {
      assert.equal(quoteIn({ [name]: ' said ', description: 'about' }), 'said', name);
    }
    assert.equal(quoteIn({ excerpt: '  ', description: 'about' }), 'about');
    assert.equal(quoteIn({ quote: 7, content: [{ text: 'x' }] }), undefined);
    assert.equal(quoteIn('text'), undefined);
    assert.equal(quoteIn(null), undefined);
  });

  it('is cut to 2,000 characters, never within a character', async () => {
    const quotes = await quotesOf(
      found([
        { url: 'https://d.e/a', text: 'a'.repeat(5000) },
        { url: 'https://d.e/b', text: `${'b'.repeat(1999)}😀` },
      ]),
    );
    assert.deepEqual(quotes, { 'source-1': 'a'.repeat(2000), 'source-2': 'b'.repeat(1999) });
  });

  it('comes with the pages that a search found, themselves or under their metadata', async () => {
    const quotes = await quotesOf(
      found([
        { url: 'https://d.e/a', content: 'How to *begin*.' },
        { path: '/b', metadata: { title: 'B', snippet: 'How to end.' } },
        { url: 'https://d.e/c' },
      ]),
    );
    assert.deepEqual(quotes, { 'source-1': 'How to *begin*.', 'source-2': 'How to end.' });
  });

  it('is read from the metadata of any provider', async () => {
    assert.equal(quoteInMetadata({ acme: { score: 1 }, other: { excerpt: 'x' } }), 'x');
    const quotes = await quotesOf(
      source('s1', 'https://d.e/a', { providerMetadata: { acme: { quote: 'Said so.' } } }),
      source('s2', 'https://d.e/b', { providerMetadata: 'odd' }),
    );
    assert.deepEqual(quotes, { s1: 'Said so.' });
  });

  it('is kept when the source comes a second time with it, and the first one stays', async () => {
    const quotes = await quotesOf(
      source('s1', 'https://d.e/a'),
      found([{ url: 'https://d.e/a', text: 'first' }]),
      found([{ url: 'https://d.e/a', text: 'second' }]),
    );
    assert.deepEqual(quotes, { s1: 'first' });
  });

  it('does not pass to another page that takes its id after a step began anew', async () => {
    const quotes = await quotesOf(
      { type: 'start-step' },
      source('s1', 'https://d.e/a', { providerMetadata: { acme: { quote: 'Of a.' } } }),
      { type: 'reset-step' },
      source('s1', 'https://d.e/b'),
    );
    assert.deepEqual(quotes, {});
  });

  it('belongs to the last page with an ID, even when no more quotes are kept', () => {
    const quotes = new SourceQuotes();
    for (let count = 0; count < 400; count++) quotes.set(`s${count}`, 'Of a.');
    quotes.set('s0', 'Of b.');
    const taken = quotes.take() ?? {};
    assert.equal(taken['s0'], 'Of b.');
    assert.equal(Object.keys(taken).length, 300);
  });

  it('never holds a key that the service echoes, nor the start of one where it is cut', async () => {
    const { updates } = await outcomeOf(
      [
        events(
          found([
            { url: 'https://d.e/a', text: 'Send acme_dsc_CANARY now.' },
            { url: 'https://d.e/b', text: `${'x'.repeat(1985)} acme_dsc_CANARY` },
          ]),
          ...finish,
        ),
      ],
      { key: 'acme_dsc_CANARY' },
    );
    assert.doesNotMatch(JSON.stringify(updates), /acme_dsc|CANARY/);
    assert.ok(updates.some(({ quotes }) => quotes?.['source-1'] !== undefined));
  });

  it('is told once for each change, and is an own name whatever the id is', () => {
    const quotes = new SourceQuotes();
    assert.equal(quotes.take(), undefined);
    quotes.set('__proto__', 'odd');
    quotes.set('a', 'x');
    const taken = quotes.take() ?? {};
    assert.deepEqual(Object.keys(taken), ['__proto__', 'a']);
    assert.equal(Object.getPrototypeOf(taken), Object.prototype);
    assert.equal(quotes.take(), undefined);
  });
});

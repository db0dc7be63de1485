import assert from 'node:assert/strict';
import {
  excerptOf,
  ThreadSearch,
  type SearchableThread,
  type SearchedText,
  foldLine,
  foldText,
  queryWords,
} from '../../../../src/chat/history/threadSearch';
import { markdownToText } from '../../../../src/common/text/markdownText';
import type { Thread } from '../../../../src/chat/conversation/thread';
import { aQuestion, aReply, aThread } from '../../../builders/asking';

const never = new AbortController().signal;

function searchable(thread: Thread): SearchableThread & { reads: number } {
  const { id, title, updatedAt, messages } = thread;
  const entry = {
    summary: { id, title, updatedAt, messageCount: messages.length },
    version: '1',
    reads: 0,
    read: () => {
      entry.reads++;
      return Promise.resolve(thread);
    },
  };
  return entry;
}

/** Texts as they were typed. */
const typed = (...texts: readonly string[]): SearchedText[] =>
  texts.map((text) => ({ text, folded: foldText(text), isMarkdown: false }));

const saying = (text: string, id = 't1', title = '') =>
  searchable(aThread({ id, title, messages: [aQuestion({ text })] }));

async function isFound(query: string, text: string): Promise<boolean> {
  return (await new ThreadSearch().search([saying(text)], query, never)).length === 1;
}

/** Returns the marked parts of an excerpt. */
async function marked(query: string, text: string): Promise<readonly string[]> {
  const [match] = await new ThreadSearch().search([saying(text)], query, never);
  const { excerpt } = match ?? {};
  assert.ok(excerpt);
  return excerpt.matches.map(({ start, end }) => excerpt.text.slice(start, end));
}

describe('ThreadSearch', () => {
  for (const [query, text] of [
    ['RESUME', 'my résumé'],
    ['résumé', 'MY RESUME'],
    ['strasse', 'die Straße'],
    ['STRASSE', 'die straße'],
    ['οδος', 'ΟΔΌΣ'],
    ['istanbul', 'İstanbul'],
    ['ё', 'Ёлка'],
    ['ﬁle', 'the file'],
    ['abc', 'ＡＢＣ'],
    ['世界', '你好世界'],
    ['세', '세계'],
    ['セカイ', 'ｾｶｲ'],
    ['a+b', 'what is a+b?'],
    ['.*', 'the pattern .* is'],
    ['👩‍👩‍👧‍👦', 'a 👩‍👩‍👧‍👦 b'],
    ['one  two', 'two\n\none'],
  ] as const) {
    it(`finds “${query}” in “${text}”`, async () => {
      assert.ok(await isFound(query, text));
    });
  }

  for (const [query, text] of [
    ['one three', 'one two'],
    ['か', 'が'],
    ['.*', 'no pattern'],
  ] as const) {
    it(`does not find “${query}” in “${text}”`, async () => {
      assert.equal(await isFound(query, text), false);
    });
  }

  it('takes words from titles, questions and replies together, of all branches', async () => {
    const thread = aThread({
      title: 'alpha',
      messages: [aQuestion({ text: 'beta' }), aReply({ parts: [{ type: 'text', text: 'gamma' }] })],
      others: [aQuestion({ id: 'q2', text: 'delta' })],
    });
    const search = new ThreadSearch();
    const all = await search.search([searchable(thread)], 'delta gamma beta alpha', never);
    assert.equal(all.length, 1);
    const none = await search.search([searchable(thread)], 'delta gamma beta omega', never);
    assert.equal(none.length, 0);
  });

  it('does not look into what a service attached to its reply for itself', async () => {
    const attached = { acme: { note: 'hidden' } };
    const reply = aReply({
      metadata: attached,
      parts: [
        { type: 'reasoning', text: 'Hm.', providerMetadata: attached },
        { type: 'source-url', sourceId: 's', url: '/a', providerMetadata: attached },
        { type: 'text', text: 'shown' },
      ],
    });
    const threads = [searchable(aThread({ messages: [aQuestion(), reply] }))];
    assert.equal((await new ThreadSearch().search(threads, 'shown', never)).length, 1);
    assert.deepEqual(await new ThreadSearch().search(threads, 'hidden', never), []);
  });

  it('keeps the order of the threads', async () => {
    const threads = Array.from({ length: 40 }, (_, index) => saying('yes', `t${index}`));
    const found = await new ThreadSearch().search(threads, 'yes', never);
    assert.deepEqual(
      found.map(({ id }) => id),
      threads.map(({ summary }) => summary.id),
    );
  });

  it('finds everything where nothing is asked for', async () => {
    const found = await new ThreadSearch().search([saying('yes')], '  ', never);
    assert.deepEqual(found, [saying('yes').summary]);
  });

  it('shows no excerpt where the title alone matches', async () => {
    const [match] = await new ThreadSearch().search([saying('x', 't1', 'Token')], 'token', never);
    assert.deepEqual(match, saying('x', 't1', 'Token').summary);
  });

  it('does not read a thread again that it has in mind, unless it was written since', async () => {
    const search = new ThreadSearch();
    const thread = saying('yes');
    await search.search([thread], 'ye', never);
    await search.search([thread], 'yes', never);
    assert.equal(thread.reads, 1);
    await search.search([Object.assign(thread, { version: '2' })], 'yes', never);
    assert.equal(thread.reads, 2);
  });

  it('remembers texts within its limit, those of this search first', async () => {
    const search = new ThreadSearch(5000);
    const threads = Array.from({ length: 10 }, (_, index) => saying('x'.repeat(700), `t${index}`));
    await search.search(threads, 'y', never);
    assert.ok(search.cachedBytes > 3000 && search.cachedBytes <= 5000);
    await search.search(threads.slice(5), 'y', never);
    await search.search(threads.slice(5, 8), 'y', never);
    assert.ok(search.cachedBytes <= 5000);
    assert.deepEqual(
      threads.slice(5, 8).map(({ reads }) => reads),
      [2, 2, 2],
    );
  });

  it('lets others have their turn, and ends when it is given up', async () => {
    const controller = new AbortController();
    const threads = Array.from({ length: 50 }, (_, index) =>
      saying('ä'.repeat(400_000), `t${index}`),
    );
    const search = new ThreadSearch().search(threads, 'y', controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(search, { name: 'AbortError' });
    assert.ok(threads.some(({ reads }) => reads === 0));
  });

  it('leaves out a thread that is gone when its turn comes', async () => {
    const gone = { ...saying('yes'), read: () => Promise.resolve(undefined) };
    assert.deepEqual(await new ThreadSearch().search([gone], 'yes', never), []);
  });
});

describe('excerptOf', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index} of the text`);

  it('shows the text around the first match, with all matches in it', async () => {
    const text = `${lines.join('\n')}\nHere is **Tökens** and TOKEN\n${lines.join('\n')}`;
    const [match] = await new ThreadSearch().search([saying(text)], 'token', never);
    const { excerpt } = match ?? {};
    assert.match(excerpt?.text ?? '', /^….*Here is \*\*Tökens\*\* and TOKEN line 0 .*…$/);
    assert.ok((excerpt?.text.length ?? 0) <= 190);
    assert.deepEqual(await marked('token', text), ['Töken', 'TOKEN']);
  });

  it('marks letters whole that fold to several, or several to one', async () => {
    assert.deepEqual(await marked('s', 'Straße'), ['S', 'ß']);
    assert.deepEqual(await marked('e', 'ae\u0301i'), ['e\u0301']);
    assert.deepEqual(await marked('각', 'x\u1100\u1161\u11a8y'), ['\u1100\u1161\u11a8']);
    assert.deepEqual(await marked('file', 'a ﬁle'), ['ﬁle']);
    assert.deepEqual(await marked('世界', '👩‍👩‍👧‍👦世界'), ['世界']);
  });

  it('joins matches that overlap', async () => {
    assert.deepEqual(await marked('abc bcd', 'xabcdx'), ['abcd']);
  });

  it('marks words in the order of the text, whatever the order of the query is', async () => {
    assert.deepEqual(await marked('two one', 'one and two'), ['one', 'two']);
  });

  it('takes the message that contains the most words', () => {
    const texts = ['one alone', 'one and two', 'two'];
    const excerpt = excerptOf(typed(...texts), ['one', 'two'], markdownToText);
    assert.equal(excerpt?.text, 'one and two');
  });

  /** Returns the part of a reply that a search for the words shows. */
  const shownOfReply = async (query: string, text: string): Promise<string | undefined> => {
    const messages = [aQuestion({ text: 'How?' }), aReply({ parts: [{ type: 'text', text }] })];
    const thread = searchable(aThread({ id: 't1', title: '', messages }));
    const [match] = await new ThreadSearch().search([thread], query, never);
    const { excerpt } = match ?? {};
    for (const { start, end } of excerpt?.matches ?? []) {
      assert.equal(foldText(excerpt?.text.slice(start, end) ?? ''), foldText(query));
    }
    return excerpt?.text;
  };

  it('shows a reply without its Markdown', async () => {
    assert.equal(
      await shownOfReply(
        'limit',
        '# Uploads\n\nThe **limit** of [`uploads`](https://acme.example/a) is *20&nbsp;MB* [1](/b).\n\nMore.',
      ),
      '…The limit of uploads is 20 MB.…',
    );
    assert.equal(
      await shownOfReply('parts', '- one\n- **two** parts\n- three'),
      '• one • two parts • three',
    );
    assert.equal(
      await shownOfReply('size', '| Name | Size |\n|--|--|\n| `a` | 5 |'),
      'Name · Size a · 5',
    );
    assert.equal(
      await shownOfReply('snake', 'Set `snake_case_name` to **on**.'),
      'Set snake_case_name to on.',
    );
  });

  it('shows Markdown where a word is in a URL alone', async () => {
    assert.equal(
      await shownOfReply('acme.example', 'See [it](https://acme.example/a).'),
      'See [it](https://acme.example/a).',
    );
  });

  it('reads only the Markdown around the match', async () => {
    const long = 'Some **words** of it.\n\n'.repeat(20_000);
    assert.equal(
      await shownOfReply('needle', `${long}A *needle* here.\n\n${long}`),
      '…A needle here.…',
    );
    const line = 'some *words* of it '.repeat(20_000);
    assert.match(
      (await shownOfReply('needle', `${line}a needle ${line}`)) ?? '',
      /^….*of it a needle some words of it/,
    );
  });

  it('does not cut a letter in two', () => {
    const text = `${'👩'.repeat(300)}here${'👩'.repeat(300)}`;
    const { text: excerpt = '' } = excerptOf(typed(text), ['here'], markdownToText) ?? {};
    assert.doesNotMatch(excerpt, /\p{Surrogate}/u);
    assert.match(excerpt, /here/);
  });

  it('finds its place in very long lines', () => {
    const text = `${'a b '.repeat(250_000)}here`;
    assert.match(excerptOf(typed(text), ['here'], markdownToText)?.text ?? '', /here$/);
  });
});

describe('foldLine', () => {
  for (const line of [
    'plain ASCII',
    'résumé ﬁ Straße ΟΔΌΣ',
    '각\u1100\u1161\u11a8 ｾｶｲ が',
    '\ud800 a',
  ]) {
    it(`folds ${JSON.stringify(line)} as the whole text is folded`, () => {
      const { folded, places } = foldLine(line);
      assert.equal(folded, foldText(line));
      assert.equal(places.length, folded.length + 1);
      assert.equal(places.at(-1), line.length);
    });
  }
});

describe('queryWords', () => {
  it('takes each word once, and no more than a dozen', () => {
    assert.deepEqual(queryWords(' One  one\u3000TWO\n'), ['one', 'two']);
    assert.equal(
      queryWords(Array.from({ length: 50 }, (_, index) => `w${index}`).join(' ')).length,
      12,
    );
    assert.deepEqual(queryWords('   '), []);
  });
});

import assert from 'node:assert/strict';
import { findOpening } from '../../../../src/localService/answers/opening';
import type { DocsIndex } from '../../../../src/localService/search/docsIndex';
import { buildQuery } from '../../../../src/localService/search/query';
import { retrieve } from '../../../../src/localService/search/retrieval';
import { aQuestion, filler, indexOf, turnsOf } from '../docs';

const index = indexOf({
  'x.md': filler('invoices'),
  'y.md': filler('maps'),
  'z.md': filler('trains'),
  'uploads.md': `# Uploads

An upload is a file that you send once and name by its ID.

## Limits

Uploads need the scope \`files:write\`. A file can be up to 50 MB. Uploads are kept for 30 days, and can be downloaded with a signed link.

## Settings

| Setting | Default | Meaning |
|---|---|---|
| \`chunkSize\` | \`8\` | size of a chunk in MB |
| \`parallel\` | \`4\` | chunks that are sent at a time |

## Resume an upload

The connection can break. Call \`resume()\` with the ID to continue an upload. It skips the chunks that have arrived.

## Checksums

Checksums can be MD5, SHA-256 or CRC32.

- Checksums are optional.
`,
  'webhooks.md': `# Webhooks

## Retries

A webhook that fails is sent again 7 times.

## Order

Webhooks cannot be sent in order, because retries overtake each other.
`,
  'de/uploads.md': `---
title: Dateien
language: de
---

## Grenzen

Dateien brauchen die Berechtigung \`files:write\`. Eine Datei darf höchstens 50 MB groß sein.
`,
});

it('begins with what the question asks, not with what its attached code mentions', () => {
  const question = aQuestion('What does the checksum do here?', {
    contextItems: [
      { type: 'code', value: 'upload({ chunkSize, parallel, files, webhook, retries })' },
    ],
  });
  const { query, sections } = retrieve(index, question, undefined, 5);
  const worthOf = (term: string): number => (index.has(term) ? index.rarity(term) : 0);
  const found = findOpening({ question: question.text, query, sections, worthOf });
  assert.match(found?.markdown ?? '', /^Checksums (?:can|are)/);
});

it('begins with no sentence if only the attached code says what is meant', () => {
  const question = aQuestion('What does this do?', {
    contextItems: [{ type: 'code', value: 'chunkSize = 8; parallel = 4' }],
  });
  const { query, sections } = retrieve(index, question, undefined, 5);
  assert.notEqual(sections.length, 0);
  assert.equal(
    findOpening({ question: question.text, query, sections, worthOf: () => 1 }),
    undefined,
  );
});

function opening(docs: DocsIndex, text: string, ...earlier: string[]): string | undefined {
  const question = aQuestion(text, { earlier: turnsOf(...earlier) });
  const { query, sections } = retrieve(docs, question, undefined, 5);
  return findOpening({
    question: text,
    query,
    sections,
    worthOf: (term) => (docs.has(term) ? docs.rarity(term) : 0),
  })?.markdown;
}

/** Returns the opening of a page whose sections were all found. */
function openingOf(markdown: string, text: string, ...earlier: string[]): string | undefined {
  const docs = indexOf({ 'x.md': filler('invoices'), 'y.md': filler('maps'), 'a.md': markdown });
  const page = docs.pageAtPath('a.md');
  const sections = page?.sections.map((section) => ({ page, section, strength: 1 })) ?? [];
  const query = buildQuery(aQuestion(text, { earlier: turnsOf(...earlier) }), docs);
  const worthOf = (term: string): number => (docs.has(term) ? docs.rarity(term) : 0);
  return findOpening({ question: text, query, sections, worthOf })?.markdown;
}

describe('findOpening', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['the sentence with the size', 'How many MB can a file be?', /^A file can be up to 50 MB\.$/],
    ['the sentence with the time', 'How long are uploads kept?', /^Uploads are kept for 30 days/],
    ['the sentence with the number', 'How many times is a webhook sent again?', /7 times\.$/],
    [
      'the row of the setting',
      'What is the default of chunkSize?',
      /^`chunkSize` – Default: `8` · /,
    ],
    ['the definition', 'What is an upload?', /^An upload is a file/],
    ['the step', 'How do I resume an upload?', /^Call `resume\(\)` with the ID/],
    ['the verdict', 'Can webhooks be sent in order?', /^Webhooks cannot be sent in order/],
    ['the reason', 'Why are webhooks not in order?', /because retries overtake/],
    ['the enumeration', 'Which checksums are there?', /^Checksums can be MD5, SHA-256 or CRC32\.$/],
    ['the German sentence', 'Wie groß darf eine Datei sein?', /^Eine Datei darf höchstens 50 MB/],
  ];
  for (const [what, question, expected] of cases) {
    it(`chooses ${what}: ${question}`, () => {
      assert.match(opening(index, question) ?? '', expected);
    });
  }

  describe('prefers, of two sentences with the same words,', () => {
    for (const [what, question, first, second] of [
      [
        'the one with the time',
        'How long is the pause between calls?',
        'The pause between calls protects the service.',
        'The pause between calls takes 30 seconds.',
      ],
      [
        'the one with a number before what is counted',
        'How many endpoints can an account have?',
        'An account has endpoints, which expire after 5 days.',
        'An account can have 16 endpoints at the same time.',
      ],
      [
        'the one with the default',
        "Which theme does the panel have if I don't set one?",
        'The theme of the panel can be dark or light.',
        'The theme of the panel is light by default.',
      ],
      [
        'the one that says what to do',
        'How do I clean the cache of pages?',
        'The cache of pages needs somebody to clean it.',
        'Use `acme clean` to clean the cache of pages.',
      ],
      [
        'the one with the reason',
        'Why are retries of calls paused?',
        'Retries of calls are paused, as this page says.',
        'Retries of calls are paused because servers need rest.',
      ],
      [
        'the one that says when',
        'When are drafts deleted?',
        'Drafts are deleted without a trace of them.',
        'Drafts are deleted after 90 days without a change.',
      ],
      [
        'the one that is not for another purpose',
        'How do I create a parcel?',
        'To change a label, void the parcel and create another parcel.',
        'The endpoint for parcels can create a parcel.',
      ],
    ] as const) {
      it(what, () => {
        const found = openingOf(`# A page\n\n${first} ${second}\n`, question);
        assert.equal(found, second);
      });
    }
  });

  it("chooses a sentence about a follow-up's own topic", () => {
    const page = `# Facts\n\nThe size of uploads and files is 50 MB.\n\nNames have 20 letters.\n`;
    const earlier = 'How large is the size of uploads and files?';
    assert.equal(openingOf(page, 'And the names?', earlier), 'Names have 20 letters.');
  });

  it('puts the previous sentence before one that refers to it', () => {
    assert.equal(
      opening(index, 'Which chunks does it skip when chunks have arrived?'),
      'Call `resume()` with the ID to continue an upload. It skips the chunks that have arrived.',
    );
  });

  it('chooses nothing when the sections have only code and lead-ins', () => {
    const code = indexOf({ 'a.md': '# Birds\n\nFeed pelicans:\n\n```ts\nfeed(pelicans);\n```\n' });
    assert.equal(opening(code, 'How do I feed pelicans?'), undefined);
  });

  it('prefers the solution to the problem that its page repeats', () => {
    const page = `# Socket hangs up

## Issue

My socket hangs up when the proxy is slow.

## Solution

Raise \`keepAlive\` above the limit of the proxy.
`;
    assert.match(openingOf(page, 'socket hangs up') ?? '', /^Raise `keepAlive`/);
  });

  it('never splits Markdown marks', () => {
    const bold = indexOf({
      'x.md': filler('invoices'),
      'a.md':
        '# Birds\n\n**Pelicans eat fish. Pelicans drink water.** Pelicans sleep on islands.\n',
    });
    assert.doesNotMatch(opening(bold, 'What do pelicans eat?') ?? '*', /\*/);
  });
});

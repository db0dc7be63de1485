import assert from 'node:assert/strict';
import { findOpening } from '../../../../src/localService/answers/opening';
import type { DocsIndex } from '../../../../src/localService/search/docsIndex';
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

  it("chooses by a follow-up's own topic", () => {
    const found = opening(index, 'And the retries of webhooks?', 'How large may an upload be?');
    assert.match(found ?? '', /^(?:A webhook that fails|Webhooks cannot)/);
  });

  it('puts the sentence before in front of one that refers to it', () => {
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
    const page = indexOf({
      'x.md': filler('invoices'),
      'a.md': `# Socket hangs up\n\n## Issue\n\nMy socket hangs up when the proxy is slow.\n\n## Solution\n\nRaise \`keepAlive\` above the limit of the proxy.\n`,
    });
    const question = 'socket hangs up';
    const [found] = [...page.pages()].filter(({ path }) => path === 'a.md');
    const { query } = retrieve(page, aQuestion(question), undefined, 5);
    const sections =
      found?.sections.map((section) => ({ page: found, section, strength: 1 })) ?? [];
    const worthOf = (term: string): number => (page.has(term) ? page.rarity(term) : 0);
    const { markdown } = findOpening({ question, query, sections, worthOf }) ?? {};
    assert.match(markdown ?? '', /^Raise `keepAlive`/);
  });

  it('never cuts marks apart', () => {
    const bold = indexOf({
      'x.md': filler('invoices'),
      'a.md':
        '# Birds\n\n**Pelicans eat fish. Pelicans drink water.** Pelicans sleep on islands.\n',
    });
    assert.doesNotMatch(opening(bold, 'What do pelicans eat?') ?? '*', /\*/);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** ID of a row, such as `A17`, or IDs from one to another, such as `D3–D8`. */
const id = String.raw`[A-Z]\d{1,2}(?:–[A-Z]\d{1,2})?`;
const ids = `${id}(?:(?:, | and )${id})*`;

/** Places where a test carries IDs: a comment, the start or the end of a title, and the case of a table. */
const tagForms = [
  new RegExp(String.raw`faults\.md (${ids})\b`, 'g'),
  new RegExp(String.raw`['"\x60](${ids}): `, 'g'),
  new RegExp(String.raw`\((${ids})\)['"\x60],`, 'g'),
  new RegExp(String.raw`\brow: '(${ids})'`, 'g'),
];

/** Returns each ID that the list names, with those between the ends of a range. */
function listedIds(list: string): string[] {
  return list.split(/, | and /).flatMap((entry) => {
    const [first = '', last = first] = entry.split('–');
    const start = Number(first.slice(1));
    const count = Number(last.slice(1)) - start + 1;
    return Array.from({ length: count }, (_, index) => `${first.slice(0, 1)}${start + index}`);
  });
}

/** Returns the files that carry each ID. */
function taggedIds(): Map<string, string[]> {
  const tagged = new Map<string, string[]>();
  for (const name of readdirSync('test', { recursive: true, encoding: 'utf8' })) {
    const file = path.join('test', name);
    if (!name.endsWith('.test.ts')) continue;
    const text = readFileSync(file, 'utf8');
    for (const form of tagForms) {
      for (const [, list = ''] of text.matchAll(form)) {
        for (const found of listedIds(list)) {
          tagged.set(found, [...(tagged.get(found) ?? []), file]);
        }
      }
    }
  }
  return tagged;
}

describe('docs/faults.md', () => {
  const rows = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^\| ([A-Z]\d+) \|.*\|.*\|$/gm)]
    .filter(([row]) => row.split(' | ').length === 3)
    .map(([, row = '']) => row);
  const tagged = taggedIds();

  it('has each row once', () => {
    assert.ok(rows.length > 250);
    assert.deepEqual(
      rows.filter((row, index) => rows.indexOf(row) !== index),
      [],
    );
  });

  it('has no row without a test that carries its ID', () => {
    assert.deepEqual(
      rows.filter((row) => !tagged.has(row)),
      [],
    );
  });

  it('has a row for each ID that a test carries', () => {
    assert.deepEqual(
      [...tagged].filter(([row]) => !rows.includes(row)),
      [],
    );
  });
});

/**
 * Measures how fast the local docs service renders a site, and how the time grows with the pages.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderSite } from '../../src/service/export/site/siteRenderer';
import { bounded, median, report } from './benchRow';

const SMALL = 500;
const LARGE = 5_000;
const ROUNDS = 3;
/**
 * Maximum factor by which the time for a page may grow with ten times the pages: linear growth,
 * with room for a noisy machine.
 */
const GROWTH_GOAL = 1.25;

/** Returns about 3 KB like a page of real documentation: text, code, a table, links. */
function pageSource(index: number, pages: number): string {
  const linked = (index + 1) % pages;
  return `---
title: Thing ${index}
description: How to make, change and delete thing ${index}.
---

Every thing has an \`id\`. Before you make one, read about [thing ${linked}](../${folderOf(linked)}/thing-${linked}.md#errors).

## Make a thing

${'A thing belongs to an account and lives until it is deleted or its account is closed. '.repeat(8)}

\`\`\`ts
import { Client } from '@example/sdk';

const client = new Client({ key: process.env.EXAMPLE_KEY });
const thing${index} = await client.things.create({ name: 'Thing ${index}', size: ${index * 7} });
for await (const part of client.parts.list({ thing: thing${index}.id })) {
  console.log(part.id, part.weight > 10 ? 'heavy' : 'light');
}
\`\`\`

### Fields

| Field | Type | Meaning |
|---|---|---:|
| \`id\` | string | what it is known by |
| \`name\` | string | up to 80 characters |
| \`size\` | integer | in millimetres |

## Delete a thing

1. Stop whatever uses it.
2. Call \`DELETE /things/{id}\`.
3. Wait for **204**.

> A deleted thing cannot be had back.

## Errors

\`\`\`json
{ "error": { "code": "not_found", "message": "There is no thing ${index}." } }
\`\`\`
`;
}

function folderOf(index: number): string {
  return `part-${Math.floor(index / 50)}`;
}

async function docsFolder(root: string, pages: number): Promise<string> {
  const folder = path.join(root, `docs-${pages}`);
  for (let index = 0; index < pages; index++) {
    const part = path.join(folder, folderOf(index));
    mkdirSync(part, { recursive: true });
    writeFileSync(path.join(part, `thing-${index}.md`), pageSource(index, pages));
  }
  return realpath(folder);
}

/** @returns milliseconds for each page of the folder, and the bytes of its site. */
async function render(root: string): Promise<{ msPerPage: number; bytes: number }> {
  const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
  let bytes = 0;
  const startedAt = performance.now();
  const { pages } = await renderSite({
    root,
    siteHost: 'docs.example.com',
    signal: new AbortController().signal,
    log: silent,
    write: ({ content }) => {
      bytes += content.length;
      return Promise.resolve();
    },
    onProgress: () => {},
  });
  return { msPerPage: (performance.now() - startedAt) / pages, bytes };
}

async function main(): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'docs-assistant-render-'));
  try {
    const [small, large] = [await docsFolder(root, SMALL), await docsFolder(root, LARGE)];
    const times: { small: number[]; large: number[] } = { small: [], large: [] };
    let sizes = '';
    await render(small);
    // Interleaved, so that a machine that slows down slows both alike.
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await render(small), await render(large)];
      times.small.push(one.msPerPage);
      times.large.push(other.msPerPage);
      sizes = `${(one.bytes / SMALL / 1000).toFixed(1)} and ${(other.bytes / LARGE / 1000).toFixed(1)} KB a page`;
    }
    const [smallMs, largeMs] = [median(times.small), median(times.large)];
    report([
      bounded({
        name: `Local service: render ${LARGE.toLocaleString('en')} pages`,
        unit: 'ms/page',
        ours: largeMs,
        goal: 10,
        note: `${Math.round(1000 / largeMs)} pages/s; ${sizes}`,
      }),
      bounded({
        name: `Local service: time per page, ${LARGE.toLocaleString('en')} to ${SMALL} pages`,
        unit: '×',
        ours: largeMs / smallMs,
        goal: GROWTH_GOAL,
        note: `${SMALL}: ${Math.round(1000 / smallMs)} pages/s; 1 × is linear`,
      }),
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

await main();

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rooms } from '../../tooling/rooms.mjs';

/** Tests run in the clone's folder. */
const repoRoot = process.cwd();

const read = (file: string): string => readFileSync(path.join(repoRoot, file), 'utf8');

/** Returns the rows of the document's table of rooms: name, folder, what it does, what it may import. */
function roomRows(): string[][] {
  return read('docs/architecture.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && /^`[\w/]+`$/.test(cells[2] ?? ''))
    .map((cells) => cells.slice(1, 5));
}

describe('docs/architecture.md', () => {
  it('shows every room with the imports that lint allows', () => {
    const shown = roomRows().map(([name = '', folder = '', , imports = '']) => [
      name,
      {
        folder: folder.replaceAll('`', ''),
        mayImport: imports === 'nothing' ? [] : imports.split(', '),
      },
    ]);
    assert.deepEqual(Object.fromEntries(shown), rooms);
  });

  it('describes each room in one sentence', () => {
    for (const [name = '', , does = ''] of roomRows())
      assert.match(does, /^[A-Z][a-z]+s[ :]/, name);
  });

  for (const document of [
    'docs/architecture.md',
    'docs/decisions.md',
    'CONTRIBUTING.md',
    'docs/faults.md',
  ]) {
    it(`names only files that exist in ${document}`, () => {
      const named = read(document).matchAll(/(?<![\w/.-])(?:src|webview|test)\/[\w./-]*\w/g);
      const missing = [...new Set([...named].map(([file]) => file))].filter(
        (file) => !existsSync(path.join(repoRoot, file)),
      );
      assert.deepEqual(missing, []);
    });
  }

  it('links only to documents that exist', () => {
    for (const document of [
      'README.md',
      'CONTRIBUTING.md',
      ...readdirSync(path.join(repoRoot, 'docs'))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ]) {
      const folder = path.dirname(path.join(repoRoot, document));
      const text = read(document);
      const targets = [
        ...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g),
        ...text.matchAll(/(?:src|srcset)="([^":]+)"/g),
      ];
      for (const [, target = ''] of targets) {
        assert.ok(existsSync(path.join(folder, target)), `${document} links to ${target}`);
      }
    }
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exitCodes } from '../../../src/cli/context';

const docs = readFileSync('docs/command-line.md', 'utf8');

describe('docs/command-line.md', () => {
  it('lists every exit code', () => {
    for (const code of Object.values(exitCodes))
      assert.match(docs, new RegExp(`^\\| ${code} \\|`, 'm'));
  });

  it('lists every event that a command prints', () => {
    const source = readFileSync('src/cli/events.ts', 'utf8');
    const events = [...source.matchAll(/readonly event: '([\w-]+)'/g)].map(([, name = '']) => name);
    assert.ok(events.length > 15);
    for (const event of events) assert.match(docs, new RegExp(`^\\| \`${event}\``, 'm'), event);
  });

  it('lists the environment variables that the help lists', () => {
    const help = readFileSync('src/cli/program.ts', 'utf8');
    const listed = [...help.matchAll(/^ {2}DOCS_ASSISTANT(_\w+) {2,}\$/gm)].map(
      ([, name = '']) => name,
    );
    const rows = [...docs.matchAll(/^\| (`DOCS_ASSISTANT_.*?) \|/gm)].map(([, row = '']) => row);
    const described = rows.flatMap((row) =>
      [...row.matchAll(/`(?:DOCS_ASSISTANT)?(_\w+)`/g)].map(([, name = '']) => name),
    );
    assert.ok(listed.length > 10);
    assert.deepEqual(listed.toSorted(), described.toSorted());
  });
});

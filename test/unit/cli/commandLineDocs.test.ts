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
});

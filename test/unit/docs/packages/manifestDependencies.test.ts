import assert from 'node:assert/strict';
import { writtenDependencies } from '../../../../src/docs/packages/manifestDependencies';

/** Returns the texts of the dependencies that are found in a manifest. */
function foundIn(text: string): string[] {
  return writtenDependencies(text).map(
    ({ name, start, end }) => `${name}: ${text.slice(start, end)}`,
  );
}

describe('writtenDependencies', () => {
  it('finds the dependencies of all kinds with their places', () => {
    const text = `{
  "name": "app", "scripts": { "zod": "1" },
  "dependencies": { "zod": "^3.0.0", "@acme/birds": "workspace:*" },
  "peerDependencies": { "react": "*" },
  "other": { "dependencies": { "no": "1" } }
}`;
    assert.deepEqual(foundIn(text), [
      'zod: "zod": "^3.0.0"',
      '@acme/birds: "@acme/birds": "workspace:*"',
      'react: "react": "*"',
    ]);
  });

  it('finds them in a text that is being edited, and none where there are none', () => {
    assert.deepEqual(foundIn('{ "dependencies": { "zod": "3", "rea'), [
      'zod: "zod": "3"',
      'rea: "rea',
    ]);
    for (const text of [
      '',
      '[]',
      '1',
      '{ "dependencies": [] }',
      '{ "dependencies": { "..": "1" } }',
    ])
      assert.deepEqual(foundIn(text), []);
  });
});

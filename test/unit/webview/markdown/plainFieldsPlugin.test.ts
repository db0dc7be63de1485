import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { withPlainFields } from '../../../../webview/markdown/plainFieldsPlugin.mjs';

const main = createRequire(import.meta.url).resolve('markdown-it');
const source = readFileSync(path.join(path.dirname(main), 'markdown-it.mjs'), 'utf8');

describe('markdown-it with plain fields', () => {
  it('has no class that a field could belong to twice', () => {
    // Where a class sets a field of its parent, or has an accessor of that name, an assignment is another thing.
    assert.doesNotMatch(source, /^class \w+ extends|= class(?: \w+)? extends/m);
    assert.doesNotMatch(source, /^\t(?:static )?(?:get|set) \w+\(/m);
  });

  it('differs in one function', () => {
    const changed = withPlainFields(source);
    assert.equal(changed.match(/function _defineProperty\(/g)?.length, 1);
    assert.ok(source.length - changed.length > 50 && source.length - changed.length < 250);
  });

  it('is not built from another markdown-it', () => {
    assert.throws(() => withPlainFields('class Token {}'), /has no _defineProperty/);
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import { withSmallChunks } from '../../tooling/chunks.mjs';

const banner =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** Returns what becomes of files in `dist`, by their names. */
function made(files: Record<string, string>): Record<string, string> {
  const outputFiles = Object.entries(files).map(([name, text]) => ({
    path: path.resolve('dist', name),
    text,
    contents: Buffer.from(text),
    hash: '',
  }));
  const result = {
    outputFiles,
    errors: [],
    warnings: [],
    metafile: undefined,
    mangleCache: undefined,
  };
  return Object.fromEntries(
    withSmallChunks(result, banner).map(({ path: file, contents }) => [
      path.relative('dist', file).replaceAll(path.sep, '/'),
      String(contents),
    ]),
  );
}

describe('withSmallChunks', () => {
  it('shortens the names of chunks wherever they stand, and never to the name of another file', () => {
    const files = {
      'main.js':
        'import{a}from"./chunks/chunk-AAAAAAAA.js";a(()=>import("./chunks/unpack-BBBBBBBB.js"));',
      'chunks/chunk-AAAAAAAA.js': 'export{a};',
      'chunks/unpack-BBBBBBBB.js': 'import{a}from"./chunk-AAAAAAAA.js";export{a};',
      'chunks/unpack-CCCCCCCC.js': 'export{b};',
    };
    assert.deepEqual(made(files), {
      'main.js': 'import{a}from"./chunks/0.js";a(()=>import("./chunks/unpack.js"));',
      'chunks/0.js': 'export{a};',
      'chunks/unpack.js': 'import{a}from"./0.js";export{a};',
      'chunks/1.js': 'export{b};',
    });
  });

  it('keeps an import without a name only of a chunk that exports nothing', () => {
    const files = {
      'main.js': 'import"./chunks/chunk-AAAAAAAA.js";import"./chunks/chunk-BBBBBBBB.js";run();',
      'chunks/chunk-AAAAAAAA.js': 'export{a};',
      'chunks/chunk-BBBBBBBB.js': 'globalThis.b=1;',
    };
    assert.equal(made(files)['main.js'], 'import"./chunks/1.js";run();');
  });

  it('keeps the banner where something calls require', () => {
    const files = {
      'main.js': `${banner}\nrun();`,
      'chunks/chunk-AAAAAAAA.js': `${banner}\nexport{x};typeof require<"u"?require:0`,
    };
    assert.deepEqual(made(files), {
      'main.js': 'run();',
      'chunks/0.js': `${banner}\nexport{x};typeof require<"u"?require:0`,
    });
  });

  it('leaves what is no script as it is', () => {
    assert.deepEqual(made({ 'main.css': 'import"./chunks/chunk-AAAAAAAA.js";' }), {
      'main.css': 'import"./chunks/chunk-AAAAAAAA.js";',
    });
  });
});

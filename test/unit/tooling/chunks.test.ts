import assert from 'node:assert/strict';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { withSmallChunks } from '../../tooling/chunks.mjs';

const banner =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** Returns what becomes of files in `dist`, by their names. */
function made(files: Record<string, string>): Record<string, string> {
  const outputFiles = Object.entries(files).map(([name, text]) => ({
    path: path.resolve('dist', name),
    text,
    contents: Buffer.from(text),
  }));
  const outputs: Metafile['outputs'] = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      `dist/${name}`,
      {
        bytes: text.length,
        inputs: inputsOf(text),
        imports: [],
        exports: [],
      },
    ]),
  );
  return Object.fromEntries(
    withSmallChunks({ outputFiles, metafile: { outputs } }, banner).map(
      ({ path: file, contents }) => [
        path.relative('dist', file).replaceAll(path.sep, '/'),
        String(contents),
      ],
    ),
  );
}

/** Returns what a file is made of. A helper of esbuild is made of nothing. */
function inputsOf(text: string): Record<string, { bytesInOutput: number }> {
  return text.includes('helper') ? {} : { 'a.ts': { bytesInOutput: 1 } };
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

  it('keeps an import that lets a chunk run only where the chunk would not run without it', () => {
    const files = {
      'main.js':
        'import{a}from"./chunks/chunk-AAAAAAAA.js";import"./chunks/chunk-BBBBBBBB.js";import"./chunks/chunk-CCCCCCCC.js";a();',
      'chunks/chunk-AAAAAAAA.js': 'import{b}from"./chunk-BBBBBBBB.js";export{a};',
      'chunks/chunk-BBBBBBBB.js': 'export{b};',
      'chunks/chunk-CCCCCCCC.js': 'start();export{c};',
    };
    assert.equal(made(files)['main.js'], 'import{a}from"./chunks/0.js";import"./chunks/2.js";a();');
  });

  it('drops an import of the functions that esbuild adds, where nothing calls them', () => {
    const files = {
      'main.js': 'import"./chunks/chunk-AAAAAAAA.js";run();',
      'chunks/chunk-AAAAAAAA.js': 'var helper=1;export{helper as h};',
    };
    assert.equal(made(files)['main.js'], 'run();');
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

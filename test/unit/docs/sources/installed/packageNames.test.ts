import assert from 'node:assert/strict';
import {
  isPackageName,
  nameOfPlace,
  packageOfSpecifier,
  packagesImportedIn,
} from '../../../../../src/docs/sources/installed/packageNames';

describe('isPackageName', () => {
  for (const name of [
    'next',
    '@acme/sdk',
    'JSONStream',
    'lodash.merge',
    'constructor',
    '@0x/a~b',
  ]) {
    it(`accepts ${name}`, () => assert.ok(isPackageName(name)));
  }
  const traps = [
    '',
    '.',
    '..',
    '../x',
    '@acme/..',
    '@../x',
    '@acme',
    '@acme/',
    '@acme/sdk/client',
    '/etc',
    'a/b',
    'a\\b',
    'C:\\x',
    'node_modules',
    'node_modules/../x',
    '__proto__',
    '.bin',
    'a\0b',
    'a b',
    'x\n',
    'paсkage',
    'a'.repeat(215),
  ];
  for (const name of traps) {
    it(`refuses ${JSON.stringify(name.slice(0, 30))}`, () => assert.ok(!isPackageName(name)));
  }
});

describe('packageOfSpecifier', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['next', 'next'],
    ['next/link', 'next'],
    ['@acme/sdk/client.js', '@acme/sdk'],
    ['buffer/', 'buffer'],
    ['fs', undefined],
    ['fs/promises', undefined],
    ['node:test', undefined],
    ['./next', undefined],
    ['..', undefined],
    ['/next', undefined],
    ['#next', undefined],
    ['@/next', undefined],
    ['~/next', undefined],
    ['https://x.dev/next.js', undefined],
    ['', undefined],
  ];
  for (const [specifier, name] of cases) {
    it(`returns ${String(name)} for ${JSON.stringify(specifier)}`, () =>
      assert.equal(packageOfSpecifier(specifier), name));
  }
});

describe('nameOfPlace', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['/w/node_modules/next', 'next'],
    ['/w/node_modules/@acme/sdk', '@acme/sdk'],
    ['/w/node_modules/.pnpm/next@16.0.0/node_modules/next', 'next'],
    ['C:\\w\\node_modules\\@acme\\sdk', '@acme/sdk'],
    ['/c/next.zip/node_modules/next', 'next'],
    ['/w/node_modules/.store/next/package', undefined],
    ['/w/node_modules/next/dist', undefined],
    ['/w/packages/next', undefined],
  ];
  for (const [folder, name] of cases) {
    it(`returns ${String(name)} for ${folder}`, () => assert.equal(nameOfPlace(folder), name));
  }
});

describe('packagesImportedIn', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['an import', `import a, { b as c } from 'x';`, ['x']],
    ['an import over several lines', `import {\n  a,\n  b,\n} from "@acme/x/y";`, ['@acme/x']],
    ['an import for its effects', `import 'x/style.css'`, ['x']],
    ['an import of types', `import type { A } from 'x'; import { type B } from "y"`, ['x', 'y']],
    ['an export from a package', `export * from 'x'; export { a } from 'y';`, ['x', 'y']],
    ['a require', `const { a } = require('x'), b = require( "y" )`, ['x', 'y']],
    ['a require in an expression', `use(require('x').a)`, ['x']],
    ['a path that is looked up', `require.resolve('x/package.json')`, ['x']],
    ['an import while running', `const a = await import('x');`, ['x']],
    ['an import with a comment', `import(/* webpackChunkName: "a" */ 'x')`, ['x']],
    ['an import of TypeScript', `import a = require('x');`, ['x']],
    ['a type', `let a: import('x').A;`, ['x']],
    ['a type in a doc comment', `/** @type {import('x').A} */ let a;`, ['x']],
    ['an import in a doc comment', `/** @import { A } from 'x' */`, ['x']],
    ['types of a reference', `/// <reference types="x/client" />`, ['x']],
    ['a component of Vue', `<template>Don't</template>\n<script>import a from 'x'</script>`, ['x']],
    ['each package once, in order', `import 'b'; import 'a'; import 'b/c'`, ['b', 'a']],
    ['no file and no module of Node', `import './a'; import fs from 'fs'; import '#b'`, []],
    ['nothing in a comment', `// import 'x'\n/* require('y') */ import 'z'`, ['z']],
    ['nothing in a string', `const a = "import 'x'"; const b = 'require("y")'`, []],
    ['nothing for a method', `Array.from('x'); a.require('y'); a.import('z')`, []],
    ['nothing for other strings', `const from = 'x'; f(require, 'y'); from.a('z')`, []],
    ['nothing for a word before a string', `switch (a) { case 'x': return 'y' }`, []],
    ['what follows an apostrophe', `<p>Don't</p>\nimport a from 'x'`, ['x']],
    ['what follows a quote in an expression', `a.match(/["']/)\nimport('x')`, ['x']],
    ['what follows a comment without an end', `a = /[/*]/\nimport('x')`, ['x']],
    ['what comes before code that is cut', `import 'x'\nimport { a, b from 'y`, ['x']],
    ['no name that is a trap', `import '__proto__'; import '..'; import '@a/../b'`, []],
  ];
  for (const [what, source, names] of cases) {
    it(`finds ${what}`, () => assert.deepEqual(packagesImportedIn(source), names));
  }

  // Square time would take hours here, and the runner would end the test.
  const units = [
    '"',
    `"\\`,
    `'"`,
    '/*',
    '/**',
    '/* */',
    '@import from',
    'import(',
    'from ',
    '///',
    '`',
  ];
  for (const unit of units) {
    it(`finds what follows 300,000 times ${JSON.stringify(unit)}`, () =>
      assert.deepEqual(packagesImportedIn(`${unit.repeat(300_000)}\nimport 'x'`), ['x']));
  }
});

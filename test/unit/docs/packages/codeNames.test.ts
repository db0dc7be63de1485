import assert from 'node:assert/strict';
import { codeNames } from '../../../../src/docs/packages/codeNames';

/** Returns the names that code uses of the package `pkg`, each with its place. Imports have a mark. */
function namesIn(source: string, file = 'app.ts'): string[] | undefined {
  return codeNames(file, source, (module) => /^pkg(?:\/|$)/.test(module))?.map(
    ({ module, names, line, column, isImport }) =>
      `${line}:${column} ${[module, ...names].join(' ')}${isImport ? ' (import)' : ''}`,
  );
}

const cases: readonly (readonly [string, string, readonly string[], string?])[] = [
  [
    'named, renamed, default and namespace imports with their uses',
    "import main, { a as b, type T } from 'pkg';\nimport * as all from 'pkg/sub';\nmain(b, all.x.y);\nlet t: T;\n",
    [
      '1:8 pkg default (import)',
      '1:16 pkg a (import)',
      '1:24 pkg T (import)',
      '2:8 pkg/sub (import)',
      '3:1 pkg default',
      '3:6 pkg a',
      '3:9 pkg/sub x y',
      '4:8 pkg T',
    ],
  ],
  [
    'no other packages, no comments, no texts and no keys',
    "import { a } from 'pkg2';\nimport { b } from './pkg';\nimport { c } from 'pkg';\n// c()\n/* c() */\nconst o = { c: 'c()', m: `c() ${1}` };\no.c;\n",
    ['3:10 pkg c (import)'],
  ],
  [
    'no local names that hide an import',
    "import { a, b, c, d, e } from 'pkg';\nfunction f(a: number, { b }: O) { return a + b; }\nfor (const c of []) c;\ntry {} catch (d) { d; }\nconst g = <e,>(x: e) => x;\n{ function a() {} a(); }\na;\n",
    [
      '1:10 pkg a (import)',
      '1:13 pkg b (import)',
      '1:16 pkg c (import)',
      '1:19 pkg d (import)',
      '1:22 pkg e (import)',
      '7:1 pkg a',
    ],
  ],
  [
    'no local names of patterns, loops, cases and expressions that hide an import',
    "import { a, b, c, d, e, f } from 'pkg';\nfunction g([a], ...b) { a; b; }\nconst h = ({ a: b = 1 }, c = 2) => b + c;\nfor (let c = 0; ; ) c;\nswitch (1) { case 1: let d; d; }\n(class e { m() { e; } });\n(function f() { f; });\n",
    [
      '1:10 pkg a (import)',
      '1:13 pkg b (import)',
      '1:16 pkg c (import)',
      '1:19 pkg d (import)',
      '1:22 pkg e (import)',
      '1:25 pkg f (import)',
    ],
  ],
  [
    'names behind `!` and `?.`',
    "import { a } from 'pkg';\na!.b;\na?.c;\n",
    ['1:10 pkg a (import)', '2:1 pkg a b', '3:1 pkg a c'],
  ],
  [
    'variables of `var` that are declared in a block below',
    "import { a } from 'pkg';\nfunction f() { a; if (1) { var a = 1; } }\n",
    ['1:10 pkg a (import)'],
  ],
  [
    'uses in templates, shorthand properties, defaults, computed keys and decorators',
    "import { a, b } from 'pkg';\n`${a}`;\nconst o = { a, [b]: 1 };\nfunction f(x = a) {}\n@b() class C { @a p = 1 }\n",
    [
      '1:10 pkg a (import)',
      '1:13 pkg b (import)',
      '2:4 pkg a',
      '3:13 pkg a',
      '3:17 pkg b',
      '4:16 pkg a',
      '5:2 pkg b',
      '5:17 pkg a',
    ],
  ],
  [
    'elements of JSX, but not their text and attributes',
    "import { A, B } from 'pkg';\nconst x = <A.Item B=\"A\">A isn't {B} `B`</A.Item>;\nconst y = <B />;\n",
    ['1:10 pkg A (import)', '1:13 pkg B (import)', '2:12 pkg A Item', '2:34 pkg B', '3:12 pkg B'],
    'app.tsx',
  ],
  [
    'require, its destructuring, and import()',
    "const p = require('pkg');\nconst { a, b: { c }, d: e = 1 } = require('pkg');\np.x(); a; e;\nconst { f } = await import('pkg');\nf;\n(await import('pkg')).g;\nrequire('pkg').h;\nfunction lazy() { const q = require('pkg'); q.y; }\n(await require('pkg')).i;\n",
    [
      '1:11 pkg (import)',
      '2:9 pkg a (import)',
      '2:12 pkg b (import)',
      '2:22 pkg d (import)',
      '2:35 pkg (import)',
      '3:1 pkg x',
      '3:8 pkg a',
      '3:11 pkg d',
      '4:9 pkg f (import)',
      '4:21 pkg (import)',
      '5:1 pkg f',
      '6:2 pkg g',
      '6:8 pkg (import)',
      '7:1 pkg h',
      '7:1 pkg (import)',
      '8:29 pkg (import)',
      '8:45 pkg y',
      '9:2 pkg i',
      '9:8 pkg (import)',
    ],
    'app.js',
  ],
  [
    'names of a module behind `then`',
    "import('pkg').then((m) => m.a());\nimport('pkg').then(({ b, c: d }) => [b, d]);\nlazy(() => import('pkg').then(function (m) { return { default: m.e }; }));\nimport('pkg').catch((m) => m.f);\nimport('pkg').then(g, (m) => m.h);\n",
    [
      '1:1 pkg then',
      '1:1 pkg (import)',
      '1:27 pkg a',
      '2:1 pkg then',
      '2:1 pkg (import)',
      '2:23 pkg b (import)',
      '2:26 pkg c (import)',
      '2:38 pkg b',
      '2:41 pkg c',
      '3:12 pkg then',
      '3:12 pkg (import)',
      '3:64 pkg e',
      '4:1 pkg catch',
      '4:1 pkg (import)',
      '5:1 pkg then',
      '5:1 pkg (import)',
    ],
  ],
  [
    'names that a file passes on, and types of import()',
    "export { a, b as c } from 'pkg';\nexport * from 'pkg/sub';\ntype T = import('pkg').Ns.Name;\nimport q = require('pkg');\nexport { q };\n",
    [
      '1:10 pkg a (import)',
      '1:13 pkg b (import)',
      '2:1 pkg/sub (import)',
      '3:10 pkg Ns Name (import)',
      '4:1 pkg (import)',
      '5:10 pkg',
    ],
  ],
  [
    'names of types, but not of their members and parameters',
    "import { a, T } from 'pkg';\ninterface I extends T { a: T; a(a: T): a is T }\ntype F = (a: T) => typeof a;\nenum E { a }\n",
    [
      '1:10 pkg a (import)',
      '1:13 pkg T (import)',
      '2:21 pkg T',
      '2:28 pkg T',
      '2:36 pkg T',
      '2:45 pkg T',
      '3:14 pkg T',
      '3:27 pkg a',
    ],
  ],
  [
    'scripts of components at their lines',
    '<template>a()</template>\n<script setup lang="ts">\nimport { a } from \'pkg\';\na();\n</script>\n',
    ['3:10 pkg a (import)', '4:1 pkg a'],
    'App.vue',
  ],
  [
    'names in a component whose TypeScript looks like elements',
    '<script setup lang="ts">\nimport { a } from \'pkg\';\nconst b = <T>(x: T) => <string>a(x);\n</script>\n',
    ['2:10 pkg a (import)', '3:32 pkg a'],
    'App.vue',
  ],
  [
    'code with `const` type parameters',
    "import { a } from 'pkg';\ndeclare const f: <const T extends a>(x: T) => T;\n",
    ['1:10 pkg a (import)', '2:35 pkg a'],
  ],
];

describe('codeNames', () => {
  for (const [what, source, expected, file] of cases) {
    it(`finds ${what}`, () => {
      assert.deepEqual(namesIn(source, file), expected);
    });
  }

  it('returns undefined for code that cannot be parsed or is nested too deeply', () => {
    assert.equal(namesIn("import { a } from 'pkg'; a(("), undefined);
    assert.equal(namesIn(`import { a } from 'pkg'; ${'['.repeat(100_000)}`), undefined);
  });
});

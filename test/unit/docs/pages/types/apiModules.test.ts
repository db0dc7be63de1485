import assert from 'node:assert/strict';
import { type ApiModule, readPackageApi } from '../../../../../src/docs/pages/types/apiModules';
import type { PackageFiles } from '../../../../../src/docs/pages/types/entryPoints';
import { memoryPackage } from '../../../../fakes/memoryPackage';

const noPause = (): Promise<void> => Promise.resolve();

const read = async (files: PackageFiles): Promise<readonly ApiModule[]> =>
  (await readPackageApi(files, noPause)).modules;

/** Returns the exported names of a module, each with the place of its declaration. */
const namesOf = ({ symbols, references }: ApiModule): string[] => [
  ...symbols.flatMap(({ name, aliases, place }) =>
    [name, ...aliases].map((each) => `${each} ${place.file}:${place.line}`),
  ),
  ...references.map(({ name, module, as }) => `${name} = ${as} of ${module}`),
];

const one = (files: Readonly<Record<string, string>>, others = {}): Promise<string[]> =>
  read(memoryPackage({ name: 'pkg', exports: './index.d.ts' }, files, others)).then((modules) =>
    modules.flatMap(namesOf),
  );

describe('readPackageApi', () => {
  for (const [what, text, names] of [
    [
      'all kinds of declarations',
      'export declare function a(): void;\nexport declare abstract class B {}\nexport interface C {}\nexport type D = 1;\nexport declare const enum E { x }\nexport declare namespace F { const g: 1; }\nexport declare let h: 1, i: 2;',
      ['a:1', 'B:2', 'C:3', 'D:4', 'E:5', 'F:6', 'F.g:6', 'h:7', 'i:7'],
    ],
    [
      'the names of a file that is no module',
      'declare const a: 1;\ninterface B {}',
      ['a:1', 'B:2'],
    ],
    [
      'all declarations if there is no list of exports',
      'import { X } from "x";\ninterface A {}\nexport interface B {}',
      ['A:2', 'B:3'],
    ],
    [
      'only the listed declarations if there is a list',
      'interface A {}\ninterface B {}\nexport { A as C, type B };',
      ['C:1', 'B:2'],
    ],
    [
      'a default export of a name, a function and a class',
      'declare const a: 1;\nexport { a };\nexport default a;',
      ['a:1', 'default:1'],
    ],
    ['a default export without a name', 'export default function (): void;', ['default:1']],
    [
      'statements without semicolons',
      'export declare const a: string\nexport type B =\n  | 1\n  | 2\nexport declare function c(\n  d: string\n): void\nexport {}',
      ['a:1', 'B:2', 'c:5'],
    ],
    [
      'statements without semicolons that end with a name like a keyword',
      "export declare const a: typeof import('./x').default\nexport declare const b: X.type\nexport declare const c: 1",
      ['a:1', 'b:2', 'c:3'],
    ],
    [
      'names that are keywords elsewhere',
      'export type type = 1;\nexport declare const declare: 1, as: 2, from: 3;\nexport interface namespace {}\nexport { type as default };',
      ['type:1', 'default:1', 'declare:2', 'as:2', 'from:2', 'namespace:3'],
    ],
    ['destructured variables', 'export const { a, b: c }: typeof x;', ['a:1', 'c:1']],
    [
      'what follows types with braces, brackets and templates',
      'export declare function a(x: unknown): x is {\n  b: 1;\n} | string;\nexport declare const c: `${"}"}${`x`}`;\nexport type D<T> = T extends (infer U extends string)[] ? { [K in keyof U]-?: U[K] } : never;\nexport declare const e: unique symbol;\nexport declare let f: import("x", { with: { "resolution-mode": "import" } }).Y;\nexport declare function g(x: unknown): asserts x is string;\nexport declare function h<const T extends readonly string[]>(x: T): void;\nexport declare class I { accessor j: 1; get k(): 1; set k(v: 1); private l; #m; static { } }\nexport type N = new () => void;\nexport type O = abstract new () => void;\nexport type P = Array<<T>(x: T) => T>;\nexport declare const q: 1;',
      ['a:1', 'c:4', 'D:5', 'e:6', 'f:7', 'g:8', 'h:9', 'I:10', 'N:11', 'O:12', 'P:13', 'q:14'],
    ],
    [
      'names after an enum whose values have shifts',
      'export declare enum A { b = 1 << 0, c = 1 << 1, d = b | c }\nexport type E = 1;',
      ['A:1', 'E:2'],
    ],
  ] as const) {
    it(`finds ${what}`, async () => {
      const found = await one({ 'index.d.ts': text });
      assert.deepEqual(
        found,
        names.map((name) => name.replace(':', ' index.d.ts:')),
      );
    });
  }

  for (const [what, text, names] of [
    [
      'regular expressions with marks of strings and brackets',
      'export const a = /["\'`({[]/g;\nexport const b = (text: string): string => text.replace(/`(?:[/`]|\\/)`/, "");\nexport function c(d: number): number {\n  return d / 2 / 3 || /"/.lastIndex;\n}\nexport const e = `${a.replace(/`/g, "")}`, f = 4 / 2;\nexport const g = "/";',
      ['a:1', 'b:2', 'c:3', 'e:6', 'f:6', 'g:7'],
    ],
    [
      'what follows signs that are no brackets',
      'export const a = 1 << 2, b = a < 3;\nexport const c = 1;\nexport function d(e = a < b) {}\nexport const f = 1;',
      ['a:1', 'b:1', 'c:2', 'd:3', 'f:4'],
    ],
    [
      'a default export of an object',
      'export const a = 1;\nexport default { a };',
      ['a:1', 'default:2'],
    ],
    [
      'a default export of a call, which is not the called function',
      'function a(): 1 { return 1; }\nexport default a();\nexport const b = 2;',
      ['b:3', 'default:2'],
    ],
    [
      'a default export of a function without a name',
      'export default async (a) => a',
      ['default:1'],
    ],
    [
      'a default export of a name that is checked',
      'const a = 1;\nexport default a satisfies number;',
      ['default:1'],
    ],
  ] as const) {
    it(`finds the exports of a source file with ${what}`, async () => {
      const [module] = await read(
        memoryPackage({ name: 'pkg', exports: './index.ts' }, { 'index.ts': text }),
      );
      assert.deepEqual(
        module && namesOf(module).toSorted(),
        names.map((name) => name.replace(':', ' index.ts:')),
      );
    });
  }

  it('takes overloads and merged declarations together', async () => {
    const [module] = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        {
          'index.d.ts':
            'export declare function a(): 1;\nexport declare function a(b: 1): 2;\nexport declare namespace a { const c: 1; }\nexport interface D { e: 1 }\nexport interface D { f: 1 }',
        },
      ),
    );
    assert.deepEqual(
      module?.symbols.map(({ name, declarations }) => [name, declarations.length]),
      [
        ['a', 3],
        ['a.c', 1],
        ['D', 2],
      ],
    );
  });

  it('follows re-exports through files to the line of the declaration', async () => {
    const found = await one({
      'index.d.ts':
        "export { b as c } from './b.js';\nexport * from './d.mjs';\nexport { default } from './e';\nimport x, { y } from './f/index.js';\nexport { x, y as z };\nexport * from './g.ts';",
      'b.d.ts': '\nexport declare const b: 1;',
      'd.d.mts': 'export * from "./deeper.d.ts";\nexport declare const d: 1;\nexport default d;',
      'deeper.d.ts': 'export declare const deeper: 1;',
      'e.d.ts': 'declare class E {}\nexport default E;',
      'f/index.d.ts': 'export default interface X {}\nexport type y = 1;',
      'g.d.ts': 'export type G = 1;',
    });
    assert.deepEqual(found.toSorted(), [
      'G g.d.ts:1',
      'c b.d.ts:2',
      'd d.d.mts:2',
      'deeper deeper.d.ts:1',
      'default e.d.ts:1',
      'x f/index.d.ts:1',
      'z f/index.d.ts:2',
    ]);
  });

  it('ends when files export each other', async () => {
    const found = await one({
      'index.d.ts':
        "export * from './a';\nexport * from './index';\nexport { loop } from './a';\nimport { i } from './a';\nexport { i };",
      'a.d.ts':
        "export * from './index';\nexport { loop, i } from './index';\nexport declare const a: 1;",
    });
    assert.deepEqual(found, ['a a.d.ts:3']);
  });

  it('gives a namespace of another file a page of its own, and one of its own file none', async () => {
    const modules = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        {
          'index.d.ts':
            "import * as self from './index.js';\nexport * as tools from './tools.js';\nexport { self };\nexport declare const a: 1;",
          'tools.d.ts': 'export declare const b: 1;',
        },
      ),
    );
    assert.deepEqual(
      modules.map((module) => [module.name, ...namesOf(module)]),
      [
        ['pkg', 'a index.d.ts:4', 'tools = * of pkg.tools', 'self = * of pkg'],
        ['pkg.tools', 'b tools.d.ts:1'],
      ],
    );
  });

  it('knows the lines of names that the page of another module describes', async () => {
    const modules = await read(
      memoryPackage(
        { name: 'pkg', exports: { '.': './index.d.ts', './b': './b.d.ts' } },
        {
          'index.d.ts': "export * from './b.js';\nexport { default as E } from './b.js';",
          'b.d.ts':
            '// b\nexport declare const c: 1;\nexport declare namespace D {\n  const d: 1;\n}\nexport default class E {}',
        },
      ),
    );
    const b = modules.find(({ name }) => name === 'pkg/b');
    assert.deepEqual(
      b?.references.map(
        ({ name, module, place }) => `${name} of ${module} ${place.file}:${place.line}`,
      ),
      ['c of pkg b.d.ts:2', 'D of pkg b.d.ts:3', 'default of pkg b.d.ts:6'],
    );
  });

  it('says from which package a name comes that it cannot read', async () => {
    const found = await one({
      'index.d.ts':
        "export { a as b, default as c } from '@x/y';\nimport * as d from 'd/e';\nexport { d };",
    });
    assert.deepEqual(found, ['b = a of @x/y', 'c = default of @x/y', 'd = * of d/e']);
  });

  it('reads names of another package in that package', async () => {
    const core = memoryPackage(
      { name: 'core', exports: { '.': { types: './c.d.ts' } } },
      { 'c.d.ts': '\n\nexport declare class Client {}' },
    );
    const [module] = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        { 'index.d.ts': "export * from 'core';\nexport * from 'absent';" },
        { core },
      ),
    );
    assert.deepEqual(
      module?.symbols.map(({ name, place }) => ({ name, ...place })),
      [{ name: 'Client', file: 'c.d.ts', line: 3, package: 'core' }],
    );
    assert.deepEqual(module.wholePackages, ['absent']);
  });

  it('reads each version of another package where its importer finds it', async () => {
    const versionOf = (version: string): PackageFiles =>
      memoryPackage(
        { name: 'core', exports: './c.d.ts' },
        {
          'c.d.ts': `export declare const a: ${version};\nexport declare const only${version}: 1;`,
        },
      );
    const middle = memoryPackage(
      { name: 'middle', exports: './m.d.ts' },
      { 'm.d.ts': "export * from 'core';" },
      { core: versionOf('1') },
    );
    const [module] = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        { 'index.d.ts': "export * from 'middle';\nexport { a as b, only2 } from 'core';" },
        { middle, core: versionOf('2') },
      ),
    );
    assert.deepEqual(
      module?.symbols.map(({ name, declarations: [first] }) => [name, first?.signature]),
      [
        ['b', 'const a: 2'],
        ['only2', 'const only2: 1'],
        ['a', 'const a: 1'],
        ['only1', 'const only1: 1'],
      ],
    );
  });

  it('has a module of another package at the file that exports it, with its own place', async () => {
    const core = memoryPackage(
      { name: 'core', exports: './c.d.ts' },
      { 'c.d.ts': 'export declare class Client {}' },
    );
    const modules = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        { 'index.d.ts': "export * as core from 'core';" },
        { core },
      ),
    );
    assert.deepEqual(
      modules.map(({ name, file, place }) => ({ name, file, place })),
      [
        {
          name: 'pkg',
          file: 'index.d.ts',
          place: { file: 'index.d.ts', line: 1, package: undefined },
        },
        {
          name: 'pkg.core',
          file: 'index.d.ts',
          place: { file: 'c.d.ts', line: 1, package: 'core' },
        },
      ],
    );
  });

  it('finds the names of a namespace that is the module itself', async () => {
    assert.deepEqual(
      await one({
        'index.d.ts':
          'export = fn;\ndeclare function fn(): void;\ndeclare namespace fn {\n  interface Options {}\n  namespace inner { const deep: 1; }\n  export import alias = inner.deep;\n}',
      }),
      [
        'fn index.d.ts:2',
        'Options index.d.ts:4',
        'inner index.d.ts:5',
        'inner.deep index.d.ts:5',
        'alias index.d.ts:5',
      ],
    );
  });

  it('joins the parts of a namespace that is the module itself', async () => {
    const found = await one({
      'index.d.ts':
        'declare namespace a.b { type c = 1; }\ndeclare namespace a.b { type d = 1; }\ndeclare namespace a { interface b {} }\nexport = a;',
    });
    assert.deepEqual(found, ['b index.d.ts:1', 'b.c index.d.ts:1', 'b.d index.d.ts:2']);
  });

  it('finds global names of a file that a reference leads to', async () => {
    assert.deepEqual(
      await one({
        'index.d.ts': '/// <reference path="./global.d.ts" />\nexport = acme;',
        'global.d.ts': 'declare function acme(): void;\ndeclare namespace acme { const a: 1; }',
      }),
      ['acme global.d.ts:1', 'a global.d.ts:2'],
    );
  });

  it('finds ambient modules, also those that a reference leads to', async () => {
    const modules = await read(
      memoryPackage(
        { name: '@types/pkg', exports: './index.d.ts' },
        {
          'index.d.ts':
            '/// <reference path="./more.d.ts" />\ndeclare module "pkg" {\n  const a: 1;\n  global { interface Window { b: 1 } }\n}',
          'more.d.ts':
            'declare module "pkg/more" {\n  export * from "pkg";\n  export const c: 1;\n}\ndeclare module "*.svg" { const d: 1; }',
        },
      ),
    );
    assert.deepEqual(
      modules.map((module) => [module.name, ...namesOf(module)]),
      [
        ['pkg', 'a index.d.ts:3', 'Window index.d.ts:4'],
        ['pkg/more', 'c more.d.ts:3', 'a = a of pkg'],
      ],
    );
  });

  it('tells that it left out modules that are over the limit', async () => {
    const module = (_: unknown, index: number): string =>
      `declare module "pkg/m${index}" { const a: 1; }`;
    const text = Array.from({ length: 3001 }, module).join('\n');
    const files = memoryPackage({ name: 'pkg', types: 'index.d.ts' }, { 'index.d.ts': text });
    const { modules, problems } = await readPackageApi(files, noPause);
    assert.equal(modules.length, 3000);
    assert.deepEqual(problems, [
      'pkg exports too much, so the last names and modules are left out.',
    ]);
  });

  it('leaves out names of the same index before other modules', async () => {
    const module = (name: string): string => `declare module "pkg/${name}" { const a: 1; }`;
    const names = Array.from({ length: 2999 }, (_, index) => `m${index}`);
    const text = ['a/index', 'a/index.js', 'a', ...names].map(module).join('\n');
    const files = memoryPackage({ name: 'pkg', types: 'index.d.ts' }, { 'index.d.ts': text });
    const { modules } = await readPackageApi(files, noPause);
    assert.deepEqual(
      modules
        .slice(0, 1)
        .concat(modules.slice(-1))
        .map(({ name }) => name),
      ['pkg/a', 'pkg/m2998'],
    );
  });

  it('marks what is added to other modules and to the global names', async () => {
    const [module] = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        {
          'index.d.ts':
            'export {};\ndeclare module "host" { interface Host { a: 1 } }\ndeclare global { var b: 1; }',
        },
      ),
    );
    assert.deepEqual(
      module?.symbols.map(({ name, access, target }) => [name, access, target]),
      [
        ['b', 'global', undefined],
        ['Host', 'augmentation', 'host'],
      ],
    );
  });

  it('exports what a module adds to itself', async () => {
    const [module] = await read(
      memoryPackage(
        { name: 'pkg', types: 'index.d.ts' },
        {
          'index.d.ts':
            'declare module "pkg" { export function a(): void; interface B { c: 1 } }\nexport interface B { d: 1 }',
        },
      ),
    );
    assert.deepEqual(
      module?.symbols.map(({ name, access, declarations }) => [name, access, declarations.length]),
      [
        ['B', 'export', 2],
        ['a', 'export', 1],
      ],
    );
  });

  it('adds types with documented fields that only appear in exported signatures', async () => {
    const [module] = await read(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        {
          'index.d.ts':
            'interface Inner { /** Time. */ timeout: number }\ninterface Plain { a: 1 }\ninterface Unused { /** Time. */ b: 1 }\nexport declare function run(options: Inner & Plain): void;\nexport {};',
        },
      ),
    );
    assert.deepEqual(
      module?.symbols.map(({ name, access }) => [name, access]),
      [
        ['run', 'export'],
        ['Inner', 'internal'],
      ],
    );
  });

  it('reads what can be read of a broken file, and tells the line of the rest', async () => {
    const { modules, problems } = await readPackageApi(
      memoryPackage(
        { name: 'pkg', exports: './index.d.ts' },
        {
          'index.d.ts':
            'export declare const a: 1;\n}}) >>> ???;\nexport declare const b: 2;\nexport interface C { d: (',
        },
      ),
      noPause,
    );
    assert.deepEqual(modules.flatMap(namesOf), [
      'a index.d.ts:1',
      'b index.d.ts:3',
      'C index.d.ts:4',
    ]);
    assert.deepEqual(problems, ["index.d.ts:2 can't be read as a declaration."]);
  });

  for (const [what, manifest] of [
    ['broken', '{ "name": '],
    ['no object', '[1]'],
    ['of wrong types', '{ "name": 5, "types": {}, "exports": 7, "version": [] }'],
  ] as const) {
    it(`has no module and does not fail if the package.json is ${what}`, async () => {
      assert.deepEqual(await read(memoryPackage(manifest, {})), []);
    });
  }

  it('keeps names that an object has by itself apart', async () => {
    assert.deepEqual(
      await one({
        'index.d.ts': 'declare const __proto__: 1;\ndeclare const constructor: 2;\nexport {};',
      }),
      [],
    );
    assert.deepEqual(
      await one({
        'index.d.ts': 'export declare const __proto__: 1;\nexport declare const constructor: 2;',
      }),
      ['__proto__ index.d.ts:1', 'constructor index.d.ts:2'],
    );
  });
});

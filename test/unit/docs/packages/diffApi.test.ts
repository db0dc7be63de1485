import assert from 'node:assert/strict';
import { apiPaths } from '../../../../src/docs/packages/apiPaths';
import {
  type ApiChange,
  apiChangeKinds,
  type ApiSide,
  diffApi,
} from '../../../../src/docs/packages/diffApi';
import { readPackageApi } from '../../../../src/docs/pages/types/apiModules';
import { apiNames } from '../../../../src/docs/pages/types/apiNames';
import { memoryPackage } from '../../../fakes/memoryPackage';

/** Returns the API of a package with one module, or with a module for each file that it exports. */
async function sideOf(files: string | Readonly<Record<string, string>>): Promise<ApiSide> {
  const all = typeof files === 'string' ? { 'index.d.ts': files } : files;
  const exports = Object.fromEntries(
    Object.keys(all)
      .filter((file) => !file.startsWith('internal'))
      .map((file) => [file === 'index.d.ts' ? '.' : `./${file.slice(0, -5)}`, `./${file}`]),
  );
  const api = await readPackageApi(memoryPackage({ name: 'pkg', exports }, all), () =>
    Promise.resolve(),
  );
  const wholly = api.modules.filter(({ wholePackages }) => wholePackages.length > 0);
  return { paths: apiPaths(apiNames(api)), incomplete: new Set(wholly.map(({ name }) => name)) };
}

function lineOf(kind: string, { paths, older, newer, replacement }: ApiChange): string {
  const names = paths.map(({ module, name }) => (module === 'pkg' ? name : `${module}:${name}`));
  const told = {
    removed: replacement ? `, use ${replacement.name}` : '',
    deprecated: `: ${newer?.deprecated}`,
    defaultChanged: `: ${older?.defaultValue} > ${newer?.defaultValue}`,
  };
  return `${kind} ${names.join(' = ')}${Object.entries(told).find(([each]) => each === kind)?.[1] ?? ''}`;
}

type Files = string | Readonly<Record<string, string>>;

/** Returns the differences as lines. */
async function diffOf(older: Files, newer: Files): Promise<string[]> {
  const diff = diffApi(await sideOf(older), await sideOf(newer));
  return apiChangeKinds.flatMap((kind) => diff[kind].map((change) => lineOf(kind, change)));
}

const cases: readonly (readonly [string, Files, Files, readonly string[]])[] = [
  [
    'added and removed names, without the members of removed ones',
    'export interface A { x: 1 }\nexport declare const b: 1;',
    'export interface C { y: 1 }\nexport declare const b: 1;',
    ['removed A', 'added C'],
  ],
  [
    'no name as part of the module itself that only another name in it has',
    'declare function a(): void;\ndeclare namespace a { const b: 1; function a(): void; namespace a { const b: 1; } }\nexport = a;',
    'declare function a(): void;\ndeclare namespace a { const b: 1; function a(): void; }\nexport = a;',
    ['removed a.b', 'signatureChanged a'],
  ],
  [
    'no changed signature where the docs of a name begin',
    'export { a } from "other";\nexport { b } from "other";',
    'export declare const a: 1;\nexport { b } from "other";',
    [],
  ],
  [
    'added and removed members',
    'export interface A { x: 1; y: 2 }',
    'export interface A { y: 2; z: 3 }',
    ['removed A.x', 'added A.z'],
  ],
  [
    'no removed member where a base type can have it',
    'export interface A { x: 1; y: 2 }',
    'interface B { x: 1 }\nexport interface A extends B { y: 2 }',
    ['signatureChanged A', 'added B'],
  ],
  [
    'removed members of a class with a type parameter that extends another',
    'export declare class A<T extends Map<string, () => void>> { x: T; y: 2 }',
    'export declare class A<T extends Map<string, () => void>> { y: 2 }',
    ['removed A.x'],
  ],
  [
    'no removed field where only its comment is gone',
    'export type A = {\n/** Documented. */\nx: 1 };\nexport declare function f(a: {\n/** Documented. */\nx: 1 }): void;',
    'export type A = { x: 1 };\nexport declare function f(a: { x: 1 }): void;',
    [],
  ],
  [
    'a name whose deprecation named the new one',
    '/** @deprecated Use `start` instead. */\nexport declare function run(): void;',
    'export declare function start(options: {}): void;',
    ['removed run, use start', 'added start'],
  ],
  [
    'a deprecated member with its new name',
    'export interface A {\n/** @deprecated renamed to {@link b}. */\na: 1 }',
    'export interface A { b: 2 }',
    ['removed A.a, use A.b', 'added A.b'],
  ],
  [
    'no new name where only the signatures are equal',
    'export declare function one(a: string, b: number): Promise<void>;',
    'export declare function two(a: string, b: number): Promise<void>;',
    ['removed one', 'added two'],
  ],
  [
    'a name that is deprecated now',
    'export declare const a: 1;',
    '/** @deprecated Use b. */\nexport declare const a: 1;',
    ['deprecated a: Use b.'],
  ],
  [
    'changed signatures, but no changed format',
    'export declare function a(b: 1): void;\nexport declare function c(d: 1): void;',
    'export declare function a(\n  b: 1,\n): void;\nexport declare function c(d: 2): void;',
    ['signatureChanged c'],
  ],
  [
    'a default that a tag or a sentence gives, but none that only one version gives',
    'export interface A {\n/** @default 1 */ a?: number;\n/** Defaults to `1`. */ b?: number;\n/** A number. */ c?: number }',
    'export interface A {\n/** @defaultValue `2` */ a?: number;\n/** Defaults to `3`. */ b?: number;\n/** Defaults to `4`. */ c?: number }',
    ['defaultChanged A.a: 1 > 2', 'defaultChanged A.b: 1 > 3'],
  ],
  [
    'no names that cannot be imported',
    'interface A { /** x */ a: 1 }\nexport declare function f(a: A): void;\nexport {};',
    'interface B { /** x */ b: 1 }\nexport declare function f(a: A): void;\nexport {};',
    [],
  ],
  [
    'one difference for all paths that lead to a name',
    {
      'index.d.ts':
        "export * from './internal';\nimport * as z from './internal';\nexport { z };\nexport default z;",
      'internal.d.ts': 'export declare const a: 1;\nexport declare const b: 1;',
    },
    {
      'index.d.ts':
        "export * from './internal';\nimport * as z from './internal';\nexport { z };\nexport default z;",
      'internal.d.ts': 'export declare const b: 1;',
    },
    ['removed a = z.a = default.a'],
  ],
  [
    'differences of a module that another one exports under a name',
    {
      'index.d.ts': "export * as sub from './sub';",
      'sub.d.ts': 'export declare const a: 1;\nexport declare const b: 1;',
    },
    {
      'index.d.ts': "export * as sub from './sub';",
      'sub.d.ts': 'export declare const b: 1;',
    },
    ['removed pkg/sub:a = sub.a'],
  ],
  [
    'nothing if only the module that describes a name is another one',
    {
      'index.d.ts': 'export interface A { a: 1; b: 1 }',
      'sub.d.ts': "export { A } from './index';",
    },
    {
      'index.d.ts': "export { A } from './internal';",
      'sub.d.ts': "export { A } from './internal';",
      'internal.d.ts': 'export interface A { a: 1; b: 1 }',
    },
    [],
  ],
  [
    'no missing names where all of an unknown package is exported',
    'export declare const a: 1;\nexport declare const b: 1;',
    "export * from 'other';\nexport declare const b: 1;\nexport declare const c: 1;",
    ['added c'],
  ],
];

describe('diffApi', () => {
  for (const [what, older, newer, expected] of cases) {
    it(`finds ${what}`, async () => {
      assert.deepEqual(await diffOf(older, newer), expected);
    });
  }
});

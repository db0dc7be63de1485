import assert from 'node:assert/strict';
import { diffApi } from '../../../../src/docs/packages/diffApi';
import { readPackageApi } from '../../../../src/docs/pages/types/apiModules';
import { type ApiName, apiNames } from '../../../../src/docs/pages/types/apiNames';
import { memoryPackage } from '../../../fakes/memoryPackage';

async function namesOf(text: string): Promise<ApiName[]> {
  const files = memoryPackage({ name: 'pkg', exports: './index.d.ts' }, { 'index.d.ts': text });
  return apiNames(await readPackageApi(files, () => Promise.resolve()));
}

/** Returns the differences as lines. */
async function diffOf(older: string, newer: string): Promise<string[]> {
  const diff = diffApi(await namesOf(older), await namesOf(newer));
  return [
    ...diff.added.map(({ name }) => `+ ${name}`),
    ...diff.removed.map(({ name }) => `- ${name}`),
    ...diff.renamed.map((each) => `${each.older.name} > ${each.newer.name} (${each.because})`),
    ...diff.deprecated.map(({ newer: name }) => `old ${name.name}: ${name.deprecated}`),
    ...diff.signatureChanged.map(({ newer: name }) => `changed ${name.name}`),
    ...diff.defaultChanged.map(
      (each) =>
        `default ${each.newer.name}: ${each.older.defaultValue} > ${each.newer.defaultValue}`,
    ),
  ];
}

describe('diffApi', () => {
  for (const [what, older, newer, expected] of [
    [
      'added and removed names, without the members of removed ones',
      'export interface A { x: 1 }\nexport declare const b: 1;',
      'export interface C { y: 1 }\nexport declare const b: 1;',
      ['+ C', '- A'],
    ],
    [
      'added and removed members',
      'export interface A { x: 1; y: 2 }',
      'export interface A { y: 2; z: 3 }',
      ['+ A.z', '- A.x'],
    ],
    [
      'a name whose deprecation named the new one',
      '/** @deprecated Use `start` instead. */\nexport declare function run(): void;',
      'export declare function start(options: {}): void;',
      ['run > start (deprecation)'],
    ],
    [
      'a deprecated member with its new name',
      'export interface A {\n/** @deprecated renamed to {@link b}. */\na: 1 }',
      'export interface A { b: 2 }',
      ['A.a > A.b (deprecation)'],
    ],
    [
      'a name with an equal signature',
      'export declare function one(a: string, b: number): one;',
      'export declare function two(a: string,\n  b: number,\n): two;',
      ['one > two (signature)'],
    ],
    [
      'no new name where two are possible',
      'export declare function one(a: string, b: number): void;',
      'export declare function two(a: string, b: number): void;\nexport declare function three(a: string, b: number): void;',
      ['+ two', '+ three', '- one'],
    ],
    [
      'a name that is deprecated now',
      'export declare const a: 1;',
      '/** @deprecated Use b. */\nexport declare const a: 1;',
      ['old a: Use b.'],
    ],
    [
      'changed signatures, but no changed format',
      'export declare function a(b: 1): void;\nexport declare function c(d: 1): void;',
      'export declare function a(\n  b: 1,\n): void;\nexport declare function c(d: 2): void;',
      ['changed c'],
    ],
    [
      'a default that a tag or a sentence gives',
      'export interface A {\n/** @default 1 */ a?: number;\n/** Defaults to `1`. */ b?: number }',
      'export interface A {\n/** @defaultValue `2` */ a?: number;\n/** Defaults to `3`. */ b?: number }',
      ['default A.a: 1 > 2', 'default A.b: 1 > 3'],
    ],
    [
      'no names that cannot be imported',
      'interface A { /** x */ a: 1 }\nexport declare function f(a: A): void;\nexport {};',
      'interface B { /** x */ b: 1 }\nexport declare function f(a: A): void;\nexport {};',
      [],
    ],
  ] as const) {
    it(`finds ${what}`, async () => {
      assert.deepEqual(await diffOf(older, newer), expected);
    });
  }
});

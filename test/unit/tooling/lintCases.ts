/** Code that breaks one rule of lint each. A rule that needs more than one case has them as a list. */
type Cases = Record<string, string | readonly string[]>;

/** Rules of typescript-eslint, most of which need types; the code is in a file of `src/common`. */
export const typescriptCases: Cases = {
  'await-thenable': 'export const run = async () => {\n  await 1;\n};',
  'ban-ts-comment': [
    '// @ts-ignore\nexport const a = 1;',
    '// @ts-expect-error short\nexport const a: string = 1;',
  ],
  'consistent-type-imports':
    "import { Shape } from './shapes';\nexport const shape = (one: Shape) => one;",
  'no-array-delete': 'export const drop = (list: string[]) => {\n  delete list[0];\n};',
  'no-base-to-string': 'export const text = (one: object) => String(one);',
  'no-confusing-void-expression':
    'declare const write: () => void;\nexport const run = () => {\n  const done = write();\n  return [done];\n};',
  'no-deprecated':
    '/** @deprecated Use another. */\ndeclare const old: () => number;\nexport const value = old();',
  'no-duplicate-enum-values': 'export enum Way {\n  On = 1,\n  Off = 1,\n}',
  'no-duplicate-type-constituents': 'export type Name = string | string;',
  'no-dynamic-delete':
    'export const drop = (map: Record<string, number>, key: string) => {\n  delete map[key];\n};',
  'no-empty-object-type': 'export const take = (one: {}) => [one];',
  'no-explicit-any': 'export const take = (one: any) => [one as unknown];',
  'no-extra-non-null-assertion': 'export const take = (one: string | null) => one!!.length;',
  'no-extraneous-class': 'export class Names {\n  static first = 1;\n}',
  'no-floating-promises':
    'declare const send: () => Promise<void>;\nexport const run = () => {\n  send();\n};',
  'no-for-in-array':
    'export const run = (list: string[]) => {\n  for (const key in list) list.push(key);\n};',
  'no-generated-empty-object-type': "export type Rest = Omit<{ one: string }, 'one'>;",
  'no-implied-eval':
    "declare const setTimeout: (code: string) => void;\nexport const run = () => {\n  new Function('a', 'return a');\n  setTimeout('1');\n};",
  'no-invalid-void-type': 'export const take = (one: string | void) => [one];',
  'no-meaningless-void-operator':
    'declare const write: () => void;\nexport const run = () => {\n  void write();\n};',
  'no-misused-new': 'export interface Shape {\n  new (): Shape;\n}',
  'no-misused-promises': [
    'declare const ask: () => Promise<boolean>;\nexport const run = () => (ask() ? 1 : 2);',
    'declare const ask: () => Promise<void>;\nexport const run = (list: string[]) => {\n  list.forEach(async () => {\n    await ask();\n  });\n};',
  ],
  'no-misused-spread': 'export const copy = (list: string[]) => ({ ...list });',
  'no-mixed-enums': "export enum Way {\n  On = 1,\n  Off = 'off',\n}",
  'no-namespace': 'export namespace Names {\n  export const one = 1;\n}',
  'no-non-null-asserted-nullish-coalescing':
    'export const take = (one: { two: string | null }) => one.two! ?? 2;',
  'no-non-null-asserted-optional-chain':
    'export const take = (one: { two?: string } | null) => one?.two!;',
  'no-non-null-assertion': 'export const take = (one: string | null) => one!.length;',
  'no-redundant-type-constituents': 'export type Name = string | unknown;',
  'no-require-imports': "import fs = require('./shapes');\nexport { fs };",
  'no-this-alias':
    'export class Names {\n  one = 1;\n  run() {\n    const self = this;\n    return self.one;\n  }\n}',
  'no-unnecessary-boolean-literal-compare': 'export const take = (one: boolean) => one === true;',
  'no-unnecessary-condition': [
    'export const take = (one: { two: string }) => (one ? 1 : 2);',
    'export const take = (one: { two: string }) => one?.two;',
    'export const take = (one: string) => one ?? 2;',
    "export const take = (one: 'a' | 'b') => (one === 'a' ? 1 : one === 'a' ? 2 : 3);",
    'export const take = (list: string[]) => list.filter((one) => one.length > 1 || null === one);',
  ],
  'no-unnecessary-template-expression': "export const text = `${'one'} two`;",
  'no-unnecessary-type-arguments':
    'declare const make: <T = string>(one?: T) => T;\nexport const made = make<string>();',
  'no-unnecessary-type-assertion': [
    'export const take = (one: string) => (one as string).length;',
    'export const take = (one: string) => one!.length;',
  ],
  'no-unnecessary-type-constraint':
    'export const take = <T extends unknown>(one: T) => [one, one];',
  'no-unnecessary-type-conversion': 'export const take = (one: string) => String(one);',
  'no-unnecessary-type-parameters': 'export const take = <T>(one: T) => [String(one)];',
  'no-unsafe-argument':
    'declare const all: any;\nexport const run = (take: (one: string) => number) => take(all);',
  'no-unsafe-assignment': 'declare const all: any;\nexport const one: string = all;',
  'no-unsafe-call': 'declare const all: any;\nexport const run = (): unknown => all();',
  'no-unsafe-declaration-merging':
    'export interface Shape {\n  one: string;\n}\nexport class Shape {\n  two = 2;\n}',
  'no-unsafe-enum-comparison':
    'enum Way {\n  On,\n  Off,\n}\nexport const is = (way: Way, one: number) => way === one;',
  'no-unsafe-function-type': 'export const take = (one: Function) => [one];',
  'no-unsafe-member-access': 'declare const all: any;\nexport const one: unknown = all.two;',
  'no-unsafe-return': 'declare const all: any;\nexport const run = () => all;',
  'no-unsafe-unary-minus': 'export const take = (one: string) => -one;',
  'no-useless-default-assignment':
    "export const take = ({ one = 'a' }: { one: string }) => one.length;",
  'no-wrapper-object-types': 'export const take = (one: String) => [one];',
  'only-throw-error': "export const run = () => {\n  throw 'no';\n};",
  'prefer-as-const': "export const one = 'a' as 'a';",
  'prefer-literal-enum-member': 'const one = 1;\nexport enum Way {\n  On = one,\n}',
  'prefer-namespace-keyword': 'declare module Names {\n  const one: number;\n}\nexport {};',
  'prefer-promise-reject-errors': "export const run = () => Promise.reject('no');",
  'prefer-reduce-type-parameter':
    'export const run = (list: string[]) =>\n  list.reduce((all, one) => [...all, one], [] as string[]);',
  'prefer-return-this-type': 'export class Names {\n  run(): Names {\n    return this;\n  }\n}',
  'related-getter-setter-pairs':
    'export interface Shape {\n  get one(): string | number;\n  set one(value: string);\n}',
  'require-await': 'export const run = async () => 1;',
  'restrict-plus-operands': "export const take = (one: number) => one + 'a';",
  'restrict-template-expressions': 'export const take = (one: string[]) => `${one} two`;',
  'return-await':
    'declare const send: () => Promise<void>;\nexport const run = async () => {\n  try {\n    return send();\n  } catch {\n    return undefined;\n  }\n};',
  'switch-exhaustiveness-check':
    "export const take = (one: 'a' | 'b') => {\n  switch (one) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n};",
  'triple-slash-reference': '/// <reference path="./shapes.ts" />\nexport const one = 1;',
  'unbound-method':
    'class Names {\n  one = 1;\n  run() {\n    return this.one;\n  }\n}\nexport const { run } = new Names();',
  'unified-signatures':
    'export declare function run(one: string): void;\nexport declare function run(one: number): void;',
  'use-unknown-in-catch-callback-variable':
    'declare const send: () => Promise<void>;\nexport const run = () => send().catch((error) => [error]);',
};

/** Core rules with options of ours, and some that need the flow of the code. */
export const coreCases: Cases = {
  'max-lines': `export const one = 1;${'\n'.repeat(701)}export const two = 2;`,
  'no-array-constructor': 'export const list = new Array(1, 2);',
  'no-console': "console.log('one');\nexport {};",
  'no-control-regex': 'export const one = /\\x00/;',
  'no-fallthrough':
    'export const take = (one: number) => {\n  let two = 0;\n  switch (one) {\n    case 1:\n      two = 1;\n    default:\n      two += 2;\n  }\n  return two;\n};',
  'no-unused-expressions': 'export const take = (one: string) => {\n  one.length;\n};',
  'no-unused-vars': [
    'const one = 1;\nexport {};',
    'export const take = (one: string, two: string) => one.length;',
    'export const run = () => {\n  try {\n    return 1;\n  } catch (error) {\n    return 2;\n  }\n};',
  ],
  'no-useless-assignment':
    'export const take = (one: number) => {\n  let two = one;\n  two = 1;\n  return two;\n};',
  'no-useless-constructor': 'export class Names {\n  one = 1;\n  constructor() {}\n}',
  'no-var': 'export var one = 1;',
  'prefer-const': 'let one = 1;\nexport const two = one;',
  'prefer-rest-params': 'export function run() {\n  return [...arguments] as unknown[];\n}',
  'prefer-spread':
    'export const run = (one: (...all: unknown[]) => void, all: unknown[]) => {\n  one.apply(undefined, all);\n};',
  'preserve-caught-error':
    "export const run = () => {\n  try {\n    return JSON.parse('') as unknown;\n  } catch (error) {\n    throw new Error(`no: ${String(error)}`);\n  }\n};",
};

/** Code that test files must not contain. */
export const testCases: Cases = {
  'no-disabled-tests': [
    "it.skip('one', () => {\n  console.log();\n});",
    "describe.skip('all', () => {\n  it('one', () => {});\n});",
    "xit('one', () => {});",
    "xdescribe('all', () => {\n  it('one', () => {});\n});",
    "it('one');",
  ],
  'no-focused-tests': [
    "it.only('one', () => {});",
    "describe.only('all', () => {\n  it('one', () => {});\n});",
  ],
  'no-identical-title': [
    "it('one', () => {});\nit('one', () => {});",
    "describe('all', () => {\n  it('one', () => {});\n});\ndescribe('all', () => {\n  it('two', () => {});\n});",
  ],
};

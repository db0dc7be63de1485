import assert from 'node:assert/strict';
import { visibleText } from '../../../../../src/shared/characters';
import type { DocsPage } from '../../../../../src/docs/pages/page';
import { readPackageApi } from '../../../../../src/docs/pages/types/apiModules';
import { apiPages } from '../../../../../src/docs/pages/types/apiPages';
import { memoryPackage } from '../../../../fakes/memoryPackage';

const noPause = (): Promise<void> => Promise.resolve();

const manifest = { name: 'pkg', version: '1.2.3', exports: './index.d.ts' };

async function pagesOf(
  files: Readonly<Record<string, string>>,
  dependencies: Parameters<typeof memoryPackage>[2] = {},
): Promise<DocsPage[]> {
  const read = memoryPackage(manifest, files, dependencies);
  return apiPages(await readPackageApi(read, noPause), noPause);
}

/** Returns the Markdown of a page's sections by their headings. */
async function sectionsOf(text: string): Promise<Record<string, string>> {
  const pages = await pagesOf({ 'index.d.ts': text });
  return Object.fromEntries(
    pages.flatMap(({ sections }) =>
      sections.map(({ heading, blocks }) => [
        heading,
        blocks.map(({ markdown }) => markdown).join('\n\n'),
      ]),
    ),
  );
}

describe('apiPages', () => {
  it('writes a name with its deprecation first, its signature and all that its doc comment says', async () => {
    const { run } = await sectionsOf(`
      /**
       * Runs {@link Task tasks}, see {@link https://example.com/run | the guide} and \`a {@link b}\`.
       *
       * @deprecated Use {@link start} instead.
       * @param name - The name,
       *   in two lines.
       * @param [options] {@linkcode Options}
       * @returns {Promise<string>} A \`string\`.
       * @throws {RangeError} if it is late.
       * @remarks Remember this.
       * @defaultValue \`5\`
       * @see other
       * @since 2.0.0
       * @category Hidden
       * @example
       * run('a'); // @ts-check
       * @example With a fence
       * \`\`\`js
       * @decorator
       * run('b');
       * \`\`\`
       */
      export declare function run(
          name: string, // The name
          options?: Options,
      ): Promise<string>;
    `);
    assert.equal(
      run,
      [
        '**Deprecated.** Use `start` instead.',
        '```ts\nfunction run(\n    name: string,\n    options?: Options,\n): Promise<string>\n```',
        'Runs tasks, see [the guide](https://example.com/run) and `a {@link b}`.',
        '**Default:** `5`',
        'Remember this.',
        '**Parameters**',
        '- `name`: The name,\n    in two lines.\n- `[options]`: `Options`',
        '**Returns** A `string`.',
        '**Throws** `RangeError` if it is late.',
        '**See** other',
        '**Since** 2.0.0',
        '**Example**',
        "```ts\nrun('a'); // @ts-check\n```",
        '**Example**',
        'With a fence',
        "```js\n@decorator\nrun('b');\n```",
      ].join('\n\n'),
    );
  });

  it('reads parameters whose types and defaults have brackets in brackets', async () => {
    const { cors } = await sectionsOf(`
      /**
       * @param {{ origin?: string, methods: string[] }} [options] - The options.
       * @param {string[]} [options.methods=['GET', 'HEAD']] - The methods.
       * @param {string[]} [open=['GET'] - Never closed.
       * @param {{ a: { b: string } last no type
       * @returns {Promise<{ ok: boolean }>} - Whether it is fine.
       * @throws {{ code: number }} if it isn't.
       * @throws when it is late.
       */
      export declare function cors(options: object): object;
    `);
    assert.equal(
      cors,
      [
        '```ts\nfunction cors(options: object): object\n```',
        '**Parameters**',
        [
          '- `[options]`: The options.',
          "- `[options.methods=['GET', 'HEAD']]`: The methods.",
          "- `[open=['GET']`: Never closed.",
          '- `{{`: a: { b: string } last no type',
        ].join('\n'),
        '**Returns** Whether it is fine.',
        "**Throws** `{ code: number }` if it isn't.",
        '**Throws** when it is late.',
      ].join('\n\n'),
    );
  });

  it('keeps the indentation of code and lists in a doc comment without stars', async () => {
    const { run } = await sectionsOf(`
      /**
      Runs tasks:

      * first
        * second

      @param name - The name,
        in two lines.
      @example
      \`\`\`
      run({
        name: 'a',
      });
      \`\`\`
      */
      export declare function run(options: object): void;
    `);
    assert.equal(
      run,
      [
        '```ts\nfunction run(options: object): void\n```',
        'Runs tasks:',
        '* first\n  * second',
        '**Parameters**',
        '- `name`: The name,\n    in two lines.',
        '**Example**',
        "```\nrun({\n  name: 'a',\n});\n```",
      ].join('\n\n'),
    );
  });

  it('reads a parameter whose type comes after its name or after more than one space', async () => {
    const { run } = await sectionsOf(`
      /**
       * @param   {string}   one first
       * @param two {{ a: number }} - second
       * @param three { String } third
       * @param {Set<string> } four
       */
      export declare function run(one: string, two: object, three: string): void;
    `);
    assert.match(run ?? '', /- `one`: first\n- `two`: second\n- `three`: third\n- `four`$/);
  });

  it('shows {@code …} as code, and a link in a code span by its target', async () => {
    const { run } = await sectionsOf(`
      /**
       * Quotes {@code $} in {@code Array<string>}. Takes all options of \`{@link start}\`
       * and \`{@linkcode stop()}\`, but not \`{@link https://example.com}\`.
       */
      export declare function run(): void;
    `);
    assert.match(
      run ?? '',
      /Quotes `\$` in `Array<string>`\. Takes all options of `start`\nand `stop\(\)`, but not `\{@link https:/,
    );
  });

  it('leaves out {@inheritDoc}, as it does the tag', async () => {
    const sections = await sectionsOf(`
      /** {@inheritDoc (Base:interface).check} */
      export declare function check(): void;
      /**
       * Runs.
       * {@inheritDoc}
       */
      export declare function run(): void;
    `);
    assert.equal(sections['check'], '```ts\nfunction check(): void\n```');
    assert.equal(sections['run'], '```ts\nfunction run(): void\n```\n\nRuns.');
  });

  it('says once what the @overload tags of one comment say', async () => {
    const { parse } = await sectionsOf(`
      /**
       * Parses.
       *
       * @overload
       * @param {string} value Text.
       * @param {string} encoding
       * @returns {Tree} Tree.
       *
       * @overload
       * @param {string} value Text.
       * @returns {Tree} Tree.
       *
       * @param {string} value Text.
       * @param {string} [encoding] How it is written.
       * @param {string} more
       * @returns {Tree} Tree.
       */
      export declare function parse(value: string, encoding: string): Tree;
      export declare function parse(value: string): Tree;
    `);
    assert.equal(
      parse?.slice(parse.indexOf('Parses.')),
      [
        'Parses.',
        '**Parameters**',
        '- `value`: Text.\n- `[encoding]`: How it is written.\n- `more`',
        '**Returns** Tree.',
      ].join('\n\n'),
    );
  });

  it('names the target of a link in a default value', async () => {
    const { Options } = await sectionsOf(`
      export interface Options {
        /** @default {@link Level.INFO} */
        level?: Level;
        /** @defaultValue \`[{@link string}, {@link https://example.com/number | number}]\` */
        types?: unknown[];
      }
    `);
    assert.match(Options ?? '', /\*\*Default:\*\* `Level\.INFO`\n/);
    assert.match(Options ?? '', /\*\*Default:\*\* `\[string, number\]`$/);
  });

  it('takes the first paragraph of a default, and the rest as text', async () => {
    const { Options } = await sectionsOf(`
      export interface Options {
        /**
         * @default []
         *
         * **Note:**
         * > - It runs late.
         */
        hooks?: Hook[];
        /** @default \`true\` with \`$\`, \`false\` otherwise */
        local?: boolean;
        /**
         * @default
         * \`\`\`js
         * { a: 1,
         *
         *   b: 2 }
         * \`\`\`
         * Each is a number.
         */
        values?: object;
      }
    `);
    assert.equal(
      (Options ?? '').slice((Options ?? '').indexOf('\n- ')),
      [
        '\n- `hooks?: Hook[]`: **Note:**',
        '  > - It runs late.\n\n  **Default:** `[]`',
        '- `local?: boolean`: **Default:** `true` with `$`, `false` otherwise',
        '- `values?: object`: Each is a number.\n\n  **Default:** `{ a: 1, b: 2 }`',
      ].join('\n'),
    );
  });

  it('reads a deprecation and a default behind other words of a line', async () => {
    const { Options, run } = await sectionsOf(`
      /** Runs. See \`@default\` and me@default.example. @deprecated Use start. */
      export declare function run(): void;
      export interface Options {
        /** Whether it is fast. @default true */
        fast?: boolean;
      }
    `);
    assert.match(run ?? '', /^\*\*Deprecated\.\*\* Use start\.\n[^]*\n\nRuns\. See .*\.example\.$/);
    assert.match(Options ?? '', /: Whether it is fast\.\n\n {2}\*\*Default:\*\* `true`$/);
  });

  it('reads a tag with a colon', async () => {
    const { run } = await sectionsOf(`
      /**
       * @returns: the name.
       */
      export declare function run(): string;
    `);
    assert.match(run ?? '', /\n\n\*\*Returns\*\* the name\.$/);
  });

  it('lists the documented fields of a small interface below its signature', async () => {
    const sections = await sectionsOf(`
      /** Options of a run. */
      export interface Options<T> extends Base {
        /** Time in ms. @see x
         * @default 5 */
        timeout?: number;
        plain: T
        /** Called at the end. */
        done(error: Error | undefined): void, nested: {
          /** Deep inside. */
          deep: 'a' | 'b';
        };
      }
    `);
    assert.deepEqual(Object.keys(sections), ['Options']);
    assert.equal(
      sections['Options'],
      [
        "```ts\ninterface Options<T> extends Base {\n  timeout?: number;\n  plain: T;\n  done(error: Error | undefined): void;\n  nested: {\n    deep: 'a' | 'b';\n  };\n}\n```",
        'Options of a run.',
        [
          '- `timeout?: number`: Time in ms. @see x',
          '  **Default:** `5`',
          '- `done(error: Error | undefined): void`: Called at the end.',
          "- `nested: { deep: 'a' | 'b'; }`",
          "  - `deep: 'a' | 'b'`: Deep inside.",
        ].join('\n'),
      ]
        .join('\n\n')
        .replace('@see x\n  **', '@see x\n\n  **'),
    );
  });

  it('gives each documented option of a large interface a section with its line', async () => {
    const words = 'What this option is for, in many words. '.repeat(20);
    const [page] = await pagesOf({
      'index.d.ts': `export interface Options {\n  /** ${words} */\n  one: 1;\n  /**\n   * ${words}\n   * @deprecated Use \`one\`.\n   */\n  two: 2;\n  three: 3;\n}`,
    });
    assert.deepEqual(
      page?.sections.map(({ heading, ancestors, slug, place }) => ({
        heading,
        ancestors,
        slug,
        ...place,
      })),
      [
        { heading: 'Options', ancestors: [], slug: 'Options', file: 'index.d.ts', line: 1 },
        {
          heading: 'Options.one',
          ancestors: ['Options'],
          slug: 'Options.one',
          file: 'index.d.ts',
          line: 3,
        },
        {
          heading: 'Options.two',
          ancestors: ['Options'],
          slug: 'Options.two',
          file: 'index.d.ts',
          line: 8,
        },
      ].map((each) => ({ ...each, package: undefined })),
    );
    assert.equal(page.sections[2]?.blocks[0]?.markdown, '**Deprecated.** Use `one`.');
  });

  it('finds documented fields in the parameters of functions and in types', async () => {
    const sections = await sectionsOf(`
      export declare function run({ a }: Base & { /** The model. */ a: string }): void;
      export type Options = Base & {
        /** The limit. */
        readonly [key: string]: number;
      };
      export declare class Client {
        /** Makes one. */
        constructor(private url: string);
        /** Makes one with a port. */
        constructor(url: string, port: number);
        /** Counts. */
        static count: number;
        /** Hidden. */
        private secret;
        /** Hidden. */
        #more;
        /** The size. */
        get size(): number;
        set size(value: number);
      }
      export declare enum Color {
        /** Like blood. */
        Red = "red",
        Blue = 1 << 2
      }
    `);
    assert.match(sections['run'] ?? '', /^- `a: string`: The model\.$/m);
    assert.match(
      sections['Options'] ?? '',
      /^- \*\*\\\[key\\\]\*\* `readonly \[key: string\]: number`: The limit\.$/m,
    );
    const client = sections['Client'] ?? '';
    assert.match(
      client,
      /`constructor\(private url: string\)`: Makes one\.\n\n {2}Makes one with a port\.$/m,
    );
    assert.match(client, /^- `static count: number`: Counts\.$/m);
    assert.match(client, /^- `get size\(\): number`: The size\.$/m);
    assert.doesNotMatch(client, /secret|#more|Hidden/);
    assert.match(
      sections['Color'] ?? '',
      /enum Color \{\n {2}Red = "red",\n {2}Blue = 1 << 2,\n\}/,
    );
    assert.match(sections['Color'] ?? '', /^- `Red = "red"`: Like blood\.$/m);
  });

  it('keeps the docs of each overload below its signatures', async () => {
    const { a } = await sectionsOf(`
      /** With a number. */
      export declare function a(b: number): void;
      export declare function a(b: bigint): void;
      /** @deprecated Use a number. */
      export declare function a(b: string): void;
    `);
    assert.equal(
      a,
      '```ts\nfunction a(b: number): void\nfunction a(b: bigint): void\n```\n\nWith a number.\n\n```ts\nfunction a(b: string): void\n```\n\n**Deprecated.** Use a number.',
    );
  });

  it('names a member whose name is computed from a text by the text', async () => {
    const words = 'What this is for, in many words. '.repeat(60);
    const sections = await sectionsOf(`
      export declare class Pipe {
        /** ${words} */
        get ['async'](): boolean;
        set ["async"](value: boolean);
        /** ${words} */
        [Symbol.iterator](): Iterator<string>;
      }
    `);
    assert.deepEqual(Object.keys(sections), ['Pipe', 'Pipe.async', 'Pipe[Symbol.iterator]']);
  });

  it('names calls and constructors in a list by their code alone', async () => {
    const { Parser } = await sectionsOf(`
      export interface Parser {
        /** Parses. */
        (text: string): Result;
        /** Makes one. */
        new (limit: number): Parser;
      }
    `);
    assert.match(Parser ?? '', /^- `\(text: string\): Result`: Parses\.$/m);
    assert.match(Parser ?? '', /^- `new \(limit: number\): Parser`: Makes one\.$/m);
  });

  it('says once what several overloads of a method say', async () => {
    const { Test } = await sectionsOf(`
      export interface Test {
        /**
         * Gets the limit.
         * @see https://acme.example/limit
         */
        limit(): number;
        /**
         * Sets the limit.
         * @param ms Milliseconds.
         * @see https://acme.example/limit
         */
        limit(ms: number): this;
        /**
         * Sets the limit.
         * @param ms Such as \`2s\`.
         * @see https://acme.example/limit
         */
        limit(ms: string): this;
      }
    `);
    const lines = (Test ?? '').split('\n').map((line) => line.trim());
    assert.deepEqual(lines.filter((line) => /limit\.|See|ms/.test(line)).slice(-5), [
      '- `limit(): number`: Gets the limit.',
      'Sets the limit.',
      '- `ms`: Milliseconds.',
      '- `ms`: Such as `2s`.',
      '**See** https://acme.example/limit',
    ]);
  });

  it('says what a re-exported name is called and where it comes from', async () => {
    const [page] = await pagesOf({
      'index.d.ts':
        "/**\n * Tools for work.\n *\n * More.\n * @module\n */\nimport 'x';\nexport { a as b } from 'other';\nexport * from 'whole';\nexport declare const c: 1;\nexport {\n  /** @deprecated Use c. */\n  c as old,\n  c as alias,\n};\nexport default c;",
    });
    const texts = page?.sections.map(({ heading, blocks }) => [
      heading,
      ...blocks.map(({ markdown }) => markdown),
    ]);
    assert.deepEqual(texts, [
      ['pkg', 'Tools for work.', 'More.', 'This module also exports everything from `whole`.'],
      ['c', '```ts\nconst c: 1\n```', 'Also exported as `alias`, the default export.'],
      ['old', '**Deprecated.** Use c.', '`c` of `pkg`.'],
      ['Exports from other', 'This module also exports from `other`: `b` (`a` there).'],
    ]);
    assert.equal(page?.description, 'Tools for work.');
    assert.equal(page.route, 'api/pkg');
    assert.equal(page.path, 'index.d.ts');
  });

  it('says how code gets a name that is no export of its own', async () => {
    const { pkg, wren } = await sectionsOf(
      'export = pkg;\n/** Sings. */\ndeclare function pkg(): void;\ndeclare global { var wren: 1; }',
    );
    assert.equal(
      pkg,
      'The module itself (`export =`).\n\n```ts\nfunction pkg(): void\n```\n\nSings.',
    );
    assert.equal(wren, 'Global: it needs no import.\n\n```ts\nvar wren: 1\n```');
  });

  it('says what a name of another package does before it says from which one it comes', async () => {
    const declared = '/** Sends requests. */\nexport declare function send(): void;';
    const core = memoryPackage({ ...manifest, name: 'core' }, { 'index.d.ts': declared });
    const [page] = await pagesOf({ 'index.d.ts': "export * from 'core';" }, { core });
    assert.deepEqual(
      page?.sections.at(-1)?.blocks.map(({ markdown }) => markdown),
      ['```ts\nfunction send(): void\n```', 'Sends requests.', 'From the package `core`.'],
    );
  });

  it('shows types in doc comments as text and drops HTML and terminal codes', async () => {
    const { a } = await sectionsOf(
      [
        '/**',
        ' * Takes Array<string>, Promise<a>, <T> and <b>bold</b>. <script>alert(1)</script> \u001b[31mred\u001b[0m \u202eback',
        ' * <img src=x onerror=alert(1)> and `<i>` stay.',
        ' * # Heading',
        ' * ```',
        ' * Map<string>',
        ' * @media print',
        ' */',
        'export declare const a: \'\u001b[31m```*\' | "/** */";',
      ].join('\n'),
    );
    assert.ok(a !== undefined);
    assert.equal(visibleText(a), a);
    assert.doesNotMatch(a, /(?<!\\)<(?:script|img|b)\b/);
    assert.match(a, /Takes Array\\<string\\>, Promise\\<a\\>, \\<T\\> and bold\./);
    assert.match(a, /`<i>` stay/);
    assert.match(a, /\*\*Heading\*\*/);
    assert.match(a, /```\nMap<string>\n@media print\n```/);
    assert.match(a, /^````ts\nconst a: '\[31m```\*' \| "\/\*\* \*\/"\n````$/m);
  });

  it('reads a tag that is named like a member of every object', async () => {
    const { a } = await sectionsOf(
      '/**\n * Makes one.\n * @constructor\n * @toString Writes it.\n */\nexport declare function a(): void;',
    );
    assert.match(a ?? '', /Makes one\.\n\n\*\*Tostring\*\* Writes it\.$/);
  });

  it('cuts a signature that is too long to read', async () => {
    const { a } = await sectionsOf(
      `export type a = ${Array.from({ length: 5000 }, (_, index) => `'${index}'`).join('|')};`,
    );
    assert.ok((a?.length ?? Infinity) < 5000);
    assert.match(a ?? '', / …\n```$/);
  });
});

import assert from 'node:assert/strict';
import { apiPaths } from '../../../../src/docs/packages/apiPaths';
import { codeNames } from '../../../../src/docs/packages/codeNames';
import { comparePackages, type PackageComparison } from '../../../../src/docs/packages/comparison';
import { comparisonDocument } from '../../../../src/docs/packages/comparisonDocument';
import { usedChanges } from '../../../../src/docs/packages/comparisonTexts';
import type { PackageDocs, PageOutline } from '../../../../src/docs/packages/packageDocs';
import type { WorkspaceNames } from '../../../../src/docs/packages/workspaceNames';
import { readPackageApi } from '../../../../src/docs/pages/types/apiModules';
import { apiNames } from '../../../../src/docs/pages/types/apiNames';
import { plainTranslate } from '../../../../src/common/errors';
import { memoryPackage } from '../../../fakes/memoryPackage';

interface Version {
  /** Texts of the modules by their subpaths. That of the package itself is `.`. */
  readonly modules?: Readonly<Record<string, string>>;
  readonly pages?: readonly PageOutline[];
}

async function docsOf(
  version: string,
  { modules = {}, pages = [] }: Version,
): Promise<PackageDocs> {
  const fileOf = (subpath: string): string =>
    subpath === '.' ? 'index.d.ts' : `${subpath.slice(2)}.d.ts`;
  const exports = Object.keys(modules).map((subpath) => [subpath, `./${fileOf(subpath)}`]);
  const files = Object.entries(modules).map(([subpath, text]) => [fileOf(subpath), text]);
  const manifest = { name: 'pkg', version, exports: Object.fromEntries(exports) as object };
  const api = await readPackageApi(
    memoryPackage(manifest, Object.fromEntries(files) as Record<string, string>),
    () => Promise.resolve(),
  );
  const paths = apiPaths(apiNames(api));
  const wholly = api.modules.filter(({ wholePackages }) => wholePackages.length > 0);
  return {
    name: 'pkg',
    version,
    api: { paths, incomplete: new Set(wholly.map(({ name }) => name)) },
    modules: [...new Set(Array.from(paths.values(), ({ module }) => module))],
    pages,
    problems: [],
  };
}

function codeOf(source: string, importedAs: string): WorkspaceNames {
  const isWanted = (module: string): boolean => module.split('/')[0] === importedAs;
  const found = codeNames('app.ts', source, isWanted) ?? [];
  const names = found.map((name) => ({ ...name, file: 'app.ts' }));
  return { names, files: 1, unread: [], isCut: false };
}

async function compare(
  older: Version,
  newer: Version,
  source = '',
  importedAs = 'pkg',
): Promise<PackageComparison> {
  const code = codeOf(source, importedAs);
  return comparePackages(
    await docsOf('1.0.0', older),
    await docsOf('2.0.0', newer),
    code,
    importedAs,
  );
}

/** Returns the differences that code names, each with its places. */
function used(comparison: PackageComparison): string[] {
  return usedChanges(comparison).map(({ kind, change }) => {
    const places = change.uses.map(({ line, column }) => `${line}:${column}`).join(' ');
    return `${kind} ${change.paths[0]?.name} ${places}`;
  });
}

const whole = `declare function start(): start.App;
declare namespace start {
  interface App { a: 1 }
  const stop: 1;
  const on: 1;
}
export = start;
`;

describe('comparePackages', () => {
  it('finds names of a module with `export =` in each way in which code takes it', async () => {
    const newer = whole.replace('const stop: 1;', '').replace('start():', 'start(port: number):');
    for (const [source, expected] of [
      [
        "import start from 'pkg';\nstart();\nstart.stop;\n",
        ['removed stop 3:1', 'signatureChanged export= 1:8 2:1 3:1'],
      ],
      [
        "import * as start from 'pkg';\nstart.stop; start.on;\n",
        ['removed stop 2:1', 'signatureChanged export= 1:8 2:1 2:13'],
      ],
      ["const { stop, on } = require('pkg');\nstop;\n", ['removed stop 1:9 2:1']],
      ["import { stop } from 'pkg';\nstop;\n", ['removed stop 1:10 2:1']],
    ] as const) {
      const found = used(
        await compare({ modules: { '.': whole } }, { modules: { '.': newer } }, source),
      );
      assert.deepEqual(found.slice(0, expected.length), expected, source);
    }
  });

  it('counts no default import as broken where `export =` became a default export', async () => {
    const comparison = await compare(
      { modules: { '.': whole } },
      { modules: { '.': 'declare function start(): void;\nexport default start;' } },
      "import start from 'pkg';\nstart();\nconst all = require('pkg');\nall.on;\n",
    );
    const [removed] = used(comparison).filter((line) => line.includes('export='));
    assert.equal(removed, 'removed export= 3:13 4:1');
  });

  it('counts only code that takes the module itself where `export =` is gone or new', async () => {
    const named = `export interface App { a: 1 }
      export declare const stop: 1, on: 1;
      export default function start(): App;`;
    const source =
      "import first, { stop, type App } from 'pkg';\nstop;\nlet app: App;\n" +
      "const { on } = require('pkg');\non;\n";
    const found = async (older: string, newer: string): Promise<string[]> =>
      used(await compare({ modules: { '.': older } }, { modules: { '.': newer } }, source));
    assert.deepEqual(await found(whole, named), ['removed export= 4:16']);
    assert.deepEqual(await found(named, whole), []);
  });

  it('finds modules that only one version has, with the imports of them', async () => {
    const one = 'export declare const a: 1;';
    const { modules, names } = await compare(
      { modules: { '.': one, './old': 'export declare const b: 1;\nexport declare const c: 1;' } },
      { modules: { '.': one, './new': 'export declare const d: 1;' } },
      "import 'pkg/old';\n",
    );
    const use = { file: 'app.ts', line: 1, column: 1, isImport: true };
    assert.deepEqual(modules, {
      removed: [{ module: 'pkg/old', names: 2, uses: [use] }],
      added: [{ module: 'pkg/new', names: 1, uses: [] }],
    });
    assert.equal(names.removed.length, 2);
  });

  it('finds names of a package that the code imports under another name', async () => {
    const comparison = await compare(
      { modules: { '.': 'export declare const a: 1;\nexport declare const b: 1;' } },
      { modules: { '.': 'export declare const b: 1;' } },
      "import { a } from 'alias';\na;\n",
      'alias',
    );
    assert.deepEqual(used(comparison), ['removed a 1:10 2:1']);
  });

  it('compares no names if a version declares none, and says so', async () => {
    const { names, modules, notes } = await compare(
      {},
      { modules: { '.': 'export declare const a: 1;' } },
    );
    assert.deepEqual([names.added, modules.added], [[], []]);
    assert.deepEqual(notes, [{ code: 'no-types', version: '1.0.0' }]);
  });

  it('says which module exports all of a package that cannot be read', async () => {
    const { names, notes } = await compare(
      { modules: { '.': 'export declare const a: 1;\nexport declare const b: 1;' } },
      { modules: { '.': "export * from 'other';\nexport declare const b: 1;" } },
    );
    assert.deepEqual(names.removed, []);
    assert.deepEqual(notes, [{ code: 'incomplete', version: '2.0.0', module: 'pkg' }]);
  });

  it('finds pages by their route, and sections by their heading on any level', async () => {
    const page = (path: string, route: string, ...sections: string[]): PageOutline => ({
      path,
      route,
      title: '',
      sections: new Map(sections.map((section) => [section.split(' › ').at(-1) ?? '', section])),
    });
    const { pages, sections } = await compare(
      { pages: [page('docs/a.md', 'docs/a', 'One', 'One › Two', 'Three'), page('b.md', 'b')] },
      { pages: [page('docs/a.mdx', 'docs/a', 'Two', 'Four', 'Four › Three'), page('c.md', 'c')] },
    );
    assert.deepEqual(
      [pages.removed, pages.added].map((list) => list.map(({ path }) => path)),
      [['b.md'], ['c.md']],
    );
    assert.deepEqual(sections, {
      removed: [{ path: 'docs/a.md', section: 'One' }],
      added: [{ path: 'docs/a.mdx', section: 'Four' }],
    });
  });
});

describe('the document of a comparison', () => {
  it('names the places in code with links, and shows texts of packages as code', async () => {
    const comparison = await compare(
      { modules: { '.': 'export declare const a: 1;\nexport declare const b: 1;' } },
      {
        modules: {
          '.': '/** @deprecated See [x](javascript:1) <img src=x> *now*.\n * @since 2 */\nexport declare const b: 1;',
        },
      },
      "import { a, b } from 'pkg';\na;\n",
    );
    const { text, links } = comparisonDocument(comparison, plainTranslate);
    const lines = text.split('\n');
    assert.match(text, /^# pkg 1\.0\.0 → 2\.0\.0\n\n1 removed name, 1 newly deprecated name\n/);
    assert.match(
      text,
      /- `b` of `pkg`: newly deprecated: See \\\[x\\\]\(javascript:1\) \\<img src=x\\> \\\*now\\\*\.\n/,
    );
    assert.deepEqual(
      links.map(({ line, start, end }) => lines[line]?.slice(start, end)),
      ['app.ts:1:10', 'app.ts:2:1', 'app.ts:1:13'],
    );
  });

  it('names members in brackets as code writes them', async () => {
    const members = '[key: string]: number; [Symbol.iterator](): Iterator<number>;';
    const comparison = await compare(
      { modules: { '.': `export interface A { a: number; ${members} }` } },
      { modules: { '.': 'export interface A { a: number; }' } },
    );
    const { text } = comparisonDocument(comparison, plainTranslate);
    assert.match(
      text,
      /\n- `A\[key\]` of `pkg`: removed\n- `A\[Symbol\.iterator\]` of `pkg`: removed\n/,
    );
  });

  it('counts a removed module that the code imports without a name', async () => {
    const kept = 'export declare const a: 1;';
    const comparison = await compare(
      { modules: { '.': kept, './old': 'export declare const b: 1;' } },
      { modules: { '.': kept } },
      "import 'pkg/old';\n",
    );
    const { text } = comparisonDocument(comparison, plainTranslate);
    assert.match(text, /\n\nYour code names 1 of the differences\. Files that import pkg: 1\n/);
    assert.match(
      text,
      /\n## What your code names \(1\)\n\n- the module `pkg\/old`: removed\n {2}- `app\.ts:1:1` \(import\)\n/,
    );
  });

  it('shows both signatures of a name that the code names', async () => {
    const comparison = await compare(
      { modules: { '.': 'export declare function a(b: 1): void;' } },
      { modules: { '.': 'export declare function a(\n  b: `x`,\n): void;' } },
      "import { a } from 'pkg';\n",
    );
    const { text } = comparisonDocument(comparison, plainTranslate);
    assert.match(
      text,
      /signature changed\n {2}- before: `function a\(b: 1\): void`\n {2}- now: ``function a\( b: `x`, \): void``\n {2}- `app\.ts:1:10`/,
    );
  });
});

/** Compares the differences of packages with those of the lists of TypeScript itself. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { systemClock } from '../../../../src/common/clock';
import { WHOLE_MODULE } from '../../../../src/docs/packages/apiPaths';
import { comparePackages, isUsed, type NameChange } from '../../../../src/docs/packages/comparison';
import { type PackageDocs, readPackageDocs } from '../../../../src/docs/packages/packageDocs';
import { workspaceNames } from '../../../../src/docs/packages/workspaceNames';
import { type EntryPoint, findEntryPoints } from '../../../../src/docs/pages/types/entryPoints';
import { InstalledPackages } from '../../../../src/docs/sources/installed/installedPackages';
import { typesFiles } from '../../../../src/docs/sources/installed/typesFiles';
import { RecordingLog } from '../../../fakes/recordingLog';
import { fetchWorkspace } from '../../../bench/installed/fetchPackages.mjs';
import { Workspace } from '../sources/installed/layouts';
import { compilerNames } from '../pages/types/compilerNames';

/** Majors of packages: one with namespaces of modules, two with `export =`, classes, and one that exports another. */
const pairs: readonly (readonly [string, string, string])[] = [
  ['zod', 'shop-api-2024', 'shop-api'],
  ['fastify', 'shop-api-2024', 'shop-api'],
  ['undici', 'shop-api-2024', 'shop-api'],
  ['commander', 'release-tool-2024', 'release-tool'],
  ['@tanstack/react-query', 'dashboard-2024', 'storefront'],
];

const listSchema = v.object({
  workspaces: v.array(
    v.object({
      name: v.string(),
      packages: v.record(v.string(), v.string()),
    }),
  ),
});

/** Returns the names of each module, as TypeScript lists them. Deprecated ones have a mark. */
async function listedNames(folder: string): Promise<Set<string>> {
  const installed = new InstalledPackages({
    root: folder,
    isTrusted: () => true,
    clock: systemClock,
    log: new RecordingLog(),
  });
  const owner = await installed.ownerOf(path.join(folder, 'package.json'));
  assert.ok(owner);
  const types = typesFiles(installed, owner, await installed.filesOf(owner));
  const { entries, aliases } = await findEntryPoints(types);
  const found = new Set<string>();
  const add = (module: string, names: readonly string[] = []): void => {
    for (const name of names) found.add(`${module} ${name}`);
  };
  const listed = compilerNames(folder, entries, true);
  for (const [module, names] of listed) add(module, names);
  const nameOf = ({ file }: EntryPoint): string =>
    entries.find((entry) => entry.file === file)?.name ?? '';
  for (const alias of aliases) add(alias.name, listed.get(nameOf(alias)));
  assert.ok(found.size > 0, 'TypeScript reads the entry points');
  return found;
}

const plain = (names: Iterable<string>): string[] =>
  Array.from(names, (name) => name.replace(' (deprecated)', ''));

/** Returns the names that only one list has, without those in a namespace that only one has. */
function missing(from: Iterable<string>, other: Iterable<string>): string[] {
  const known = new Set(plain(other));
  const own = plain(from).filter((name) => !known.has(name));
  const all = new Set(own);
  const isInOther = (name: string): boolean => {
    for (let at = name.lastIndexOf('.'); at > name.indexOf(' '); at = name.lastIndexOf('.', at - 1))
      if (all.has(name.slice(0, at))) return true;
    return false;
  };
  return own.filter((name) => !isInOther(name)).toSorted();
}

/** Returns the exports of differences, without members of classes and types, which TypeScript doesn't list. */
function exportsOf(changes: readonly NameChange[]): string[] {
  return changes
    .filter(({ older, newer }) => (older ?? newer)?.kind !== 'member')
    .flatMap(({ paths }) => paths)
    .filter(({ name }) => name !== WHOLE_MODULE)
    .map(({ module, name }) => `${module} ${name}`)
    .toSorted();
}

async function docsAt(folder: string, root: string): Promise<PackageDocs> {
  const ports = { clock: systemClock, log: new RecordingLog(), pause: () => Promise.resolve() };
  const docs = await readPackageDocs({ folder, root }, ports);
  assert.ok(docs, `${folder} has a package`);
  return docs;
}

describe('two majors of a package', () => {
  /** Returns the folder of a workspace with packages, which npm installs once for all runs. */
  async function workspaceOf(this: Mocha.Context, name: string): Promise<string> {
    const list = await readFile('test/bench/installed/packages.json', 'utf8');
    const { workspaces } = v.parse(listSchema, JSON.parse(list));
    const workspace = workspaces.find((each) => each.name === name);
    assert.ok(workspace);
    try {
      return await fetchWorkspace(workspace);
    } catch (error) {
      // Only without a registry, and without an earlier installation.
      process.stderr.write(`SKIPPED: npm could not install ${name}: ${String(error)}\n`);
      return this.skip();
    }
  }

  for (const [name, older, newer] of pairs) {
    it(`of ${name} differ by the exports that differ in TypeScript’s lists, and by no other`, async function () {
      this.timeout(300_000);
      const [before, after] = [
        await workspaceOf.call(this, older),
        await workspaceOf.call(this, newer),
      ];
      const [oldFolder, newFolder] = [before, after].map((root) =>
        path.join(root, 'node_modules', name),
      );
      assert.ok(oldFolder !== undefined && newFolder !== undefined && existsSync(oldFolder));
      const { names, notes } = comparePackages(
        await docsAt(oldFolder, before),
        await docsAt(newFolder, after),
      );
      const [oldNames, newNames] = [await listedNames(oldFolder), await listedNames(newFolder)];
      assert.deepEqual(exportsOf(names.removed), missing(oldNames, newNames));
      assert.deepEqual(exportsOf(names.added), missing(newNames, oldNames));
      const isOld = (each: string): boolean => each.endsWith(' (deprecated)');
      const deprecated = [...newNames].filter(
        (each) => isOld(each) && !oldNames.has(each) && oldNames.has(plain([each])[0] ?? ''),
      );
      assert.deepEqual(exportsOf(names.deprecated), plain(deprecated).toSorted());
      assert.deepEqual(
        notes.filter(({ code }) => code !== 'problem'),
        [],
      );
    });
  }

  it('of undici differ by three names that a workspace uses, at these places', async function () {
    this.timeout(300_000);
    const code = await Workspace.create({
      'src/upload.ts': `import { errors, File, request } from 'undici';
// File and FileReader are names in a comment.
export async function upload(): Promise<void> {
  try {
    await request('https://docs.example.com', { body: new File([], 'File') });
  } catch (error) {
    if (error instanceof errors.ResponseStatusCodeError) console.error('File');
  }
}
`,
      'src/client.js': `const undici = require('undici');
const { createRedirectInterceptor: redirects } = undici.interceptors;
module.exports = (File) => [redirects({ maxRedirections: 3 }), File];
`,
    });
    try {
      const [before, after] = [
        await workspaceOf.call(this, 'shop-api-2024'),
        await workspaceOf.call(this, 'shop-api'),
      ];
      const { names } = comparePackages(
        await docsAt(path.join(before, 'node_modules', 'undici'), before),
        await docsAt(path.join(after, 'node_modules', 'undici'), after),
        await workspaceNames(code.root, 'undici', () => Promise.resolve()),
      );
      const used = names.removed.filter(isUsed).map(({ paths: [first], uses }) => {
        const places = uses.map(({ file, line, column }) => `${file}:${line}:${column}`);
        return [first?.name, ...places];
      });
      assert.deepEqual(used.toSorted(), [
        ['File', 'src/upload.ts:1:18', 'src/upload.ts:5:59'],
        ['errors.ResponseStatusCodeError', 'src/upload.ts:7:26'],
        ['interceptors.createRedirectInterceptor', 'src/client.js:2:9', 'src/client.js:3:29'],
      ]);
    } finally {
      await code.remove();
    }
  });
});

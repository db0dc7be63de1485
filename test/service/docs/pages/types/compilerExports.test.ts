/** Compares the exports of installed packages with the lists of TypeScript itself. */
import assert from 'node:assert/strict';
import { readFile, stat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { readPackageApi } from '../../../../../src/docs/pages/types/apiModules';
import { apiNames } from '../../../../../src/docs/pages/types/apiNames';
import { apiPages } from '../../../../../src/docs/pages/types/apiPages';
import {
  findEntryPoints,
  type PackageFiles,
} from '../../../../../src/docs/pages/types/entryPoints';
import { compilerNames } from './compilerNames';

const root = path.resolve('node_modules');

/** Returns the files of an installed package. */
function installedPackage(name: string): PackageFiles {
  const folder = path.join(root, name);
  const isFile = (file: string): Promise<boolean> =>
    stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
  return {
    id: folder,
    read: (file) => readFile(path.join(folder, file), 'utf8').catch(() => undefined),
    exists: (file) => isFile(path.join(folder, file)),
    list: async () => {
      const found = await readdir(folder, {
        recursive: true,
        withFileTypes: true,
      });
      return found
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .map((file) => file.replaceAll(path.sep, '/'));
    },
    dependency: async (other) => {
      for (const each of [other, `@types/${other.replace(/^@([^/]+)\//, '$1__')}`]) {
        if (!(await isFile(path.join(root, each, 'package.json')))) continue;
        const files = installedPackage(each);
        if ((await findEntryPoints(files)).entries.length > 0) return files;
      }
      return undefined;
    },
  };
}

const noPause = (): Promise<void> => Promise.resolve();

/**
 * Packages of the tests and of the product, with what their declarations are like: `export *` and namespaces over
 * 80 files, one bundle with overloads, many small files, an ambient namespace that is exported whole, wildcards, and a module
 * that adds names to itself.
 */
const packages = ['zod', 'valibot', 'yaml', '@types/sinon', 'hono', 'iconv-lite'];

describe('the API of an installed package', () => {
  for (const name of packages) {
    it(`has the exports of ${name} that TypeScript lists, with what is deprecated`, async () => {
      const files = installedPackage(name);
      const { entries } = await findEntryPoints(files);
      const api = await readPackageApi(files, noPause);
      assert.deepEqual(api.problems, []);
      const listed = compilerNames(path.join(root, name), entries);
      assert.ok(listed.size > 0, 'TypeScript reads the entry points');
      const ours = new Map<string, string[]>();
      for (const { module, name: own, kind, deprecated, isExported } of apiNames(api)) {
        if (kind === 'member' || !isExported || own.includes('.')) continue;
        const names = ours.get(module) ?? [];
        names.push(deprecated === undefined ? own : `${own} (deprecated)`);
        ours.set(module, names);
      }
      for (const [module, names] of listed) {
        assert.deepEqual((ours.get(module) ?? []).toSorted(), names.toSorted(), module);
      }
    });

    it(`has a section for each name of ${name} at the line of the name`, async () => {
      const api = await readPackageApi(installedPackage(name), noPause);
      const pages = await apiPages(api, noPause);
      assert.equal(pages.length, api.modules.length);
      const sources = new Map<string, string[]>();
      for (const [index, { symbols }] of api.modules.entries()) {
        const keyOf = (heading: string, file = '', line = 0): string =>
          `${heading} ${file}:${line}`;
        const sections = new Set(
          pages[index]?.sections.map((each) =>
            keyOf(each.heading, each.place?.file, each.place?.line),
          ),
        );
        for (const { name: own, place, declarations } of symbols) {
          const key = keyOf(own, place.file, place.line);
          assert.ok(sections.has(key), key);
          if (place.package !== undefined) continue;
          const lines =
            sources.get(place.file) ??
            (await readFile(path.join(root, name, place.file), 'utf8')).split('\n');
          sources.set(place.file, lines);
          const written = declarations[0]?.name ?? '';
          const line = lines[place.line - 1] ?? '';
          assert.ok(line.includes(written), `${place.file}:${place.line} has ${written}`);
        }
      }
    });
  }
});

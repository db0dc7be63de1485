import type { PackageFiles } from '../../src/docs/pages/types/entryPoints';

let packages = 0;

/**
 * Returns a package whose files are in memory.
 * @param manifest content of the package.json, as text or as an object.
 * @param dependencies files of other packages by their names.
 */
export function memoryPackage(
  manifest: string | Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
  dependencies: Readonly<Record<string, PackageFiles>> = {},
): PackageFiles {
  const all = new Map(Object.entries(files));
  all.set('package.json', typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  return {
    id: `package ${++packages}`,
    read: (file) => Promise.resolve(all.get(file)),
    exists: (file) => Promise.resolve(all.has(file)),
    list: () => Promise.resolve([...all.keys()]),
    dependency: (name) => Promise.resolve(dependencies[name]),
  };
}

/** The declaration files of an installed package, as the reader of its API takes them. */
import { createHash } from 'node:crypto';
import type { PackageFiles as TypesFiles } from '../../pages/types/entryPoints';
import type { InstalledDocs, InstalledPackage } from './installedDocs';
import type { PackageFiles } from './packageFiles';
import { typesPackageOf } from './packageNames';

/** Maximum bytes of a declaration file. The largest one that we know, of `typescript`, has 0.6 MB. */
const MAX_TYPES_BYTES = 8 * 1024 * 1024;
/** Maximum number of files of a package that are listed. */
const MAX_LISTED = 20_000;

/** Returns the files of a package and, by name, those of the packages that it depends on. */
export function typesFiles(
  docs: Pick<InstalledDocs, 'find' | 'filesOf' | 'typesFor'>,
  home: InstalledPackage,
  files: PackageFiles,
): TypesFiles {
  return {
    id: home.folder,
    read: async (file) => {
      const bytes = await files.readBytes(file, MAX_TYPES_BYTES);
      return bytes && new TextDecoder().decode(bytes);
    },
    exists: async (file) => (await files.kindOf(file)) === 'file',
    list: () => listed(files),
    dependency: async (name) => {
      const found = await packageWithTypes(docs, name, home);
      return found && typesFiles(docs, found, await docs.filesOf(found));
    },
  };
}

/** Returns the package with the types of a name that the code of another one imports, as TypeScript finds it. */
export async function packageWithTypes(
  docs: Pick<InstalledDocs, 'find' | 'typesFor'>,
  name: string,
  { folder: from }: InstalledPackage,
): Promise<InstalledPackage | undefined> {
  const found = await docs.find(name, from);
  // Types can be installed without what they are for, as those of `estree`.
  if (!found) return docs.find(typesPackageOf(name), from);
  return (await docs.typesFor(found, from)) ?? found;
}

/**
 * Returns a hash of a package's manifest and of all its files in TypeScript, by which two copies of a package have the
 * same API. Those of other packages aren't read: a version of a package exports what it asks for.
 * @param pause gives other work a turn, if it is time.
 */
export async function hashOfTypes(files: TypesFiles, pause: () => Promise<void>): Promise<string> {
  const hash = createHash('sha256');
  const declaring = (await files.list()).filter((file) => /\.[cm]?tsx?$/.test(file));
  for (const file of ['package.json', ...declaring.toSorted()]) {
    const text = (await files.read(file)) ?? '';
    hash.update(`${file}\n${text.length}:`).update(text);
    await pause();
  }
  return hash.digest('base64url');
}

/** Returns the paths of the files of a package, without those of its own packages. */
async function listed(files: PackageFiles): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const { name, kind } of await files.entries(folder).catch(() => [])) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder' && name !== 'node_modules') folders.push(path);
      else if (kind === 'file' && paths.push(path) >= MAX_LISTED) return paths;
    }
  }
  return paths;
}

/** Finds the installed packages that a workspace can be asked about. Uses `node:fs`. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { exists } from '../../common/onDisk';
import type { Log } from '../../common/ports';
import { CodePlaces, isWithin, parentsOf } from '../../docs/sources/installed/codePlaces';
import { isPackageName } from '../../docs/sources/installed/packageNames';
import type { InstalledChoice } from './docsPick';

interface WorkspacePlaces {
  /** Absolute paths of the workspace folders, which the user trusts. */
  readonly roots: readonly string[];
  /** Absolute path of the file in the editor, whose project can have packages of its own. */
  readonly activeFile: string | undefined;
  /** Name of the choice for people, which is the same for all folders. */
  readonly label: string;
  readonly log: Log;
}

/** Folders below the top that are looked at if the top has no packages. */
const MAX_CHILDREN = 100;
/** Packages that are counted, as many as the service reads. */
const MAX_COUNTED = 5000;
/** Packages that are looked for at the same time. */
const AT_ONCE = 16;
/** Choices of one workspace folder. */
const MAX_CHOICES = 5;

/**
 * Returns the installed packages of each workspace folder: those of its top and those of the project that is edited.
 * If there are neither, those of the projects right below the top.
 */
export async function installedChoices({
  roots,
  activeFile,
  label,
  log,
}: WorkspacePlaces): Promise<readonly InstalledChoice[]> {
  const choices: InstalledChoice[] = [];
  for (const root of roots) {
    const places = new CodePlaces({ root, isTrusted: () => true, log });
    const add = async (folders: readonly string[]): Promise<boolean> => {
      const before = choices.length;
      for (const folder of folders.slice(0, MAX_CHOICES)) {
        const packages = await countPackages(places, folder);
        if (packages === 0) continue;
        choices.push({
          docs: { kind: 'installed', folder, root, label },
          packages,
          place: path.relative(path.dirname(root), folder),
        });
      }
      return choices.length > before;
    };
    const edited = await projectOf(activeFile, root);
    const isFound = await add([...new Set([root, ...(edited === undefined ? [] : [edited])])]);
    if (!isFound) await add(await projectsBelow(root));
  }
  return choices;
}

/**
 * Counts the packages that the project of a folder asks for and that are there. Whether each can be read is only known
 * to the service, whose code would be a third of the window's.
 */
async function countPackages(places: CodePlaces, from: string): Promise<number> {
  const { folder, projects, lookup } = await places.at(from);
  const wanted = projects.flatMap(({ dependencies }) => [...dependencies.keys()]);
  const isThere = async (name: string): Promise<boolean> => {
    if ((await lookup?.find(name, folder)) !== undefined) return true;
    for (const parent of parentsOf(folder)) {
      if (await exists(path.join(parent, 'node_modules', name, 'package.json'))) return true;
    }
    return false;
  };
  const names = [...new Set(wanted)].filter(isPackageName).slice(0, MAX_COUNTED);
  let count = 0;
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const found = await Promise.all(names.slice(start, start + AT_ONCE).map(isThere));
    count += found.filter(Boolean).length;
  }
  return count;
}

/** Returns the folder of the nearest `package.json` above a file of the workspace. */
async function projectOf(file: string | undefined, root: string): Promise<string | undefined> {
  if (file === undefined || !isWithin(file, root) || /[\\/]node_modules[\\/]/.test(file)) {
    return undefined;
  }
  for (const folder of parentsOf(path.dirname(file))) {
    if (await exists(path.join(folder, 'package.json'))) return folder;
    if (folder === root) break;
  }
  return undefined;
}

async function projectsBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .slice(0, MAX_CHILDREN)
    .map(({ name }) => path.join(root, name));
  const projects: string[] = [];
  for (const folder of folders) {
    if (await exists(path.join(folder, 'package.json'))) projects.push(folder);
  }
  return projects;
}

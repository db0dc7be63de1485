import { errorCodeOrName } from '../../../common/errorCode';
import type { Log } from '../../../common/ports';
import { hasControlsOrSeparators } from '../../../shared/characters';
import { isIgnoredName, isPagePath } from '../../pages/pagePath';
import { decodeText } from '../../pages/textEncoding';
import type { InstalledPackage } from './installedDocs';
import { type FileEntry, type PackageFiles, pathWithin } from './packageFiles';
import { percentDecoded } from '../../../shared/links';

/** Maximum number of pages of a package. The largest of real packages, `next`, has 500. */
export const MAX_PACKAGE_PAGES = 3000;
/** Maximum number of files and folders that are looked at in the docs of one package. */
const MAX_ENTRIES = 50_000;
/** Maximum number of folders in one another. */
const MAX_DEPTH = 16;
/** Maximum bytes of a file that names docs. */
const MAX_POINTER_BYTES = 512 * 1024;
/** Maximum number of places that a package names as docs. */
const MAX_POINTERS = 1000;

/** Folders of a package that have its docs, in lower case. */
const docsFolders = new Set([
  'docs',
  'doc',
  'documentation',
  'dist/docs',
  'ai-docs',
  'guide',
  'guides',
]);
/** Folders without docs of the package itself, in any place. */
const otherFolder = /^(?:examples?|fixtures?|tests?|__tests__|__fixtures__)$/i;
/** Files at the top of a package that are about its project. */
const projectFile =
  /^(?:licen[cs]es?|copying|notice|third[-_ ]?party.*|contributing|contributors|code[-_]of[-_]conduct|security|support|governance|maintainers|authors|sponsors|backers|project[-_]charter|publishing|releasing|todo|(?:pull[-_]request|issue)[-_]template)(?:[-_.][\w-]+)?\.\w+$/i;
/** Readmes that packages have in other languages beside the main one. */
const translatedReadme = /^readme[._-][a-z]{2}(?:[-_][a-z]{2,4})?\.\w+$/i;
/** A readme without an ending, or with that of another text. It is read as Markdown, as npm shows it. */
const bareReadme = /^readme(?:\.(?:txt|rst))?$/i;
const readme = /^readme(?:\.\w+)?$/i;
const changelog = /^(?:change-?log|changes|history|releases?|release-?notes|news)\b/i;
/** Files that tell agents where the docs are. */
const pointerFile = /^(?:llms\.txt|AGENTS\.md)$/i;

/** The pages of a package. */
export interface PackagePages {
  /** Paths of all pages, the readme first and changelogs last. */
  readonly paths: readonly string[];
  /** Folders with docs, none in another one. */
  readonly folders: readonly string[];
}

/**
 * Finds the pages that a package has about itself: its readme and other Markdown at its top, its folders with docs,
 * and what its manifest, its `llms.txt` or its `AGENTS.md` names. Logs what is left out because of a limit.
 * @throws if the package's folder can't be read.
 */
export async function findPackagePages(
  files: PackageFiles,
  { name: packageName, docs: named }: Pick<InstalledPackage, 'name' | 'docs'>,
  log: Log,
  signal: AbortSignal,
): Promise<PackagePages> {
  const top = (await files.entries('')).filter(({ name }) => !hasControlsOrSeparators(name));
  // The readme of a package of DefinitelyTyped only says when it was published, and how to install it.
  const topPages = packageName.startsWith('@types/') ? [] : topPagesOf(top);
  const pages = new Set(topPages.filter((name) => !changelog.test(name)));
  const folders: string[] = [];
  const addFolder = (folder: string): void => {
    if (!folders.some((other) => isBelow(folder, other))) folders.push(folder);
  };
  for (const { name, kind } of top) {
    if (kind === 'folder' && docsFolders.has(name.toLowerCase())) addFolder(name);
  }
  if ((await files.kindOf('dist/docs')) === 'folder') addFolder('dist/docs');
  for (const place of await placesNamed(files, top, packageName, named)) {
    if (signal.aborted) break;
    const kind = await files.kindOf(place);
    if (kind === 'folder') addFolder(place);
    else if (kind === 'file' && isPagePath(place) && !topPages.includes(place)) pages.add(place);
  }
  const outer = folders.filter(
    (folder) => !folders.some((other) => other !== folder && isBelow(folder, other)),
  );
  await new Walk(files, pages, log, signal).addAll(outer);
  for (const name of topPages) pages.add(name);
  const paths = [...pages];
  if (paths.length > MAX_PACKAGE_PAGES) {
    log.warn(
      `Left out ${paths.length - MAX_PACKAGE_PAGES} pages: the limit is ${MAX_PACKAGE_PAGES}`,
    );
  }
  return { paths: paths.slice(0, MAX_PACKAGE_PAGES), folders: outer };
}

/** Returns whether a path is one of a page, by the package's folders with docs. */
export function isPlaceOfPage(file: string, folders: readonly string[]): boolean {
  const names = file.split('/');
  const name = names.at(-1) ?? '';
  if (names.length === 1) return isTopPage(name);
  return (
    isPagePath(name) &&
    isPlaceOfDocs(names.slice(0, -1).join('/'), folders) === 'docs' &&
    names.every((each) => !isIgnoredName(each) && !otherFolder.test(each))
  );
}

/** Returns whether a folder has docs, or only leads to a folder that has. */
export function isPlaceOfDocs(
  folder: string,
  folders: readonly string[],
): 'docs' | 'way' | undefined {
  const all = [...folders, ...docsFolders];
  const plain = folder.toLowerCase();
  if (all.some((docs) => isBelow(plain, docs.toLowerCase()))) return 'docs';
  return all.some((docs) => isBelow(docs.toLowerCase(), plain)) ? 'way' : undefined;
}

function isBelow(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}/`);
}

function isTopPage(name: string): boolean {
  return (
    bareReadme.test(name) || (isPagePath(name) && !isIgnoredName(name) && !projectFile.test(name))
  );
}

/** Returns the pages at the top of a package, the readme first and changelogs last. */
function topPagesOf(top: readonly FileEntry[]): string[] {
  const names = top.flatMap(({ name, kind }) => (kind === 'file' && isTopPage(name) ? [name] : []));
  const hasReadme = names.some((name) => readme.test(name) && isPagePath(name));
  const hasAgents = names.some((name) => /^AGENTS\.md$/i.test(name));
  const rank = (name: string): number => (readme.test(name) ? 0 : changelog.test(name) ? 2 : 1);
  return names
    .filter((name) => {
      if (hasReadme && (bareReadme.test(name) || translatedReadme.test(name))) return false;
      // Packages repeat the file for each agent.
      return !(hasAgents && /^(?:CLAUDE|GEMINI)\.md$/i.test(name));
    })
    .sort((one, other) => rank(one) - rank(other));
}

/** Returns the paths that a package names as its docs, below its folder. They may not exist. */
async function placesNamed(
  files: PackageFiles,
  top: readonly FileEntry[],
  packageName: string,
  named: readonly string[],
): Promise<ReadonlySet<string>> {
  const places = new Set<string>();
  const add = (written: string): void => {
    const place = pathWithin(written);
    if (place === undefined || place === '' || places.size >= MAX_POINTERS) return;
    if (!place.split('/').some((name) => isIgnoredName(name) || otherFolder.test(name)))
      places.add(place);
  };
  const texts = top.filter(({ name, kind }) => kind === 'file' && pointerFile.test(name));
  for (const name of [...named, ...texts.map((entry) => entry.name)]) {
    const path = pathWithin(name);
    if (path === undefined || path === '') continue;
    add(path);
    if (!/\.(?:txt|md)$/i.test(path)) continue;
    const bytes = await files.readBytes(path, MAX_POINTER_BYTES);
    if (!bytes) continue;
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    for (const written of pathsIn(decodeText(bytes), packageName)) add(`${folder}${written}`);
  }
  return places;
}

/** Matches targets of links and code spans. */
const mention = /\]\(<?([^()\s<>]{1,300})|`([^`\s]{1,300})`/g;

/** Returns the relative paths that a text links to, or mentions as code with a slash. */
function pathsIn(text: string, packageName: string): string[] {
  return Array.from(text.matchAll(mention), ([, link, code = '']) => link ?? code).flatMap(
    (written) => {
      const ownFolder = `node_modules/${packageName}/`;
      const at = written.indexOf(ownFolder);
      const plain = (at < 0 ? written : written.slice(at + ownFolder.length))
        .replace(/[?#].*$/s, '')
        .replace(/\/?\*.*$/s, '');
      const isPath = /[/.]/.test(plain) && !/^[a-z][a-z\d+.-]*:|^\/\/|^@/i.test(plain);
      return isPath ? [percentDecoded(plain)] : [];
    },
  );
}

/** Adds the pages below folders. Upper folders come first. */
class Walk {
  readonly #files: PackageFiles;
  readonly #pages: Set<string>;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  #entries = 0;

  constructor(files: PackageFiles, pages: Set<string>, log: Log, signal: AbortSignal) {
    this.#files = files;
    this.#pages = pages;
    this.#log = log;
    this.#signal = signal;
  }

  async addAll(folders: readonly string[]): Promise<void> {
    const open = folders.map((folder) => ({ folder, depth: 0 }));
    for (const { folder, depth } of open) {
      if (this.#signal.aborted) return;
      for (const { name, kind } of await this.#entriesOf(folder)) {
        if (isIgnoredName(name) || hasControlsOrSeparators(name)) continue;
        if (++this.#entries > MAX_ENTRIES) {
          this.#log.warn(`Left out what is after ${MAX_ENTRIES} files of the docs, in ${folder}`);
          return;
        }
        const path = `${folder}/${name}`;
        if (kind === 'file' && isPagePath(name)) this.#pages.add(path);
        else if (kind === 'folder' && depth < MAX_DEPTH && !otherFolder.test(name))
          open.push({ folder: path, depth: depth + 1 });
      }
    }
  }

  async #entriesOf(folder: string): Promise<readonly FileEntry[]> {
    try {
      return await this.#files.entries(folder);
    } catch (error) {
      this.#log.warn(`Can't read the folder ${folder}: ${errorCodeOrName(error)}`);
      return [];
    }
  }
}

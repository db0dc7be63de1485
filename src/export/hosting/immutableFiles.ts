import { compareText } from '../../common/text/strings';

/** Files of one folder with one extension, whose names all contain a hash of their content. */
export interface ImmutableGroup {
  /** Path relative to the site's root, without `/` at the ends. Empty for the root. */
  readonly folder: string;
  /** Extension in lower case, without a dot. */
  readonly extension: string;
  readonly files: number;
  /** Whether the group also includes all files with this extension in the folders below. */
  readonly isDeep: boolean;
}

/** Extensions of files that pages load. A page itself must stay fresh, whatever its name. */
const assetExtensions = new Set(
  (
    'js mjs css map json wasm woff woff2 ttf otf eot png jpg jpeg gif webp avif svg ico mp4 webm ' +
    'mp3 ogg pf_fragment pf_index pf_meta'
  ).split(' '),
);

/** Maximum number of groups in a configuration. Real bundles have fewer than ten. */
const MAX_GROUPS = 100;

/**
 * Returns the groups of files that hosts can cache forever. A group includes all files of a folder
 * with one extension or none of them, so that `logo-20240115.png` among plain names stays fresh.
 *
 * @param files paths relative to the site's root.
 */
export function immutableGroups(files: Iterable<string>): ImmutableGroup[] {
  const groups = new Map<string, { total: number; certain: number; possible: number }>();
  for (const file of files) {
    const [, folder = '', stem = '', extension = ''] =
      /^(?:(.*)\/)?([^/]+)\.([^./]+)$/.exec(file) ?? [];
    if (!assetExtensions.has(extension)) continue;
    const key = `${extension}/${folder}`;
    const group = groups.get(key) ?? { total: 0, certain: 0, possible: 0 };
    groups.set(key, group);
    group.total++;
    if (hasHash(stem)) group.certain++;
    else if (mayHaveHash(stem)) group.possible++;
  }
  /** Folder and extension of files whose names have no hash, also for every folder above them. */
  const plain = new Set<string>();
  const found: ImmutableGroup[] = [];
  for (const [key, { total, certain, possible }] of groups) {
    const slash = key.indexOf('/');
    const extension = key.slice(0, slash);
    const folder = key.slice(slash + 1);
    if (certain + possible === total && certain * 2 >= total) {
      found.push({ folder, extension, files: total, isDeep: true });
      continue;
    }
    for (let above = folder; above !== ''; above = parentOf(above))
      plain.add(`${extension}/${above}`);
    plain.add(`${extension}/`);
  }
  return found
    .map((group) => ({ ...group, isDeep: !plain.has(`${group.extension}/${group.folder}`) }))
    .sort((a, b) => b.files - a.files || compareText(a.folder, b.folder))
    .slice(0, MAX_GROUPS);
}

/** Returns whether a part of the name is certainly a hash: hexadecimal, or letters of both cases. */
function hasHash(stem: string): boolean {
  return stem.split(/[.\-_~]/).some((part) => {
    if (part.length < 8 || !/^[0-9A-Za-z]+$/.test(part) || !/\d/.test(part)) return false;
    if (/^[0-9a-f]+$/.test(part)) return /[a-f]/.test(part);
    return /[A-Z]/.test(part) && /[a-z]/.test(part);
  });
}

/**
 * Returns whether the name ends in eight characters that may be a hash. Vite's hashes can lack digits
 * or contain `-` and `_`, which also separate words.
 */
function mayHaveHash(stem: string): boolean {
  const tail = /[.-]([\w-]{8})$/.exec(stem)?.[1];
  return tail !== undefined && /[\d_-]|[a-z][A-Z]/.test(tail) && !/^\d+$/.test(tail);
}

/**
 * Returns the topmost folders that contain only files of the groups, at any depth. Hosts whose
 * rules can't name an extension need these folders. The root is never among them.
 */
export function wholeFolders(files: Iterable<string>, groups: readonly ImmutableGroup[]): string[] {
  const known = new Set(groups.map(({ folder, extension }) => `${folder}/*.${extension}`));
  const mixed = new Set<string>(['']);
  const all = new Set<string>();
  for (const file of files) {
    const folder = parentOf(file);
    const isKnown = known.has(`${folder}/*.${file.slice(file.lastIndexOf('.') + 1)}`);
    for (let above = folder; above !== ''; above = parentOf(above)) {
      all.add(above);
      if (!isKnown) mixed.add(above);
    }
  }
  return [...all]
    .filter((folder) => !mixed.has(folder) && mixed.has(parentOf(folder)))
    .sort(compareText);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

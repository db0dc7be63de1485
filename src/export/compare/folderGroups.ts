/** An entry with a path, with `/`. */
export interface PathEntry {
  readonly path: string;
}

/** One row of a list that is grouped by folder. Labels are relative to the folder around it. */
export type FolderGroup<Entry extends PathEntry> =
  | { readonly kind: 'entry'; readonly label: string; readonly entry: Entry }
  | {
      readonly kind: 'folder';
      readonly label: string;
      /** Path from the root, with `/` at its end, to group the entries below it. */
      readonly folder: string;
      readonly entries: readonly Entry[];
    };

/**
 * Groups entries by the folders directly below a folder, in the order of the entries. A folder that
 * contains only one folder or one entry shares a row with it.
 * @param folder path from the root, with `/` at its end, that all entries are below. Empty for the
 * root.
 */
export function groupedByFolder<Entry extends PathEntry>(
  entries: readonly Entry[],
  folder = '',
): readonly FolderGroup<Entry>[] {
  const groups = new Map<string, FolderGroup<Entry> | Entry[]>();
  for (const entry of entries) {
    const label = entry.path.slice(folder.length);
    const slash = label.indexOf('/', 1);
    if (slash === -1) {
      // A page can have the name of a folder: `guides.html` beside `guides/`.
      // `guides.html` and `guides/index.html` have the same name, so the key is unique.
      groups.set(`/${groups.size}`, { kind: 'entry', label, entry });
      continue;
    }
    const name = label.slice(0, slash + 1);
    const known = groups.get(name);
    if (Array.isArray(known)) known.push(entry);
    else groups.set(name, [entry]);
  }
  return [...groups.values()].map((group) => {
    if (!Array.isArray(group)) return group;
    const [only, ...others] = group;
    if (only && others.length === 0) {
      return { kind: 'entry', label: only.path.slice(folder.length), entry: only };
    }
    const below = commonFolder(group);
    return { kind: 'folder', label: below.slice(folder.length, -1), folder: below, entries: group };
  });
}

/** Returns the deepest folder that all entries are in, with `/` at its end. */
function commonFolder(entries: readonly PathEntry[]): string {
  let common = entries[0]?.path ?? '';
  for (const { path } of entries) {
    let length = 0;
    while (length < common.length && common[length] === path[length]) length += 1;
    common = common.slice(0, length);
  }
  return common.slice(0, common.lastIndexOf('/') + 1);
}

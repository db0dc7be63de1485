/** Compares the APIs of two versions of a package. */
import type { ApiName } from '../pages/types/apiNames';

export interface RenamedName {
  readonly older: ApiName;
  readonly newer: ApiName;
  /** Whether the older docs name the newer name, or only the signatures are equal. */
  readonly because: 'deprecation' | 'signature';
}

export interface ChangedName {
  readonly older: ApiName;
  readonly newer: ApiName;
}

export interface ApiDiff {
  readonly added: readonly ApiName[];
  /** Names that are gone, without the members of parents that are gone. */
  readonly removed: readonly ApiName[];
  readonly renamed: readonly RenamedName[];
  /** Names that only the newer version says are deprecated. */
  readonly deprecated: readonly ChangedName[];
  readonly signatureChanged: readonly ChangedName[];
  /** Names whose default value differs. One of the values can be undefined. */
  readonly defaultChanged: readonly ChangedName[];
}

/**
 * Returns the differences of two lists of names. Only names that can be imported count, with their members. A removed
 * name counts as renamed if its deprecation says to use a name that the newer version has, or if exactly one name
 * was added in the same module with the same kind and signature, and no other removed name has them.
 */
export function diffApi(older: readonly ApiName[], newer: readonly ApiName[]): ApiDiff {
  const before = byKey(older);
  const after = byKey(newer);
  const added = new Map([...after].filter(([key]) => !before.has(key)));
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, name]) => name);
  const changed = [...before].flatMap(([key, name]): ChangedName[] => {
    const other = after.get(key);
    return other ? [{ older: name, newer: other }] : [];
  });
  const renamed: RenamedName[] = [];
  const removed: ApiName[] = [];
  const addedShapes = byShape(added.values());
  const goneShapes = byShape(gone);
  for (const name of gone) {
    if (hasParentIn(name, (key) => before.has(key) && !after.has(key))) continue;
    const told = replacementOf(name, after);
    const shape = shapeOf(name);
    const [same, ...others] = addedShapes.get(shape) ?? [];
    const isOnly = others.length === 0 && goneShapes.get(shape)?.length === 1;
    if (told) renamed.push({ older: name, newer: told, because: 'deprecation' });
    else if (same && isOnly) renamed.push({ older: name, newer: same, because: 'signature' });
    else removed.push(name);
  }
  for (const { newer: name } of renamed) added.delete(keyOf(name));
  return {
    added: [...added.values()].filter(
      (name) => !hasParentIn(name, (key) => after.has(key) && !before.has(key)),
    ),
    removed,
    renamed,
    deprecated: changed.filter(
      (each) => each.older.deprecated === undefined && each.newer.deprecated !== undefined,
    ),
    signatureChanged: changed.filter(
      (each) => flat(each.older.signature) !== flat(each.newer.signature),
    ),
    defaultChanged: changed.filter((each) => each.older.defaultValue !== each.newer.defaultValue),
  };
}

function keyOf({ module, name }: Pick<ApiName, 'module' | 'name'>): string {
  return `${module}\n${name}`;
}

/** Returns the names that can be imported, by module and name. The first of equal names counts. */
function byKey(names: readonly ApiName[]): Map<string, ApiName> {
  const found = new Map<string, ApiName>();
  for (const name of names) {
    const key = keyOf(name);
    if (name.isExported && !found.has(key)) found.set(key, name);
  }
  return found;
}

/** Returns whether a name is part of another name with a key for which the test holds. */
function hasParentIn({ module, name }: ApiName, test: (key: string) => boolean): boolean {
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    if (test(keyOf({ module, name: name.slice(0, at) }))) return true;
  }
  return false;
}

/** Returns the name that a deprecation says to use, if the newer version has it. */
function replacementOf(
  { module, name, deprecated }: ApiName,
  after: ReadonlyMap<string, ApiName>,
): ApiName | undefined {
  const said = /\b(?:use|replaced (?:by|with)|renamed to)\s+(?:the\s+)?[`'"[]*([\w$.]+)/i.exec(
    deprecated ?? '',
  )?.[1];
  if (said === undefined) return undefined;
  const wanted = said.replace(/^\.+|\.+$/g, '');
  const parent = name.slice(0, name.lastIndexOf('.') + 1);
  return (
    after.get(keyOf({ module, name: parent + wanted })) ??
    after.get(keyOf({ module, name: wanted }))
  );
}

/** Returns what a name and a new name for the same thing have in common. Empty for signatures that say little. */
function shapeOf({ module, name, kind, signature }: ApiName): string {
  const at = name.lastIndexOf('.');
  const own = name.slice(at + 1);
  const text = flat(signature)
    .split(/(?<![\w$])(?=[\w$])|(?<=[\w$])(?![\w$])/)
    .map((word) => (word === own ? '%' : word))
    .join('');
  return text.length < MIN_SHAPE ? '' : [module, name.slice(0, at + 1), kind, text].join('\n');
}

/** Characters that a signature needs to tell that two names are the same: `const %: string` is too common. */
const MIN_SHAPE = 24;

function byShape(names: Iterable<ApiName>): Map<string, ApiName[]> {
  const found = new Map<string, ApiName[]>();
  for (const name of names) {
    const shape = shapeOf(name);
    if (shape === '') continue;
    const known = found.get(shape);
    if (known) known.push(name);
    else found.set(shape, [name]);
  }
  return found;
}

/** Returns a signature without line breaks and without what only formats it. */
function flat(signature: string): string {
  return signature
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}()[\]<>,;:|&]) ?/g, '$1')
    .replace(/[,;](?=[)}\]])/g, '');
}

/**
 * Adds the deployment's keys to a Helm values file.
 *
 * The file is parsed to find positions, and only those are edited. Comments, order, quotes, indentation
 * and line ends stay the same byte for byte.
 *
 * @see platform-api.md § What the service does, 7
 */
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { EditedText } from './bundleLinks';
import type { Reason } from '../exportErrors';
import type { Deployment } from './deploymentText';
import { aliasTargets, mergedMaps } from './mergedMaps';
import {
  addBelow,
  addEntries,
  addFirst,
  applyEdits,
  scalarRange,
  setValue,
  type Entry,
  type TextEdit,
} from './valuesEdits';
import {
  aliasedAnchors,
  colonEnd,
  columnOf,
  findPair,
  isFlow,
  isMergeKey,
  pairKey,
  lineEnd,
  lineStart,
  nodeAt,
  parseDocuments,
  nodeRange,
  readValues,
  refuse,
  type ValuesDocument,
  type ValuesMap,
  type ValuesPair,
  type ValuesSource,
} from './valuesSource';

const KEY = 'staticExport';

/**
 * Sets `staticExport.enabled`, `.bundleUrl` and, if given, `.version`. Existing keys keep their place and
 * style. Missing keys are added after their siblings. A file without `staticExport` gets it at its
 * end, unless exactly one map below the top has it. That map belongs to a sub-chart.
 *
 * @param fileName name of the file for the error.
 * @param options `isEnabled: false` leaves `enabled` as it is, for values that only add the link.
 * `path` sets the place, see {@link deploymentPath}.
 * @returns no edits if the file already has these values.
 * @throws {ExportError} `values-not-usable` for a file that can't be edited safely: invalid YAML, several
 * documents, a template, a root or a `staticExport` that isn't a map, or a `staticExport` that an alias
 * or a merge key shares with other places.
 */
export function setDeployment(
  text: string,
  deployment: Deployment,
  fileName = 'values.yaml',
  options: { readonly isEnabled?: boolean; readonly path?: readonly string[] } = {},
): EditedText {
  const { isEnabled = true, path } = options;
  const entries: Entry[] = [
    ...(isEnabled ? [{ key: 'enabled', value: true } as const] : []),
    { key: 'bundleUrl', value: deployment.bundleUrl },
  ];
  if (deployment.version !== undefined) entries.push({ key: 'version', value: deployment.version });
  return setEntries(readValues(text, fileName), entries, path);
}

/**
 * Returns the keys that lead to the map that {@link setDeployment} edits. The last one is `staticExport`,
 * and the keys before it name sub-charts.
 * @throws {ExportError} `values-not-usable` as {@link setDeployment}.
 */
export function deploymentPath(text: string, fileName: string): readonly string[] {
  return pathOf(readValues(text, fileName));
}

/**
 * Sets `staticExport.enabled` and, if given, `.version`, as {@link setDeployment} does, and removes
 * `.bundleUrl`, which comes from elsewhere: Flux prefers inline values to those of a Secret. A comment
 * beside the keys says where it comes from, if the file is written in blocks.
 * @throws {ExportError} `values-not-usable` as {@link setDeployment}.
 */
export function setDeploymentWithoutLink(
  text: string,
  { version, origin }: { readonly version?: string | undefined; readonly origin: string },
  fileName: string,
): string {
  const entries: Entry[] = [{ key: 'enabled', value: true }];
  if (version !== undefined) entries.push({ key: 'version', value: version });
  const set = setEntries(readValues(text, fileName), entries).text;
  const source = readValues(set, fileName);
  const path = pathOf(source);
  const map = nodeAt(source.document?.contents, path);
  if (!isMap(map)) return set;
  checkMerges(source, path, [{ key: 'bundleUrl', isRemoved: true }]);
  const pair = findPair(map, 'bundleUrl');
  const edited = pair ? applyEdits(set, [removal(source, map, pair)]) : set;
  if (pair) proveEdit(source, edited, path, [], ['bundleUrl']);
  return withOrigin(readValues(edited, fileName), path, origin);
}

/** Start of the comment that says where the link comes from. */
const ORIGIN = '# bundleUrl: ';

/** Puts the comment below `enabled`. It replaces the comment of an earlier change. */
function withOrigin(source: ValuesSource, path: readonly string[], origin: string): string {
  const { text, eol, document } = source;
  const comment = `${ORIGIN}${origin}`;
  const map = nodeAt(document?.contents, path);
  const enabled = isMap(map) && !isFlow(map) ? findPair(map, 'enabled') : undefined;
  if (!enabled) return text;
  const indentation = ' '.repeat(columnOf(text, nodeRange(enabled.key)?.[0] ?? 0));
  const at = lineEnd(text, nodeRange(enabled.value)?.[1] ?? 0);
  const next = lineEnd(text, text.indexOf('\n', at) + 1);
  const hasOne = text.slice(at, next).trimStart().startsWith(ORIGIN);
  const end = hasOne ? next : at;
  return `${text.slice(0, at)}${eol}${indentation}${comment}${text.slice(end)}`;
}

function setEntries(
  source: ValuesSource,
  entries: readonly Entry[],
  path = pathOf(source),
): EditedText {
  const edits = editsAt(source, path, entries);
  checkMerges(source, path, entries);
  const text = applyEdits(source.text, edits);
  proveEdit(source, text, path, entries);
  return { text, edits };
}

/**
 * Refuses values in which a merge key gives one of the keys another value. Helm's parser prefers a merge
 * key to all keys above it (https://github.com/go-yaml/yaml/issues/81), and others never do.
 */
function checkMerges(
  { document, fileName }: ValuesSource,
  path: readonly string[],
  keys: readonly { readonly key: string; readonly isRemoved?: boolean }[],
): void {
  if (!document) return;
  const targets = aliasTargets(document);
  const check = (map: ValuesMap, key: string, isRemoved = false): void => {
    const own = map.items.findIndex((pair) => pairKey(pair) === key);
    // A key that is missing is added below all others.
    const from = isRemoved ? 0 : own < 0 ? map.items.length : own;
    if (!mergedMaps(map, targets, { from }).some((merged) => findPair(merged, key))) return;
    throw refuse(fileName, (t) =>
      t(
        'a merge key (<<) can set “{0}” to another value. Remove it there, or edit the file yourself.',
        key,
      ),
    );
  };
  let map: unknown = document.contents;
  for (const key of path) {
    if (!isMap(map)) return;
    check(map, key);
    map = findPair(map, key)?.value;
  }
  if (!isMap(map)) return;
  for (const { key, isRemoved } of keys) check(map, key, isRemoved);
}

/** Returns the edit that removes a key with its value and the comment on its line. */
function removal(source: ValuesSource, map: ValuesMap, pair: ValuesPair): TextEdit {
  const { text, document, fileName } = source;
  const { anchor } = (pair.value ?? {}) as { readonly anchor?: string };
  if (document && anchor !== undefined && aliasedAnchors(document).has(anchor)) {
    throw refuse(fileName, isShared);
  }
  const keyStart = nodeRange(pair.key)?.[0] ?? 0;
  const end = isScalar(pair.value)
    ? scalarRange(text, pair.value)[1]
    : (nodeRange(pair.value)?.[1] ?? colonEnd(pair) ?? keyStart);
  if (!isFlow(map)) {
    const start = lineStart(text, keyStart);
    const after = text.indexOf('\n', end) + 1;
    if (after > 0) return { start, end: after, newText: '' };
    // The last line can lack a line break at its end. The line break before it is removed instead.
    const before = text.slice(0, start).replace(/\r?\n$/, '').length;
    return { start: before, end: text.length, newText: '' };
  }
  const comma = /^\s*,[ \t]*/.exec(text.slice(end))?.[0];
  if (comma !== undefined) {
    const newLine = /^\r?\n[ \t]*/.exec(text.slice(end + comma.length))?.[0] ?? '';
    return { start: keyStart, end: end + comma.length + newLine.length, newText: '' };
  }
  const before = /,\s*$/.exec(text.slice(0, keyStart))?.[0].length ?? 0;
  return { start: keyStart - before, end, newText: '' };
}

/** Returns the path of keys to the map that is edited. */
function pathOf({ text, document, fileName }: ValuesSource): readonly string[] {
  const root: unknown = document?.contents;
  if (!document || !isMap(root) || findPair(root, KEY)) return [KEY];
  const places = placesBelow(root);
  const [only] = places;
  if (places.length > 1) {
    throw refuse(fileName, (t) =>
      t('it has “staticExport” for several charts. Edit the file yourself.'),
    );
  }
  if (!only && root.items.some(isMergeKey) && text.includes(KEY)) {
    throw refuse(fileName, (t) =>
      t('a merge key (<<) at the top level may define “staticExport”. Edit the file yourself.'),
    );
  }
  if (isSharedElsewhere(document, only?.pair)) throw refuse(fileName, isShared);
  return only?.path ?? [KEY];
}

const isShared: Reason = (t) =>
  t(
    'an alias (*) shares “staticExport” with other places, so an edit would change them too. Edit the file yourself.',
  );

/** A `staticExport`, with the keys that lead to it. */
interface Place {
  readonly path: readonly string[];
  readonly pair: ValuesPair;
}

/** Returns each `staticExport` that is a map below the top of a map. */
export function placesBelow(map: ValuesMap): readonly Place[] {
  return map.items.flatMap((pair) => {
    const key = pairKey(pair);
    if (key === undefined || !isMap(pair.value)) return [];
    if (key === KEY) return [{ path: [key], pair }];
    return placesBelow(pair.value).map((place) => ({ ...place, path: [key, ...place.path] }));
  });
}

/** Returns whether an alias or a merge key puts another `staticExport` into a chart, such as one of a list. */
function isSharedElsewhere(document: ValuesDocument, own: ValuesPair | undefined): boolean {
  const aliased = aliasedAnchors(document);
  let found = false;
  visit(document, {
    Pair: (_key, pair, ancestors) => {
      if (pair === own || pairKey(pair) !== KEY) return undefined;
      found = ancestors.some(
        (node) => isCollection(node) && node.anchor !== undefined && aliased.has(node.anchor),
      );
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

function editsAt(
  source: ValuesSource,
  path: readonly string[],
  entries: readonly Entry[],
): readonly TextEdit[] {
  const { document, fileName } = source;
  let map: unknown = document?.contents;
  const isEmpty = isMap(map) && isOneLine(source, map);
  if (!document || isNothing(map) || isEmpty) return addFirst(source, nested(path, entries));
  const aliased = aliasedAnchors(document);
  const checkShared = (node: unknown): void => {
    const { anchor } = (node ?? {}) as { readonly anchor?: string };
    if (isAlias(node) || (anchor !== undefined && aliased.has(anchor))) {
      throw refuse(fileName, isShared);
    }
  };
  let pair: ValuesPair | undefined;
  let inFlow = false;
  for (const [depth, key] of path.entries()) {
    if (!isMap(map))
      throw refuse(fileName, (t) => t('the top level isn’t a map of keys and values.'));
    inFlow ||= isFlow(map);
    pair = findPair(map, key);
    if (!pair) return addEntries(source, map, nested(path.slice(depth), entries));
    checkShared(pair.value);
    map = pair.value;
  }
  if (pair && (isNothing(map) || (isMap(map) && isOneLine(source, map)))) {
    return addBelow(source, pair, entries, inFlow);
  }
  if (!isMap(map))
    throw refuse(fileName, (t) => t('“staticExport” isn’t a map of keys and values.'));
  inFlow ||= isFlow(map);
  return editsInMap(source, map, entries, inFlow, checkShared);
}

/** Returns the entries below the keys of a path. */
function nested(path: readonly string[], entries: readonly Entry[]): readonly Entry[] {
  return path.reduceRight<readonly Entry[]>((value, key) => [{ key, value }], entries);
}

function editsInMap(
  source: ValuesSource,
  map: ValuesMap,
  entries: readonly Entry[],
  inFlow: boolean,
  checkShared: (node: unknown) => void,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const missing: Entry[] = [];
  for (const entry of entries) {
    const pair = findPair(map, entry.key);
    if (!pair) {
      missing.push(entry);
      continue;
    }
    if (typeof entry.value === 'object') continue;
    const changes = setValue(source, pair, entry.value, `${KEY}.${entry.key}`, inFlow);
    // An alias can be replaced, but the value of an anchor with other aliases must not change.
    if (changes.length > 0 && !isAlias(pair.value)) checkShared(pair.value);
    edits.push(...changes);
  }
  return [...edits, ...addEntries(source, map, missing)].sort((a, b) => a.start - b.start);
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

/** Returns whether a map is `{}` without a comment, which a block can replace. */
function isOneLine({ text }: ValuesSource, map: ValuesMap): boolean {
  const [start, end] = nodeRange(map) ?? [0, 0];
  return /^\{\s*\}$/.test(text.slice(start, end));
}

/**
 * Parses the edited text again: the keys must have the new values, and nothing else may have changed.
 * YAML has too many forms to foresee, and a wrong guess can break a deployment.
 */
function proveEdit(
  { text, fileName }: ValuesSource,
  edited: string,
  path: readonly string[],
  entries: readonly Entry[],
  removed: readonly string[] = [],
): void {
  const unsure = refuse(fileName, (t) =>
    t('the YAML is too unusual to edit safely. Edit the file yourself.'),
  );
  const [before] = parseDocuments(text);
  const documents = parseDocuments(edited);
  const [after] = documents;
  if (!after || documents.length > 1 || after.errors.length > 0) throw unsure;
  const target = nodeAt(after.contents, path);
  for (const { key, value } of entries) {
    const node = isMap(target) ? findPair(target, key)?.value : undefined;
    if (!isScalar(node) || node.value !== value || node.tag?.startsWith('!') === true) throw unsure;
  }
  const isLeft = (key: string): boolean => isMap(target) && findPair(target, key) !== undefined;
  if (removed.some(isLeft)) throw unsure;
  const keys = new Set([...entries.map(({ key }) => key), ...removed]);
  const rest = (contents: unknown): string =>
    JSON.stringify(outline(contents, path, keys) ?? emptyOutline);
  if (rest(before?.contents) !== rest(after.contents)) throw unsure;
}

const emptyOutline = ['map'];

/** Returns the whole content of a node in order, without the keys that are set at the path's end. */
function outline(
  node: unknown,
  path: readonly string[] | undefined,
  keys: ReadonlySet<string>,
): unknown {
  if (path && isNothing(node)) return undefined;
  if (isAlias(node)) return ['alias', node.source];
  if (isScalar(node))
    return ['scalar', node.tag, node.anchor, typeof node.value, String(node.value)];
  if (isSeq(node)) {
    return ['list', node.tag, node.anchor, node.items.map((item) => outlineItem(item, keys))];
  }
  if (!isMap(node)) return ['nothing'];
  const [next, ...further] = path ?? [];
  const pairs = node.items.flatMap((pair) => {
    const key = pairKey(pair);
    if (path?.length === 0 && key !== undefined && keys.has(key)) return [];
    const isOnPath = path !== undefined && next !== undefined && key === next;
    const value = outline(pair.value, isOnPath ? further : undefined, keys);
    if (isOnPath && value === undefined) return [];
    return [[outline(pair.key, undefined, keys), value]];
  });
  if (path && pairs.length === 0) return undefined;
  return ['map', node.tag, node.anchor, pairs];
}

function outlineItem(item: unknown, keys: ReadonlySet<string>): unknown {
  return isPair(item)
    ? [outline(item.key, undefined, keys), outline(item.value, undefined, keys)]
    : outline(item, undefined, keys);
}

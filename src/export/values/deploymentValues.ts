/**
 * Adds the deployment's keys to a Helm values file, and finds and renews links in one.
 *
 * The file is parsed to find positions, and only those are edited. Comments, order, quotes, indentation
 * and line ends stay the same byte for byte.
 *
 * @see platform-api.md § What the service does, 7
 */
import { isAlias, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import { UnreasonableYaml } from '../../common/text/yamlDocuments';
import type { Deployment } from './deploymentText';
import {
  addBelow,
  addEntries,
  addFirst,
  applyEdits,
  replaceScalar,
  scalarRange,
  setValue,
  type Entry,
  type TextEdit,
} from './valuesEdits';
import {
  aliasedAnchors,
  findPair,
  hasMergeKey,
  isFlow,
  keyOf,
  lineOf,
  parseDocuments,
  rangeOf,
  readValues,
  refuse,
  type ValuesMap,
  type ValuesPair,
  type ValuesSource,
} from './valuesSource';

export type { TextEdit } from './valuesEdits';

/** An edited text, with its edits in order and without overlaps. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** A `staticExport.bundleUrl` in a file. */
export interface BundleUrlInFile {
  readonly url: string;
  /** Start of the value with its quotes, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Line, counted from 0 as in VS Code. */
  readonly line: number;
}

const KEY = 'staticExport';

/**
 * Sets `staticExport.enabled`, `.bundleUrl` and, if given, `.version`. Existing keys keep their place and
 * style. Missing keys are added after their siblings. A file without `staticExport` gets it at its end,
 * unless exactly one map below the top has it, which belongs to a sub-chart.
 *
 * @param fileName name of the file for the error.
 * @returns no edits if the file already has these values.
 * @throws {ExportError} `values-not-usable` for a file that can't be edited safely: invalid YAML, several
 * documents, a template, a root or a `staticExport` that isn't a map, or a `staticExport` that an alias
 * or a merge key shares with other places.
 */
export function setDeployment(
  text: string,
  deployment: Deployment,
  fileName = 'values.yaml',
): EditedText {
  const source = readValues(text, fileName);
  const entries: Entry[] = [
    { key: 'enabled', value: true },
    { key: 'bundleUrl', value: deployment.bundleUrl },
  ];
  if (deployment.version !== undefined) entries.push({ key: 'version', value: deployment.version });
  const path = pathOf(source);
  const edits = editsAt(source, path, entries);
  const edited = { text: applyEdits(text, edits), edits };
  proveEdit(source, edited.text, path, entries);
  return edited;
}

/** Returns every `staticExport.bundleUrl` of a file, including sub-charts. A file with errors has none. */
export function bundleLinksIn(text: string): readonly BundleUrlInFile[] {
  return linkScalars(text).map(({ url, scalar }) => {
    const [start, end] = scalarRange(text, scalar);
    return { url, start, end, line: lineOf(text, start) };
  });
}

/**
 * Replaces the links that `isMine` recognizes, each in its own style. A file with errors is not changed.
 */
export function replaceBundleLinks(
  text: string,
  isMine: (url: string) => boolean,
  newUrl: string,
): EditedText {
  const edits = linkScalars(text)
    .filter(({ url }) => url !== newUrl && isMine(url))
    .map(({ scalar, inFlow }) => replaceScalar(text, scalar, newUrl, inFlow));
  return { text: applyEdits(text, edits), edits };
}

interface LinkScalar {
  readonly url: string;
  readonly scalar: Parameters<typeof replaceScalar>[1];
  readonly inFlow: boolean;
}

function linkScalars(text: string): readonly LinkScalar[] {
  const found: LinkScalar[] = [];
  try {
    for (const document of parseDocuments(text)) {
      if (document.errors.length > 0) continue;
      visit(document, {
        Pair: (_key, pair, ancestors) => {
          if (keyOf(pair) !== KEY || !isMap(pair.value)) return;
          const scalar = findPair(pair.value, 'bundleUrl')?.value;
          if (!isScalar(scalar) || typeof scalar.value !== 'string' || scalar.value === '') return;
          const inFlow = [pair.value, ...ancestors].some((node) => isMap(node) && isFlow(node));
          found.push({ url: scalar.value, scalar, inFlow });
        },
      });
    }
  } catch (error) {
    if (error instanceof UnreasonableYaml) return [];
    throw error;
  }
  return found;
}

/** Returns the path of keys to the map that is edited. */
function pathOf({ text, document, fileName }: ValuesSource): readonly string[] {
  const root: unknown = document?.contents;
  if (!isMap(root) || findPair(root, KEY)) return [KEY];
  const paths = pathsBelow(root);
  const [only] = paths;
  if (paths.length > 1) {
    throw refuse(fileName, (t) =>
      t('it has “staticExport” for several charts. Copy the configuration and insert it yourself.'),
    );
  }
  if (only) return only;
  if (hasMergeKey(root) && text.includes(KEY)) {
    throw refuse(fileName, (t) =>
      t(
        'a merge key (<<) at its top may define “staticExport”. Copy the configuration and insert it yourself.',
      ),
    );
  }
  return [KEY];
}

function pathsBelow(map: ValuesMap): readonly (readonly string[])[] {
  return map.items.flatMap((pair) => {
    const key = keyOf(pair);
    if (key === undefined || !isMap(pair.value)) return [];
    if (key === KEY) return [[key]];
    return pathsBelow(pair.value).map((rest) => [key, ...rest]);
  });
}

function editsAt(
  source: ValuesSource,
  path: readonly string[],
  entries: readonly Entry[],
): readonly TextEdit[] {
  const { document, fileName } = source;
  let map: unknown = document?.contents;
  if (!document || isNothing(map)) return addFirst(source, [{ key: KEY, value: entries }]);
  if (isMap(map) && map.items.length === 0 && isOneLine(source, map)) {
    return addFirst(source, [{ key: KEY, value: entries }]);
  }
  const aliased = aliasedAnchors(document);
  const checkShared = (node: unknown): void => {
    const { anchor } = (node ?? {}) as { readonly anchor?: string };
    if (isAlias(node) || (anchor !== undefined && aliased.has(anchor))) {
      throw refuse(fileName, (t) =>
        t(
          'an alias (*) shares “staticExport” with other places, so an edit would change those too.',
        ),
      );
    }
  };
  let pair: ValuesPair | undefined;
  let inFlow = false;
  for (const key of path) {
    if (!isMap(map))
      throw refuse(fileName, (t) => t('its top level isn’t a map of keys and values.'));
    inFlow ||= isFlow(map);
    pair = findPair(map, key);
    if (!pair) return addEntries(source, map, [{ key, value: entries }]);
    checkShared(pair.value);
    map = pair.value;
  }
  if (
    pair &&
    (isNothing(map) || (isMap(map) && map.items.length === 0 && isOneLine(source, map)))
  ) {
    return addBelow(source, pair, entries, inFlow);
  }
  if (!isMap(map))
    throw refuse(fileName, (t) => t('its “staticExport” isn’t a map of keys and values.'));
  inFlow ||= isFlow(map);
  return editsInMap(source, map, entries, inFlow, checkShared);
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
  const [start, end] = rangeOf(map) ?? [0, 0];
  return /^\{\s*\}$/.test(text.slice(start, end));
}

/**
 * Parses the edited text again: the keys must have the new values, and nothing else may have changed.
 * YAML has too many forms to foresee, and guesses are not acceptable in a deployment's file.
 */
function proveEdit(
  { text, fileName }: ValuesSource,
  edited: string,
  path: readonly string[],
  entries: readonly Entry[],
): void {
  const unsure = refuse(fileName, (t) =>
    t('its form is too unusual to edit safely. Copy the configuration and insert it yourself.'),
  );
  const [before] = parseDocuments(text);
  const documents = parseDocuments(edited);
  const [after] = documents;
  if (!after || documents.length > 1 || after.errors.length > 0) throw unsure;
  let target: unknown = after.contents;
  for (const key of path) target = isMap(target) ? findPair(target, key)?.value : undefined;
  for (const { key, value } of entries) {
    const node = isMap(target) ? findPair(target, key)?.value : undefined;
    if (!isScalar(node) || node.value !== value || node.tag?.startsWith('!') === true) throw unsure;
  }
  const keys = new Set(entries.map(({ key }) => key));
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
    const key = keyOf(pair);
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

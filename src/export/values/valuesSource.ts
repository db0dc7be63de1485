/** Reads a values file with everything an exact edit needs: offsets, line ends and indentation. */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  visit,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { parseYaml, UnreasonableYaml, type YamlDocument } from '../../common/text/yamlDocuments';
import { ExportError, type Reason } from '../exportErrors';

export type ValuesDocument = YamlDocument;

export type ValuesMap = YAMLMap;
export type ValuesPair = Pair;

/** A values file with at most one document and without errors. */
export interface ValuesSource {
  readonly text: string;
  readonly fileName: string;
  /** Parsed document. Absent in a file that is empty or has only comments. */
  readonly document?: ValuesDocument;
  readonly eol: '\n' | '\r\n';
  /** Number of spaces per level of indentation. */
  readonly step: number;
}

const BOM = '\uFEFF';

/** Maximum number of characters that are parsed. Typical values files have a few thousand. */
const MAX_LENGTH = 2 * 1024 * 1024;

/**
 * Parses all documents with their errors. Repeated keys don't count as errors here.
 * @throws {UnreasonableYaml}
 */
export function parseDocuments(text: string): readonly ValuesDocument[] {
  return parseYaml(text, { maxLength: MAX_LENGTH });
}

/** Returns the documents without errors, or none of a text that is too large or nested too deeply. */
export function validDocuments(text: string): readonly ValuesDocument[] {
  try {
    return parseDocuments(text).filter(({ errors }) => errors.length === 0);
  } catch (error) {
    if (error instanceof UnreasonableYaml) return [];
    throw error;
  }
}

export function refuse(fileName: string, reason: Reason): ExportError {
  return new ExportError('values-not-usable', { path: fileName, reason });
}

/** Reads a values file. @throws {ExportError} `values-not-usable` unless it is one valid YAML document in clear. */
export function readValues(text: string, fileName: string): ValuesSource {
  const documents = parsedOrRefused(text, fileName);
  const [document] = documents;
  for (const { errors } of documents) {
    const [first] = errors;
    if (first) throw refuse(fileName, errorReason(text, first.code, first.pos[0]));
  }
  const repeated = document && repeatedKey(document);
  if (repeated !== undefined) {
    const line = lineOf(text, repeated) + 1;
    throw refuse(fileName, (t) => t('line {0} repeats a key of the same map.', line));
  }
  if (documents.length > 1) {
    throw refuse(fileName, (t) =>
      t(
        'it has several YAML documents, but a deployment reads only one. Choose a file with one document.',
      ),
    );
  }
  if (document && holdsTemplate(document)) throw refuse(fileName, isTemplate);
  if (isEncrypted(document?.contents)) throw refuse(fileName, needsDecryption);
  return {
    text,
    fileName,
    document,
    eol: lineEndOf(text),
    step: document ? stepOf(text, document) : 2,
  };
}

const isTemplate: Reason = (t) =>
  t('it is a template ({{ … }}), not YAML. Choose the values file that is generated from it.');

/**
 * Returns whether SOPS has encrypted a file. It signs all values of the file, so SOPS can't decrypt it after an edit,
 * even of a value in clear.
 */
export function isEncrypted(root: unknown): boolean {
  return isScalar(nodeAt(root, ['sops', 'mac']));
}

export const needsDecryption: Reason = (t) =>
  t('it is encrypted with SOPS. Decrypt it, then try again.');

function parsedOrRefused(text: string, fileName: string): readonly ValuesDocument[] {
  try {
    return parseDocuments(text);
  } catch (error) {
    if (error instanceof UnreasonableYaml) throw refuse(fileName, unreasonable[error.problem]);
    throw error;
  }
}

const unreasonable: Readonly<Record<UnreasonableYaml['problem'], Reason>> = {
  'too-large': (t) => t('it is too large for a values file.'),
  'too-deep': (t) => t('it is nested too deeply.'),
};

/** Returns the line of an error. The parser's message may quote the file, which may contain secrets. */
function errorReason(text: string, code: string, offset: number): Reason {
  const line = lineOf(text, offset) + 1;
  if (text.includes('{{')) return isTemplate;
  if (code === 'TAB_AS_INDENT') {
    return (t) => t('line {0} is indented with a tab, which YAML does not allow.', line);
  }
  return (t) => t('line {0} has a syntax error.', line);
}

/** Returns the offset of the first repeated key of a map. */
function repeatedKey(document: ValuesDocument): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Map: (_key, map) => {
      const names = new Set<string>();
      for (const pair of map.items) {
        const name = isScalar(pair.key) ? JSON.stringify(pair.key.value) : undefined;
        if (name === undefined) continue;
        if (names.has(name)) {
          offset = nodeRange(pair.key)?.[0] ?? 0;
          return visit.BREAK;
        }
        names.add(name);
      }
      return undefined;
    },
  });
  return offset;
}

/** Returns whether a document has `key: {{ .Values.x }}`, which is valid YAML: a map as a key. */
function holdsTemplate(document: ValuesDocument): boolean {
  let found = false;
  visit(document, {
    Map: (_key, map) => {
      const [first] = map.items;
      if (!isFlow(map) || !isPair(first) || !isMap(first.key)) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** Returns the names of anchors that have an alias. */
export function aliasedAnchors(document: ValuesDocument): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, { Alias: (_key, { source }) => void names.add(source) });
  return names;
}

/** Returns whether a map or list is written as `{…}` or `[…]`, as in JSON. */
export function isFlow(collection: ValuesMap | YAMLSeq): boolean {
  return collection.srcToken?.type === 'flow-collection';
}

export function pairKey({ key }: ValuesPair): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : undefined;
}

export function findPair(map: ValuesMap, name: string): ValuesPair | undefined {
  return map.items.find((pair) => pairKey(pair) === name);
}

/** Returns what the keys of a path lead to, or undefined if a map has no such key. */
export function nodeAt(node: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (found, key) => (isMap(found) ? findPair(found, key)?.value : undefined),
    node,
  );
}

/** Returns whether a key is the merge key `<<`, a string in YAML 1.2 and a symbol in 1.1. */
export function isMergeKey({ key }: ValuesPair): boolean {
  return isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol');
}

/** Returns the range of a node's text, without its anchor, tag and comment. */
export function nodeRange(node: unknown): readonly [start: number, end: number] | undefined {
  const range = (node as Partial<ParsedNode> | null | undefined)?.range;
  return range ? [range[0], range[1]] : undefined;
}

/** Returns the end of a pair's colon, or undefined for `{key}`. */
export function colonEnd(pair: ValuesPair): number | undefined {
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  return colon && colon.offset + colon.source.length;
}

/** Returns the line of an offset, counted from 0. */
function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith(BOM) ? 1 : start;
}

/** Returns the offset of the line break, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const next = text.indexOf('\n', offset);
  if (next < 0) return text.length;
  return next > offset && text[next - 1] === '\r' ? next - 1 : next;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function lineEndOf(text: string): '\n' | '\r\n' {
  const windows = text.split('\r\n').length - 1;
  const all = text.split('\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

function stepOf(text: string, document: ValuesDocument): number {
  let step: number | undefined;
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isMap(value) || isFlow(value) || isAlias(key)) return undefined;
      const outer = nodeRange(key);
      const inner = nodeRange(value.items[0]?.key);
      if (!outer || !inner) return undefined;
      const difference = columnOf(text, inner[0]) - columnOf(text, outer[0]);
      if (difference <= 0) return undefined;
      step = difference;
      return visit.BREAK;
    },
  });
  return step ?? 2;
}

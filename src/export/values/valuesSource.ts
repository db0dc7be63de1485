/** Reads a values file with all that an exact edit needs: offsets, line ends, indentation. */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  Composer,
  Parser,
  visit,
  type CST,
  type Document,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import { ExportError } from './exportErrors';

export type ValuesDocument = Document.Parsed;

export type ValuesMap = YAMLMap;
export type ValuesPair = Pair;

/** A values file with at most one document, free of errors. */
export interface ValuesSource {
  readonly text: string;
  readonly fileName: string;
  /** Absent in a file that is empty or has comments only. */
  readonly document?: ValuesDocument;
  readonly eol: '\n' | '\r\n';
  /** Spaces of one level of indentation. */
  readonly step: number;
}

const BOM = '\uFEFF';

/** In characters. Values files have some thousand; a parser is not let loose on just anything. */
const MAX_LENGTH = 2 * 1024 * 1024;

/** Levels of maps and lists. The library recurses: some thousand levels would end the process. */
const MAX_DEPTH = 100;

/** A file that is left alone for its size or its depth. */
export class UnreasonableYaml extends Error {
  override readonly name = 'UnreasonableYaml';
}

/**
 * Every document with its errors; keys that are there twice are none here.
 * @throws {UnreasonableYaml}
 */
export function parseDocuments(text: string): readonly ValuesDocument[] {
  if (text.length > MAX_LENGTH) throw new UnreasonableYaml('it is too large for a values file.');
  const tokens = [...new Parser().parse(text)];
  if (isTooDeep(tokens)) throw new UnreasonableYaml('it is nested too deeply.');
  // The library compares each key with all others of its map: see `repeatedKey`.
  const composer = new Composer<ParsedNode, true>({
    keepSourceTokens: true,
    logLevel: 'silent',
    uniqueKeys: false,
  });
  return [...composer.compose(tokens)];
}

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap(tokensBelow);
  }
  return false;
}

function tokensBelow(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [
    ...(key ? [key] : []),
    ...(value ? [value] : []),
  ]);
}

export function refuse(fileName: string, reason: string): ExportError {
  return new ExportError('values-not-usable', { path: fileName, reason });
}

/** @throws {ExportError} `values-not-usable` for what is not one document of valid YAML. */
export function readValues(text: string, fileName: string): ValuesSource {
  const documents = parsedOrRefused(text, fileName);
  const [document] = documents;
  for (const { errors } of documents) {
    const [first] = errors;
    if (first) throw refuse(fileName, errorReason(text, first.code, first.pos[0]));
  }
  const repeated = document && repeatedKey(document);
  if (repeated !== undefined) {
    throw refuse(fileName, `line ${lineOf(text, repeated) + 1} repeats a key of the same map.`);
  }
  if (documents.length > 1) {
    throw refuse(
      fileName,
      'it holds several YAML documents, and a deployment reads one. Choose a file with one document.',
    );
  }
  if (document && holdsTemplate(document)) throw refuse(fileName, TEMPLATE);
  return {
    text,
    fileName,
    ...(document ? { document } : {}),
    eol: lineEndOf(text),
    step: document ? stepOf(text, document) : 2,
  };
}

const TEMPLATE =
  'it is a template ({{ … }}), not YAML yet. Choose the values file that is made of it.';

function parsedOrRefused(text: string, fileName: string): readonly ValuesDocument[] {
  try {
    return parseDocuments(text);
  } catch (error) {
    if (error instanceof UnreasonableYaml) throw refuse(fileName, error.message);
    throw error;
  }
}

/** The parser's own sentences can quote the file, which can hold secrets: only the line is told. */
function errorReason(text: string, code: string, offset: number): string {
  const line = lineOf(text, offset) + 1;
  if (text.includes('{{')) return TEMPLATE;
  if (code === 'TAB_AS_INDENT') {
    return `line ${line} is indented with a tab, which YAML does not allow.`;
  }
  return `line ${line} has a syntax error.`;
}

/** Offset of the first key that its map has already. */
function repeatedKey(document: ValuesDocument): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Map: (_key, map) => {
      const names = new Set<string>();
      for (const pair of map.items) {
        const name = isScalar(pair.key) ? JSON.stringify(pair.key.value) : undefined;
        if (name === undefined) continue;
        if (names.has(name)) {
          offset = rangeOf(pair.key)?.[0] ?? 0;
          return visit.BREAK;
        }
        names.add(name);
      }
      return undefined;
    },
  });
  return offset;
}

/** `key: {{ .Values.x }}` happens to be YAML: a map whose key is a map. Nobody means that. */
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

/** Names of the anchors that some alias refers to. */
export function aliasedAnchors(document: ValuesDocument): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, { Alias: (_key, { source }) => void names.add(source) });
  return names;
}

/** True for `{…}`, and for JSON. */
export function isFlow(map: ValuesMap): boolean {
  return map.srcToken?.type === 'flow-collection';
}

export function keyOf({ key }: ValuesPair): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : undefined;
}

export function findPair(map: ValuesMap, name: string): ValuesPair | undefined {
  return map.items.find((pair) => keyOf(pair) === name);
}

/** `<<`, which is a text in YAML 1.2 and a symbol in 1.1. */
export function hasMergeKey(map: ValuesMap): boolean {
  return map.items.some(
    ({ key }) => isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol'),
  );
}

/** Start and end of a node's own text, without its anchor, tag and comment. */
export function rangeOf(node: unknown): readonly [start: number, end: number] | undefined {
  const range = (node as Partial<ParsedNode> | null | undefined)?.range;
  return range ? [range[0], range[1]] : undefined;
}

/** Where the colon of a pair ends; undefined in `{key}`. */
export function colonEnd(pair: ValuesPair): number | undefined {
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  return colon && colon.offset + colon.source.length;
}

/** Counted from 0. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith(BOM) ? 1 : start;
}

/** Where the line break is, or the text ends. */
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
      const outer = rangeOf(key);
      const inner = rangeOf(value.items[0]?.key);
      if (!outer || !inner) return undefined;
      const difference = columnOf(text, inner[0]) - columnOf(text, outer[0]);
      if (difference <= 0) return undefined;
      step = difference;
      return visit.BREAK;
    },
  });
  return step ?? 2;
}

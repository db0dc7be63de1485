import * as acorn from 'acorn';
import acornJsx from 'acorn-jsx';
import MarkdownIt from 'markdown-it';
import { parse, postprocess, preprocess } from 'micromark';
import { mdxExpression } from 'micromark-extension-mdx-expression';
import { mdxJsx } from 'micromark-extension-mdx-jsx';
import { mdxMd } from 'micromark-extension-mdx-md';
import { combineExtensions } from 'micromark-util-combine-extensions';
import type { Event, Extension } from 'micromark-util-types';
import type { JsxValue } from './elementWriter';
import { readExpression, type Scope } from './jsxValues';
import { type ReadingBudget, squareSteps } from './readingBudget';

/** Matches lines that begin a list, a quote or code. Other rules apply to the tags in them. */
const otherBlock = /^ *(?:[-+*](?: |$)|\d{1,9}[.)](?: |$)|>|`{3}|~{3})/;
const tagName = /<(\/?)([A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)*)(?=[ \n/>])/y;
const attributeName = /[ \n]*([A-Za-z_$][\w$-]*)(?=[ \n/>=])(?:[ \n]*(=)[ \n]*)?/y;
const tagEnd = /[ \n]*(\/?)>/y;

/**
 * Reads MDX in which every tag is on its own lines and other lines have no `<` and `{`. Most MDX is of this
 * kind. This is much faster than {@link parseMdx}.
 * @returns the result of {@link parseMdx}, or undefined if only {@link parseMdx} can read the text.
 */
export function readPlainMdx(source: string, scope: Scope): MdxPiece[] | undefined {
  if (source.includes('\t')) return undefined;
  const pieces: MdxPiece[] = [];
  for (let at = 0; at < source.length;) {
    let start = at;
    while (source[start] === ' ') start++;
    if (source[start] !== '<') {
      const end = lineEnd(source, at);
      const line = source.slice(at, end);
      if (/[<{]/.test(line) || otherBlock.test(line)) return undefined;
      at = end + 1;
      continue;
    }
    while (source[start] === '<') {
      const tag = readTag(source, start, scope);
      if (!tag) return undefined;
      pieces.push(tag);
      start = tag.end;
      while (source[start] === ' ') start++;
    }
    if (start < source.length && source[start] !== '\n') return undefined;
    at = start + 1;
  }
  return pieces;
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

/** Attributes of every tag without attributes. A map for each of them would take more memory than the page. */
const noAttributes = new Map<string, JsxValue>();

function readTag(source: string, start: number, scope: Scope): MdxPiece | undefined {
  const [opening = '', slash = '', name = ''] = matchAt(tagName, source, start) ?? [];
  if (name === '') return undefined;
  let attributes = noAttributes;
  for (let at = start + opening.length; ;) {
    const end = matchAt(tagEnd, source, at);
    if (end) {
      const isClosing = slash !== '';
      const isSelfClosing = end[1] !== '';
      if (isClosing && (isSelfClosing || attributes.size > 0)) return undefined;
      at += end[0].length;
      return {
        kind: 'tag',
        start,
        end: at,
        isFlow: true,
        name,
        attributes,
        isClosing,
        isSelfClosing,
      };
    }
    const [written = '', attribute = '', equals] = matchAt(attributeName, source, at) ?? [];
    if (attribute === '') return undefined;
    at += written.length;
    if (attributes === noAttributes) attributes = new Map();
    attributes.set(attribute, true);
    if (equals === undefined) continue;
    const valueEnd = endOfValue(source, at);
    if (valueEnd < 0) return undefined;
    const value = source.slice(at + 1, valueEnd - 1);
    if (source[at] !== '{') {
      // Only `parseMdx` decodes entities.
      if (value.includes('&')) return undefined;
      attributes.set(attribute, value);
    } else {
      const read = readExpression(value, scope);
      if (!read.isValid) return undefined;
      if (read.value === undefined) attributes.delete(attribute);
      else attributes.set(attribute, read.value);
    }
    at = valueEnd;
  }
}

/**
 * Returns the end of the attribute value that begins at `start`, or -1 if it has no end.
 */
function endOfValue(source: string, start: number): number {
  const mark = source[start];
  if (mark === '"' || mark === "'") return source.indexOf(mark, start + 1) + 1 || -1;
  if (mark !== '{') return -1;
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const character = source.charCodeAt(at);
    if (character === 0x7b) depth++;
    else if (character === 0x7d && --depth === 0) return at + 1;
  }
  return -1;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** A tag or expression in a piece of MDX, with its position. */
export type MdxPiece = {
  readonly start: number;
  readonly end: number;
  readonly isFlow: boolean;
} & (
  | {
      readonly kind: 'tag';
      /** Name of the tag, empty for a fragment. */
      readonly name: string;
      readonly attributes: ReadonlyMap<string, JsxValue>;
      readonly isClosing: boolean;
      readonly isSelfClosing: boolean;
    }
  | { readonly kind: 'expression'; readonly source: string; readonly value: JsxValue | undefined }
);

/** Reason why a piece of MDX cannot be read. */
interface MdxFault {
  readonly reason: string;
  /** Whether the parser reached the end of the text, so that more text can fix the error. */
  readonly isCutOff: boolean;
  /** Position at which the parser stopped. */
  readonly offset: number;
}

/**
 * Parser that only counts braces. It is ten times as fast as `knowing`, which parses the JavaScript between
 * them. If the braces do not match, as in `{'{'}`, `knowing` decides.
 */
const counting = combineExtensions([mdxJsx(), mdxExpression(), mdxMd()]);
const knowing = combineExtensions([
  mdxJsx({ acorn: acorn.Parser.extend(acornJsx()), acornOptions: { ecmaVersion: 'latest' } }),
  mdxExpression({
    acorn: acorn.Parser.extend(acornJsx()),
    acornOptions: { ecmaVersion: 'latest' },
  }),
  mdxMd(),
]);
/** Maximum number of characters for the slower parser. */
const MAX_KNOWING = 8_000;

/** Reads the tags and expressions of a piece of MDX. */
export function readMdx(
  source: string,
  scope: Scope,
  budget: ReadingBudget,
): readonly MdxPiece[] | MdxFault {
  budget.spend(source.length);
  const plain = readPlainMdx(source, scope);
  if (plain) return plain;
  budget.spend(squareSteps(source.length));
  return parseMdx(source, scope);
}

/** Reads any piece of MDX with a full parser. */
export function parseMdx(source: string, scope: Scope): readonly MdxPiece[] | MdxFault {
  const counted = attempt(source, scope, counting);
  const isSure = 'pieces' in counted && counted.isValid;
  if (isSure) return counted.pieces;
  if (source.length <= MAX_KNOWING && /['"`]/.test(source)) {
    const known = attempt(source, scope, knowing);
    if ('pieces' in known) return known.pieces;
  }
  return 'pieces' in counted ? counted.pieces : counted;
}

function attempt(
  source: string,
  scope: Scope,
  extension: Extension,
): { pieces: MdxPiece[]; isValid: boolean } | MdxFault {
  try {
    const document = parse({ extensions: [extension] }).document();
    return piecesOf(postprocess(document.write(preprocess()(source, 'utf8', true))), source, scope);
  } catch (error) {
    return faultOf(error, source);
  }
}

function faultOf(error: unknown, source: string): MdxFault {
  if (!(error instanceof Error)) throw error;
  const place = 'place' in error ? error.place : undefined;
  const point =
    typeof place === 'object' && place !== null && 'start' in place ? place.start : place;
  const offset =
    typeof point === 'object' && point !== null && 'offset' in point ? Number(point.offset) : NaN;
  return {
    reason: 'reason' in error ? String(error.reason) : error.message,
    isCutOff: 'ruleId' in error && error.ruleId === 'unexpected-eof',
    offset: Number.isFinite(offset) ? offset : source.length,
  };
}

function piecesOf(
  events: readonly Event[],
  source: string,
  scope: Scope,
): { pieces: MdxPiece[]; isValid: boolean } {
  const pieces: MdxPiece[] = [];
  let isValid = true;
  let name = '';
  let attributes = new Map<string, JsxValue>();
  let attribute = '';
  let isClosing = false;
  let isSelfClosing = false;
  const evaluate = (expression: string): JsxValue | undefined => {
    const read = readExpression(expression, scope);
    if (!read.isValid) isValid = false;
    return read.value;
  };
  for (const [change, token] of events) {
    const type: string = token.type;
    if (!type.startsWith('mdx')) continue;
    const start = token.start.offset;
    const end = token.end.offset;
    const kind = type.replace(/^mdx(?:Jsx)?(?:Flow|Text)/, '');
    const isFlow = type.includes('Flow');
    if (change === 'enter') {
      if (kind === 'Tag') {
        name = '';
        attributes = new Map();
        isClosing = isSelfClosing = false;
      }
      continue;
    }
    if (kind === 'TagName') name = source.slice(start, end).replace(/\s+/g, '');
    else if (kind === 'TagClosingMarker') isClosing = true;
    else if (kind === 'TagSelfClosingMarker') isSelfClosing = true;
    else if (kind === 'TagAttributeName') {
      attribute = source.slice(start, end).trim();
      attributes.set(attribute, true);
    } else if (kind === 'TagAttributeValueLiteral')
      attributes.set(attribute, decodeEntities(source.slice(start + 1, end - 1)));
    else if (kind === 'TagAttributeValueExpression') {
      const value = evaluate(source.slice(start + 1, end - 1));
      if (value === undefined) attributes.delete(attribute);
      else attributes.set(attribute, value);
    } else if (kind === 'Tag')
      pieces.push({ kind: 'tag', start, end, isFlow, name, attributes, isClosing, isSelfClosing });
    else if (kind === 'Expression') {
      const inner = source.slice(start + 1, end - 1);
      const isId = /^\s*(?:\/\*\s*)?#[^\s{}]+(?:\s*\*\/)?\s*$/.test(inner);
      pieces.push({
        kind: 'expression',
        start,
        end,
        isFlow,
        source: inner,
        value: isId ? undefined : evaluate(inner),
      });
    }
  }
  return { pieces, isValid };
}

const { unescapeAll } = new MarkdownIt().utils;

function decodeEntities(text: string): string {
  return text.replace(/&#?\w+;/g, (entity) => unescapeAll(entity));
}

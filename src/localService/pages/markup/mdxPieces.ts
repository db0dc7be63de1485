import * as acorn from 'acorn';
import acornJsx from 'acorn-jsx';
import { parse, postprocess, preprocess } from 'micromark';
import { mdxExpression } from 'micromark-extension-mdx-expression';
import { mdxJsx } from 'micromark-extension-mdx-jsx';
import { mdxMd } from 'micromark-extension-mdx-md';
import { combineExtensions } from 'micromark-util-combine-extensions';
import type { Event, Extension } from 'micromark-util-types';
import MarkdownIt from 'markdown-it';
import { readExpression, type JsxValue, type Scope } from './jsxValues';
import { readPlainMdx } from './plainMdx';

/** What is not Markdown in a piece of MDX, by its place. */
export type MdxPiece = {
  readonly start: number;
  readonly end: number;
  readonly isFlow: boolean;
} & (
  | {
      readonly kind: 'tag';
      /** Empty for a fragment. */
      readonly name: string;
      readonly attributes: ReadonlyMap<string, JsxValue>;
      readonly isClosing: boolean;
      readonly isSelfClosing: boolean;
    }
  | { readonly kind: 'expression'; readonly source: string; readonly value: JsxValue | undefined }
);

/** Why a piece of MDX cannot be read. */
export interface MdxFault {
  readonly reason: string;
  /** Whether more text could mend it. */
  readonly isCutOff: boolean;
  /** Where the parser gave up. */
  readonly offset: number;
}

/**
 * Braces are counted, which takes a tenth of the time that parsing what they hold at each of them
 * does. Where they do not add up, as in `{'{'}`, the parser that knows JavaScript decides.
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
/** Characters up to which the slower parser is asked. */
const MAX_KNOWING = 8_000;

/** Reads the tags and expressions of a piece of MDX. */
export function readMdx(source: string, scope: Scope): readonly MdxPiece[] | MdxFault {
  return readPlainMdx(source, scope) ?? parseMdx(source, scope);
}

/** Reads any piece of MDX by the grammar. */
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

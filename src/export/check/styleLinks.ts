import {
  isTokenAtKeyword,
  isTokenBadString,
  isTokenCloseCurly,
  isTokenCloseParen,
  isTokenEOF,
  isTokenFunction,
  isTokenIdent,
  isTokenOpenCurly,
  isTokenOpenParen,
  isTokenSemicolon,
  isTokenString,
  isTokenURL,
  tokenizer,
} from '@csstools/css-tokenizer';
import { own, type FoundAddress } from './findings';

/** Functions whose strings are addresses. */
const addressFunctions = new Set(['url', 'src', 'image-set', '-webkit-image-set', 'image']);

/** Rules such as `@namespace`, whose `url()` is only a name. */
const namingRules = new Set(['namespace', 'document', '-moz-document']);

/**
 * Returns the addresses in CSS, such as a style sheet or a `style` attribute: all forms of `@import`,
 * `url()`, `src()` and `image-set()`. Broken CSS is read as far as possible.
 *
 * Addresses that are only a fragment are left out, because they refer to the document itself.
 */
export function styleAddresses(css: string): FoundAddress[] {
  const found: FoundAddress[] = [];
  // Most inline styles load nothing, so this cheap test comes first. A backslash can hide a word.
  if (!/url|import|image|src|\\/i.test(css)) return found;

  const { nextToken, endOfFile } = tokenizer({ css });
  /** Names of the open functions. An empty name is a plain bracket. */
  const functions: string[] = [];
  /** Whether each open block, from the outside in, belongs to `@font-face`. */
  const blocks: boolean[] = [];
  /** Name of the open at-rule. An `@import` ends with its address, because later strings are conditions. */
  let atRule: string | undefined;

  const add = (address: string, start: number, end: number): void => {
    const isImport = atRule === 'import';
    if (isImport) atRule = undefined;
    if (address.trim() === '' || address.trim().startsWith('#')) return;
    if (atRule !== undefined && namingRules.has(atRule)) return;
    const kind = isImport ? 'style' : blocks.includes(true) ? 'font' : 'image';
    found.push({ kind, address: own(address), start, end: end + 1 });
  };

  while (!endOfFile()) {
    const token = nextToken();
    if (isTokenEOF(token)) break;
    if (isTokenAtKeyword(token)) {
      atRule = token[4].value.toLowerCase();
    } else if (isTokenURL(token)) {
      add(token[4].value, token[2], token[3]);
    } else if (isTokenString(token)) {
      const inFunction = addressFunctions.has(functions.at(-1) ?? '');
      if (atRule === 'import' || inFunction) add(token[4].value, token[2], token[3]);
    } else if (isTokenFunction(token)) {
      functions.push(token[4].value.toLowerCase());
    } else if (isTokenOpenParen(token)) {
      functions.push('');
    } else if (isTokenCloseParen(token)) {
      functions.pop();
    } else if (isTokenBadString(token)) {
      functions.length = 0;
    } else if (isTokenOpenCurly(token)) {
      blocks.push(atRule === 'font-face');
      atRule = undefined;
      functions.length = 0;
    } else if (isTokenCloseCurly(token)) {
      blocks.pop();
      functions.length = 0;
    } else if (isTokenSemicolon(token)) {
      // A semicolon in brackets belongs to their content, as in a data URL.
      if (functions.length === 0) atRule = undefined;
    } else if (isTokenIdent(token) && atRule === 'import') {
      atRule = undefined;
    }
  }
  return found;
}

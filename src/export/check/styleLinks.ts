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
import { own, type FoundAddress } from './foundAddress';

/** Functions whose strings are addresses. */
const addressFunctions = new Set(['url', 'src', 'image-set', '-webkit-image-set', 'image']);

/** At-rules whose `url()` names something and loads nothing. */
const namingRules = new Set(['namespace', 'document', '-moz-document']);

/**
 * The addresses of a style sheet, a `style` attribute or any other piece of CSS: `@import` in all its
 * forms, `url()`, `src()` and `image-set()`. Broken CSS gives what can be read.
 *
 * Addresses that are only a fragment are left out: they mean the document, whichever it is.
 */
export function styleAddresses(css: string): FoundAddress[] {
  const found: FoundAddress[] = [];
  // A cheap look first, as most inline styles load nothing; a backslash may hide any word.
  if (!/url|import|image|src|\\/i.test(css)) return found;

  const { nextToken, endOfFile } = tokenizer({ css });
  /** Name of each open function or bracket; an empty one is a bracket by itself. */
  const functions: string[] = [];
  /** Whether each open block, from the outside in, is that of `@font-face`. */
  const blocks: boolean[] = [];
  let atRule: string | undefined;
  /** An `@import` has one address, which comes first; strings behind it are conditions. */
  let awaitsImport = false;

  const add = (address: string, start: number, end: number): void => {
    const isImport = awaitsImport;
    awaitsImport = false;
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
      awaitsImport = atRule === 'import';
    } else if (isTokenURL(token)) {
      add(token[4].value, token[2], token[3]);
    } else if (isTokenString(token)) {
      const inFunction = addressFunctions.has(functions.at(-1) ?? '');
      if (awaitsImport || inFunction) add(token[4].value, token[2], token[3]);
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
      awaitsImport = false;
      functions.length = 0;
    } else if (isTokenCloseCurly(token)) {
      blocks.pop();
      functions.length = 0;
    } else if (isTokenSemicolon(token)) {
      // A semicolon within brackets belongs to what they hold, as in a data address.
      if (functions.length === 0) {
        atRule = undefined;
        awaitsImport = false;
      }
    } else if (isTokenIdent(token)) {
      awaitsImport = false;
    }
  }
  return found;
}

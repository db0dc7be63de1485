/** Words, phrases and patterns that a reply must or must not contain. */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import type { Translate } from '../../common/errors';
import { markdownToText } from '../../common/text/markdownText';
import { cutText } from '../../common/text/strings';
import { plainLine } from '../../shared/characters';

/** A reply, prepared for searches. */
interface SearchedText {
  /** Text that a reader sees, and the Markdown, which has the URLs of links too. */
  readonly forms: readonly string[];
  /** The same text without differences of case, white space and quotation marks, and as excerpts show it. */
  readonly folded: readonly { readonly text: string; readonly shown: string }[];
}

/** Prepares a reply for searches. */
export function searchedText(markdown: string): SearchedText {
  const forms = [markdownToText(markdown), markdown];
  return {
    forms,
    folded: forms.map((form) => {
      const text = folded(form);
      const line = plainLine(form);
      // A ligature or another compatibility character has more characters when folded.
      return { text, shown: line.length === text.length ? line : text };
    }),
  };
}

/** Finds a word, a phrase or a pattern. Returns the words around it, or undefined if it isn't there. */
type WordSearch = (text: SearchedText) => string | undefined;

/**
 * Matches a pattern: an expression between slashes, followed by JavaScript's flags. A text with other
 * letters at its end is a path, such as `/usr/local/bin`.
 */
const patternForm = /^\/(.+)\/([dgimsuvy]*)$/su;

/**
 * Returns the search for a rule of a questions file.
 * @throws {PatternError} for a pattern that can't be used.
 */
export function wordSearch(rule: string): WordSearch {
  const [, source, flags = ''] = patternForm.exec(rule.trim()) ?? [];
  if (source === undefined) return phraseSearch(rule);
  const pattern = linearPattern(source, flags);
  return ({ forms }) => {
    for (const form of forms) {
      const match = pattern.matcher(form);
      if (!match.find()) continue;
      const start = match.start();
      return excerptAt(form, start, Math.min(match.end(), start + EXCERPT_MARGIN));
    }
    return undefined;
  };
}

/** Maximum size of a pattern whose repeats are written out. Each step costs time per character. */
const MAX_STEPS = 500;

/** Reason why a pattern can't be used. */
type PatternProblem =
  | { readonly kind: 'invalid'; readonly detail: string }
  | { readonly kind: 'unsupported'; readonly detail: string }
  | { readonly kind: 'flags'; readonly detail: string }
  | { readonly kind: 'too-large' };

export class PatternError extends Error {
  override readonly name = 'PatternError';

  constructor(readonly problem: PatternProblem) {
    super(problem.kind);
  }
}

const flagValues: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // RE2 always reads code points.
  u: 0,
};

/**
 * Returns a pattern that searches a text in linear time. JavaScript's own expressions backtrack, so
 * `(a+)+$` can take years for a line of text.
 *
 * @param source the pattern, as between the slashes of JavaScript.
 * @throws {PatternError}
 */
export function linearPattern(source: string, flags: string): RE2JS {
  let flagBits = 0;
  for (const [index, flag] of flags.split('').entries()) {
    const value = flagValues[flag];
    if (value === undefined || flags.indexOf(flag) < index) {
      throw new PatternError({ kind: 'flags', detail: flags });
    }
    flagBits |= value;
  }
  checkSyntax(source);
  // The translation would give `\k<name>`, `\8` and halves of a character another meaning.
  for (const [escape] of source.matchAll(/\\(?:u[dD][89a-fA-F]..|.)/gsu)) {
    if (/^\\(?:[1-9k]|u.)/.test(escape))
      throw new PatternError({ kind: 'unsupported', detail: escape });
  }
  const pattern = compiled(source, flagBits);
  if (pattern.programSize() > MAX_STEPS) throw new PatternError({ kind: 'too-large' });
  return pattern;
}

/** @throws {PatternError} for text that isn't a valid expression in JavaScript. */
function checkSyntax(source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // The message repeats the expression, which can be long.
    const detail = /: ([^:]+)$/.exec(message)?.[1] ?? message;
    throw new PatternError({ kind: 'invalid', detail });
  }
}

/** @throws {PatternError} */
function compiled(source: string, flagBits: number): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flagBits);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const isSyntax = error instanceof RE2JSSyntaxException;
    const tooLarge = /repeat count|too large|nests too deeply/;
    if (!isSyntax || tooLarge.test(error.getDescription())) {
      throw new PatternError({ kind: 'too-large' });
    }
    throw new PatternError({
      kind: 'unsupported',
      detail: cutText(error.getPattern() ?? source, 20),
    });
  }
}

/** Returns a sentence about why a rule can't be used and what to do. Undefined for a valid rule. */
export function wordProblem(rule: string, t: Translate): string | undefined {
  try {
    wordSearch(rule);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const { problem } = error;
    const shown = cutText(plainLine(rule), 60);
    switch (problem.kind) {
      case 'invalid':
        return t(
          '“{0}” isn’t a valid pattern: {1}. Correct it, or leave out the slashes.',
          shown,
          problem.detail,
        );
      case 'unsupported':
        return t(
          '“{0}” uses “{1}”, which patterns don’t support. They have no lookaround and no back references, because such searches can hang.',
          shown,
          plainLine(problem.detail),
        );
      case 'flags':
        return t(
          '“{0}” looks like a pattern with the flags “{1}”. Patterns support only the flags i, m and s. Remove the other flags. If it is a path, remove its first slash.',
          shown,
          problem.detail,
        );
      case 'too-large':
        return t('“{0}” is too large. Use smaller repeats, or several patterns.', shown);
    }
  }
}

function phraseSearch(rule: string): WordSearch {
  const phrase = folded(rule);
  return ({ folded: forms }) => {
    for (const { text, shown } of forms) {
      for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
        const end = at + phrase.length;
        if (isBetweenWords(text, at) && isBetweenWords(text, end)) return excerptAt(shown, at, end);
      }
    }
    return undefined;
  };
}

/** Returns whether a position isn't within a word. Scripts without spaces have no such positions. */
function isBetweenWords(text: string, position: number): boolean {
  const before = characterBefore(text, position);
  const after = String.fromCodePoint(text.codePointAt(position) ?? 0x20);
  const isWithin = wordCharacter.test(before) && wordCharacter.test(after);
  return !isWithin || unspaced.test(before) || unspaced.test(after);
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function characterBefore(text: string, position: number): string {
  const pair = text.slice(Math.max(0, position - 2), position);
  return /.$/su.exec(pair)?.[0] ?? ' ';
}

/** Returns a text in the form in which phrases are compared. */
function folded(text: string): string {
  return plainLine(text)
    .normalize('NFKC')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .toLowerCase();
}

/** Number of characters in an excerpt before and after a match. */
const EXCERPT_MARGIN = 40;

/** Returns the words around a match, in one line. */
function excerptAt(text: string, start: number, end: number): string {
  const from = Math.max(0, start - EXCERPT_MARGIN);
  const to = Math.min(text.length, end + EXCERPT_MARGIN);
  // A cut can leave half a word or half a character at both ends.
  const before = from === 0 ? '' : '…';
  const after = to === text.length ? '' : '…';
  return `${before}${plainLine(text.slice(from, to).toWellFormed())}${after}`;
}

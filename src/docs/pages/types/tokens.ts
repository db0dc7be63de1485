/** The tokens of a declaration file or a source file: words, marks, strings, and brackets that belong together. */

export interface Tokens {
  readonly source: string;
  /** Text of each token. Marks are one character, except `=>` and `...`. */
  readonly texts: readonly string[];
  readonly starts: readonly number[];
  /** Index of the token that closes the bracket, for each opening bracket. -1 for all other tokens. */
  readonly closes: readonly number[];
  /** Whether a line break comes before the token. */
  readonly breaks: readonly boolean[];
  /** Position of the last doc comment right before a token, by the token's index. */
  readonly docs: ReadonlyMap<number, DocPlace>;
  /** Position of the file's first doc comment, if another comment or an import follows it. */
  readonly fileDoc: DocPlace | undefined;
  /** Paths in `/// <reference path="…" />`. */
  readonly references: readonly string[];
  /** Positions at which lines start. */
  readonly lineStarts: readonly number[];
}

/** Start and end of a doc comment, with its marks. */
interface DocPlace {
  readonly start: number;
  readonly end: number;
}

/** Number of tokens after which other work can have a turn. */
const TOKENS_PER_TURN = 4000;

const LINE_FEED = 10;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const STAR = 42;
const BACKSLASH = 92;
const BACKTICK = 96;

/** Words before a regular expression. After other words, a slash divides. */
const beforeExpressions = new Set(
  'await case default delete do else extends in instanceof new of return throw typeof void yield'.split(
    ' ',
  ),
);

/** Closing bracket of each opening one. */
const pairs: Readonly<Partial<Record<string, string>>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Finds the tokens of a declaration file in linear time, also if the file isn't valid. Yields when other work can
 * have a turn.
 */
export function* tokensOf(source: string): Generator<undefined, Tokens> {
  const texts: string[] = [];
  const starts: number[] = [];
  const closes: number[] = [];
  const breaks: boolean[] = [];
  const docs = new Map<number, DocPlace>();
  const references: string[] = [];
  const lineStarts = [0];
  const brackets = new Brackets(closes, texts);
  let firstDoc: (DocPlace & { readonly token: number }) | undefined;
  let isFirstDocLoose = false;
  let isAfterBreak = true;
  /** End of a line with a slash that begins nothing, so that the line isn't searched for each of its slashes. */
  let dividingUntil = 0;
  let at = 0;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === LINE_FEED) {
      isAfterBreak = true;
      lineStarts.push(++at);
      continue;
    }
    if (isBlank(code)) {
      at++;
      continue;
    }
    if (code === SLASH && source.charCodeAt(at + 1) === SLASH) {
      const end = endOr(source.indexOf('\n', at), source);
      const reference = /^\/\/\/\s*<reference\s+path\s*=\s*["']([^"']{1,500})["']/.exec(
        source.slice(at, Math.min(end, at + 600)),
      )?.[1];
      if (reference !== undefined) references.push(reference);
      at = end;
      continue;
    }
    if (code === SLASH && source.charCodeAt(at + 1) === STAR) {
      const end = endOr(source.indexOf('*/', at + 2), source, 2);
      // `/**/` is an empty comment.
      if (source.charCodeAt(at + 2) === STAR && end - at > 4) {
        const token = texts.length;
        if (firstDoc?.token === token) isFirstDocLoose = true;
        firstDoc ??= { start: at, end, token };
        docs.set(token, { start: at, end });
      }
      for (let next = source.indexOf('\n', at); next >= 0 && next < end;) {
        lineStarts.push(next + 1);
        isAfterBreak = true;
        next = source.indexOf('\n', next + 1);
      }
      at = end;
      continue;
    }
    let end = tokenEnd(source, at, code);
    if (code === SLASH && at >= dividingUntil && isBeforeExpression(texts.at(-1))) {
      const found = expressionEnd(source, at);
      if (found === undefined) dividingUntil = endOr(source.indexOf('\n', at), source);
      else end = found;
    }
    const text = source.slice(at, end);
    if (code === BACKTICK) {
      for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1))
        lineStarts.push(at + next + 1);
    }
    brackets.add(texts.length, text);
    texts.push(text);
    starts.push(at);
    breaks.push(isAfterBreak);
    isAfterBreak = false;
    at = end;
    if (texts.length % TOKENS_PER_TURN === 0) yield;
  }
  brackets.closeAll(texts.length);
  const first = firstDoc && texts[firstDoc.token];
  const isOfFile = isFirstDocLoose || first === 'import' || firstDoc?.token === texts.length;
  return {
    source,
    texts,
    starts,
    closes,
    breaks,
    docs,
    fileDoc: isOfFile ? firstDoc : undefined,
    references,
    lineStarts,
  };
}

/** Finds out which brackets belong together. Brackets that are never closed end before what closes the one around. */
class Brackets {
  readonly #closes: number[];
  readonly #texts: readonly string[];
  /** Indexes of the open brackets. */
  readonly #open: number[] = [];
  /** Number of open brackets by the mark that closes them. */
  readonly #counts = new Map<string, number>();

  constructor(closes: number[], texts: readonly string[]) {
    this.#closes = closes;
    this.#texts = texts;
  }

  add(index: number, text: string): void {
    this.#closes.push(-1);
    const closing = text.length === 1 ? pairs[text] : undefined;
    if (closing !== undefined) {
      this.#open.push(index);
      this.#counts.set(closing, (this.#counts.get(closing) ?? 0) + 1);
    } else if (text === '>') {
      if (this.#top === '<') this.#pop(index);
    } else if ((text === ')' || text === ']' || text === '}') && this.#counts.get(text)) {
      while (pairs[this.#top] !== text) this.#popUnclosed(index);
      this.#pop(index);
    }
  }

  closeAll(end: number): void {
    while (this.#open.length > 0) this.#popUnclosed(end);
  }

  get #top(): string {
    return this.#texts[this.#open.at(-1) ?? -1] ?? '';
  }

  /** Ends the innermost bracket. A `<` without its `>` is no bracket, as in `1 << 2`. */
  #popUnclosed(end: number): void {
    const isBracket = this.#top !== '<';
    this.#pop(isBracket ? end - 1 : -1);
  }

  #pop(close: number): void {
    const closing = pairs[this.#top] ?? '';
    this.#counts.set(closing, (this.#counts.get(closing) ?? 1) - 1);
    const opening = this.#open.pop();
    if (opening !== undefined) this.#closes[opening] = close;
  }
}

function endOr(found: number, source: string, length = 0): number {
  return found < 0 ? source.length : found + length;
}

function isBlank(code: number): boolean {
  return (
    code <= 32 ||
    (code > 126 &&
      (code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029 || code < 0xa0))
  );
}

/** Returns whether a UTF-16 unit is part of a word. All letters outside of ASCII are. */
function isWordPart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code === 35 ||
    (code > 126 && !isBlank(code))
  );
}

function tokenEnd(source: string, start: number, code: number): number {
  if (isWordPart(code)) {
    let end = start + 1;
    while (end < source.length && isWordPart(source.charCodeAt(end))) end++;
    return end;
  }
  if (code === QUOTE || code === APOSTROPHE) return stringEnd(source, start, code);
  if (code === BACKTICK) return templateEnd(source, start);
  if (source.startsWith('=>', start)) return start + 2;
  if (source.startsWith('...', start)) return start + 3;
  return start + 1;
}

/** Returns the end of a string. One without its closing quote ends with the line. */
function stringEnd(source: string, start: number, quote: number): number {
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === LINE_FEED) return at;
    if (code === BACKSLASH && source.charCodeAt(at + 1) !== LINE_FEED) at++;
  }
  return source.length;
}

/** Returns whether a slash after a token begins a regular expression. Behind a `<`, it begins the end of an element. */
function isBeforeExpression(text = '('): boolean {
  return beforeExpressions.has(text) || !/^[\w$#\])}<"'`\u0080-\uffff]|^\/./.test(text);
}

/** Returns the end of a regular expression with its flags, or undefined if its line or the limit doesn't end it. */
function expressionEnd(source: string, start: number, limit = source.length): number | undefined {
  let isInClass = false;
  for (let at = start + 1; at < limit; at++) {
    const mark = source.charAt(at);
    if (mark === '\n') return undefined;
    if (mark === '\\' && source.charAt(at + 1) !== '\n') at++;
    else if (mark === '[') isInClass = true;
    else if (mark === ']') isInClass = false;
    else if (mark === '/' && !isInClass) {
      let end = at + 1;
      while (end < source.length && isWordPart(source.charCodeAt(end))) end++;
      return end;
    }
  }
  return undefined;
}

/** Returns the end of a template with its nested templates. */
function templateEnd(source: string, start: number): number {
  /** Number of open braces in each `${…}` around the position. */
  const braces: number[] = [];
  let isText = true;
  for (let at = start + 1; at < source.length; at++) {
    const mark = source.charAt(at);
    if (isText) {
      if (mark === '\\') at++;
      else if (mark === '`') {
        if (braces.length === 0) return at + 1;
        isText = false;
      } else if (mark === '$' && source.charAt(at + 1) === '{') {
        at++;
        braces.push(0);
        isText = false;
      }
    } else if (mark === '"' || mark === "'") {
      at = stringEnd(source, at, mark.charCodeAt(0)) - 1;
    } else if (mark === '/' && '(,='.includes(source.charAt(at - 1))) {
      // The next template looks again, so a long line isn't searched to its end.
      at = (expressionEnd(source, at, at + 500) ?? at + 1) - 1;
    } else if (mark === '`') isText = true;
    else if (mark === '{') braces.push((braces.pop() ?? 0) + 1);
    else if (mark === '}') {
      const open = braces.pop() ?? 0;
      if (open > 0) braces.push(open - 1);
      else isText = true;
    }
  }
  return source.length;
}

/** Returns the number of the line of a position, from 1. */
export function lineAt({ lineStarts }: Pick<Tokens, 'lineStarts'>, position: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low + 1;
}

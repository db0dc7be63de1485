/**
 * Says where a value ends. All rules ask here, because a secret of which only the beginning is found
 * leaves the rest of it in the text.
 *
 * A value in quotes ends at its closing quote. Any other value is a word: it ends at the blank behind
 * it, or at the quote that closes the string around it. Signs inside a word belong to it, because
 * passwords have all of them.
 */

/** A range in a text. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Length of the longest value. Longer ones are files, not passwords. */
const MAX_VALUE_LENGTH = 4000;

/** A quote that is open, with the number of backslashes that stand before it and before its end. */
interface OpenQuote {
  readonly mark: string;
  readonly escapes: number;
}

/** Signs that can stand before an opening quote. An apostrophe in a sentence has a letter before it. */
const beforeOpening = /[\s=:,;([{<>|&?!+]/;

/** Letters that belong to a string in some languages, as in `f"…"` and `@"…"`. */
const stringPrefix = /^[bfru@$]$/i;

export class ValueReader {
  readonly #text: string;
  readonly #onWork: (characters: number) => void;
  /** Offset up to which quotes are followed. */
  #followed = 0;
  /** Quotes around the offset, the outermost first. A line break closes all of them. */
  #open: readonly OpenQuote[] = [];
  /**
   * The last word for each way in which quotes can be open. Many names can stand in one word, which is
   * then read once.
   */
  readonly #words = new Map<
    string,
    { readonly from: number; readonly to: number; readonly isWhole: boolean }
  >();

  /** @param onWork called with the number of characters that were looked at, for tests. */
  constructor(text: string, onWork: (characters: number) => void = () => undefined) {
    this.#text = text;
    this.#onWork = onWork;
  }

  /**
   * Returns the value in quotes at an offset, without its quotes. Undefined if no quote stands there,
   * or if it isn't closed in its line.
   * @param start offset of the quote, or of its prefix or its backslashes.
   */
  quoted(start: number): Span | undefined {
    const [all, prefix = '', slashes = '', mark = ''] =
      /^([bfru@$]{0,2}#{0,2})(\\{0,7})("""|'''|["'`])/i.exec(this.#text.slice(start, start + 12)) ??
      [];
    if (all === undefined || (prefix !== '' && mark === '`')) return undefined;
    this.#follow(start);
    if (mark === "'" && this.#quoteAgain(start + prefix.length) > 0) return undefined;
    const escapes = slashes.length;
    let from = start + all.length;
    let end = this.#closing(from, { mark, escapes });
    if (end === undefined && mark.length > 1) {
      // An empty string, or a quote that is written twice at the beginning of a value.
      from -= mark.length - 1;
      end = this.#closing(from, { mark: mark.charAt(0), escapes });
    }
    this.#onWork((end ?? from) - start);
    return end === undefined ? undefined : { start: from, end };
  }

  /**
   * Returns the word at an offset, without the punctuation of the text around it. Offsets must not
   * decrease from call to call.
   */
  word(start: number): Span {
    const limit = Math.min(this.#rawEnd(start), start + MAX_VALUE_LENGTH);
    return { start, end: withoutPunctuation(this.#text, start, limit) };
  }

  /**
   * Returns the value at an offset as a shell reads it: what is in quotes, or the whole word if the quotes
   * are only a part of it. Undefined if a blank stands there.
   */
  argument(start: number): Span | undefined {
    const quoted = this.quoted(start);
    const word = this.word(start);
    if (quoted && quoted.end + MAX_ENDING >= word.end) return quoted;
    return word.end > start ? word : undefined;
  }

  /** Returns whether an offset stands in a string. Offsets must not decrease from call to call. */
  isInString(at: number): boolean {
    this.#follow(at);
    return this.#open.length > 0;
  }

  #rawEnd(start: number): number {
    this.#follow(start);
    const state = this.#open.map(({ mark, escapes }) => `${mark}${escapes}`).join('');
    const last = this.#words.get(state);
    if (last && start >= last.from && start < last.to) {
      if (last.isWhole || last.to - start >= MAX_VALUE_LENGTH) return last.to;
    }
    const limit = Math.min(this.#text.length, start + 2 * MAX_VALUE_LENGTH);
    let end = start;
    while (end < limit) {
      const code = this.#text.charCodeAt(end);
      if (isBlank(code)) break;
      if (code === LESS || isQuote(code) || code === BACKSLASH) {
        const again = this.#quoteAgain(end);
        end += again;
        if (again > 0) continue;
        if (this.#endsAt(end)) break;
      }
      end++;
    }
    this.#onWork(end - start);
    this.#words.set(state, { from: start, to: end, isWhole: end < limit });
    return end;
  }

  /** Returns whether the string around the word, its line, or the element around it ends here. */
  #endsAt(at: number): boolean {
    const character = this.#text.charAt(at);
    if (character === '<') return /^<\/[a-z][\w:-]{0,30}>/i.test(this.#text.slice(at, at + 34));
    const inner = this.#open.at(-1);
    if (!inner) return false;
    const before = slashesBefore(this.#text, at);
    if (character !== '\\') return this.#closedBy(character, before) >= 0;
    const slashes = slashesAt(this.#text, at);
    const next = this.#text.charAt(at + slashes);
    const closed = this.#open[this.#closedBy(next, before + slashes)];
    if (closed?.escapes === slashes) return true;
    const isLineEnd =
      slashes === inner.escapes + 1 &&
      (before + slashes) % (2 * slashes) === slashes &&
      /[nrt]/.test(next);
    // In single quotes, `\n` can be two characters of a password. A setting behind it says otherwise.
    return (
      isLineEnd &&
      (inner.mark === '"' ||
        /^[\w.-]{2,40} ?[=:]/.test(this.#text.slice(at + slashes + 1, at + slashes + 50)))
    );
  }

  /** Returns the length of a quote that belongs to the string around it, as in `'it''s'`, or 0. */
  #quoteAgain(at: number): number {
    const mark = this.#text.charAt(at);
    if (!this.#open.some((open) => open.mark === mark && open.escapes === 0)) return 0;
    return quoteAgain(this.#text, at, mark);
  }

  /** Returns the index of the open quote that a quote closes, or -1. */
  #closedBy(mark: string, slashes: number): number {
    return this.#open.findIndex((open) => closes(open, mark, slashes));
  }

  #follow(to: number): void {
    if (to <= this.#followed) return;
    const lineBreak = this.#text.slice(this.#followed, to).lastIndexOf('\n');
    if (lineBreak >= 0) {
      this.#followed += lineBreak + 1;
      this.#open = [];
    }
    while (this.#followed < to) {
      const code = this.#text.charCodeAt(this.#followed);
      if (isQuote(code)) {
        const again = this.#quoteAgain(this.#followed);
        if (again === 0) this.#turn(this.#followed, this.#text.charAt(this.#followed));
        else this.#followed += again - 1;
      }
      this.#followed++;
    }
  }

  #turn(at: number, mark: string): void {
    const slashes = slashesBefore(this.#text, at);
    const index = this.#closedBy(mark, slashes);
    if (index >= 0) {
      this.#open = this.#open.slice(0, index);
      return;
    }
    let before = at - slashes - 1;
    if (stringPrefix.test(this.#text.charAt(before))) before--;
    if (before >= 0 && !beforeOpening.test(this.#text.charAt(before))) return;
    if (this.#open.length < MAX_DEPTH) this.#open = [...this.#open, { mark, escapes: slashes }];
  }

  #closing(from: number, { mark, escapes }: OpenQuote): number | undefined {
    const limit = Math.min(this.#text.length, from + MAX_VALUE_LENGTH);
    let slashes = 0;
    let possible: number | undefined;
    let count = 0;
    for (let at = from; at < limit && count < MAX_QUOTES; at++) {
      const character = this.#text.charAt(at);
      if (character === '\\') {
        slashes++;
        continue;
      }
      if (character === '\n' && mark.length === 1) break;
      if (this.#text.startsWith(mark, at)) {
        count++;
        const own = slashes % (2 * (escapes + 1));
        const isShell = mark === "'" && this.#text.startsWith("'\\''", at);
        const again = mark.length === 1 ? quoteAgain(this.#text, at, mark) : 0;
        if (own > escapes && !isShell) {
          possible = at;
        } else if (again > 0) {
          at += again - 1;
        } else {
          // The string around this one ends here, so no quote is open.
          if (own < escapes) return undefined;
          const next = this.#text.charAt(at + mark.length);
          // No language has a letter behind a string, so such a quote is a sign of the value.
          if (!/\w/.test(next) && next !== mark.charAt(0)) return at - own;
          possible = at - own;
        }
      }
      slashes = 0;
    }
    // SQL and PowerShell have no backslashes, so one can be the last character of a value.
    return escapes === 0 ? possible : undefined;
  }
}

/**
 * Returns the length of a quote in a value that is written as two of them (SQL, YAML, CSV) or as `'\''`
 * (shells), or 0 if the quote closes the value.
 */
function quoteAgain(text: string, at: number, mark: string): number {
  if (mark === "'" && text.startsWith("'\\''", at)) return 4;
  let count = 1;
  while (count < MAX_QUOTES && text.charAt(at + count) === mark) count++;
  if (count % 2 === 1) return count - 1;
  return /\S/.test(text.charAt(at + count)) ? count : 0;
}

/** Quotes in a value that are looked at. */
const MAX_QUOTES = 8;

const LESS = 60;
const BACKSLASH = 92;

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

/** Characters that can end a string and what is around it, at most: `")}`. */
const MAX_ENDING = 3;

/** Strings in strings that are followed. */
const MAX_DEPTH = 4;

function closes(open: OpenQuote, mark: string, slashes: number): boolean {
  return open.mark === mark && slashes % (2 * (open.escapes + 1)) === open.escapes;
}

/** Backslashes that are counted. A string in a string in a string has seven before a quote. */
const MAX_SLASHES = 16;

function slashesBefore(text: string, at: number): number {
  let count = 0;
  while (count < MAX_SLASHES && text.charAt(at - count - 1) === '\\') count++;
  return count;
}

function slashesAt(text: string, at: number): number {
  let count = 0;
  while (count < MAX_SLASHES && text.charAt(at + count) === '\\') count++;
  return count;
}

function isBlank(code: number): boolean {
  return code <= 32 || code === 0xa0;
}

const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Characters of punctuation that are cut off, at most. */
const MAX_PUNCTUATION = 8;

/** Characters in which the partner of a bracket is looked for. */
const MAX_PARTNER_SEARCH = 600;

/** Cuts off what ends a sentence, a list or a call. A bracket whose partner is in the word stays. */
function withoutPunctuation(text: string, start: number, limit: number): number {
  const word = text.slice(start, Math.min(limit, start + MAX_PARTNER_SEARCH));
  let end = limit;
  for (; end > start && limit - end < MAX_PUNCTUATION; end--) {
    const last = text.charAt(end - 1);
    if (last === ',' || last === ';') continue;
    const partner = partners[last] ?? (isQuote(last.charCodeAt(0)) ? last : undefined);
    if (partner === undefined) break;
    const first = word.indexOf(partner);
    if (first >= 0 && start + first < end - 1) break;
  }
  return end;
}

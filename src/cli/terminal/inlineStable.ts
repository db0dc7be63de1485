/** Finds how much of a paragraph can be printed before the rest has arrived. */

/** A run of emphasis marks or a bracket that later text can still give a meaning. */
interface Opener {
  /** `[`, or the character of the run. */
  readonly mark: string;
  readonly length: number;
}

const autolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*>/y;
/**
 * The common forms of a link target. Text with other forms waits until the paragraph is complete.
 */
const linkTarget =
  /\([ \t]*(?:<[^<>\n\\]*>|[^\s()<>\\]*)(?:[ \t]+(?:"[^"\\]*"|'[^'\\]*'))?[ \t]*\)/y;

/**
 * Returns the length of the part of a paragraph that no later text can change. The part ends with a
 * word. Text after an open mark, such as `**` or `[`, can change. Where CommonMark's rules are
 * intricate, the text counts as changeable until the paragraph is complete.
 *
 * @param text source of the paragraph so far. White space at its end means that the last word is
 * complete.
 */
export function stableLength(text: string): number {
  const open: Opener[] = [];
  let stable = 0;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (/\s/.test(character)) {
      // A backslash before a line's end is a line break.
      if (open.length === 0 && text.charAt(at - 1) !== '\\') stable = at;
      at += 1;
    } else if (character === '\\') {
      at += /\s/.test(text.charAt(at + 1)) ? 1 : 2;
    } else if (character === '`') {
      const end = endOfCode(text, at);
      if (end === undefined) return stable;
      at = end;
    } else if (character === '<') {
      at += matchLength(autolink, text, at) || 1;
    } else if (character === '[') {
      open.push({ mark: '[', length: 1 });
      at += 1;
    } else if (character === ']') {
      const end = endOfBracket(text, at, open);
      if (end === undefined) return stable;
      at = end;
    } else if (character === '*' || character === '_' || character === '~') {
      const length = runLength(text, at);
      if (!readMarks(text, at, length, open)) return stable;
      at += length;
    } else {
      at += 1;
    }
  }
  return stable;
}

/**
 * Returns the end of the code span that begins at a run of backticks, or undefined if it is still
 * open.
 */
function endOfCode(text: string, start: number): number | undefined {
  const length = runLength(text, start);
  let at = text.indexOf('`', start + length);
  while (at >= 0) {
    const closing = runLength(text, at);
    if (closing === length) return at + closing;
    at = text.indexOf('`', at + closing);
  }
  return undefined;
}

/**
 * Reads a closing bracket. @returns the end of its link or of the bracket itself, or undefined if
 * more text is needed to decide.
 */
function endOfBracket(text: string, at: number, open: Opener[]): number | undefined {
  const opener = open.findLastIndex(({ mark }) => mark === '[');
  if (opener < 0) return at + 1;
  const next = text.charAt(at + 1);
  if (next === '') return undefined;
  if (next !== '(') {
    open.splice(opener, 1);
    return at + 1;
  }
  const length = matchLength(linkTarget, text, at + 1);
  const isSimple =
    opener === open.length - 1 && !open.slice(0, -1).some(({ mark }) => mark === '[');
  if (length === 0 || !isSimple) return undefined;
  open.pop();
  return at + 1 + length;
}

/** Reads a run of marks. @returns false if more text is needed to know the meaning of the run. */
function readMarks(text: string, at: number, length: number, open: Opener[]): boolean {
  const mark = text.charAt(at);
  // A single tilde is text.
  if (mark === '~' && length === 1) return true;
  const { canOpen, canClose } = flanking(text, at, length);
  const opener = canClose ? open.findLastIndex((other) => other.mark === mark) : -1;
  if (opener >= 0) {
    if (opener !== open.length - 1 || open[opener]?.length !== length) return false;
    open.pop();
    return true;
  }
  if (canOpen) open.push({ mark, length });
  return true;
}

/** Returns whether a run can open or close emphasis (CommonMark § 6.2). */
function flanking(
  text: string,
  at: number,
  length: number,
): { readonly canOpen: boolean; readonly canClose: boolean } {
  const before = kindOf(charBefore(text, at));
  const after = kindOf(String.fromCodePoint(text.codePointAt(at + length) ?? 0x20));
  const isLeft = after !== 'space' && (after !== 'punctuation' || before !== 'word');
  const isRight = before !== 'space' && (before !== 'punctuation' || after !== 'word');
  if (text.charAt(at) !== '_') return { canOpen: isLeft, canClose: isRight };
  return {
    canOpen: isLeft && (!isRight || before === 'punctuation'),
    canClose: isRight && (!isLeft || after === 'punctuation'),
  };
}

function charBefore(text: string, at: number): string {
  if (at === 0) return ' ';
  const unit = text.charCodeAt(at - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(isLow ? at - 2 : at - 1, at);
}

function kindOf(character: string): 'space' | 'punctuation' | 'word' {
  if (/\s/u.test(character)) return 'space';
  return /[\p{P}\p{S}]/u.test(character) ? 'punctuation' : 'word';
}

function runLength(text: string, at: number): number {
  const mark = text.charAt(at);
  let end = at;
  while (text.charAt(end) === mark) end += 1;
  return end - at;
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

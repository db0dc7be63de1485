/** The URLs that a model's reply can link to. */
export interface ReplyLinks {
  /** Returns the URL of the section with that number, or undefined if there is none. */
  urlOf(number: number): string | undefined;
  /** Returns whether a URL is in one of the sections or leads to one of their pages. */
  isAllowed(url: string): boolean;
}

/** Maximum characters to hold back until a link, a code span or a fence is complete. */
const MAX_HELD = 4000;
/**
 * Characters that are scanned at once, so that a long piece gives the same text as short ones. For each bracket, the
 * scan looks for its end in all that is held.
 */
const MAX_ADDED = 500;
/** Maximum numbers in a range of citations, such as `[1-3]`. */
const MAX_RANGE = 10;

interface Fence {
  readonly mark: string;
  readonly column: number;
}

/**
 * Makes a model's Markdown harmless while it streams. Replaces `[n]` with a link to section n, or removes it if
 * no section has this number. Replaces links that are in no section with plain text, images with their
 * description, and HTML with text. Code stays unchanged.
 *
 * A link must never pass because this class reads text as code that a renderer reads as text. So code spans must
 * end on their line, and a fence only counts if it is certain. After the first uncertain fence, nothing counts as
 * code.
 */
export class ReplyGuard {
  /** Numbers of the sections that the text cites, in the order of their first citation. */
  readonly cited = new Set<number>();
  readonly #links: ReplyLinks;
  #held = '';
  /** Spaces to send before the next text. If a removed citation follows, they are removed with it. */
  #spaces = '';
  #isLineStart = true;
  /** Whether the previous line is blank, and whether this line is blank so far. */
  #isAfterBlank = true;
  #isBlank = true;
  #fence: Fence | undefined;
  #isDoubtful = false;
  #lastSent = '';

  constructor(links: ReplyLinks) {
    this.#links = links;
  }

  /** Adds a piece of the text, and returns the text that is certain by now. */
  push(piece: string): string {
    const text = piece.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    let out = '';
    for (let at = 0; at < text.length; at += MAX_ADDED) {
      this.#held += text.slice(at, at + MAX_ADDED);
      out += this.#take(false);
    }
    return out;
  }

  /** Returns the rest of the text. Closes an open fence, so that text that follows is not code. */
  end(): string {
    const rest = this.#take(true);
    const fence = this.#fence;
    this.#fence = undefined;
    return fence ? `${rest}\n${' '.repeat(fence.column)}${fence.mark}` : rest;
  }

  #take(isEnd: boolean): string {
    let out = this.#spaces;
    this.#spaces = '';
    for (;;) {
      const lineEnd = this.#held.indexOf('\n');
      const isWhole = lineEnd >= 0 || isEnd || this.#held.length > MAX_HELD;
      const line = lineEnd < 0 ? this.#held : this.#held.slice(0, lineEnd);
      if (line === '' && lineEnd < 0) break;
      if (line.trim() !== '') this.#isBlank = false;
      let rest: string;
      if (this.#isLineStart) {
        if (!isWhole && canBeFence(line)) break;
        const begun = this.#startLine(line, isWhole);
        out += begun.out;
        rest = begun.rest;
        this.#isLineStart = false;
      } else rest = line;
      if (this.#fence && !this.#isDoubtful) {
        // The whole line is code, so none of it is scanned.
        out += rest;
        rest = '';
      } else {
        const scanned = scan(rest, isWhole, {
          links: this.#links,
          cited: this.cited,
          isDoubtful: this.#isDoubtful,
          before: out === '' ? this.#lastSent : out,
        });
        if (scanned.dropsSpace) out = out.replace(/ +$/, '');
        out += scanned.out;
        rest = scanned.rest;
      }
      if (rest === '' && lineEnd >= 0) {
        out += '\n';
        this.#held = this.#held.slice(lineEnd + 1);
        this.#isLineStart = true;
        this.#isAfterBlank = this.#isBlank;
        this.#isBlank = true;
        continue;
      }
      this.#held = rest;
      break;
    }
    if (!isEnd) {
      this.#spaces = / +$/.exec(out)?.[0] ?? '';
      out = out.slice(0, out.length - this.#spaces.length);
    }
    if (out !== '') this.#lastSent = out.slice(-1);
    return out;
  }

  /** Checks whether a line begins or ends a fence. @returns text to send unchanged, and text to scan. */
  #startLine(line: string, isWhole: boolean): { readonly out: string; readonly rest: string } {
    const column = columnOf(line);
    const isBlank = line.trim() === '';
    const fence = this.#fence;
    if (fence && !this.#isDoubtful) {
      if (isBlank) return { out: '', rest: line };
      const closing = new RegExp(`^[ \\t]*${fence.mark[0] ?? ''}{${fence.mark.length},}[ \\t]*$`);
      const isClosing = isWhole && closing.test(line);
      const isCertain = fence.column === 0 ? column <= 3 : column === fence.column;
      if (isClosing && isCertain) {
        this.#fence = undefined;
        // The closing fence is sent unchanged, because a scan would escape its marks.
        return { out: line, rest: '' };
      }
      const isOutside = column < fence.column || (isClosing && fence.column > 0);
      if (isOutside) this.#isDoubtful = true;
      return { out: '', rest: line };
    }
    const [, quote = '', indent = '', item = '', mark, info = ''] = fencePattern.exec(line) ?? [];
    if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) {
      return { out: '', rest: line };
    }
    const isCertain = quote === '' && item === '' && !indent.includes('\t') && isWhole;
    if (this.#isDoubtful || !isCertain) {
      this.#isDoubtful = true;
      return { out: `${quote}${indent}${item}${mark}`, rest: info };
    }
    this.#fence = { mark, column };
    // After a blank line, a renderer can't read an indented fence as part of a paragraph.
    const gap = column > 0 && !this.#isAfterBlank ? '\n' : '';
    return { out: `${gap}${line}`, rest: '' };
  }
}

const fencePattern =
  /^((?:[ \t]*>)*)([ \t]*)((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)$/;

/** Returns whether an incomplete line can still become the beginning or end of a fence. */
function canBeFence(line: string): boolean {
  return /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]?)[ \t]*)*(?:$|`{1,2}$|~{1,2}$|`{3}|~{3})/.test(line);
}

function columnOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === ' ') column++;
    else if (character === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}

interface ScanOptions {
  readonly links: ReplyLinks;
  readonly cited: Set<number>;
  /** Whether the text can turn out to be code, so that `[1]` must stay unchanged. */
  readonly isDoubtful: boolean;
  /** Whether the text is the label of a link, which can't contain a citation. */
  readonly isLabel?: boolean;
  /** Whether the text is in the label of a link that stays. A link in it would end that link. */
  readonly isInLink?: boolean;
  /** Text that was sent before. Only its last character matters. */
  readonly before: string;
}

interface Scanned {
  readonly out: string;
  /** Text that can't be decided until more of the line has arrived. */
  readonly rest: string;
  /** Whether the spaces before the text belong to a citation that was removed. */
  readonly dropsSpace: boolean;
}

const punctuation = /[!-/:-@[-`{-~]/;
const address = /(?:https?:\/\/|ftp:\/\/|www\.|mailto:|\/\/(?=[^\s/]*\.))[^\s<>`[\]()*|"\\]*/iy;
const email = /[^\s<>`[\]()*|"\\]+@[^\s<>`[\]()*|"\\]+/y;
const autolink = /<((?:https?|ftp|mailto):[^\s<>]*)>/iy;

/**
 * Scans text of one line.
 * @param isWhole whether the line is complete.
 */
function scan(text: string, isWhole: boolean, options: ScanOptions): Scanned {
  let out = '';
  let place = 0;
  let dropsSpace = false;
  const wait = (from: number): Scanned => ({ out, rest: text.slice(from), dropsSpace });
  const code = (content: string): void => {
    // Next to another backtick, the mark would become a longer one, and a backslash would escape it.
    const isJoined = /[`\\]$/.test(out === '' ? options.before : out);
    out += `${isJoined ? ' ' : ''}\`${content.replaceAll('`', '')}\`${text[place] === '`' ? ' ' : ''}`;
  };
  while (place < text.length) {
    const character = text[place] ?? '';
    if (character === '\\') {
      const next = text[place + 1];
      if (next === undefined && !isWhole) return wait(place);
      const length = next !== undefined && punctuation.test(next) ? 2 : 1;
      // A backslash at the end of the text could escape the next text.
      out += next === undefined ? '\\\\' : text.slice(place, place + length);
      place += length;
      continue;
    }
    if (character === '`') {
      const end = codeEnd(text, place);
      if (end === undefined && !isWhole) return wait(place);
      const run = /^`+/.exec(text.slice(place))?.[0] ?? '`';
      if (end === undefined || options.isDoubtful) {
        out += '\\`'.repeat(run.length);
        place += run.length;
      } else {
        if (/[`\\]$/.test(out === '' ? options.before : out)) out += ' ';
        out += text.slice(place, end);
        place = end;
      }
      continue;
    }
    if (character === '<') {
      if (!isWhole && !/[\s>]/.test(text.slice(place + 1))) return wait(place);
      autolink.lastIndex = place;
      const [whole, url = ''] = autolink.exec(text) ?? [];
      if (whole !== undefined) {
        place += whole.length;
        if (options.links.isAllowed(url)) out += whole;
        else code(url);
        continue;
      }
      out += /[\s\d=]/.test(text[place + 1] ?? ' ') ? '<' : '&lt;';
      place++;
      continue;
    }
    if (character === '!' && (text[place + 1] ?? '[') === '[') {
      if (text[place + 1] === undefined) {
        if (!isWhole) return wait(place);
        out += '!';
        place++;
        continue;
      }
      const bracket = bracketAt(text, place + 1);
      if (needsMore(bracket, text, isWhole)) return wait(place);
      if (bracket?.target !== undefined) {
        out += inner(bracket.label, options);
        place = bracket.end;
      } else {
        out += '\\!';
        place++;
      }
      continue;
    }
    if (character === '[' || character === '【') {
      const bracket = bracketAt(text, place);
      if (needsMore(bracket, text, isWhole)) return wait(place);
      if (!bracket) {
        out += character === '[' ? '\\[' : character;
        place++;
        continue;
      }
      const isKept = options.isDoubtful || options.isLabel === true;
      const numbers = isKept ? undefined : citationNumbers(bracket.label);
      if (numbers) {
        const cited = numbers.flatMap((number) => citation(number, options));
        if (cited.length === 0) {
          if (out === '') dropsSpace = true;
          out = out.replace(/ +$/, '');
        }
        out += cited.join('');
        place = bracket.end;
        continue;
      }
      if (character === '【') {
        out += character;
        place++;
        continue;
      }
      const { target } = bracket;
      const isAllowed = target !== undefined && options.links.isAllowed(target);
      const label = inner(bracket.label, isAllowed ? { ...options, isInLink: true } : options);
      if (target === undefined) {
        const next = text[bracket.end];
        const isLink = next === '(' || next === '[' || next === ':';
        out += isLink || options.isInLink === true ? `\\[${label}\\]` : `[${label}]`;
      } else if (isAllowed && options.isInLink !== true) {
        // A URL or the brackets of code in a label could end the link around it.
        out += /^(?:\\.|[^[\]<\\])+$/.test(label) ? `[${label}](<${target}>)` : `<${target}>`;
      } else out += label;
      place = bracket.end;
      continue;
    }
    if (character === ']') {
      out += '\\]';
      place++;
      continue;
    }
    // A word is only sent when it is complete, because it can turn out to be a URL or an email address.
    const word = /^[^\s\\`<![\]【]+/.exec(text.slice(place))?.[0];
    if (word === undefined) {
      out += character;
      place++;
      continue;
    }
    const wordEnd = place + word.length;
    if (wordEnd >= text.length && !isWhole) return wait(place);
    const wordStart = place;
    while (place < wordEnd) {
      const found = addressAt(text, place, wordStart);
      if (found === undefined) {
        out += text[place] ?? '';
        place++;
        continue;
      }
      place += found.length;
      const url = found.replace(/[.,;:!?'_~]+$/, '');
      if (options.links.isAllowed(url)) out += `<${url}>${found.slice(url.length)}`;
      else code(found);
    }
  }
  return { out, rest: '', dropsSpace };
}

/** Returns a label as harmless text, with its own links replaced. */
function inner(label: string, options: ScanOptions): string {
  return scan(label, true, { ...options, isLabel: true, before: '' }).out;
}

/** Returns the URL or email address that begins at a position in the text, or undefined. */
function addressAt(text: string, place: number, wordStart: number): string | undefined {
  address.lastIndex = place;
  const url = address.exec(text)?.[0];
  if (url !== undefined) return url;
  if (place > wordStart && /[\w.+-]/.test(text[place - 1] ?? '')) return undefined;
  email.lastIndex = place;
  const found = email.exec(text)?.[0];
  return found !== undefined && /@.*[.\w]/.test(found) ? found : undefined;
}

/** Returns the end of the code span that begins at a position, or undefined if it has no end. */
function codeEnd(text: string, place: number): number | undefined {
  const run = /^`+/.exec(text.slice(place))?.[0] ?? '';
  let from = place + run.length;
  for (;;) {
    const next = /`+/.exec(text.slice(from));
    if (!next) return undefined;
    from += next.index + next[0].length;
    if (next[0].length === run.length) return from;
  }
}

interface Bracket {
  readonly label: string;
  /** Target of the link. Absent if the brackets are not a link. */
  readonly target?: string;
  readonly end: number;
  /** Whether more text is needed to tell whether the brackets are a link. */
  readonly isOpen: boolean;
}

/** Reads `[label]` or `[label](target)` at a position. Returns undefined without a closing bracket. */
function bracketAt(text: string, place: number): Bracket | undefined {
  if (text[place] === '【') {
    const close = text.indexOf('】', place);
    return close < 0
      ? undefined
      : { label: text.slice(place + 1, close), end: close + 1, isOpen: false };
  }
  let depth = 0;
  let at = place;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '`') {
      const end = codeEnd(text, at);
      if (end !== undefined) at = end - 1;
    } else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) break;
  }
  if (at >= text.length) return undefined;
  const label = text.slice(place + 1, at);
  const end = at + 1;
  if (text[end] !== '(') return { label, end, isOpen: text[end] === undefined };
  const target = targetAt(text, end);
  return target === undefined
    ? { label, end, isOpen: true }
    : { label, target: target.url, end: target.end, isOpen: false };
}

/** Reads `(url "title")` at a position. Returns undefined without a closing parenthesis. */
function targetAt(
  text: string,
  place: number,
): { readonly url: string; readonly end: number } | undefined {
  let depth = 0;
  for (let at = place; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) {
      const content = text.slice(place + 1, at).trim();
      const url = /^<([^<>]*)>|^\S*/.exec(content);
      return { url: url?.[1] ?? url?.[0] ?? '', end: at + 1 };
    }
  }
  return undefined;
}

/** Returns whether more of the line is needed to decide about brackets. */
function needsMore(bracket: Bracket | undefined, text: string, isWhole: boolean): boolean {
  return !isWhole && text.length < MAX_HELD && (bracket === undefined || bracket.isOpen);
}

const citationLabel =
  /^(?:\^|(?:sections?|sources?|abschnitte?|quellen?)\s+)?(\d{1,3}(?:\s*(?:[,;–-]|and|und)\s*\d{1,3})*)(?:†.*)?$/i;

/** Returns the numbers of a citation, or undefined if the label is not one. */
function citationNumbers(label: string): number[] | undefined {
  const list = citationLabel.exec(label.trim())?.[1];
  if (list === undefined) return undefined;
  return list.split(/[,;]|and|und/i).flatMap((part) => {
    const [first = 0, last = first] = (part.match(/\d+/g) ?? []).map(Number);
    const count = Math.min(MAX_RANGE, Math.max(1, last - first + 1));
    return Array.from({ length: count }, (_item, place) => first + place);
  });
}

function citation(number: number, { links, cited }: ScanOptions): string[] {
  const url = links.urlOf(number);
  if (url === undefined) return [];
  cited.add(number);
  return [`[${number}](${url})`];
}

const linkInMarkdown = /\]\(\s*<?([^\s<>)]+)|\b((?:https?|ftp):\/\/[^\s<>()[\]`"'|*\\]+)/gi;

/** Returns the targets of links and the bare URLs in Markdown. */
export function linksIn(markdown: string): string[] {
  return [...markdown.matchAll(linkInMarkdown)].map(([, target, url]) =>
    (target ?? url ?? '').replace(/[.,;:!?'_~]+$/, ''),
  );
}

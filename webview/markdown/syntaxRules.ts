/**
 * Adds Markdown beyond CommonMark. Inline: math, footnote references, strikethrough, line breaks
 * and links. Blocks: footnotes, formulas, alerts, tasks, and a limit on the size of tables.
 */
import type { Delimiter, Env, MarkdownIt, StateInline, Token, StateBlock } from 'markdown-it';

/** The facts about the surrounding text that the inline rules need. */
export interface RenderEnv extends Env {
  /** Returns the number to show for a footnote's label, or undefined if the label is plain text. */
  readonly footnoteNumber?: (label: string) => number | undefined;
  /** Whether the text may go on at its end. Open markup there is shown as if it were closed. */
  isLive?: boolean;
  /** The block token that holds the text. */
  liveToken?: Token | undefined;
  /** Whether the last word may go on, because no space follows it. */
  isWordOpen?: boolean;
}

/** Maximum number of characters of a formula within a line. */
const MAX_MATH_LENGTH = 1_000;

/**
 * One tilde strikes through like two, but only a single one closes it. Markers are told apart by
 * number.
 */
const [TILDE, SINGLE_TILDE] = [0x7e, 0x1_007e];

export function addInlineRules(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math', mathInline);
  md.inline.ruler.before('link', 'footnote_reference', footnoteReference);
  md.inline.ruler.at('strikethrough', strikethrough);
  md.inline.ruler.before('autolink', 'html_break', htmlBreak);
  md.inline.ruler2.after('balance_pairs', 'live_end', closeOpenDelimiters);
  md.inline.ruler2.at('strikethrough', pairStrikethrough);
  const { rules } = md.renderer;
  rules['math_inline'] = (tokens, index) => {
    const { content = '', markup = '' } = tokens[index] ?? {};
    return `<span data-math="${markup}">${md.utils.escapeHtml(content)}</span>`;
  };
  rules['footnote_reference'] = (tokens, index) => {
    const number = tokens[index]?.content ?? '';
    return `<sup class="footnote-ref" data-footnote="${number}">${number}</sup>`;
  };
  addLinks(md);
}

// Tables can't hold line breaks in any other way, so people and models write `<br>`.
function htmlBreak(state: StateInline, isSilent: boolean): boolean {
  const match = /^<br\s*\/?>/i.exec(state.src.slice(state.pos, state.pos + 12));
  if (!match) return false;
  if (!isSilent) state.push('hardbreak', 'br', 0);
  state.pos += match[0].length;
  return true;
}

/**
 * Parses `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. Prices, shell variables and escaped brackets are far
 * more common in docs than formulas, so ambiguous text is not a formula.
 */
function mathInline(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  const found = src.startsWith('$', pos) ? dollarMath(src, pos) : bracketMath(src, pos);
  if (!found || found.end > state.posMax) return false;
  if (!isSilent) {
    const token = state.push('math_inline', '', 0);
    token.content = found.source.trim();
    token.markup = found.isDisplay ? 'display' : 'inline';
  }
  state.pos = found.end;
  return true;
}

interface FoundMath {
  readonly source: string;
  readonly isDisplay: boolean;
  readonly end: number;
}

function dollarMath(src: string, pos: number): FoundMath | undefined {
  const isDisplay = src.startsWith('$$', pos);
  const markup = isDisplay ? '$$' : '$';
  const start = pos + markup.length;
  if (/[\w$\\]/.test(src.charAt(pos - 1)) || src.charAt(start) === '$') return undefined;
  if (!isDisplay && /^(?:\s|$)/.test(src.charAt(start))) return undefined;
  const limit = Math.min(src.length, start + MAX_MATH_LENGTH);
  for (let at = start; at < limit; at++) {
    const character = src.charAt(at);
    if (character === '\\') at++;
    else if (character === '`' && !isDisplay) return undefined;
    else if (character === '$') {
      if (isDisplay && src.charAt(at + 1) !== '$') return undefined;
      const source = src.slice(start, at);
      const end = at + markup.length;
      if (isDisplay) return source.trim() === '' ? undefined : { source, isDisplay, end };
      if (/\s$/.test(source) || /[\w$]/.test(src.charAt(end))) return undefined;
      // A number alone is a price or a version, and several words are a sentence between two of
      // them.
      const isMath = /[\\^_={}<>+*/|]/.test(source) || !/^\d|\s/.test(source);
      return isMath ? { source, isDisplay, end } : undefined;
    }
  }
  return undefined;
}

function bracketMath(src: string, pos: number): FoundMath | undefined {
  const isDisplay = src.startsWith('\\[', pos);
  if (!isDisplay && !src.startsWith('\\(', pos)) return undefined;
  const closing = isDisplay ? '\\]' : '\\)';
  const limit = Math.min(src.length, pos + 2 + MAX_MATH_LENGTH);
  for (let at = pos + 2; at < limit; at++) {
    if (src.charAt(at) !== '\\') continue;
    if (src.startsWith(closing, at)) {
      const source = src.slice(pos + 2, at);
      return isFormula(source) ? { source, isDisplay, end: at + 2 } : undefined;
    }
    at++;
  }
  return undefined;
}

/** Returns whether the text in escaped brackets is a formula rather than words. */
export function isFormula(source: string): boolean {
  return (
    /^\s*\p{L}\s*$/u.test(source) ||
    (/\w/.test(source) && /\\[a-z]|[=<>+]|[\^_](?:\{|\\|\w(?!\w))/i.test(source))
  );
}

function footnoteReference(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  if (!src.startsWith('[^', pos)) return false;
  const label = /^\[\^([^\s[\]^]{1,100})\]/.exec(src.slice(pos, pos + 104))?.[1];
  if (label === undefined || pos + label.length + 3 > state.posMax) return false;
  const { footnoteNumber }: RenderEnv = state.env;
  const number = footnoteNumber?.(state.md.utils.normalizeReference(label));
  if (number === undefined) return false;
  if (!isSilent) state.push('footnote_reference', '', 0).content = String(number);
  state.pos = pos + label.length + 3;
  return true;
}

function strikethrough(state: StateInline, isSilent: boolean): boolean {
  if (isSilent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(length);
  if (length <= 2) {
    const marker = length === 1 ? SINGLE_TILDE : TILDE;
    const at = state.tokens.length - 1;
    state.delimiters.push({ marker, length: 0, token: at, end: -1, open, close });
  }
  state.pos += length;
  return true;
}

function pairStrikethrough(state: StateInline): void {
  for (const delimiters of delimiterLists(state)) {
    for (const { marker, token: start, end } of delimiters) {
      if ((marker !== TILDE && marker !== SINGLE_TILDE) || end < 0) continue;
      const [open, close] = [state.tokens[start], state.tokens[delimiters[end]?.token ?? -1]];
      if (!open || !close) continue;
      Object.assign(open, { type: 's_open', tag: 's', nesting: 1, content: '' });
      Object.assign(close, { type: 's_close', tag: 's', nesting: -1, content: '' });
    }
  }
}

function delimiterLists(state: StateInline): Delimiter[][] {
  const nested = state.tokens_meta.map((meta) => meta?.delimiters);
  return [state.delimiters, ...nested].filter((list) => list !== undefined);
}

/** Closes emphasis that is still open at the end of a growing text. */
function closeOpenDelimiters(state: StateInline): void {
  const { isLive }: RenderEnv = state.env;
  if (isLive !== true) return;
  const { delimiters } = state;
  const count = delimiters.length;
  let outermost = -1;
  const open: Delimiter[] = [];
  delimiters.forEach((delimiter, index) => {
    if (delimiter.end >= 0) outermost = Math.max(outermost, delimiter.end);
    // Markers between the two ends of a pair can't reach outside it.
    else if (index > outermost && delimiter.open) open.push(delimiter);
  });
  for (const opener of open.reverse()) {
    if (opener.token >= state.tokens.length - (delimiters.length - count) - 1) continue;
    opener.end = delimiters.length;
    const token = state.push('text', '', 0);
    token.content = state.tokens[opener.token]?.content ?? '';
    const at = state.tokens.length - 1;
    delimiters.push({ ...opener, token: at, end: -1, open: false, close: true });
  }
}

function addLinks(md: MarkdownIt): void {
  const { linkify } = md;
  // In docs, a bare `config.py` or `README.md` is a file, not a host in Paraguay or Moldova.
  linkify.set({ fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false });
  let host: RegExp | undefined;
  linkify.add('ftp:', null).add('//', null);
  linkify.add('www.', {
    validate: (text, pos, { re }) => {
      host ??= new RegExp(re.get_url_host_port().source + re.get_path().source, 'iy');
      host.lastIndex = pos;
      return host.exec(text)?.[0].length ?? 0;
    },
    normalize: (match) => {
      match.url = `http://${match.text}`;
    },
  });
  const matchAll = linkify.match.bind(linkify);
  // `name@1.2.3` is a package and `git@host:path` is a remote. Neither is a mail address.
  linkify.match = (text) =>
    (matchAll(text) ?? []).filter(
      ({ schema, url, lastIndex }) =>
        schema !== 'mailto:' ||
        (/@[\p{L}\d._-]+\.\p{L}[\p{L}\d-]*$/u.test(url) &&
          !/^:\S/.test(text.slice(lastIndex, lastIndex + 2))),
    );
  // The text at the end may be half an address, which would lead elsewhere. Open markers in it are
  // closed after it.
  md.core.ruler.after('linkify', 'live_address', ({ tokens, env }) => {
    const { liveToken, isWordOpen }: RenderEnv = env;
    if (isWordOpen !== true) return;
    for (const { children } of tokens.filter((token) => token === liveToken)) {
      const isEnd = ({ type, content, nesting }: Token): boolean =>
        type === 'text' ? !/\s/.test(content) : nesting < 0 && type !== 'link_close';
      const close = children?.findLastIndex((token) => !isEnd(token)) ?? -1;
      if (children?.[close]?.markup !== 'linkify') continue;
      children.splice(close - 2, 3, ...children.slice(close - 1, close));
    }
  });
}

/**
 * Maximum number of characters of a table, list or quote that are laid out. Longer blocks are shown
 * as source.
 */
export const MAX_BLOCK_LENGTH = 100_000;

/** Maximum number of cells in a table. A few characters can stand for very many cells. */
const MAX_TABLE_CELLS = 10_000;

/** @param lines lines of the whole table. `length` is its number of characters. */
export function isTableTooLong(head: string, lines: number, length: number): boolean {
  return lines * head.split('|').length > MAX_TABLE_CELLS || length > MAX_BLOCK_LENGTH;
}

export function addBlockRules(md: MarkdownIt): void {
  refuseLongTables(md);
  const alt = ['paragraph', 'reference', 'blockquote'];
  md.block.ruler.before('reference', 'footnote_definition', footnoteDefinition, { alt });
  md.block.ruler.before('fence', 'math_block', mathBlock, { alt });
}

/**
 * Turns a table that is too long for the view into a block of its own kind, before its cells are
 * created.
 */
function refuseLongTables(md: MarkdownIt): void {
  // The table rule comes first and tells whether a table begins here.
  const [isTable] = md.block.ruler.getRules('');
  md.block.ruler.before('table', 'long_table', (state, startLine, endLine, isSilent) => {
    if (isSilent || isTable?.(state, startLine, endLine, true) !== true) return false;
    const isEnd = (line: number): boolean =>
      state.isEmpty(line) ||
      (state.sCount[line] ?? 0) < state.blkIndent ||
      (state.sCount[line] ?? 0) - state.blkIndent >= 4 ||
      md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true));
    let end = startLine + 2;
    while (end < endLine && !isEnd(end)) end++;
    const head = state.getLines(startLine, startLine + 1, 0, false);
    const length = (state.eMarks[end - 1] ?? 0) - (state.bMarks[startLine] ?? 0);
    if (!isTableTooLong(head, end - startLine, length)) return false;
    const token = state.push('long_block', '', 0);
    token.map = [startLine, end];
    token.content = state.getLines(startLine, end, state.blkIndent, false);
    state.line = end;
    return true;
  });
}

function lineText(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]);
}

/** Parses `[^label]: text` with its indented continuation, at the top level only. */
function footnoteDefinition(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  const indent = state.sCount[startLine] ?? 0;
  if (indent - state.blkIndent >= 4) return false;
  const match = /^\[\^([^\s[\]^]{1,100})\]:/.exec(lineText(state, startLine));
  if (!match) return false;
  // Within a list or quote it is text, unless it ends the block by standing left of it.
  if (isSilent) return state.level === 0 || indent < state.blkIndent;
  if (state.level > 0) return false;
  const [marker, label = ''] = match;
  const open = state.push('footnote_open', '', 1);
  open.meta = { label: state.md.utils.normalizeReference(label) };
  const lines: [number, number] = [startLine, 0];
  open.map = lines;

  const [bMark = 0, tShift = 0] = [state.bMarks[startLine], state.tShift[startLine]];
  const { parentType } = state;
  const start = bMark + tShift + marker.length;
  const content = state.skipSpaces(start);
  state.bMarks[startLine] = start;
  state.tShift[startLine] = Math.min(content, state.eMarks[startLine] ?? 0) - start;
  // The text after the marker is a paragraph, however many spaces are between them.
  state.sCount[startLine] = state.blkIndent + 4;
  state.blkIndent += 4;
  state.parentType = 'footnote';
  if (content < (state.eMarks[startLine] ?? 0)) {
    state.md.block.tokenize(state, startLine, endLine);
  } else {
    state.line = startLine + 1;
    const next = state.skipEmptyLines(startLine + 1);
    if (next < endLine && (state.sCount[next] ?? 0) >= state.blkIndent) {
      state.md.block.tokenize(state, next, endLine);
    }
  }
  state.blkIndent -= 4;
  state.parentType = parentType;
  state.bMarks[startLine] = bMark;
  state.tShift[startLine] = tShift;
  state.sCount[startLine] = indent;
  lines[1] = state.line;
  state.push('footnote_close', '', -1);
  return true;
}

/**
 * Parses a formula between lines `$$`, or `\[` and `\]`, or in a line of its own. It ends at a
 * blank line at the latest. Without an end it is text, so that a stray `$$` does not swallow a
 * reply.
 */
function mathBlock(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineText(state, startLine).trimEnd();
  const single = /^\$\$([^$]+)\$\$$|^\\\[(.+)\\\]$/.exec(first);
  const source = single?.[1] ?? single?.[2];
  if (source?.trim() === '' || (single?.[2] !== undefined && !isFormula(single[2]))) return false;
  if (source === undefined && first !== '$$' && first !== '\\[') return false;
  if (isSilent) return true;
  let content = source?.trim();
  let end = startLine + 1;
  if (content === undefined) {
    const closing = first === '$$' ? '$$' : '\\]';
    for (; end < endLine && !state.isEmpty(end); end++) {
      if ((state.sCount[end] ?? 0) < state.blkIndent) break;
      if (lineText(state, end).trimEnd() !== closing) continue;
      content = state.getLines(startLine + 1, end, state.blkIndent, false).trim();
      end++;
      break;
    }
  }
  const token = state.push('math_block', '', 0);
  token.map = [startLine, end];
  token.markup = content === undefined ? 'open' : 'closed';
  token.content = content ?? state.getLines(startLine, end, state.blkIndent, false).trim();
  state.line = end;
  return true;
}

/**
 * Marks alerts (`> [!NOTE]`) and tasks (`- [x]`) by the beginning of their text. It changes the
 * tokens in place, once per parsing.
 */
export function markAlertsAndTasks(tokens: Token[]): void {
  for (let index = 0; index + 2 < tokens.length; index++) {
    const [open, paragraph, inline] = tokens.slice(index, index + 3);
    if (!open || paragraph?.type !== 'paragraph_open' || inline?.type !== 'inline') continue;
    if (open.type === 'list_item_open') markTask(open, inline);
    else if (open.type === 'blockquote_open') markAlert(tokens, index, inline);
  }
}

function markTask(item: Token, inline: Token): void {
  const match = /^\[([ xX])\]\s+(?=\S)/.exec(inline.content);
  if (!match) return;
  inline.content = inline.content.slice(match[0].length);
  inline.meta = { ...inline.meta, task: match[1] === ' ' ? 'open' : 'done' };
  item.attrSet('class', 'task-item');
}

function markAlert(tokens: Token[], openIndex: number, inline: Token): void {
  const match = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(inline.content);
  const open = tokens[openIndex];
  if (!match || !open) return;
  inline.content = inline.content.slice(match[0].length);
  const level = open.level;
  const close = tokens.findIndex((token, at) => at > openIndex && token.level === level);
  open.attrSet('class', `alert alert-${match[1]?.toLowerCase() ?? ''}`);
  open.type = 'alert_open';
  for (const token of [open, tokens[close]]) if (token) token.tag = 'div';
  const paragraph = tokens[openIndex + 1];
  if (inline.content !== '' || !paragraph) return;
  // The paragraph holds only the marker. `hidden` omits its tags.
  for (const token of [paragraph, tokens[openIndex + 3]]) if (token) token.hidden = true;
}

/** Inline Markdown beyond CommonMark: math, footnote references, strikethrough, line breaks, links. */
import type { Delimiter, Env, MarkdownIt, StateInline, Token } from 'markdown-it';

/** What the inline rules know about the text around them. */
export interface RenderEnv extends Env {
  /** The number to show for a footnote's label, or undefined where it is text like any other. */
  readonly footnoteNumber?: (label: string) => number | undefined;
  /** The text may go on at its end: what is open there is shown as if it were closed. */
  isLive?: boolean;
  /** The block token whose text that is. */
  liveToken?: Token | undefined;
  /** No space stands at the end: its last word may go on. */
  isWordOpen?: boolean;
}

/** Characters of one formula within a line of text. */
const MAX_MATH_LENGTH = 1_000;

/** One tilde strikes through like two, but only a single one ends it; markers are told by number. */
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

// Tables cannot hold line breaks any other way, so people and models write them as HTML.
function htmlBreak(state: StateInline, isSilent: boolean): boolean {
  const match = /^<br\s*\/?>/i.exec(state.src.slice(state.pos, state.pos + 12));
  if (!match) return false;
  if (!isSilent) state.push('hardbreak', 'br', 0);
  state.pos += match[0].length;
  return true;
}

/**
 * `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. Prices, shell variables and escaped brackets are far more
 * common in docs than formulas are, so what could be one of these is none.
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
      // A number alone is a price or a version, and several words are a sentence between two.
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

/** Whether what stands in escaped brackets is a formula rather than words in brackets. */
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

/** Emphasis that is still open where a growing text ends is shown as emphasis already. */
function closeOpenDelimiters(state: StateInline): void {
  const { isLive }: RenderEnv = state.env;
  if (isLive !== true) return;
  const { delimiters } = state;
  const count = delimiters.length;
  let outermost = -1;
  const open: Delimiter[] = [];
  delimiters.forEach((delimiter, index) => {
    if (delimiter.end >= 0) outermost = Math.max(outermost, delimiter.end);
    // Between the two ends of a pair nothing can reach out of it.
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
  // A bare `config.py` or `README.md` in docs is a file, not a host of Paraguay or Moldova.
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
  // `name@1.2.3` is a package, and `git@host:path` a remote; neither is somebody's address.
  linkify.match = (text) =>
    (matchAll(text) ?? []).filter(
      ({ schema, url, lastIndex }) =>
        schema !== 'mailto:' ||
        (/@[\p{L}\d._-]+\.\p{L}[\p{L}\d-]*$/u.test(url) &&
          !/^:\S/.test(text.slice(lastIndex, lastIndex + 2))),
    );
  // The text at the end may be half an address, which leads elsewhere than the whole. Markers that
  // are open there are closed behind it.
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

/**
 * Markdown as the view understands it: CommonMark with tables and strikethrough, no HTML, no
 * images that load, no links that the view may not offer.
 */
import markdownIt, { type Env, type MarkdownIt, type Token } from 'markdown-it';
import { allowedLink, isRelativeLink } from './links';

/**
 * Characters of one paragraph, heading or cell that are parsed for inline Markdown; longer ones
 * are shown as they are. Real text stays far below; some hostile text costs its square.
 */
const MAX_INLINE_LENGTH = 20_000;

/** Characters of one table, list or quote that are laid out; longer ones are shown as source. */
export const MAX_BLOCK_LENGTH = 100_000;

/** Cells that are laid out as a table: a few characters can stand for very many. */
const MAX_TABLE_CELLS = 10_000;

/** One block at the top level of a document. */
export interface Block {
  /** Lines within the parsed text, from `startLine` up to and without `endLine`. */
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: readonly Token[];
}

/** A link reference definition, wherever it stands. */
export interface Definition {
  readonly label: string;
  readonly endLine: number;
}

export interface ParsedDocument {
  readonly blocks: readonly Block[];
  readonly definitions: readonly Definition[];
  readonly references: References;
}

export type References = Record<string, { readonly title: string; readonly href: string }>;

/** No prototype: labels such as `__proto__` are words like any other. */
export function noReferences(): References {
  return Object.create(null) as References;
}

const parser = createParser();

/** Line ends become `\n` and NUL becomes U+FFFD, as CommonMark wants it. */
export function normaliseText(text: string): string {
  return /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd') : text;
}

/**
 * Splits a text into its top-level blocks. Inline Markdown is not parsed yet.
 * @param text normalised.
 * @param known definitions from before the text; not changed.
 */
export function parseBlocks(text: string, known: References): ParsedDocument {
  const env: Env & { references: References } = {
    references: Object.assign(noReferences(), known),
  };
  const tokens: Token[] = [];
  parser.block.parse(text, parser, env, tokens);
  const blocks: Block[] = [];
  const definitions: Definition[] = [];
  let first = 0;
  tokens.forEach((token, index) => {
    const [startLine, endLine] = tokens[first]?.map ?? [0, 0];
    if (token.type === 'reference_definition') {
      const label = token.meta?.['label'];
      if (typeof label === 'string')
        definitions.push({ label, endLine: token.map?.[1] ?? endLine });
    }
    if (token.level > 0 || token.nesting > 0) return;
    blocks.push({ startLine, endLine, tokens: tokens.slice(first, index + 1) });
    first = index + 1;
  });
  return { blocks, definitions, references: env.references };
}

/** HTML of one block; safe by construction, and still to be sanitised. */
export function renderBlockHtml(block: Block, references: References): string {
  const env: Env = { references: references };
  const state = new parser.core.State('', parser, env);
  state.tokens = [...block.tokens];
  parser.core.process(state);
  return parser.renderer.render(state.tokens, parser.options, env);
}

/** Makes a table that is too long for the view a block of its own kind, before its cells are made. */
function refuseLongTables(md: MarkdownIt): void {
  // The table rule is the first of all; it tells whether a table begins here.
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
    const cells = (end - startLine) * head.split('|').length;
    const length = (state.eMarks[end - 1] ?? 0) - (state.bMarks[startLine] ?? 0);
    if (cells <= MAX_TABLE_CELLS && length <= MAX_BLOCK_LENGTH) return false;
    const token = state.push('long_block', '', 0);
    token.map = [startLine, end];
    token.content = state.getLines(startLine, end, state.blkIndent, false);
    state.line = end;
    return true;
  });
}

/** The first word of a fence's info string, without what docs generators hang on to it. */
export function codeLanguage(fence: Token): string {
  const [word = ''] = parser.utils.unescapeAll(fence.info).trim().split(/\s+/);
  return word.replace(/^[{.]+|[{},:].*$/g, '').slice(0, 40);
}

/** Labels that the block's text may refer to; more than it does, never fewer. */
export function possibleLabels(block: Block): Set<string> {
  const labels = new Set<string>();
  for (const token of block.tokens) {
    if (token.type !== 'inline' || !token.content.includes('[')) continue;
    for (const [, label = ''] of token.content.matchAll(/\[((?:\\[^]|[^[\]\\])+)(?=\])/g)) {
      labels.add(parser.utils.normalizeReference(label));
    }
  }
  return labels;
}

function createParser(): MarkdownIt {
  const md = markdownIt({ html: false, linkify: true });
  // A bare `config.py` or `README.md` in docs is a file, not a host of Paraguay or Moldova.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  md.linkify.add('ftp:', null).add('//', null);
  md.validateLink = (href) => allowedLink(href) !== undefined || isRelativeLink(href);
  // Text of bare links stays as written: decoding it could make one host look like another.
  md.normalizeLinkText = (text) => text;
  refuseLongTables(md);
  // Blocks are parsed first and by themselves; the chain below works on the tokens of one.
  md.core.ruler.disable(['normalize', 'block']);
  md.core.ruler.before('inline', 'long_text', ({ tokens, Token: TokenType }) => {
    for (const token of tokens) {
      if (token.type !== 'inline' || token.content.length <= MAX_INLINE_LENGTH) continue;
      const text = new TokenType('text', '', 0);
      text.content = token.content;
      token.type = 'plain_inline';
      token.children = [text];
    }
  });
  md.core.ruler.push('image_links', ({ tokens, Token: TokenType }) => {
    for (const token of tokens) {
      if (token.type === 'inline') token.children = withoutImages(token.children ?? [], TokenType);
    }
  });
  // Tables cannot hold line breaks any other way, so people and models write them as HTML.
  md.inline.ruler.before('autolink', 'html_break', (state, isSilent) => {
    const match = /^<br\s*\/?>/i.exec(state.src.slice(state.pos, state.pos + 12));
    if (!match) return false;
    if (!isSilent) state.push('hardbreak', 'br', 0);
    state.pos += match[0].length;
    return true;
  });
  const { rules } = md.renderer;
  rules['plain_inline'] = (tokens, index, options, env, renderer) =>
    renderer.renderInline(tokens[index]?.children ?? [], options, env);
  rules['fence'] = (tokens, index) => {
    const token = tokens[index];
    return codeHtml(md, token?.content ?? '', token ? codeLanguage(token) : '');
  };
  rules['long_block'] = (tokens, index) => codeHtml(md, tokens[index]?.content ?? '', 'markdown');
  rules['code_block'] = (tokens, index) => codeHtml(md, tokens[index]?.content ?? '', '');
  // The page's own headings are above those of a reply.
  rules['heading_open'] = (tokens, index) => `<h${headingLevel(tokens[index])}>`;
  rules['heading_close'] = (tokens, index) => `</h${headingLevel(tokens[index])}>\n`;
  // Inline styles are against the policy; a class says the same.
  rules['th_open'] = rules['td_open'] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index];
    const align = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (token) token.attrs = align === undefined ? null : [['class', `align-${align}`]];
    return renderer.renderToken(tokens, index, options);
  };
  return md;
}

function headingLevel(token: Token | undefined): number {
  return Math.min(6, Number(token?.tag.slice(1)) + 2);
}

function codeHtml(md: MarkdownIt, code: string, language: string): string {
  const { escapeHtml } = md.utils;
  // An empty line first: HTML drops one line break at the start of `pre`.
  return `<pre data-language="${escapeHtml(language)}">\n${escapeHtml(code.replace(/\n$/, ''))}</pre>\n`;
}

/**
 * Images become links with their alternative text: loading one would tell its server who reads
 * what (faults.md G3). Within a link the text alone is left.
 */
function withoutImages(tokens: readonly Token[], TokenType: typeof Token): Token[] {
  const result: Token[] = [];
  let linkDepth = 0;
  for (const token of tokens) {
    if (token.type === 'link_open') linkDepth++;
    else if (token.type === 'link_close') linkDepth--;
    if (token.type !== 'image') {
      result.push(token);
      continue;
    }
    const text = new TokenType('text', '', 0);
    text.content = parserText(token) || String(token.attrGet('src') ?? '');
    if (linkDepth > 0) {
      result.push(text);
      continue;
    }
    const open = new TokenType('link_open', 'a', 1);
    open.attrs = [
      ['href', token.attrGet('src') ?? ''],
      ['class', 'image-link'],
    ];
    result.push(open, text, new TokenType('link_close', 'a', -1));
  }
  return result;
}

function parserText(token: Token): string {
  return parser.renderer.renderInlineAsText(token.children ?? [], parser.options, {});
}

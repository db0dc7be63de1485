/**
 * Parses Markdown as the view understands it: CommonMark and GFM with footnotes, alerts and
 * formulas, but without HTML, images that load, and links that the view may not offer.
 */
import markdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { allowedLink, isRelativeLink } from './links';
import { closedInline } from './liveTail';
import { addInlineRules, type RenderEnv, addBlockRules, markAlertsAndTasks } from './syntaxRules';

/**
 * Maximum number of characters in a paragraph, heading or cell that are parsed for inline Markdown.
 * Longer text is shown as it is. Real text stays far below, and hostile text can cost the square of
 * its length.
 */
const MAX_INLINE_LENGTH = 20_000;

/** One block at the top level of a document. */
export interface Block {
  /** Lines of the block in the parsed text. `endLine` is exclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: readonly Token[];
}

/** A link reference definition, at any level. */
interface Definition {
  readonly label: string;
  readonly endLine: number;
}

export interface ParsedDocument {
  readonly blocks: readonly Block[];
  readonly definitions: readonly Definition[];
  readonly references: References;
}

interface Reference {
  readonly title: string;
  readonly href: string;
}

/** Link definitions by label: those of a text, and earlier ones, which win. */
export class References {
  readonly #known: References | undefined;
  readonly #own = new Map<string, Reference>();
  /**
   * The definitions as properties, which the parser reads and adds. A prototype with the earlier
   * definitions would also work, but engines rebuild a prototype after each new property.
   */
  readonly properties = new Proxy<Record<string, Reference>>(
    {},
    {
      get: (_target, label) => (typeof label === 'string' ? this.get(label) : undefined),
      set: (_target, label, reference: Reference) => {
        if (typeof label === 'string') this.add(label, reference);
        return true;
      },
    },
  );

  constructor(known?: References) {
    this.#known = known;
  }

  get(label: string): Reference | undefined {
    return this.#known?.get(label) ?? this.#own.get(label);
  }

  add(label: string, reference: Reference): void {
    this.#own.set(label, reference);
  }
}

/** Everything besides its tokens that a rendering depends on. */
interface RenderContext {
  readonly references: References;
  /** Returns the number of a footnote, as in {@link RenderEnv.footnoteNumber}. */
  readonly footnoteNumber: (label: string) => number | undefined;
  /** Whether the tokens end at the end of a text that still grows. */
  readonly isLive: boolean;
  /** Whether the last word may go on, as in {@link RenderEnv.isWordOpen}. */
  readonly isWordOpen: boolean;
}

const parser = createParser();

/** Normalizes a text as CommonMark requires: line ends become `\n`, and NUL becomes U+FFFD. */
export function normalizeText(text: string): string {
  return /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd') : text;
}

/**
 * Splits a text into its top-level blocks. Inline Markdown is not parsed yet.
 * @param text normalized text.
 * @param known definitions from before the text. They are not changed.
 */
export function parseBlocks(text: string, known: References): ParsedDocument {
  const references = new References(known);
  const tokens: Token[] = [];
  parser.block.parse(text, parser, { references: references.properties }, tokens);
  markAlertsAndTasks(tokens);
  const blocks = splitTokens(tokens, 0);
  const definitions: Definition[] = [];
  for (const token of tokens) {
    const label = token.type === 'reference_definition' ? token.meta?.['label'] : undefined;
    if (typeof label === 'string') definitions.push({ label, endLine: token.map?.[1] ?? 0 });
  }
  return { blocks, definitions, references };
}

/** Groups tokens by the blocks at a level. */
export function splitTokens(tokens: readonly Token[], level: number): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  tokens.forEach((token, index) => {
    if (token.level > level || token.nesting > 0) return;
    const [startLine, endLine] = tokens[first]?.map ?? [0, 0];
    blocks.push({ startLine, endLine, tokens: tokens.slice(first, index + 1) });
    first = index + 1;
  });
  return blocks;
}

/**
 * Returns the HTML of one block or a part of it. It is safe by construction, and still has to be
 * sanitized.
 */
export function renderHtml(tokens: readonly Token[], context: RenderContext): string {
  const { references, footnoteNumber, isLive, isWordOpen } = context;
  const env: RenderEnv = { references: references.properties, footnoteNumber, isWordOpen };
  if (isLive) env.liveToken = lastText(tokens);
  const state = new parser.core.State('', parser, env);
  state.tokens = [...tokens];
  parser.core.process(state);
  return parser.renderer.render(state.tokens, parser.options, env);
}

/** Returns the token whose text grows next, unless it is code. */
function lastText(tokens: readonly Token[]): Token | undefined {
  const last = tokens.findLast(
    ({ type, content, nesting }) => content !== '' || (nesting === 0 && type !== 'inline'),
  );
  return last?.type === 'inline' ? last : undefined;
}

/**
 * Returns the language of a fence: the first word of its info string, without the options that docs
 * generators append.
 */
export function codeLanguage(fence: Token): string {
  const [word = ''] = parser.utils.unescapeAll(fence.info).trim().split(/\s+/);
  return word.replace(/^[{.]+|[{},:].*$/g, '').slice(0, 40);
}

/**
 * Returns all labels that the text of the tokens may refer to. It may return too many, but never
 * too few.
 */
export function possibleLabels(tokens: readonly Token[]): Set<string> {
  const labels = new Set<string>();
  for (const token of tokens) {
    if (token.type !== 'inline' || !token.content.includes('[')) continue;
    // A search for whole labels would start again at each bracket.
    let start = Infinity;
    for (const { 0: mark, index } of token.content.matchAll(/\\[^]|[[\]]/g)) {
      const label = mark === ']' ? token.content.slice(start, index) : '';
      if (label !== '') labels.add(parser.utils.normalizeReference(label));
      if (mark.length === 1) start = mark === '[' ? index + 1 : Infinity;
    }
  }
  return labels;
}

function createParser(): MarkdownIt {
  const md = markdownIt({ html: false, linkify: true });
  md.validateLink = (href) => allowedLink(href) !== undefined || isRelativeLink(href);
  // The text of bare links stays as written. Decoding could make one host look like another.
  md.normalizeLinkText = (text) => text;
  addBlockRules(md);
  addInlineRules(md);
  addCoreRules(md);
  addRendererRules(md);
  return md;
}

/** Blocks are parsed first. The core rules work on the tokens of one block at a time. */
function addCoreRules(md: MarkdownIt): void {
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
  md.core.ruler.at('inline', ({ tokens, env, Token: TokenType }) => {
    const core: RenderEnv = env;
    for (const token of tokens) {
      if (token.type !== 'inline') continue;
      core.isLive = token === core.liveToken;
      const content = core.isLive
        ? closedInline(token.content, core.isWordOpen === true)
        : token.content;
      token.children = [];
      md.inline.parse(content, md, core, token.children);
      const task = token.meta?.['task'];
      if (task === undefined) continue;
      const marker = new TokenType('task_marker', '', 0);
      marker.info = task === 'done' ? 'done' : 'open';
      token.children.unshift(marker);
    }
  });
  md.core.ruler.push('image_links', ({ tokens, Token: TokenType }) => {
    for (const token of tokens) {
      if (token.type === 'inline') token.children = withoutImages(token.children ?? [], TokenType);
    }
  });
}

function addRendererRules(md: MarkdownIt): void {
  const { rules } = md.renderer;
  const { escapeHtml } = md.utils;
  rules['plain_inline'] = (tokens, index, options, env, renderer) =>
    renderer.renderInline(tokens[index]?.children ?? [], options, env);
  rules['fence'] = (tokens, index) => {
    const token = tokens[index];
    return codeHtml(md, token?.content ?? '', token ? codeLanguage(token) : '');
  };
  rules['long_block'] = (tokens, index) => codeHtml(md, tokens[index]?.content ?? '', 'markdown');
  rules['code_block'] = (tokens, index) => codeHtml(md, tokens[index]?.content ?? '', '');
  rules['math_block'] = (tokens, index) => {
    const { content = '', markup = '' } = tokens[index] ?? {};
    return markup === 'closed'
      ? `<div data-math="display">${escapeHtml(content)}</div>\n`
      : `<p>${escapeHtml(content)}</p>\n`;
  };
  rules['task_marker'] = (tokens, index) =>
    `<span class="task-marker task-${tokens[index]?.info ?? ''}"></span> `;
  rules['alert_open'] = (tokens, index, options, _env, renderer) =>
    `${renderer.renderToken(tokens, index, options)}<p class="alert-title"></p>\n`;
  // The headings of the page are above the headings of a reply.
  rules['heading_open'] = (tokens, index) => `<h${headingLevel(tokens[index])}>`;
  rules['heading_close'] = (tokens, index) => `</h${headingLevel(tokens[index])}>\n`;
  // The content security policy forbids inline styles, so a class sets the alignment.
  rules['th_open'] = rules['td_open'] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index];
    const align = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (align !== undefined && token) token.attrs = [['class', `align-${align}`]];
    return renderer.renderToken(tokens, index, options);
  };
}

function headingLevel(token: Token | undefined): number {
  return Math.min(6, Number(token?.tag.slice(1)) + 2);
}

function codeHtml(md: MarkdownIt, code: string, language: string): string {
  const { escapeHtml } = md.utils;
  // HTML drops the first line break in `pre`, so an empty line comes first.
  return `<pre data-language="${escapeHtml(language)}">\n${escapeHtml(code.replace(/\n$/, ''))}</pre>\n`;
}

/**
 * Replaces images by links with their alternative text. Loading an image would tell its server who
 * reads what (faults.md G3). Within a link, only the text stays.
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

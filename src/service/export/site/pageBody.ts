import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it';
import { splitHeadingId } from '../../../common/text/blankEnds';
import type { RenderedSource } from './pageSources';
import type { SiteLinks } from './siteLinks';
import { headingsOf, type SiteHeading, type SitePage } from './siteSurvey';
import type { SiteTexts } from './siteTexts';
import { codeLanguageName, codeLanguageOf } from '../../../docs/pages/codeLanguages';
import { calloutKind, type CalloutKind } from '../../../docs/pages/markup/meanings';
import { codeTitle } from '../../../docs/pages/sections';
import { headingIds, headingText } from '../../../docs/pages/headings';
import { createSafeRenderer, escapeHtml } from '../../../docs/pages/pageHtml';

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  elixir,
  go,
  graphql,
  http,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  nginx,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/**
 * Maximum number of characters of code to highlight. Highlighting longer code would block the requests to the
 * service for too long.
 */
const MAX_HIGHLIGHTED = 50_000;

const labels: Partial<Record<string, string>> = {
  ini: 'INI',
  nginx: 'nginx',
  bash: 'Shell',
};

interface HighlightedCode {
  readonly html: string;
  /** Name of the language, or an empty string if it is unknown. */
  readonly label: string;
}

/**
 * Highlights code as HTML.
 * @param name the language after the fence, such as `ts`.
 */
function highlightCode(code: string, name: string): HighlightedCode {
  const known = codeLanguageOf(name);
  const language = hljs.getLanguage(name) ? name : known;
  const plain = escapeHtml(code);
  if (name === '' || language === undefined || !hljs.getLanguage(language)) {
    return { html: plain, label: /^[\w+#.-]{2,20}$/.test(name) && name !== 'text' ? name : '' };
  }
  const label =
    labels[known ?? language] ??
    (known === undefined ? (hljs.getLanguage(language)?.name ?? '') : codeLanguageName(known));
  if (code.length > MAX_HIGHLIGHTED) return { html: plain, label };
  return { html: hljs.highlight(code, { language, ignoreIllegals: true }).value, label };
}

const alertLine = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

const openingMark = /^<aside class="(\w+)">\s*$/;
const closingMark = /^<\/aside>\s*$/;

/**
 * Replaces the marks of callouts that the page reader writes, and quotes that begin with `[!NOTE]`, with the
 * tokens `callout_open` (its `info` is the kind) and `callout_close`. Removes an opening or closing mark without
 * its counterpart in the same list or quote.
 */
function foldCallouts(tokens: readonly Token[]): Token[] {
  const replaced = new Map<number, Token | undefined>();
  const containers: number[] = [-1];
  const open: { index: number; container: number | undefined; kind: CalloutKind }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) containers.push(index);
    if (token.nesting === -1) containers.pop();
    if (token.type === 'blockquote_open') foldAlert(tokens, index, replaced);
    if (token.type !== 'html_block') continue;
    const kind = calloutKind(openingMark.exec(token.content)?.[1] ?? '');
    if (kind === undefined && !closingMark.test(token.content)) continue;
    replaced.set(index, undefined);
    const container = containers.at(-1);
    if (kind !== undefined) open.push({ index, container, kind });
    else {
      const start = open.findLastIndex((callout) => callout.container === container);
      const callout = open[start];
      if (!callout) continue;
      open.length = start;
      replaced.set(callout.index, calloutToken('callout_open', 1, callout.kind));
      replaced.set(index, calloutToken('callout_close', -1, callout.kind));
    }
  }
  return [...tokens.entries()].flatMap(([index, token]) => {
    if (!replaced.has(index)) return [token];
    const replacement = replaced.get(index);
    return replacement ? [replacement] : [];
  });
}

function calloutToken(type: string, nesting: 1 | -1, kind: CalloutKind): Token {
  return Object.assign(new MarkdownIt.Token(type, 'div', nesting), { block: true, info: kind });
}

/** Makes a callout of one of GitHub's alerts, which is a quote with a first line such as `[!NOTE]`. */
function foldAlert(
  tokens: readonly Token[],
  start: number,
  replaced: Map<number, Token | undefined>,
): void {
  const inline = tokens[start + 2];
  const alert =
    tokens[start + 1]?.type === 'paragraph_open' && alertLine.exec(inline?.content ?? '');
  const kind = alert ? calloutKind(alert[1] ?? '') : undefined;
  if (kind === undefined || !inline?.children) return;
  const level = tokens[start]?.level;
  let end = start + 1;
  while (end < tokens.length - 1 && tokens[end]?.level !== level) end++;
  const lineEnd = inline.children.findIndex(({ type }) => /^(?:soft|hard)break$/.test(type));
  inline.children = lineEnd < 0 ? [] : inline.children.slice(lineEnd + 1);
  if (inline.children.length === 0) {
    for (const place of [start + 1, start + 2, start + 3]) replaced.set(place, undefined);
  }
  replaced.set(start, calloutToken('callout_open', 1, kind));
  replaced.set(end, calloutToken('callout_close', -1, kind));
}

interface PageBody {
  readonly html: string;
  readonly headings: readonly SiteHeading[];
  /** Whether the HTML already contains the page's title. */
  readonly hasTitle: boolean;
}

interface BodyEnv {
  readonly ids: ReadonlyMap<Token, string>;
  readonly texts: SiteTexts;
  /** IDs that the page has used so far. The renderer that this one builds on reads them, too. */
  readonly taken: Set<string>;
}

/** Returns the renderer's `env`, which has no type. Only `renderBody` fills it. */
function envOf(env: unknown): BodyEnv {
  return env as BodyEnv;
}

const renderers = { md: createBodyRenderer(false), mdx: createBodyRenderer(true) };

/** Returns a page's text as HTML, with links to the site's files. */
export async function renderBody(
  page: SitePage,
  path: string,
  { markdown, hasTitle }: Pick<RenderedSource, 'markdown' | 'hasTitle'>,
  links: SiteLinks,
  texts: SiteTexts,
): Promise<PageBody> {
  const renderer = /\.mdx$/i.test(path) ? renderers.mdx : renderers.md;
  const env = {};
  const parsed = renderer.parse(markdown, env);
  const idsByIndex = headingIds(parsed, page.slugRule);
  const headings = headingsOf(parsed, idsByIndex);
  const ids = new Map<Token, string>();
  for (const [index, id] of idsByIndex) {
    const token = parsed[index];
    if (token) ids.set(token, id);
  }
  await links.resolve(page, path, parsed);
  const tokens = foldCallouts(parsed);
  const bodyEnv: BodyEnv = { ids, texts, taken: new Set(ids.values()) };
  const html = renderer.renderer.render(tokens, renderer.options, { ...env, ...bodyEnv });
  const first = tokens[0];
  const startsWithTitle = first?.type === 'heading_open' && first.tag === 'h1';
  // Without a title in the front matter, a heading of level 1 anywhere in the text is the title.
  const isTitleOfText = !hasTitle && headings.some(({ level }) => level === 1);
  return { html, headings, hasTitle: startsWithTitle || isTitleOfText };
}

function createBodyRenderer(isMdx: boolean): MarkdownParser {
  const renderer = createSafeRenderer(isMdx);
  const { rules } = renderer.renderer;
  rules['heading_open'] = (tokens, index, _options, env) => {
    const token = tokens[index];
    const inline = tokens[index + 1];
    if (!token || !inline) return '';
    const last = inline.children?.at(-1);
    if (headingText(inline).id !== undefined && last)
      last.content = splitHeadingId(last.content).text;
    const id = envOf(env).ids.get(token) ?? '';
    return id === '' ? `<${token.tag}>` : `<${token.tag} id="${escapeHtml(id)}">`;
  };
  rules['heading_close'] = (tokens, index, _options, env) => {
    const open = tokens[index - 2];
    const id = (open && envOf(env).ids.get(open)) ?? '';
    const tag = tokens[index]?.tag ?? 'h2';
    if (id === '' || tag === 'h1') return `</${tag}>\n`;
    const label = escapeHtml(envOf(env).texts.linkToHeading);
    return ` <a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${label}"></a></${tag}>\n`;
  };
  rules['fence'] = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    return codeFigure(content, info);
  };
  rules['code_block'] = (tokens, index) => codeFigure(tokens[index]?.content ?? '', '');
  rules['table_open'] = (_tokens, _index, _options, env) =>
    `<div class="table" role="region" aria-label="${escapeHtml(envOf(env).texts.table)}"><table>\n`;
  rules['table_close'] = () => '</table></div>\n';
  rules['th_open'] = rules['td_open'] = (tokens, index) => {
    const token = tokens[index];
    if (!token) return '';
    // A strict content security policy of the site's host forbids style attributes.
    const side = /(?:center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[0];
    return side === undefined ? `<${token.tag}>` : `<${token.tag} class="${side}">`;
  };
  const image = rules['image'];
  rules['image'] = (tokens, index, options, env, self) => {
    tokens[index]?.attrSet('loading', 'lazy');
    return image ? image(tokens, index, options, env, self) : '';
  };
  rules['callout_open'] = (tokens, index, _options, env) => {
    // Only `foldCallouts` makes these tokens, and it always sets a kind.
    const kind = tokens[index]?.info as CalloutKind;
    const label = escapeHtml(envOf(env).texts.callouts[kind]);
    return `<div class="callout ${kind}" role="note" aria-label="${label}"><p class="callout-label">${label}</p>\n`;
  };
  rules['callout_close'] = () => '</div>\n';
  return renderer;
}

/**
 * Returns a code block as HTML.
 * @param fence the text after the fence: `ts title="client.ts"`.
 */
function codeFigure(code: string, fence: string): string {
  const name = /^[^\s{,:]+/.exec(fence.trim())?.[0] ?? '';
  const title = codeTitle(fence);
  const { html, label } = highlightCode(code, name);
  const caption = title === '' ? label : title;
  // The class tells the language to programs that read the page, such as this service reading a bundle.
  const language = /^[\w+#.-]{1,20}$/.test(name) ? ` class="language-${escapeHtml(name)}"` : '';
  return (
    '<figure class="code">' +
    `<figcaption>${escapeHtml(caption)}</figcaption>` +
    `<pre><code${language}>${html}</code></pre></figure>\n`
  );
}

import type { MarkdownIt as MarkdownParser, Token } from 'markdown-it';
import type { CalloutKind } from '../markup/meanings';
import { codeTitle, headingIds, headingText, type PageMarkdown } from '../page';
import { createSafeRenderer, escapeHtml, withoutHeadingId } from '../pageHtml';
import { foldCallouts } from './callouts';
import { highlightCode } from './codeHighlight';
import type { SiteLinks } from './siteLinks';
import { headingsOf, type SiteHeading, type SitePage } from './siteSurvey';
import type { SiteTexts } from './siteTexts';

export interface PageBody {
  readonly html: string;
  readonly headings: readonly SiteHeading[];
  /** Whether the text itself begins with the page's title. */
  readonly hasTitle: boolean;
}

interface BodyEnv {
  readonly ids: ReadonlyMap<Token, string>;
  readonly texts: SiteTexts;
  /** Ids that the page has given so far. */
  readonly taken: Set<string>;
}

/** The renderer's `env` is untyped; `renderBody` alone fills it. */
function envOf(env: unknown): BodyEnv {
  return env as BodyEnv;
}

const renderers = { md: createBodyRenderer(false), mdx: createBodyRenderer(true) };

/** A page's text as HTML, its links led to the site's files. */
export async function renderBody(
  page: SitePage,
  path: string,
  { text, title }: PageMarkdown,
  links: SiteLinks,
  texts: SiteTexts,
): Promise<PageBody> {
  const renderer = /\.mdx$/i.test(path) ? renderers.mdx : renderers.md;
  const env = {};
  const parsed = renderer.parse(text, env);
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
  // A title from the text stands where the text has it, wherever that is.
  const isTitleOfText = title === undefined && headings.some(({ level }) => level === 1);
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
    if (headingText(inline).id !== undefined && last) last.content = withoutHeadingId(last.content);
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
    // Styles in attributes are what a strict policy of the site's host forbids.
    const side = /(?:center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[0];
    return side === undefined ? `<${token.tag}>` : `<${token.tag} class="${side}">`;
  };
  const image = rules['image'];
  rules['image'] = (tokens, index, options, env, self) => {
    tokens[index]?.attrSet('loading', 'lazy');
    return image ? image(tokens, index, options, env, self) : '';
  };
  rules['callout_open'] = (tokens, index, _options, env) => {
    // `foldCallouts` alone makes these tokens, with a kind each.
    const kind = tokens[index]?.info as CalloutKind;
    const label = escapeHtml(envOf(env).texts.callouts[kind]);
    return `<div class="callout ${kind}" role="note" aria-label="${label}"><p class="callout-label">${label}</p>\n`;
  };
  rules['callout_close'] = () => '</div>\n';
  return renderer;
}

/** @param fence what stands behind the fence: `ts title="client.ts"`. */
function codeFigure(code: string, fence: string): string {
  const name = /^[^\s{,:]+/.exec(fence.trim())?.[0] ?? '';
  const title = codeTitle(fence);
  const { html, label } = highlightCode(code, name);
  const caption = title === '' ? label : title;
  return (
    '<figure class="code">' +
    `<figcaption>${escapeHtml(caption)}</figcaption>` +
    `<pre><code>${html}</code></pre></figure>\n`
  );
}

import MarkdownIt, { type MarkdownIt as MarkdownParser } from 'markdown-it';
import { splitHeadingId } from '../../common/text/blankEnds';
import type { IncludedFiles } from './markup/lines';
import { limitTokens } from './markup/tokenBudget';
import { anchorOf, headingIds, headingText } from './headings';
import { htmlText } from './visibleHtml';
import { pageMarkdown } from './pageMarkdown';
import type { DocsPage } from './page';

/** Style sheet of every page. It is inline, and the content security policy allows it by its hash. */
export const styleSheet = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0b57d0, #8ab4f8); }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.5rem; overflow-wrap: break-word; }
nav { font-size: .875rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem; margin-bottom: 1.5rem; }
nav span { float: right; opacity: .75; }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 .75rem; scroll-margin-top: 1rem; }
h1 { margin-top: 0; }
:target { background: light-dark(#fff3c4, #4a3f12); border-radius: 4px; box-shadow: 0 0 0 4px light-dark(#fff3c4, #4a3f12); }
code { font: .875em ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1em .3em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .9rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .35rem .7rem; text-align: left; vertical-align: top; }
blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); opacity: .9; }
img { max-width: 100%; background: white; border-radius: 6px; }
`;

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function pageDocument(title: string, body: string): string {
  return (
    '<!doctype html><html><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${styleSheet}</style></head><body>${body}</body></html>`
  );
}

interface RenderEnv {
  readonly ids: ReadonlyMap<number, string>;
  readonly toHref: (href: string) => string;
  readonly taken: Set<string>;
}

/** Returns the renderer's `env`, which has no type. Only `renderPage` fills it. */
function envOf(env: unknown): RenderEnv {
  return env as RenderEnv;
}

/**
 * Creates a Markdown renderer that removes the HTML tags of the Markdown, except a few that only format text.
 * Keeps the text within the tags.
 */
export function createSafeRenderer(isMdx: boolean): MarkdownParser {
  // The parser must recognize HTML so that the rules below can remove its tags.
  const renderer = limitTokens(new MarkdownIt({ html: true }));
  if (isMdx) renderer.disable('code');
  const { rules } = renderer.renderer;
  const anchor = (html: string, env: unknown): string => {
    const id = anchorOf(html);
    if (id === undefined || !takeId(env, id)) return '';
    return `<a id="${escapeHtml(id)}"></a>`;
  };
  rules.html_block = (tokens, index, _options, env) => {
    const html = tokens[index]?.content ?? '';
    if (anchorOf(html) !== undefined) return anchor(html, env);
    const text = htmlText(html);
    return text === '' ? '' : `<p>${escapeHtml(text)}</p>\n`;
  };
  rules.html_inline = (tokens, index, _options, env) => {
    const html = tokens[index]?.content ?? '';
    const tag = /^<(\/?)(br|kbd|sub|sup)\s*\/?>$/i.exec(html);
    if (anchorOf(html) !== undefined) return anchor(html, env);
    return tag ? `<${tag[1] ?? ''}${tag[2] ?? ''}>` : '';
  };
  return renderer;
}

/**
 * Claims an ID of the page.
 * @returns false if the page already has it.
 * @param env environment of the rendering, which has no type. Each rendering has its own.
 */
function takeId(env: unknown, id: string): boolean {
  const { taken } = env as { readonly taken: Set<string> };
  if (taken.has(id)) return false;
  taken.add(id);
  return true;
}

function createRenderer(isMdx: boolean): MarkdownParser {
  const renderer = createSafeRenderer(isMdx);
  const { rules } = renderer.renderer;
  rules.heading_open = (tokens, index, _options, env) => {
    const token = tokens[index];
    const inline = tokens[index + 1];
    if (!token || !inline) return '';
    const heading = headingText(inline);
    const last = inline.children?.at(-1);
    if (heading.id !== undefined && last) last.content = splitHeadingId(last.content).text;
    return `<${token.tag} id="${escapeHtml(envOf(env).ids.get(index) ?? '')}">`;
  };
  rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index];
    token?.attrSet('href', envOf(env).toHref(String(token.attrGet('href') ?? '')));
    token?.attrSet('rel', 'noreferrer');
    return self.renderToken(tokens, index, options);
  };
  const image = rules.image;
  rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    token?.attrSet('src', envOf(env).toHref(String(token.attrGet('src') ?? '')));
    return image ? image(tokens, index, options, env, self) : '';
  };
  return renderer;
}

const renderers = { md: createRenderer(false), mdx: createRenderer(true) };

/**
 * Returns a page's body as HTML, without the tags and scripts that the page's Markdown has. Headings have the
 * IDs to which sources link.
 * @param toHref returns the target of the page's links and images.
 */
export function renderPage(
  page: DocsPage,
  source: string,
  toHref: (href: string) => string,
  files?: IncludedFiles,
): string {
  const { text, title } = pageMarkdown(page.path, source, files);
  const renderer = /\.mdx$/i.test(page.path) ? renderers.mdx : renderers.md;
  const env = {};
  const tokens = renderer.parse(text, env);
  const ids = headingIds(tokens);
  const renderEnv: RenderEnv = { ids, toHref, taken: new Set(ids.values()) };
  const body = renderer.renderer.render(tokens, renderer.options, { ...env, ...renderEnv });
  const hasOwnTitle = body.trimStart().startsWith('<h1');
  const heading = title !== undefined && !hasOwnTitle ? `<h1>${escapeHtml(title)}</h1>` : '';
  return `<main>${heading}${body}</main>`;
}

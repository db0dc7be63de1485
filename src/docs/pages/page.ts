import MarkdownIt, { type Env, type MarkdownIt as MarkdownParser } from 'markdown-it';
import type { DocsSet } from '../../common/localDocsApi';
import type { IncludedFiles } from './markup/lines';
import type { MarkupProblem } from './markup/pageReader';
import { limitTokens, hasSpentTokens } from './markup/tokenBudget';
import { type PageHead, pageMarkdown, pageHead } from './pageMarkdown';
import { routeOf } from './pagePath';
import { type Section, sectionsOf } from './sections';

export interface DocsPage extends PageHead {
  /** Set of docs that the page belongs to, once it is indexed, if the engine has several. */
  readonly set?: DocsSet;
  /** Path below the docs folder, with forward slashes and ending. */
  readonly path: string;
  /** Path in the page's URL, without ending, `index` or `README`. */
  readonly route: string;
  /** Absolute URL at which the page is published, if it is known. */
  readonly canonicalUrl?: string;
  readonly sections: readonly Section[];
  /** Link reference definitions of the page by normalized label. */
  readonly references: Readonly<Record<string, string>>;
  /**
   * Parts that are not valid MDX and were read as Markdown, or the reason why an HTML page has no sections.
   */
  readonly problems: readonly MarkupProblem[];
}

/** A section and its page. */
export interface FoundSection {
  readonly page: DocsPage;
  readonly section: Section;
}

export const markdown = limitTokens(new MarkdownIt({ html: true }));

/** MDX has no indented code. Indented text is the content of a component. */
const mdxMarkdown = limitTokens(new MarkdownIt({ html: true }).disable('code'));

/**
 * Reads a page. Ignores front matter that is not valid. If the front matter has no version or language, takes
 * it from a folder in the path, such as `v2` or `en`.
 */
export function parsePage(path: string, source: string, files?: IncludedFiles): DocsPage {
  const { text: plain, attributes, problems, canonicalUrl } = pageMarkdown(path, source, files);
  const env: Env = {};
  const tokens = parserFor(path).parse(plain, env);
  const head = pageHead(path, attributes, tokens);
  return {
    path,
    route: routeOf(path),
    canonicalUrl,
    ...head,
    sections: sectionsOf(tokens, plain.split('\n'), head.title),
    references: Object.fromEntries(
      Object.entries(env.references ?? {}).map(([label, { href }]) => [label, href]),
    ),
    problems: hasSpentTokens(env)
      ? [...problems, { line: 1, reason: 'it has too many marks, so some of it is plain text' }]
      : problems,
  };
}

/** Reads a page whose file can be published at a URL. A URL of the file replaces that of its text. */
export function parsePageFile(
  path: string,
  file: { readonly source: string; readonly canonicalUrl?: string },
  files?: IncludedFiles,
): DocsPage {
  const { canonicalUrl, ...parsed } = parsePage(path, file.source, files);
  const url = file.canonicalUrl ?? canonicalUrl ?? '';
  return url === '' ? parsed : { ...parsed, canonicalUrl: url };
}

function parserFor(path: string): MarkdownParser {
  return /\.mdx$/i.test(path) ? mdxMarkdown : markdown;
}

/** `read_docs_page`: a page of the local docs service, piece by piece. */
import type { PageResponse, UnknownPage } from '../common/localDocsApi';
import { cutText } from '../common/text/strings';
import { plainLine } from '../shared/characters';
import { cutMarkdown } from './markdownCut';
import { fitResult } from './resultBudget';
import { linkText, pathText, siteText, textCleaner } from './resultText';
import type { DocsTarget, ToolCall, ToolResult } from './toolCall';
import type { ReadPageResult, ReadPageInput } from './toolDefinitions';
import { badInput, DocsToolError } from './toolErrors';

/** Address of a page as a resource of MCP: this prefix and the path that `read_docs_page` takes. */
export const PAGE_URI_PREFIX = 'docs://local/';
/** Characters of one piece of a page: about 8,000 tokens. */
const MAX_PIECE_LENGTH = 32_000;
/** Characters of the lines around a piece. */
const NOTES_LENGTH = 250;
/** Characters of a fragment in these lines. */
const MAX_FRAGMENT_LENGTH = 80;

/**
 * Returns a piece of a page as the result of the tool.
 * @throws {DocsToolError} `bad-input` for an offset behind the end.
 */
export async function pageResult(
  page: PageResponse,
  input: ReadPageInput,
  target: DocsTarget,
  { budget }: ToolCall,
): Promise<ToolResult<ReadPageResult>> {
  const clean = textCleaner(target);
  // Cleaned first, so that offsets count what callers get to see.
  const markdown = clean(page.markdown).trimEnd();
  const { length } = markdown;
  // Models send 0 for an offset that they don't use. It must not hide the section that a fragment names.
  const given = input.offset === 0 ? undefined : input.offset;
  const offset = given ?? (length === page.markdown.trimEnd().length ? page.start : 0);
  if (offset > 0 && offset >= length) {
    throw badInput(`offset must be less than ${length}, which is the length of the page.`);
  }
  const title = plainLine(clean(page.title));
  const url = clean(page.url);
  const path = clean(page.path);
  const { version, language, unknownFragment } = page;
  const head = [linkText(title, url), `path: ${pathText(path)}`, version, language]
    .filter((fact) => fact !== undefined)
    .join(' · ');
  const make = (maxLength: number): ToolResult<ReadPageResult> => {
    const room = Math.max(1, maxLength - head.length - NOTES_LENGTH);
    const { text, end } = cutMarkdown(markdown, offset, room);
    const isWhole = end >= length;
    const notes = [
      offset > 0 ? `[This piece begins at character ${offset} of ${length}.]` : '',
      offset === 0 && unknownFragment !== undefined
        ? `[The page has no section ${pathText(cutText(clean(unknownFragment), MAX_FRAGMENT_LENGTH))}. This is its start.]`
        : '',
      text,
      isWhole
        ? ''
        : `[Cut at character ${end} of ${length}. To read on, call read_docs_page with offset ${end}.]`,
    ];
    return {
      text: [head, ...notes].filter((part) => part !== '').join('\n\n'),
      data: {
        title,
        url,
        path,
        version,
        language,
        markdown: text,
        offset,
        length,
        nextOffset: isWhole ? undefined : end,
      },
    };
  };
  return fitResult(make, MAX_PIECE_LENGTH, budget);
}

/** Returns the error for a page that isn't there, with those that may be meant. */
export function unknownPage(
  { suggestions, isIndexed }: UnknownPage,
  target: DocsTarget,
): DocsToolError {
  const clean = textCleaner(target);
  const site = siteText(clean(target.label));
  const paths = suggestions.map((path) => pathText(clean(path)));
  const hint =
    paths.length > 0
      ? `Pages with a similar address: ${paths.join(', ')}. Call again with one of them, or find the page with search_docs.`
      : 'Find the page with search_docs, then call again with the path that it gives.';
  const indexing = isIndexed
    ? ''
    : ' Pages are still being read, so the page may be there in 10 seconds.';
  return new DocsToolError('unknown-page', `${site} has no such page. ${hint}${indexing}`);
}

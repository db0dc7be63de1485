import type { Translate } from '../../common/errors';
import { codeSpan } from '../../shared/codeSpan';
import { viewStrings } from '../../shared/viewStrings';
import type { AskFilter } from '../../shared/askFilter';
import type { Exchange } from '../conversation/shownThread';
import type { Reply } from '../conversation/thread';
import { embeddedMarkdown, textToMarkdown, typedMarkdown } from './embeddedMarkdown';
import { linkMarkdown, placeMarkdown, valueMarkdown } from './threadMarkdown';

/** Input for a draft of an issue about missing docs. */
export interface DocsIssueInput extends Exchange {
  /** Name of the docs that were asked, such as `acme · docs.example.com`. */
  readonly docs: string;
  /** Search filter of the settings. */
  readonly filter: AskFilter;
  /** Whether the person agreed to include the code and text that the question was about. */
  readonly includesSelections: boolean;
}

/** Most lines of each list. Longer lists don't help to write docs. */
const MAX_PAGES = 20;
const MAX_EARLIER = 5;
const MAX_STATEMENTS = 20;
const MAX_TITLE_LENGTH = 100;

/**
 * Returns a draft of an issue about missing docs: the question, the searches, the docs, and the
 * reply. A person reviews the draft before sharing it, and nothing in a question or reply can
 * change its structure. Selections are left out unless the person agreed to include them. Files are
 * always left out.
 */
export function docsIssueDraft(input: DocsIssueInput, t: Translate): string {
  const { question, reply } = input;
  const title = textToMarkdown(
    question.text.trim().split('\n', 1)[0]?.slice(0, MAX_TITLE_LENGTH) ?? '',
  );
  const blocks = [
    `# ${t('Docs don’t answer: {0}', title)}`,
    `> ${t('This is a draft. Review it before you share it.')}`,
    `## ${t('Question')}`,
    typedMarkdown(question.text),
    ...earlierQuestions(input.earlier, t),
    ...selections(input, t),
    `## ${t('What was searched')}`,
    [...searches(reply, t), ...docs(input, t)].map((line) => `- ${line}`).join('\n'),
    ...pages(reply, t),
    `## ${t('What Docs Assistant replied')}`,
    ...replyText(reply),
    ...statements(reply, t),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function earlierQuestions(earlier: readonly string[], t: Translate): string[] {
  if (earlier.length === 0) return [];
  const rows = earlier.slice(-MAX_EARLIER).map((text) => `- ${textToMarkdown(text)}`);
  return [t('Asked earlier in the same thread:'), rows.join('\n')];
}

function selections({ question, includesSelections }: DocsIssueInput, t: Translate): string[] {
  const { contextItems, files = [] } = question;
  if (contextItems.length === 0 && files.length === 0) return [];
  const attached = files.map(({ filename }) => codeSpan(filename));
  if (!includesSelections) {
    const names = [...contextItems.map((item) => placeMarkdown(item, t)), ...attached];
    return [
      `## ${t('Selection')}`,
      t('The question was about these items. Their content is left out:'),
      names.map((name) => `- ${name}`).join('\n'),
    ];
  }
  return [
    `## ${t('Selection')}`,
    `> ${t('Review this code before you share it.')}`,
    ...contextItems.flatMap((item) => [`${placeMarkdown(item, t)}:`, valueMarkdown(item)]),
    ...(attached.length === 0
      ? []
      : [t('Attached files, left out:'), attached.map((name) => `- ${name}`).join('\n')]),
  ];
}

function searches({ parts }: Reply, t: Translate): string[] {
  const searched = parts.filter((part) => part.type === 'search');
  const named = searched.filter(({ query }) => query !== undefined && query.trim() !== '');
  return named.map(({ query = '', resultCount }) => {
    const name = t('Searched for {0}', codeSpan(query));
    if (resultCount === undefined) return name;
    if (resultCount === 0) return t(viewStrings.searchNoResults, name);
    return resultCount === 1
      ? t(viewStrings.searchResult, name)
      : t(viewStrings.searchResults, name, resultCount);
  });
}

function docs({ docs: name, filter, reply }: DocsIssueInput, t: Translate): string[] {
  const { version = '', language = '', groups = [] } = filter;
  return [
    t('Docs: {0}', textToMarkdown(name)),
    ...(version === '' ? [] : [t('Version: {0}', codeSpan(version))]),
    ...(language === '' ? [] : [t('Language: {0}', codeSpan(language))]),
    ...(groups.length === 0 ? [] : [t('Groups: {0}', groups.map(codeSpan).join(', '))]),
    t('Asked: {0}', textToMarkdown(reply.createdAt)),
  ];
}

function pages({ parts }: Reply, t: Translate): string[] {
  const sources = parts.filter((part) => part.type === 'source-url');
  const byUrl = [...new Map(sources.map((source) => [source.url, source])).values()];
  if (byUrl.length === 0) return [t('No page was cited.')];
  const rows = byUrl
    .slice(0, MAX_PAGES)
    .map(({ url, title }) => `- ${linkMarkdown(url, title ?? '')}`);
  if (byUrl.length > MAX_PAGES) {
    rows.push(`- ${t(viewStrings.moreSources, byUrl.length - MAX_PAGES)}`);
  }
  return [t('Pages that the service looked at:'), rows.join('\n')];
}

/** Level of a section of the draft. Headings of the reply go below it. */
const SECTION_LEVEL = 2;

function replyText({ parts }: Reply): string[] {
  return parts.flatMap((part) =>
    part.type === 'text' ? [embeddedMarkdown(part.text, SECTION_LEVEL + 1)] : [],
  );
}

function statements({ parts }: Reply, t: Translate): string[] {
  const proof = parts.find((part) => part.type === 'proof');
  const rows = (proof?.unproven ?? [])
    .filter(({ reason }) => reason !== 'code-name')
    .slice(0, MAX_STATEMENTS)
    .map(({ quote }) => `- ${textToMarkdown(quote)}`);
  return rows.length === 0
    ? []
    : [`## ${t('Statements that the cited pages don’t support')}`, rows.join('\n')];
}

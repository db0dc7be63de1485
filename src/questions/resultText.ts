/** Results of questions as texts for people: Markdown for messages, lines for an output. */
import { embeddedMarkdown, textToMarkdown } from '../chat/history/embeddedMarkdown';
import type { Translate } from '../common/errors';
import { durationText } from '../shared/units';
import type { DocsQuestion } from './docsQuestion';
import type { QuestionResult } from './questionRun';

/** Maximum number of sources that a message lists. */
const MAX_LISTED_SOURCES = 20;

/** Level of the headings of a message. The headings of the reply get lower levels. */
const HEADING_LEVEL = 4;

/**
 * Returns why a question didn't pass, with the sources and the reply. Nothing in a reply can change
 * the structure of the message.
 * @param docs name of the docs that were asked.
 */
export function resultMarkdown(result: QuestionResult, docs: string, t: Translate): string {
  const { reasons, reply, sources } = result;
  const heading = '#'.repeat(HEADING_LEVEL);
  return [
    reasons.map((reason) => textToMarkdown(reason)).join('\n\n'),
    ...(sources.length === 0 ? [] : [`${heading} ${t('Sources')}`, sourceList(result, t)]),
    ...(reply === undefined
      ? []
      : [
          `${heading} ${t('Reply of {0}', textToMarkdown(docs))}`,
          embeddedMarkdown(reply, HEADING_LEVEL + 1),
        ]),
  ].join('\n\n');
}

function sourceList({ sources, first }: QuestionResult, t: Translate): string {
  const rows = sources.slice(0, MAX_LISTED_SOURCES).map(({ title, url }, index) => {
    const name = title === '' || title === url ? '' : ` — ${textToMarkdown(title)}`;
    return `${index + 1}. ${textToMarkdown(url)}${name}`;
  });
  const more = sources.length - MAX_LISTED_SOURCES;
  return [
    rows.join('\n'),
    ...(more > 0 ? [t('{0} more', more)] : []),
    ...(sources.length > first ? [t('Only the first {0} sources count.', first)] : []),
  ].join('\n\n');
}

/** Returns the lines of a result for the output of a run. */
export function questionResultLines(result: QuestionResult, t: Translate): readonly string[] {
  const { status, name, durationMs, reasons, reply, sources } = result;
  const sign = { pass: '✓', fail: '✗', error: '!', skipped: '-' }[status];
  return [
    `${sign} ${name} (${durationText(durationMs, t)})`,
    ...reasons.map((reason) => `  ${reason}`),
    ...(sources.length === 0 ? [] : [`  ${t('Sources')}:`]),
    ...sources.map(({ url, title }, index) => `    ${index + 1}. ${url}${title && `  ${title}`}`),
    ...(reply === undefined
      ? []
      : [`  ${t('Reply')}:`, ...reply.split('\n').map((line) => `    ${line}`)]),
    '',
  ];
}

/** Returns the expected pages and the cited pages, one on each line. */
interface PageDifference {
  readonly expected: string;
  readonly actual: string;
}

/**
 * Returns the expected pages of a question and its first sources. Undefined if it names no pages.
 */
export function pageDifference(
  { pages, anyPage, first }: DocsQuestion,
  { sources, status }: QuestionResult,
): PageDifference | undefined {
  const wanted = [...pages, ...anyPage];
  if (status !== 'fail' || wanted.length === 0) return undefined;
  const actual = sources.slice(0, first).map(({ url }) => url);
  return { expected: wanted.join('\n'), actual: actual.join('\n') };
}

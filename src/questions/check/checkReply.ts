import type { Translate } from '../../common/errors';
import { cutText } from '../../common/text/strings';
import { plainLine } from '../../shared/characters';
import type { DocsQuestion } from '../docsQuestion';
import { distinctPages, isSamePage } from './pageMatch';
import { searchedText, wordSearch } from './wordRule';

/** A whole reply with its sources in their order. */
export interface CheckedReply {
  readonly text: string;
  readonly sources: readonly { readonly url: string }[];
  /** Whether the local docs service answered. It cites a page in each reply that answers the question. */
  readonly isLocal: boolean;
  /** Whether the reply says that its sections may not answer the question. */
  readonly isClosest: boolean;
}

/** Maximum number of pages that a reason names. */
const MAX_NAMED_PAGES = 5;
/** Maximum number of characters of a word, a page or an excerpt in a reason. */
const MAX_SHOWN_LENGTH = 120;

/**
 * Returns a sentence about each requirement of the question that the reply doesn't meet. The list is
 * empty if the reply meets all.
 * @param shownPage returns the display name of a page from the URL of its source.
 */
export function checkReply(
  question: DocsQuestion,
  reply: CheckedReply,
  t: Translate,
  shownPage: (url: string) => string = (url) => url,
): readonly string[] {
  const hasAnswer = reply.sources.length > 0;
  if (question.refuses) {
    const isAsserted = hasAnswer && !reply.isClosest;
    const answered = isAsserted
      ? [t('The docs answered, but they must refuse this question.')]
      : [];
    return [...answered, ...wordReasons(question, reply.text, t)];
  }
  // Another service can answer without a source, so only the rules for words decide.
  if (!hasAnswer && reply.isLocal) return [t('The docs don’t answer the question.')];
  return [
    ...pageReasons(question, reply.sources, t, shownPage),
    ...wordReasons(question, reply.text, t),
  ];
}

function pageReasons(
  { pages, anyPage, first, base }: DocsQuestion,
  sources: CheckedReply['sources'],
  t: Translate,
  shownPage: (url: string) => string,
): readonly string[] {
  const firstPages = distinctPages(sources).slice(0, first);
  const isFirst = (named: string): boolean =>
    firstPages.some((page) => page.some(({ url }) => isSamePage(named, url, base)));
  const missing = pages.filter((named) => !isFirst(named));
  const hasAny = anyPage.length === 0 || anyPage.some(isFirst);
  if (missing.length === 0 && hasAny) return [];
  if (firstPages.length === 0) return [t('The reply has no sources.')];
  const reasons = missing.map((named) => {
    const rank = distinctPages(sources).findIndex((page) =>
      page.some(({ url }) => isSamePage(named, url, base)),
    );
    return rank < 0
      ? t('“{0}” is not among the sources.', shown(named))
      : t(
          '“{0}” is only source {1}. It must be among the first {2}.',
          shown(named),
          rank + 1,
          first,
        );
  });
  if (!hasAny) {
    reasons.push(
      t('None of these is among the first {0} sources: {1}.', first, anyPage.map(shown).join(', ')),
    );
  }
  const named = firstPages
    .slice(0, MAX_NAMED_PAGES)
    .flatMap(([source]) => (source ? [shown(shownPage(source.url))] : []));
  return [...reasons, t('The first sources are: {0}.', named.join(', '))];
}

function wordReasons(
  { contains, excludes }: DocsQuestion,
  reply: string,
  t: Translate,
): readonly string[] {
  const text = searchedText(reply);
  const missing = contains
    .filter((rule) => wordSearch(rule)(text) === undefined)
    .map((rule) => t('The reply doesn’t say “{0}”.', shown(rule)));
  const unwanted = excludes.flatMap((rule) => {
    const excerpt = wordSearch(rule)(text);
    return excerpt === undefined
      ? []
      : [t('The reply says “{0}”: “{1}”', shown(rule), shown(excerpt))];
  });
  return [...missing, ...unwanted];
}

function shown(text: string): string {
  return cutText(plainLine(text), MAX_SHOWN_LENGTH);
}

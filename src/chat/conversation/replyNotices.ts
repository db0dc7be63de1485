/** Sentences beside a reply about what was not sent, or not as the reader expects. */
import type { Translate } from '../../common/errors';
import { cutText } from '../../common/text/strings';
import {
  type CitedPage,
  nameWithVersion,
  otherVersionNamed,
  otherVersionsOf,
  type SiteVersion,
} from '../../site/siteVersion';
import type { LeftOut } from './earlierContent';
import type { ThreadMessage } from './thread';

/**
 * Returns the notice of a reply that starts a new thread because the service no longer had the old
 * one. Undefined for every other reply.
 */
export function noticeAfter(
  message: ThreadMessage | undefined,
  translate: Translate,
): string | undefined {
  const isForgotten = message?.role === 'assistant' && message.error?.code === 'unknown-thread';
  return isForgotten ? newThreadNotice(translate) : undefined;
}

/** Longest name of a file in a notice, and most names. */
const MAX_NAME_LENGTH = 80;
const MAX_NAMES = 10;

/**
 * Returns sentences about attachments that aren't sent. They leave out what the notice of an
 * earlier reply already said.
 */
export function leftOutNotices(
  { tooLarge, refused, gone }: LeftOut,
  earlier: readonly ThreadMessage[],
  translate: Translate,
): readonly string[] {
  const list = (names: readonly string[]): string => {
    const shown = names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME_LENGTH));
    const rest = names.length - shown.length;
    const all = shown.join(', ');
    return rest > 0 ? translate('{0} and {1} more', all, rest) : all;
  };
  const sentences: string[] = [];
  if (tooLarge.length > 0) {
    sentences.push(
      translate(
        'These earlier attachments were too large to send again: {0}. Attach them to your question to ask about them.',
        list(tooLarge),
      ),
    );
  }
  if (refused.length > 0) {
    sentences.push(
      translate(
        'The docs service refused the question with these attachments, so they weren’t sent again: {0}. Attach them again to ask about them.',
        list(refused),
      ),
    );
  }
  if (gone.length > 0) {
    sentences.push(
      translate(
        'These attachments are no longer stored, so they weren’t sent: {0}. Attach them again to ask about them.',
        list(gone),
      ),
    );
  }
  return sentences.filter(
    (sentence) =>
      !earlier.some(
        (message) => message.role === 'assistant' && message.notice?.includes(sentence) === true,
      ),
  );
}

/** Most versions that a sentence names. */
const MAX_VERSIONS = 3;

/** Returns the sentence above a reply for another version than the installed one, or undefined if it has none. */
export function otherVersionNote(
  said: { readonly pages: readonly CitedPage[]; readonly filterVersion: string | undefined },
  siteVersion: SiteVersion,
  translate: Translate,
): string | undefined {
  const installed = nameWithVersion(siteVersion.installed);
  const cited = otherVersionsOf(said.pages, siteVersion).slice(0, MAX_VERSIONS).join(', ');
  if (cited !== '') {
    return translate('This reply cites docs for {0}. Installed here is {1}.', cited, installed);
  }
  const asked = otherVersionNamed(said.filterVersion, siteVersion);
  return asked === undefined
    ? undefined
    : translate('This reply is from the docs for {0}. Installed here is {1}.', asked, installed);
}

/** Returns the sentence about a thread that the service no longer had. */
export function newThreadNotice(translate: Translate): string {
  return translate('The docs service no longer had this thread, so this reply started a new one.');
}

import { localPageAddress, sourceAddress } from '../chat/sources/sourceAddress';
import type { Question, Reply } from '../chat/conversation/thread';
import type { AskFilter } from '../shared/askFilter';
import { readableUrl } from '../shared/links';
import type { WrittenQuestion } from './questionSchema';
import { withoutUndefined } from '../common/withoutUndefined';

/** A question of the chat with its reply. */
export interface ChatExchange {
  readonly question: Pick<Question, 'text'>;
  readonly reply: Pick<Reply, 'parts'>;
  /** Filters of the question. */
  readonly filter: AskFilter;
}

/**
 * Converts a question of the chat into a docs question, with the page that its reply cites first
 * and with its filters. Secrets in the question are replaced, because a questions file is shared.
 * @param known secrets that this program has seen.
 */
export async function replyQuestion(
  { question, reply, filter }: ChatExchange,
  known: readonly string[],
): Promise<WrittenQuestion> {
  const { redactSecrets } = await import('../common/secretScan/scanText');
  const { text } = await redactSecrets(question.text.trim(), { known });
  const page = reply.parts.flatMap((part) =>
    part.type === 'source-url' ? (pageOf(part.url) ?? []) : [],
  )[0];
  const { version, language, groups = [] } = filter;
  const filters = withoutUndefined({
    version,
    language,
    groups: groups.length === 0 ? undefined : [...groups],
  });
  return {
    question: text,
    // The docs question expects only the first page, because the other sources change with every edit of the docs.
    pages: page === undefined ? undefined : [page],
    filters: Object.keys(filters).length === 0 ? undefined : filters,
  };
}

/** Returns the page of a source as a path, which works for a folder, a bundle and the site. */
function pageOf(url: string): string | undefined {
  const local = localPageAddress(url);
  // The query is left out, because it isn't part of a page's name and can contain secrets.
  const path = local === undefined ? sourceAddress(url)?.pathname : local.split(/[?#]/, 1)[0];
  if (path === undefined) return undefined;
  const readable = readableUrl(path).replace(/^\/+|\/+$/g, '');
  return readable === '' ? 'index' : readable;
}

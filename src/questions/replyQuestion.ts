import { localPageAddress, sourceAddress } from '../chat/sources/sourceAddress';
import type { Question, Reply } from '../chat/conversation/thread';
import type { AskFilter } from '../site/activeSite';
import type { WrittenQuestion } from './questionSchema';

/** A question of the chat with its reply. */
export interface AskedQuestion {
  readonly question: Pick<Question, 'text'>;
  readonly reply: Pick<Reply, 'parts'>;
  /** Filter that the question was asked with. */
  readonly filter: AskFilter;
}

/**
 * Returns a question of the chat as one that is run as a test: with the page that its reply cites
 * first, and its filters. Secrets in the question are replaced, because the file is for everyone.
 * @param known secrets that this program has seen.
 */
export async function replyQuestion(
  { question, reply, filter }: AskedQuestion,
  known: readonly string[],
): Promise<WrittenQuestion> {
  const { redactSecrets } = await import('../common/secretScan/scanText');
  const { text } = await redactSecrets(question.text.trim(), { known });
  const page = reply.parts.flatMap((part) =>
    part.type === 'source-url' ? (pageOf(part.url) ?? []) : [],
  )[0];
  const { version, language, groups = [] } = filter;
  const filters = {
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
  };
  return {
    question: text,
    // One page: which others are among the sources changes with every edit of the docs.
    ...(page === undefined ? {} : { pages: [page] }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
}

/** Returns the page of a source as a path, which is compared in a folder, a bundle and on the site alike. */
function pageOf(url: string): string | undefined {
  const local = localPageAddress(url);
  // A query names no page of docs, and can hold anything.
  const path = local === undefined ? sourceAddress(url)?.pathname : local.split(/[?#]/, 1)[0];
  if (path === undefined) return undefined;
  const readable = decoded(path).replace(/^\/+|\/+$/g, '');
  return readable === '' ? 'index' : readable;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

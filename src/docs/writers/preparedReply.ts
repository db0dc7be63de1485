/** Answers a question: searches the docs, and quotes them or lets a model write. */
import type { DocsQuestion } from '../../common/localDocsApi';
import type { Clock, Log, NewId } from '../../common/ports';
import { type Answer, composeAnswer, replyTexts, withNote } from '../answers/answer';
import type { AskedDocs } from '../askedDocs';
import { type PageAddresses, pageKey } from '../pages/links';
import type { SearchQuestion } from '../search/query';
import { type Retrieval, retrieve } from '../search/retrieval';
import type { TextLimits } from './limitedText';
import { joinSimilar, likeBest } from './rankFusion';
import { type EngineChange, replyChanges, type ReplyPiece } from './replyChanges';
import type { ReplyWriter } from './replyWriter';
import type { SimilarSections } from './similarSections';
import { writtenReply } from './writtenReply';

export interface ReplyPorts {
  readonly docs: AskedDocs;
  readonly addresses: PageAddresses;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Has the model that writes the replies. Without a model, replies quote the docs. */
  readonly writer?: Pick<ReplyWriter, 'model'>;
  /** Finds sections by meaning. */
  readonly similar?: Pick<SimilarSections, 'find'>;
  /** Limits of a reply that a model writes. */
  readonly limits?: TextLimits;
}

/** A reply that is about to be written. */
export interface PreparedReply {
  /** Keys of the pages that the docs' own search found. A later question of the thread needs them. */
  readonly citedRoutes: readonly string[];
  readonly changes: AsyncIterable<EngineChange>;
}

/** Searches with the engine's own query, and returns what it found and the reply. */
export async function preparedReply(
  ports: ReplyPorts,
  asked: DocsQuestion,
  signal: AbortSignal,
): Promise<PreparedReply> {
  const { retrieval, pieces } = await replyPieces(ports, asked, signal);
  return {
    citedRoutes: [...new Set(retrieval.sections.map(({ page }) => pageKey(page)))],
    changes: replyChanges(pieces),
  };
}

async function replyPieces(
  ports: ReplyPorts,
  { filter, pageSize, unread = [], notInstalled = [], ...asked }: DocsQuestion,
  signal: AbortSignal,
): Promise<{ readonly retrieval: Retrieval; readonly pieces: AsyncIterable<ReplyPiece> }> {
  const { addresses, docs, similar, writer } = ports;
  const { index } = docs;
  const { text, contextItems, currentPath } = asked;
  const earlier = asked.earlier.map(({ question, reply = '', citedRoutes = [] }) => ({
    question,
    reply,
    citedRoutes,
  }));
  const question: SearchQuestion = { text, earlier, contextItems, currentPath };
  const search = (query: SearchQuestion): Retrieval => retrieve(index, query, filter, pageSize);
  const compose = (retrieval: Retrieval): Answer =>
    composeAnswer({
      question: text,
      retrieval,
      index,
      filter,
      addresses,
      isIndexed: docs.isIndexed,
      keepsOrder: writer?.model !== undefined,
    });
  const own = search(question);
  const texts = replyTexts[own.query.language ?? 'en'];
  const note = unread.length > 0 ? `${texts.unread(unread)}\n\n` : '';
  // The passage is not about these packages, so this comes before it.
  const lead = notInstalled
    .map(({ name, otherVersion }) => `${texts.notInstalled(name, otherVersion)}\n\n`)
    .join('');
  const ownQuery = shownQuery(own.query.words, question);
  const model = writer?.model;
  if (!model) {
    // Some section is always the nearest in meaning, so a search by words decides whether the docs answer at all.
    const joined =
      own.sections.length === 0
        ? own
        : await joinSimilar(text, own, { similar, filter, count: pageSize, signal });
    const answer = compose(joined);
    const reply = { ...answer, text: `${lead}${withNote(answer.text, note)}` };
    return { retrieval: joined, pieces: quotedReply(reply, ownQuery) };
  }
  const pieces = writtenReply(
    {
      model,
      index,
      clock: ports.clock,
      newId: ports.newId,
      log: ports.log,
      limits: ports.limits,
      findSimilar: (queries, count, ending) =>
        similar?.find(queries, count, likeBest(own, filter), ending) ?? Promise.resolve(undefined),
    },
    {
      question,
      earlier,
      own,
      ownQuery,
      pageSize,
      compose,
      note: `${lead}${note}`,
      signal,
      search: (query) => {
        // A model's query rarely repeats the version that the question names.
        const written = [query, ...own.query.versions].join(' ');
        return search({ ...question, text: written, earlier: [], contextItems: [] });
      },
      addresses,
    },
  );
  return { retrieval: own, pieces };
}

/** Maximum words of attached files to show as the query, if no search word is from the question itself. */
const MAX_SHOWN_WORDS = 5;

/**
 * Returns the search query as readers see it: the words that come from the questions. The search itself
 * also uses the words of attached code, which are too many to show.
 */
function shownQuery(words: readonly string[], { text, earlier }: SearchQuestion): string {
  const asked = [text, ...earlier.map((turn) => turn.question)].join(' ').toLowerCase();
  const own = words.filter((word) => asked.includes(word.toLowerCase()));
  const shown = own.length > 0 ? own : words.slice(0, MAX_SHOWN_WORDS);
  return shown.length > 0 ? shown.join(' ') : text;
}

/** Yields a reply that consists of quotes. */
async function* quotedReply(
  answer: Answer,
  query: string,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const id = 'search-1';
  yield { type: 'search', id, query };
  yield { type: 'reasoning', text: answer.reasoning };
  yield { type: 'sources', sources: answer.sources };
  yield { type: 'found', id, sources: answer.sources };
  const role = answer.tone === 'likely' ? 'closest' : undefined;
  yield { type: 'text', text: answer.text, role };
  if (answer.more !== '') yield { type: 'more', text: answer.more };
  await Promise.resolve();
}

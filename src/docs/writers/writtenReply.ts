import type { Clock, Log, NewId } from '../../common/ports';
import { escapeMarkdown } from '../pages/markup/markdownWriter';
import { type Answer, withNote } from '../answers/answer';
import { docsNamesOf } from '../answers/proof/docsNames';
import { proveReply } from '../answers/proof/proveReply';
import { absoluteLinks, type PageAddresses, sourceUrl } from '../pages/links';
import type { FoundSection } from '../pages/page';
import type { DocsIndex } from '../search/docsIndex';
import { type SearchQuestion, termWeights } from '../search/query';
import type { Retrieval } from '../search/retrieval';
import type { ReplyPiece } from './replyChanges';
import { EchoFilter } from './echoFilter';
import { HEARTBEAT_MS, limitedText, replyLimits, TAKEN_BACK, type TextLimits } from './limitedText';
import {
  ModelError,
  needsOneCall,
  toModelError,
  writerTexts,
  type Model,
  type ModelErrorCode,
} from './model';
import { REPLY_INSTRUCTIONS, replyMessages, sectionTitle } from './prompt';
import { type EarlierTurn, estimateTokens, fitParts, type FittedParts } from './promptBudget';
import { withNeighbors } from './neighbors';
import { joinByRank, type RankedList, sectionKey } from './rankFusion';
import { linksIn, ReplyGuard } from './replyGuard';
import { writeQueries } from './searchQueries';

/** Estimated tokens of the sentences and markers between the parts of a request. */
const FRAME_TOKENS = 200;
/** Share of the window for a second request, after the model said that the first one was too long. */
const SECOND_WINDOW = 0.4;

interface WrittenReplyPorts {
  readonly model: Model;
  readonly index: DocsIndex;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Limits of the reply. {@link replyLimits} by default. */
  readonly limits?: TextLimits;
  /** Finds sections by meaning. Resolves with undefined while that is not possible. */
  readonly findSimilar?: (
    queries: readonly string[],
    count: number,
    signal: AbortSignal,
  ) => Promise<readonly FoundSection[] | undefined>;
}

interface WrittenReplyInput {
  readonly question: SearchQuestion;
  /** Turns of the thread with their replies, oldest first. */
  readonly earlier: readonly EarlierTurn[];
  /** Result of the service's own query. */
  readonly own: Retrieval;
  /** The service's own query as readers see it. */
  readonly ownQuery: string;
  /** Number of sections to answer from. */
  readonly pageSize: number;
  /** Searches with a query of the model. */
  readonly search: (query: string) => Retrieval;
  /** Returns the reply of quotes, with its reasoning and sources. */
  readonly compose: (retrieval: Retrieval) => Answer;
  readonly addresses: PageAddresses;
  /** Text that comes before the reply, such as a note about files that can't be read. */
  readonly note: string;
  readonly signal: AbortSignal;
}

/**
 * Searches with the model's queries, then streams the reply that the model writes from the found sections. A slow
 * model, or one with a small window, writes no queries if the service's own query has found sections. If
 * the model fails before it has written text, the reply is quotes. If it fails later, the reply keeps the text
 * and says that it is cut off. If no section is found, the model only writes queries and no reply.
 */
export async function* writtenReply(
  ports: WrittenReplyPorts,
  input: WrittenReplyInput,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const { question, own, signal } = input;
  const retrieval = yield* search(ports, input);
  const answer = input.compose(retrieval);
  yield { type: 'reasoning', text: answer.reasoning };
  yield* searchResults(retrieval, answer);
  if (retrieval.sections.length === 0) {
    yield { type: 'text', text: withNote(answer.text, input.note) };
    return;
  }
  if (input.note !== '') yield { type: 'text', text: input.note };
  const texts = writerTexts[own.query.language ?? 'en'];
  const label = escapeMarkdown(ports.model.label);
  const writing = new Writing(ports, input, retrieval, answer);
  try {
    yield* writing.pieces();
  } catch (error) {
    signal.throwIfAborted();
    const { code } = toModelError(error);
    if (!(error instanceof ModelError)) ports.log.error('The model failed', error);
    ports.log.warn(`The model ${ports.model.label} failed: ${code}${statusOf(error)}`);
    const rest = code === 'echo' ? '' : writing.end();
    if (rest !== '') yield { type: 'delta', text: rest };
    if (writing.text === '') {
      yield { type: 'text', text: `${texts.fellBack(label, code)}\n\n${answer.text}` };
      return;
    }
    yield { type: 'delta', text: `\n\n${texts.cutOff(label, code)}` };
    yield { type: 'incomplete', reason: isTooLong(code) ? 'length' : 'error' };
  }
  const proof = proveReply({
    text: writing.text,
    sections: retrieval.read,
    docsNames: docsNamesOf(ports.index),
    readersTexts: [question.text, ...question.contextItems.map(({ value }) => value)],
  });
  // With a single sentence without a citation, a model says that the docs don't answer.
  if (writing.citedCount === 0 && proof.statements > 1) {
    yield { type: 'delta', text: `\n\n${texts.uncited}` };
  }
  yield { type: 'proof', proof };
}

function isTooLong(code: ModelErrorCode): boolean {
  return code === 'too-long' || code === 'length-limit';
}

function statusOf(error: unknown): string {
  const status = error instanceof ModelError ? error.details.status : undefined;
  return status === undefined ? '' : ` (HTTP ${status})`;
}

/** Runs the searches. The result of each of the model's queries counts as much as that of the service's own. */
async function* search(
  ports: WrittenReplyPorts,
  input: WrittenReplyInput,
): AsyncGenerator<ReplyPiece, FoundBySearch, undefined> {
  const { question, own, ownQuery, pageSize, signal } = input;
  yield { type: 'search', id: searchId(0), query: ownQuery };
  const isOneCall = own.sections.length > 0 && needsOneCall(ports.model);
  const queries = isOneCall
    ? []
    : yield* waiting(
        ports.clock,
        writeQueries(
          ports,
          { question: question.text, attachments: question.contextItems, earlier: input.earlier },
          signal,
        ),
      );
  const lists: RankedList[] = [{ sections: own.sections, weight: 1 }];
  const further: RankedList[] = [{ sections: [...own.sections, ...own.further], weight: 1 }];
  for (const query of queries) {
    yield { type: 'search', id: searchId(lists.length), query };
    const result = input.search(query);
    lists.push({ sections: result.sections, weight: 1 });
    further.push({ sections: [...result.sections, ...result.further], weight: 1 });
  }
  const similar = await ports.findSimilar?.([question.text, ...queries], 2 * pageSize, signal);
  // The search by meaning has the weight of all other lists together, because it used all of the queries.
  const joined = joinByRank(
    similar === undefined ? lists : [...lists, { sections: similar, weight: lists.length }],
    pageSize,
  );
  const found = lists.map(({ sections }) => new Set(sections.map(sectionKey)));
  return { ...own, sections: joined, found, read: withNeighbors(joined, further) };
}

/** Returns the promise's value. Until then, yields pieces that tell the client to keep waiting. */
async function* waiting<T>(
  clock: Clock,
  promise: Promise<T>,
): AsyncGenerator<ReplyPiece, T, undefined> {
  const done = promise.then((value) => ({ value }));
  for (;;) {
    const ending = new AbortController();
    const pause = clock.delay(HEARTBEAT_MS, ending.signal).catch(() => undefined);
    try {
      const result = await Promise.race([done, pause]);
      if (result) return result.value;
    } finally {
      ending.abort();
    }
    yield { type: 'waiting' };
  }
}

/** The joined sections, with the keys of the sections that each search found. */
interface FoundBySearch extends Retrieval {
  readonly found: readonly ReadonlySet<string>[];
  /** The joined sections as the model reads them, with further sections of their pages. */
  readonly read: readonly FoundSection[];
}

function* searchResults(
  { sections, found }: FoundBySearch,
  { sources }: Answer,
): Generator<ReplyPiece, void, undefined> {
  // Clients number the sources in the order in which they arrive, and the text cites these numbers.
  yield { type: 'sources', sources };
  for (const [place, keys] of found.entries()) {
    const used = sources.filter((_source, number) => {
      const section = sections[number];
      return section !== undefined && keys.has(sectionKey(section));
    });
    yield { type: 'found', id: searchId(place), sources: used };
  }
}

function searchId(place: number): string {
  return `search-${place + 1}`;
}

/** Writes the text of one reply: turns the model's pieces into harmless Markdown. */
class Writing {
  /** Text that was yielded so far. */
  text = '';
  #guard: ReplyGuard | undefined;

  constructor(
    private readonly ports: WrittenReplyPorts,
    private readonly input: WrittenReplyInput,
    private readonly retrieval: FoundBySearch,
    private readonly answer: Answer,
  ) {}

  get citedCount(): number {
    return this.#guard?.cited.size ?? 0;
  }

  /** Returns the text that the guard still holds back. */
  end(): string {
    return this.#add(this.#guard?.end() ?? '');
  }

  /** Adds to the text, without space at its beginning. @returns the added text, to be sent. */
  #add(text: string): string {
    const added = this.text === '' ? text.trimStart() : text;
    this.text += added;
    return added;
  }

  /** @throws {ModelError} if the model fails. The pieces that were yielded before stay valid. */
  async *pieces(): AsyncGenerator<ReplyPiece, void, undefined> {
    const { model, log } = this.ports;
    try {
      yield* this.#request(model.maxInputTokens);
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.code === 'context-too-long';
      if (!isTooLong || this.text !== '') throw error;
      log.info('The request was too long for the model. It is sent again with fewer sections.');
      yield* this.#request(model.maxInputTokens * SECOND_WINDOW);
    }
    const rest = this.end();
    if (rest !== '') yield { type: 'delta', text: rest };
    if (this.text === '') throw new ModelError('empty');
  }

  async *#request(maxInputTokens: number): AsyncGenerator<ReplyPiece, void, undefined> {
    const { model, clock, newId, log, limits = replyLimits } = this.ports;
    const { signal, note } = this.input;
    const parts = this.#fit(maxInputTokens);
    if (parts.leftOut.length > 0) {
      log.info(`Left out of the request to the model: ${parts.leftOut.join(', ')}`);
    }
    const links = {
      urlOf: (number: number) =>
        parts.sections.some((section) => section.number === number)
          ? this.answer.sources[number - 1]?.url
          : undefined,
      isAllowed: allowedLinks(this.answer, parts, this.input.addresses),
    };
    let guard = (this.#guard = new ReplyGuard(links));
    let echo = new EchoFilter();
    const start = clock.now();
    const messages = replyMessages(parts, newId);
    for await (const piece of limitedText(model, messages, { clock, signal, limits })) {
      if (piece === TAKEN_BACK) {
        this.text = '';
        guard = this.#guard = new ReplyGuard(links);
        echo = new EchoFilter();
        yield { type: 'taken-back' };
        if (note !== '') yield { type: 'text', text: note };
        continue;
      }
      const text = this.#add(guard.push(echo.push(piece)));
      if (text !== '') yield { type: 'delta', text };
      else if (piece === '') yield { type: 'waiting' };
    }
    const rest = this.#add(guard.push(echo.end()));
    if (rest !== '') yield { type: 'delta', text: rest };
    log.info(`The model ${model.label} wrote a reply in ${clock.now() - start} ms`);
  }

  #fit(maxInputTokens: number) {
    const { question, earlier, addresses } = this.input;
    const { index } = this.ports;
    const { query, read: sections, codeLanguage } = this.retrieval;
    const parts = fitParts(
      {
        question: question.text,
        attachments: question.contextItems,
        earlier,
        sections,
      },
      {
        maxInputTokens,
        fixedTokens: estimateTokens(REPLY_INSTRUCTIONS) + FRAME_TOKENS,
        wish: {
          weightOf: termWeights(query, index),
          codeLanguage,
        },
      },
    );
    return {
      ...parts,
      sections: parts.sections.map((section) => ({
        ...section,
        title: sectionTitle(section.found),
        markdown: absoluteLinks(
          section.markdown,
          index.setOf(section.found.page),
          section.found.page,
          addresses,
        ),
      })),
    };
  }
}

/** Returns a test for links that are in one of the sections or lead to one of their pages. */
function allowedLinks(
  answer: Answer,
  parts: FittedParts,
  addresses: PageAddresses,
): (url: string) => boolean {
  const allowed = new Set<string>();
  // The address of a page can be the path of its file, which is no URL.
  const formOf = (url: string): string | undefined =>
    normalUrl(url) ?? (addresses.read(url) === undefined ? undefined : url);
  const add = (url: string): void => {
    const form = formOf(url);
    if (form !== undefined) allowed.add(form);
  };
  for (const { number, found, markdown } of parts.sections) {
    const url = answer.sources[number - 1]?.url;
    if (url !== undefined) {
      add(url);
      add(sourceUrl(found.page, undefined, addresses));
    }
    for (const link of linksIn(markdown)) add(link);
  }
  return (url) => {
    const form = formOf(url);
    return form !== undefined && allowed.has(form);
  };
}

function normalUrl(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url);
    return /^(?:https?|mailto):$/.test(protocol) ? href.replace(/\/+$/, '') : undefined;
  } catch {
    return undefined;
  }
}

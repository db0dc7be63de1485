/** The docs tools as callers see them: VS Code's language model tools, the MCP server, the command line. */
import { AssistantClient } from '../chat/assistant/assistantClient';
import type { ReplyUpdate } from '../chat/assistant/replyReader';
import { untilAborted } from '../common/clock';
import { DocsAssistantError } from '../common/errors';
import type { Clock, Fetch, Log, NewId } from '../common/ports';
import type { AskSettings } from '../site/activeSite';
import { askStream, type AskStreamInput, type AskUpdate } from './askStream';
import { answerResult, collectReply } from './askTool';
import { CallQueue, QueueFullError } from './callQueue';
import { readLocalPage, searchLocalDocs } from './localDocsClient';
import { pageResult, unknownPage } from './readPageTool';
import { siteText } from './resultText';
import { sentCode, sentQuestion } from './sentQuestion';
import { searchResult } from './searchTool';
import type { DocsTarget, ToolCall, ToolResult } from './toolCall';
import {
  type AskToolResult,
  askInputSchema,
  DEFAULT_SEARCH_RESULTS,
  type ReadPageResult,
  readPageInputSchema,
  type SearchInput,
  searchInputSchema,
  type SearchResult,
} from './toolDefinitions';
import { DocsToolError, noSearchableDocs, toolError, type ToolCaller } from './toolErrors';
import { parseInput } from './toolInput';

export type { DocsTarget, TokenBudget, ToolCall, ToolResult } from './toolCall';

export interface DocsToolsPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  /** Returns the site that is asked now, or undefined before set-up. */
  readonly target: () => Promise<DocsTarget | undefined>;
  /** Returns secrets that this program has seen. They are removed from every question. */
  readonly knownSecrets?: () => readonly string[];
  /** Program that calls, which errors name. The command line by default. */
  readonly caller?: ToolCaller;
}

/**
 * The docs tools. Each takes any value as its input and throws a {@link DocsToolError} for a model to
 * read, or the signal's reason when it was canceled.
 */
export interface DocsTools {
  readonly ask: (input: unknown, call: ToolCall) => Promise<ToolResult<AskToolResult>>;
  readonly search: (input: unknown, call: ToolCall) => Promise<ToolResult<SearchResult>>;
  readonly readPage: (input: unknown, call: ToolCall) => Promise<ToolResult<ReadPageResult>>;
  /**
   * Asks for a person who reads the reply as it grows.
   * @throws {DocsAssistantError} with what was yielded before still valid.
   */
  readonly askStream: (
    input: AskStreamInput,
    call: Pick<ToolCall, 'signal'>,
  ) => AsyncGenerator<AskUpdate>;
}

/** Most questions at once. A service counts all of them, and each reply takes seconds to write. */
const QUESTIONS_AT_ONCE = 4;
/** Most searches and pages at once. The service on this machine answers them one by one. */
const READS_AT_ONCE = 8;
/** Most calls that wait. An agent with more waiting calls is out of control. */
const MAX_WAITING = 200;

/** Builds the docs tools. Their only state is the queues of running calls. */
export function createDocsTools(ports: DocsToolsPorts): DocsTools {
  const { clock, log, caller = 'command-line' } = ports;
  const questions = new CallQueue({ atOnce: QUESTIONS_AT_ONCE, maxWaiting: MAX_WAITING });
  const reads = new CallQueue({ atOnce: READS_AT_ONCE, maxWaiting: MAX_WAITING });
  const client = new RateLimitedClient(new AssistantClient(ports), clock);
  const word = (error: unknown): DocsToolError => toolError(error, caller, clock.now());

  /** Runs a call in its turn, and words its errors for a model. */
  async function run<Data>(
    queue: CallQueue,
    call: ToolCall,
    work: (target: DocsTarget | undefined) => Promise<ToolResult<Data>>,
  ): Promise<ToolResult<Data>> {
    try {
      return await queue.run(
        async () => {
          const target = await untilAborted(ports.target(), call.signal);
          call.onTarget?.(target);
          return work(target);
        },
        call.signal,
        () => call.onProgress?.('Waiting for other calls to end'),
      );
    } catch (error) {
      call.signal.throwIfAborted();
      if (error instanceof QueueFullError) throw tooManyCalls();
      const worded = word(error);
      if (worded.code === 'unexpected') log.error('A docs tool failed', error);
      else log.warn(`A docs tool failed: ${worded.code}`);
      throw worded;
    }
  }

  /** Returns the docs that can be searched and read. */
  function localDocs(target: DocsTarget | undefined): SearchableTarget {
    if (!target) throw new DocsAssistantError('not-configured');
    if (!target.local) throw noSearchableDocs(siteText(target.label), caller);
    return { ...target, local: target.local };
  }

  return {
    ask: async (input, call) => {
      const parsed = parseInput(askInputSchema, input);
      return run(questions, call, async (target) => {
        const sent = await sentQuestion(parsed, ports.knownSecrets?.());
        const { question, code, path, redacted } = sent;
        const asked = {
          question,
          ...(code === undefined
            ? {}
            : { code: [{ text: code, ...(path === undefined ? {} : { path }) }] }),
        };
        call.onProgress?.('Asking the docs');
        const updates = askStream({ ...ports, client }, target, asked, call.signal);
        const reply = await collectReply(updates, call, word);
        if (!target) throw new DocsAssistantError('not-configured');
        return answerResult({ ...reply, redacted }, target, call);
      });
    },
    search: async (input, call) => {
      const parsed = parseInput(searchInputSchema, input);
      return run(reads, call, async (asked) => {
        const target = localDocs(asked);
        call.onProgress?.('Searching the docs');
        const { query, limit = DEFAULT_SEARCH_RESULTS } = parsed;
        const filter = { ...target.settings.filter, ...filterOf(parsed) };
        const request = { query, limit, filter: { ...filter, groups: [...(filter.groups ?? [])] } };
        const found = await searchLocalDocs(ports, target.local, request, call.signal);
        return searchResult(found, parsed, target, call);
      });
    },
    readPage: async (input, call) => {
      const parsed = parseInput(readPageInputSchema, input);
      return run(reads, call, async (asked) => {
        const target = localDocs(asked);
        call.onProgress?.('Reading the page');
        const page = await readLocalPage(ports, target.local, { page: parsed.page }, call.signal);
        if ('error' in page) throw unknownPage(page, target);
        return pageResult(page, parsed, target, call);
      });
    },
    async *askStream(input, { signal }) {
      const target = await untilAborted(ports.target(), signal);
      const { code, redacted } = await sentCode(input.code ?? [], ports.knownSecrets?.());
      if (redacted.length > 0) yield { redacted };
      yield* askStream({ ...ports, client }, target, { ...input, code }, signal);
    },
  };
}

type SearchableTarget = DocsTarget & { readonly local: NonNullable<DocsTarget['local']> };

/** Returns the filter that a search names. It replaces those of the settings one by one. */
function filterOf({ version, language, groups }: SearchInput): AskSettings['filter'] {
  return {
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
    ...(groups === undefined ? {} : { groups }),
  };
}

function tooManyCalls(): DocsToolError {
  return new DocsToolError(
    'busy',
    'Too many calls wait already. Wait until earlier calls have returned, then call again.',
  );
}

/**
 * The client, which doesn't ask a service again before the time that it named. Agents don't wait by
 * themselves, and each refused request can prolong the wait.
 */
class RateLimitedClient implements Pick<AssistantClient, 'ask'> {
  readonly #client: AssistantClient;
  readonly #clock: Clock;
  /** Errors of services that asked to wait, by base URL and domain. */
  readonly #waits = new Map<string, DocsAssistantError>();

  constructor(client: AssistantClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async *ask(
    ...[request, signal]: Parameters<AssistantClient['ask']>
  ): AsyncGenerator<ReplyUpdate> {
    const { baseUrl, assistantDomain } = request.settings;
    const site = `${baseUrl} ${assistantDomain}`;
    const wait = this.#waits.get(site);
    if (wait && (wait.details.retryAt ?? 0) > this.#clock.now()) throw wait;
    this.#waits.delete(site);
    try {
      yield* this.#client.ask(request, signal);
    } catch (error) {
      if (error instanceof DocsAssistantError && error.code === 'rate-limited') {
        this.#waits.set(site, error);
      }
      throw error;
    }
  }
}

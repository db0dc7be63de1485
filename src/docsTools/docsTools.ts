/** The docs tools as callers see them: VS Code's language model tools, the MCP server, the command line. */
import type { AssistantClient } from '../chat/assistant/assistantClient';
import type { ReplyChange } from '../shared/reply';
import { untilAborted } from '../common/clock';
import { DocsAssistantError } from '../common/errors';
import type { Clock, NewId } from '../common/ports';
import { askStream, type AskStreamInput, lateClient } from './askStream';
import { answerResult, collectReply } from './askTool';
import { claimsResult } from './claimsTool';
import { CallQueue, QueueFullError } from './callQueue';
import {
  type LocalDocsClientPorts,
  localOf,
  requestFilter,
  searchableDocs,
  shownPackages,
} from './localDocs';
import { PAGE_URI_PREFIX, pageResult, unknownPage } from './readPageTool';
import { siteText } from './resultText';
import { fromSections } from './sectionsTool';
import { sentCode, sentQuestion } from './sentQuestion';
import { searchResult } from './searchTool';
import type { DocsTarget, ToolCall, ToolResult } from './toolCall';
import {
  type AskToolResult,
  askInputSchema,
  checkClaimsInputSchema,
  type ClaimsResult,
  DEFAULT_SEARCH_RESULTS,
  type ReadPageResult,
  readPageInputSchema,
  type SearchInput,
  searchInputSchema,
  type SearchResult,
} from './toolDefinitions';
import {
  DocsToolError,
  noSearchableDocs,
  toolError,
  type ToolCaller,
  badInput,
} from './toolErrors';
import { parseInput } from './toolInput';
import type { DocsOfPackages, FiltersResponse, SearchableDocs } from '../common/localDocsApi';
import { plainLine } from '../shared/characters';

export type { DocsTarget, TokenBudget, ToolCall, ToolResult } from './toolCall';

interface DocsToolsPorts extends LocalDocsClientPorts {
  readonly newId: NewId;
  /** Returns the site that is asked now, or undefined before set-up. */
  readonly target: () => Promise<DocsTarget | undefined>;
  /** Returns secrets that this program has seen. They are removed from every question. */
  readonly knownSecrets?: () => readonly string[];
  /** Called with each question that sections answer, without its secrets, and with whether any seems to answer it. */
  readonly onAnswered?: (question: string, hasSources: boolean) => void;
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
  readonly checkClaims: (input: unknown, call: ToolCall) => Promise<ToolResult<ClaimsResult>>;
  /**
   * Asks for a person who reads the reply as it grows.
   * @throws {DocsAssistantError} with what was yielded before still valid.
   */
  readonly askStream: (
    input: AskStreamInput,
    call: Pick<ToolCall, 'signal'> & {
      /** Called with the English names of secrets that were replaced in the code before it is sent. */
      readonly onRedacted?: (names: readonly string[]) => void;
    },
  ) => AsyncGenerator<ReplyChange>;
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
  const client = new RateLimitedClient(lateClient(ports), clock);
  const word = (error: unknown): DocsToolError => toolError(error, caller, clock.now());

  /** @throws {DocsAssistantError} `not-configured`. */
  async function targetNow(signal: AbortSignal): Promise<DocsTarget> {
    const target = await untilAborted(ports.target(), signal);
    if (!target) throw new DocsAssistantError('not-configured');
    return target;
  }

  /** Runs a call in its turn, and words its errors for a model. */
  async function run<Data>(
    queue: CallQueue,
    call: ToolCall,
    work: (target: DocsTarget) => Promise<ToolResult<Data>>,
  ): Promise<ToolResult<Data>> {
    try {
      return await queue.run(
        async () => {
          const target = await targetNow(call.signal);
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
  async function localDocs(target: DocsTarget, { signal }: ToolCall): Promise<SearchableTarget> {
    const local = await localOf(target, signal);
    if (!local) throw noSearchableDocs(siteText(target.label), caller);
    return { ...target, local };
  }

  return {
    ask: async (input, call) => {
      const parsed = parseInput(askInputSchema, input);
      return run(questions, call, async (target) => {
        const sent = await sentQuestion(parsed, ports.knownSecrets?.());
        const { question, code, path, redacted } = sent;
        const asked = {
          question,
          code: code === undefined ? undefined : [{ text: code, path }],
        };
        call.onProgress?.('Asking the docs');
        const sets = await setsOfPackage(ports, parsed.package, target);
        if (target.local?.hasWriter === false) {
          return fromSections(ports, { ...target, local: target.local }, { ...sent, sets }, call);
        }
        const changes = askStream({ ...ports, client }, target, { ...asked, sets }, call.signal);
        const reply = await collectReply(changes, call, word);
        return answerResult({ ...reply, redacted }, target, call);
      });
    },
    search: async (input, call) => {
      const parsed = parseInput(searchInputSchema, input);
      return run(reads, call, async (asked) => {
        const target = await localDocs(asked, call);
        call.onProgress?.('Searching the docs');
        const { query, limit = DEFAULT_SEARCH_RESULTS } = parsed;
        const sets = await setsOfPackage(ports, parsed.package, target);
        const request = { query, limit, filter: requestFilter(target, parsed), sets };
        const docs = searchableDocs(ports, target.local);
        const found = await docs.search(request, call.signal);
        const isEmpty = found.isIndexed && found.sections.length === 0;
        const known = isEmpty ? await knownFilters(docs, parsed, call.signal) : undefined;
        return searchResult(found, { ...parsed, knownFilters: known }, target, call);
      });
    },
    readPage: async (input, call) => {
      const parsed = parseInput(readPageInputSchema, input);
      return run(reads, call, async (asked) => {
        const target = await localDocs(asked, call);
        call.onProgress?.('Reading the page');
        const docs = searchableDocs(ports, target.local);
        const sets = await setsOfPackage(ports, parsed.package, target);
        // Models also send the address of a resource, which has the same path.
        const address = parsed.page.startsWith(PAGE_URI_PREFIX)
          ? parsed.page.slice(PAGE_URI_PREFIX.length)
          : parsed.page;
        const page = await docs.page({ page: address, sets }, call.signal);
        if ('error' in page) throw unknownPage(page, target);
        return pageResult(page, parsed, target, call);
      });
    },
    checkClaims: async (input, call) => {
      const parsed = parseInput(checkClaimsInputSchema, input);
      return run(reads, call, async (asked) => {
        const target = await localDocs(asked, call);
        call.onProgress?.('Checking against the docs');
        const sets = await setsOfPackage(ports, parsed.package, target);
        const request = { text: parsed.text, filter: requestFilter(target, parsed), sets };
        const docs = searchableDocs(ports, target.local);
        const found = await docs.claims(request, call.signal);
        const isEmpty = found.isIndexed && found.claims.every(({ source }) => !source);
        const known = isEmpty ? await knownFilters(docs, parsed, call.signal) : undefined;
        return claimsResult(found, known, target, call);
      });
    },
    async *askStream(input, { signal, onRedacted }) {
      const target = await targetNow(signal);
      const { code, redacted } = await sentCode(input.code ?? [], ports.knownSecrets?.());
      if (redacted.length > 0) onRedacted?.(redacted);
      yield* askStream({ ...ports, client }, target, { ...input, code }, signal);
    },
  };
}

type SearchableTarget = DocsTarget & { readonly local: NonNullable<DocsTarget['local']> };

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
  readonly #client: Pick<AssistantClient, 'ask'>;
  readonly #clock: Clock;
  /** Errors of services that asked to wait, by base URL and domain. */
  readonly #waits = new Map<string, DocsAssistantError>();

  constructor(client: Pick<AssistantClient, 'ask'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async *ask(
    ...[request, signal]: Parameters<AssistantClient['ask']>
  ): AsyncGenerator<ReplyChange> {
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

/**
 * Returns the sets of docs of the package that a call names, or undefined if it names none.
 * @throws {DocsToolError} `bad-input` if the docs have no packages, or the package isn't installed.
 */
async function setsOfPackage(
  ports: LocalDocsClientPorts,
  named: string | undefined,
  { local }: DocsTarget,
): Promise<string[] | undefined> {
  if (named === undefined) return undefined;
  const packages = packagesOf(ports, local);
  if (!packages) {
    throw badInput(
      'These docs are not those of installed packages, so they have no packages. Leave out “package”.',
    );
  }
  const found = await packages.setsOf(named);
  if (found.kind === 'found') return [...found.sets];
  const shown = plainLine(named);
  throw badInput(
    found.otherVersion === undefined
      ? `The package “${shown}” is not installed here, so nothing was asked. Use the name as the code imports it, or leave out “package”.`
      : `“${shown}” is not installed here: version ${found.otherVersion} is. Leave out the version to ask that one.`,
  );
}

function packagesOf(
  ports: LocalDocsClientPorts,
  local: DocsTarget['local'],
): DocsOfPackages | undefined {
  if (!local || 'engine' in local) return local?.packages;
  return local.hasPackages === true ? shownPackages(ports, local) : undefined;
}

type NamedFilter = Pick<SearchInput, 'version' | 'language' | 'groups'>;

/** Most values of a kind that a sentence names. */
const MAX_NAMED_VALUES = 10;

const filterKinds: readonly {
  readonly of: keyof NamedFilter;
  readonly known: keyof FiltersResponse;
}[] = [
  { of: 'version', known: 'versions' },
  { of: 'language', known: 'languages' },
  { of: 'groups', known: 'groups' },
];

/**
 * Returns what the docs have of each kind of filter that a call has named, for a call that has found nothing. Models
 * name versions and languages that no page has, and would take the docs for docs without an answer.
 * @returns undefined if the call has named none, or if it can't be told.
 */
async function knownFilters(
  docs: Pick<SearchableDocs, 'filters'>,
  named: NamedFilter,
  signal: AbortSignal,
): Promise<string | undefined> {
  const used = filterKinds.filter(({ of }) => (named[of] ?? []).length > 0);
  if (used.length === 0) return undefined;
  // The result is true without this, too.
  const filters = await docs.filters(signal).catch(() => undefined);
  if (!filters) return undefined;
  const facts = used.map(({ known }) => {
    const values = filters[known].map(plainLine);
    if (values.length === 0) return `no ${known}`;
    const more = values.length > MAX_NAMED_VALUES ? ', …' : '';
    return `the ${known} ${values.slice(0, MAX_NAMED_VALUES).join(', ')}${more}`;
  });
  return `These docs have ${facts.join(' and ')}. Leave out a filter that none of their pages has.`;
}

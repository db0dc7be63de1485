/** Asks the questions of a file and checks the replies. */
import type { AssistantClient } from '../chat/assistant/assistantClient';
import { LOCAL_DOCS_PATH } from '../chat/sources/sourceAddress';
import { ReplyFold, type ReplySoFar } from '../shared/reply';
import { describeError } from '../common/describeError';
import { DocsAssistantError, knownError, type Translate } from '../common/errors';
import type { Clock, Fetch, Log, NewId } from '../common/ports';
import { cutText } from '../common/text/strings';
import { withoutUndefined } from '../common/withoutUndefined';
import { askStream, type AskStreamPorts, lateClient } from '../docsTools/askStream';
import type { DocsTarget } from '../docsTools/docsTools';
import { sentQuestion } from '../docsTools/sentQuestion';
import { plainLine, visibleText } from '../shared/characters';
import type { ErrorCode } from '../shared/errorInfo';
import { durationText } from '../shared/units';
import { checkReply } from './check/checkReply';
import type { DocsQuestion } from './docsQuestion';
import type { QuestionResult, QuestionStatus, ResultSource } from './questionRun';
import { RateLimitGate, type AdmittedRequest } from './rateLimitGate';

export interface AskedQuestion {
  readonly question: DocsQuestion;
  /** Path of the file for results, such as `docs-questions.yaml`. */
  readonly file?: string;
}

export interface AnsweredQuestion {
  readonly asked: AskedQuestion;
  readonly result: QuestionResult;
}

/** Ports of {@link runQuestions}. */
export interface RunPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly t: Translate;
  /** Returns secrets that this program has seen. They are removed from every question. */
  readonly knownSecrets?: () => readonly string[];
  /** Returns the sentence about an error. By default, the sentence of the chat panel. */
  readonly errorText?: (error: DocsAssistantError) => string;
  /** Returns the name of a page of a local docs service, from its percent-encoded path and fragment. */
  readonly fileOf?: (page: string) => string;
}

/** Options of {@link runQuestions}. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Number of questions to ask at the same time. */
  readonly atOnce?: number;
  /** Maximum wait in milliseconds for a service that answers 429. */
  readonly maxWaitMs?: number;
  /** Called before a question is asked. */
  readonly onStart?: (asked: AskedQuestion) => void;
  /** Called with the time until which the service asked to wait. */
  readonly onWait?: (until: number) => void;
}

/** Default number of questions to ask at the same time. A service takes seconds to write each reply. */
const QUESTIONS_AT_ONCE = 4;
/** Maximum number of questions at the same time. More would only reach the hourly limit sooner. */
const MAX_QUESTIONS_AT_ONCE = 16;
/**
 * Maximum number of questions of a run: as many requests as one IP address can send in a day, and an
 * organization in an hour.
 * @see platform-api.md § Limits
 */
const MAX_QUESTIONS_PER_RUN = 10_000;
/** Default maximum wait for a service that answers 429. CI jobs cost money per minute. */
const DEFAULT_MAX_WAIT_MS = 10 * 60 * 1000;
/** Maximum time for one reply. Pauses without data have a shorter limit. */
const MAX_REPLY_MS = 5 * 60 * 1000;
/** Maximum length of a reply that is checked, in characters. Typical replies have a few thousand. */
const MAX_CHECKED_LENGTH = 200_000;
/** Number of consecutive failures that end a run. */
const MAX_FAILURES = 5;

/**
 * Consequence of an error for the run: `ends` if every other question would also get it,
 * `question` if it is about this question only, and `counts` if several of them in a row end the run.
 */
const errorMeanings: Readonly<Record<ErrorCode, 'ends' | 'question' | 'counts'>> = {
  'not-configured': 'ends',
  'assistant-air-gapped': 'ends',
  'assistant-switched-off': 'ends',
  'not-signed-in': 'ends',
  'key-rejected': 'ends',
  forbidden: 'ends',
  'unknown-site': 'ends',
  redirected: 'ends',
  'proxy-refused': 'ends',
  'insecure-connection': 'ends',
  'secret-store-failed': 'ends',
  'empty-question': 'question',
  'question-too-long': 'question',
  'too-large': 'question',
  'bad-request': 'question',
  'reply-running': 'counts',
  'unknown-thread': 'counts',
  'rate-limited': 'counts',
  offline: 'counts',
  'timed-out': 'counts',
  'service-down': 'counts',
  'unexpected-html': 'counts',
  'empty-reply': 'counts',
  'bad-stream': 'counts',
  'service-error': 'counts',
  'connection-lost': 'counts',
  'file-refused': 'counts',
  'too-many-files': 'counts',
  'thread-gone': 'counts',
  'other-site': 'counts',
  'docs-not-served': 'counts',
  'selection-gone': 'counts',
  unexpected: 'counts',
};

/** Returns how many credits a run can spend. Docs on this machine spend none. */
export function creditsOf(questions: readonly unknown[], { spendsCredit }: DocsTarget): number {
  return spendsCredit ? Math.min(questions.length, MAX_QUESTIONS_PER_RUN) : 0;
}

/**
 * Asks several questions at the same time, and yields each as soon as it has a result. Every
 * question gets exactly one result. A request is sent again only after a 429, which costs nothing.
 * If the key is rejected or the service is down, the remaining questions are skipped.
 * @throws the signal's reason when the run is stopped. Earlier results stay valid.
 */
export async function* runQuestions(
  questions: readonly AskedQuestion[],
  target: DocsTarget,
  ports: RunPorts,
  options: RunOptions,
): AsyncGenerator<AnsweredQuestion> {
  const { signal, atOnce = QUESTIONS_AT_ONCE } = options;
  signal.throwIfAborted();
  const leaving = new AbortController();
  const run = new Run(questions, target, ports, {
    ...options,
    signal: AbortSignal.any([signal, leaving.signal]),
  });
  const workers = Math.max(1, Math.min(atOnce, MAX_QUESTIONS_AT_ONCE, questions.length));
  const pending = new Set<Promise<void>>();
  const answered: AnsweredQuestion[] = [];
  let failure: { readonly error: unknown } | undefined;
  let wake: () => void = () => undefined;
  for (let worker = 0; worker < workers; worker++) {
    const work = run
      .work((each) => {
        answered.push(each);
        wake();
      })
      .catch((error: unknown) => (failure ??= { error }) as unknown)
      .then(() => {
        pending.delete(work);
        wake();
      });
    pending.add(work);
  }
  try {
    while (pending.size > 0 || answered.length > 0) {
      const next = answered.shift();
      if (next) yield next;
      else if (failure) throw failure.error;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    if (failure) throw failure.error;
  } finally {
    leaving.abort(new Error('The run was left'));
    await Promise.all(pending);
  }
}

/** Reason why the remaining questions are not asked. */
interface Stop {
  readonly code: string;
  readonly reason: string;
}

/** Error for a reply that took too long as a whole. */
class SlowReply extends Error {
  override readonly name = 'SlowReply';
}

class Run {
  readonly #questions: readonly AskedQuestion[];
  readonly #target: DocsTarget;
  readonly #ports: RunPorts;
  readonly #options: RunOptions;
  readonly #gate: RateLimitGate;
  readonly #stopping = new AbortController();
  #next = 0;
  #stop: Stop | undefined;
  /** Failures of the service since its last reply. */
  #failures = 0;

  constructor(
    questions: readonly AskedQuestion[],
    target: DocsTarget,
    ports: RunPorts,
    options: RunOptions,
  ) {
    this.#questions = questions;
    this.#target = target;
    this.#ports = ports;
    this.#options = options;
    this.#gate = new RateLimitGate(ports.clock, options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS);
  }

  /** Asks one question after another until none is left. */
  async work(answer: (answered: AnsweredQuestion) => void): Promise<void> {
    // Each worker has its own client, because a client counts consecutive refusals.
    const client = lateClient(this.#ports);
    for (;;) {
      const index = this.#next++;
      const asked = this.#questions[index];
      if (!asked) return;
      const { t } = this.#ports;
      if (index >= MAX_QUESTIONS_PER_RUN) {
        this.#stop ??= {
          code: 'too-many-questions',
          reason: t(
            'A run can have up to {0} questions, because a service accepts no more from one IP address in a day.',
            MAX_QUESTIONS_PER_RUN,
          ),
        };
      }
      answer({ asked, result: await this.#resultOf(asked, client) });
    }
  }

  async #resultOf(
    asked: AskedQuestion,
    client: Pick<AssistantClient, 'ask'>,
  ): Promise<QuestionResult> {
    const { clock, knownSecrets } = this.#ports;
    const { signal, onStart, onWait } = this.#options;
    const known = [...(knownSecrets?.() ?? []), ...(this.#target.key ? [this.#target.key] : [])];
    const described = await describedQuestion(asked, known);
    let startedAt: number | undefined;
    for (;;) {
      const turn = await this.#turn();
      if (!turn || this.#stop) {
        turn?.ended();
        return this.#skipped(described);
      }
      if (startedAt === undefined) onStart?.(asked);
      startedAt = clock.now();
      const reply = new ReplyFold();
      try {
        await this.#ask(asked.question, described.question, client, reply);
        turn.answered();
        this.#failures = 0;
        const result = this.#checked(asked.question, reply);
        return await redacted(
          { ...described, ...result, durationMs: clock.now() - startedAt },
          known,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DocsAssistantError && error.code === 'rate-limited') {
          const retryAt = error.details.retryAt ?? clock.now();
          if (turn.refused(retryAt)) {
            onWait?.(retryAt);
            continue;
          }
          this.#end({ code: error.code, reason: this.#errorSentence(error) });
        } else turn.ended();
        const result = this.#failed(error, reply);
        return { ...described, ...result, durationMs: clock.now() - startedAt };
      }
    }
  }

  /** Returns undefined if the run ends while it waits for its turn. */
  async #turn(): Promise<AdmittedRequest | undefined> {
    const { signal } = this.#options;
    if (this.#stop) return undefined;
    try {
      return await this.#gate.turn(AbortSignal.any([signal, this.#stopping.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (this.#stopping.signal.aborted) return undefined;
      throw error;
    }
  }

  async #ask(
    { filters }: DocsQuestion,
    question: string,
    client: Pick<AssistantClient, 'ask'>,
    reply: ReplyFold,
  ): Promise<void> {
    const { clock } = this.#ports;
    const { settings } = this.#target;
    const target = {
      ...this.#target,
      settings: { ...settings, filter: { ...settings.filter, ...filters } },
    };
    const done = new AbortController();
    const slow = new AbortController();
    clock.delay(MAX_REPLY_MS, done.signal).then(
      () => slow.abort(new SlowReply()),
      () => undefined,
    );
    const signal = AbortSignal.any([this.#options.signal, slow.signal]);
    try {
      const ports: AskStreamPorts = { ...this.#ports, client };
      for await (const change of askStream(ports, target, { question }, signal)) {
        reply.take(change);
      }
    } finally {
      done.abort(new Error('The reply ended'));
    }
    if (reply.text.trim() === '') throw new DocsAssistantError('empty-reply', this.#host());
  }

  #checked(question: DocsQuestion, { text, sources, isClosest, end }: ReplyFold): Outcome {
    const { t } = this.#ports;
    const shown = this.#shownReply({ text, sources });
    const broken = (errorCode: string, reason: string): Outcome => ({
      ...shown,
      status: 'error',
      reasons: [reason],
      errorCode,
    });
    if (end?.isTooLong === true || text.length > MAX_CHECKED_LENGTH) {
      return broken('reply-too-long', t('The reply is too long to check.'));
    }
    if (end?.status !== 'complete') {
      return broken('incomplete', t('The reply is incomplete, so it wasn’t checked.'));
    }
    const { local } = this.#target;
    // A question names pages by their paths below the docs.
    const named = sources.map((source) => ({ ...source, url: this.#comparedUrl(source.url) }));
    const shownUrls = new Map(named.map(({ url }, place) => [url, sources[place]?.url ?? url]));
    const reasons = checkReply(
      question,
      { text, sources: named, isClosest, isLocal: local !== undefined },
      t,
      (url) => this.#shown(shownUrls.get(url) ?? url),
    );
    const status: QuestionStatus = reasons.length === 0 ? 'pass' : 'fail';
    return { ...shown, status, reasons: [...reasons] };
  }

  #failed(error: unknown, { text, sources }: ReplySoFar): Outcome {
    const { log, t } = this.#ports;
    const shown = this.#shownReply({ text, sources });
    if (error instanceof SlowReply) {
      const reason = t(
        'The reply took more than {0} and was stopped.',
        durationText(MAX_REPLY_MS, t),
      );
      return { ...shown, status: 'error', reasons: [reason], errorCode: 'too-slow' };
    }
    const known = knownError(error);
    if (known !== error) log.error('A question failed', error);
    const { code } = known;
    const sentence = this.#errorSentence(known);
    const meaning = errorMeanings[code];
    if (meaning === 'ends') this.#end({ code, reason: sentence });
    else if (meaning === 'counts' && ++this.#failures >= MAX_FAILURES) {
      this.#end({
        code,
        reason: t('{0} questions failed one after the other. {1}', MAX_FAILURES, sentence),
      });
    }
    return { ...shown, status: 'error', reasons: [sentence], errorCode: code };
  }

  #skipped(described: Described): QuestionResult {
    const { code = 'stopped', reason = '' } = this.#stop ?? {};
    const { t } = this.#ports;
    return { ...described, ...skipped({ code, reason: t('Not asked. {0}', reason) }) };
  }

  /**
   * Sends no more questions. Replies that have begun are read to their end, because they are paid
   * for.
   */
  #end(stop: Stop): void {
    this.#stop ??= stop;
    this.#stopping.abort(new Error('The run ended'));
  }

  #errorSentence(error: DocsAssistantError): string {
    const { clock, errorText, t } = this.#ports;
    const sentence = plainLine(errorText?.(error) ?? describeError(error, t).message);
    const wait = (error.details.retryAt ?? 0) - clock.now();
    // The sentence doesn't mention a wait that is over.
    return wait < 1000 ? sentence : `${sentence} ${t('Try again in {0}.', durationText(wait, t))}`;
  }

  #host(): { readonly host?: string } {
    const { baseUrl } = this.#target.settings;
    return { host: baseUrl === undefined ? undefined : new URL(baseUrl).host };
  }

  /** Returns the address of a source as questions name pages: from the root of the docs. */
  #comparedUrl(url: string): string {
    const { local } = this.#target;
    const path = local && 'engine' in local ? local.engine.pathOf(url) : undefined;
    return path === undefined ? url : `/${path}`;
  }

  /** Returns a text with files in place of URLs of a local docs service, which ends with the run. */
  #shown(text: string): string {
    const { fileOf } = this.#ports;
    const { local } = this.#target;
    if (!fileOf || !local || 'engine' in local) return text;
    const [before = '', ...pieces] = text.split(`${local.url}${LOCAL_DOCS_PATH}`);
    return pieces.reduce((result, piece) => {
      const end = piece.search(urlEnd);
      const page = end < 0 ? piece : piece.slice(0, end);
      return result + fileOf(page) + piece.slice(page.length);
    }, before);
  }

  #shownReply({ text, sources }: ReplySoFar): {
    readonly reply?: string;
    sources: ResultSource[];
  } {
    const reply = visibleText(cutText(this.#shown(text), MAX_CHECKED_LENGTH));
    return withoutUndefined({
      reply: reply.trim() === '' ? undefined : reply,
      sources: sources.map(({ url, title = '' }) => ({
        title: visibleText(plainLine(title)),
        url: visibleText(plainLine(this.#shown(url))),
      })),
    });
  }
}

/** Characters that end a URL in Markdown. */
const urlEnd = /[\s()<>"'\]]/;

/** Fields of a result that the reply decides. */
type Outcome = Pick<QuestionResult, 'status' | 'reasons' | 'reply' | 'sources' | 'errorCode'>;

/** Fields of a result that are known before its question is asked. */
type Described = Pick<
  QuestionResult,
  'id' | 'name' | 'question' | 'file' | 'line' | 'endLine' | 'first' | 'redacted'
>;

function skipped({ code, reason }: Stop): Outcome & Pick<QuestionResult, 'durationMs'> {
  return { status: 'skipped', reasons: [reason], errorCode: code, sources: [], durationMs: 0 };
}

/**
 * Returns the result of a question that wasn't asked.
 * @param known secrets to remove from the result.
 */
export async function skippedResult(
  asked: AskedQuestion,
  stop: Stop,
  known: readonly string[],
): Promise<QuestionResult> {
  return { ...(await describedQuestion(asked, known)), ...skipped(stop) };
}

/** Returns the fields of a result that describe its question, without secrets. */
async function describedQuestion(
  { question: asked, file }: AskedQuestion,
  known: readonly string[],
): Promise<Described> {
  const { question, redacted: names } = await sentQuestion({ question: asked.question }, known);
  const withoutSecrets = async (text: string): Promise<string> =>
    names.length === 0 ? text : (await sentQuestion({ question: text }, known)).question;
  return withoutUndefined({
    id: await withoutSecrets(asked.id),
    name: await withoutSecrets(asked.name),
    question,
    file,
    line: asked.lines.first,
    endLine: asked.lines.last,
    first: asked.first,
    redacted: names.length === 0 ? undefined : [...names],
  });
}

/** Returns the result with the secrets of the questions file removed from its reasons. */
async function redacted(result: QuestionResult, known: readonly string[]): Promise<QuestionResult> {
  if (result.reasons.length === 0) return result;
  const reasons = await Promise.all(
    result.reasons.map(
      async (reason) => (await sentQuestion({ question: reason }, known)).question,
    ),
  );
  return { ...result, reasons };
}

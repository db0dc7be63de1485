import type { ReplyChange, ReplyEnd, ReplyThread } from '../../shared/reply';
import { DocsAssistantError } from '../../common/errors';
import type { Clock, Log } from '../../common/ports';
import { ChunkStream } from './chunkStream';
import { EventReader, EventTooLongError } from './eventReader';
import type { GuardedRequest } from '../../common/http/guardedRequest';
import { ReplyTooLongError } from './replyParts';
import { hostOf, bodyError, type ResponseContext } from '../../common/http/responseErrors';
import { withoutUndefined } from '../../common/withoutUndefined';

/**
 * Time for which the stream is read after its end marker or error. The thread can still be named
 * there, but an open connection must not keep the reply running.
 */
const END_GRACE_MS = 2000;

/** Characters of the body that are kept until it turns out to be an event stream. */
const MAX_HEAD_LENGTH = 64 * 1024;

/** Longest thread ID and thread key that are accepted from a header. */
const MAX_HEADER_LENGTH = 1000;

/**
 * Reads the body of a 200 response as a reply: bytes to events, events to changes, changes to
 * updates.
 */
export class ReplyReader {
  readonly #request: GuardedRequest;
  readonly #response: Response;
  readonly #context: ResponseContext;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #chunks: ChunkStream;
  readonly #events: EventReader;
  readonly #headerThreadId: string | undefined;
  /** Key of the thread, whether the headers or the stream name the thread itself. */
  readonly #threadKey: string | undefined;
  #sentThreadId: string | undefined;
  #head = '';
  #isLast = false;
  #graceEndsAt: number | undefined;
  #failure: DocsAssistantError | undefined;
  /** Limit that the reply exceeded. The rest isn't read, and the part before it is kept. */
  #overLimit: EventTooLongError | ReplyTooLongError | undefined;

  constructor(
    request: GuardedRequest,
    response: Response,
    context: ResponseContext,
    ports: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#request = request;
    this.#response = response;
    this.#clock = ports.clock;
    this.#log = ports.log;
    this.#headerThreadId = headerValue(response.headers, 'x-thread-id');
    this.#threadKey = headerValue(response.headers, 'x-thread-key');
    const secrets = [...context.secrets, ...(this.#threadKey ? [this.#threadKey] : [])];
    this.#context = { ...context, secrets };
    this.#chunks = new ChunkStream(secrets);
    this.#events = new EventReader((event) => this.#chunks.push(event, this.#isLast));
  }

  /** @throws as {@link AssistantClient.ask}. */
  async *updates(): AsyncGenerator<ReplyChange> {
    try {
      if (this.#headerThreadId !== undefined) {
        yield { serviceThread: this.#threadOf(this.#headerThreadId) };
      }
      while (await this.#readSome()) {
        const update = this.#update();
        if (update) yield update;
        if (this.#isOver()) break;
      }
      this.#endEvents();
      this.#chunks.end();
      const update = this.#update();
      const end = this.#end();
      if (end instanceof DocsAssistantError) {
        if (update) yield update;
        throw end;
      }
      yield { ...update, end };
    } finally {
      this.#logRepairs();
    }
  }

  /** @returns false at the end of the body, or if the connection broke. */
  async #readSome(): Promise<boolean> {
    try {
      const bytes = await this.#request.read();
      if (!bytes) return false;
      const text = this.#events.push(bytes);
      if (this.#chunks.eventCount === 0 && this.#head.length < MAX_HEAD_LENGTH) {
        this.#head += text;
      }
      return true;
    } catch (error) {
      this.#failure = this.#failureOf(error);
      return false;
    }
  }

  /** Ends the events. The last one can lack its blank line, or can be cut (faults.md A6). */
  #endEvents(): void {
    if (this.#overLimit) return;
    this.#isLast = true;
    try {
      this.#events.end();
    } catch (error) {
      this.#failure ??= this.#failureOf(error);
    }
  }

  /** @throws the signal's reason if the reader stopped, because that isn't a failure. */
  #failureOf(error: unknown): DocsAssistantError {
    if (error instanceof EventTooLongError || error instanceof ReplyTooLongError) {
      this.#overLimit = error;
      this.#log.warn(`${error.message}: it is not read further`);
      return new DocsAssistantError('bad-stream', {
        host: hostOf(this.#context.url),
        cause: error,
      });
    }
    if (!(error instanceof DocsAssistantError)) throw error;
    return error;
  }

  #isOver(): boolean {
    if (this.#chunks.isDone) return true;
    if (this.#chunks.endMarker !== undefined || this.#chunks.errorText !== undefined) {
      if (this.#graceEndsAt === undefined) {
        this.#graceEndsAt = this.#clock.now() + END_GRACE_MS;
        this.#request.limitSilence(END_GRACE_MS);
      }
      return this.#clock.now() >= this.#graceEndsAt;
    }
    // The start of a body tells a web page or a JSON document, whatever its size.
    return (
      this.#chunks.eventCount === 0 &&
      this.#head.length >= MAX_HEAD_LENGTH &&
      /^\s*[<{[]/.test(this.#head)
    );
  }

  #update(): ReplyChange | undefined {
    const ops = this.#chunks.take();
    const serviceThread = this.#newThread();
    const quotes = this.#chunks.takeQuotes();
    const metadata = this.#chunks.takeMetadata();
    if (ops.length === 0 && !serviceThread && !quotes && !metadata) return undefined;
    return withoutUndefined({
      ops: ops.length === 0 ? undefined : ops,
      quotes,
      metadata,
      serviceThread,
    });
  }

  /** Returns the thread that the stream names, if it is new. The header takes precedence (A21). */
  #newThread(): ReplyThread | undefined {
    const { threadId } = this.#chunks;
    if (threadId === undefined || threadId === this.#sentThreadId) return undefined;
    this.#sentThreadId = threadId;
    if (this.#headerThreadId === undefined) return this.#threadOf(threadId);
    if (threadId !== this.#headerThreadId) {
      this.#log.warn(
        'The stream names another thread than the X-Thread-Id header: the header counts',
      );
    }
    return undefined;
  }

  #threadOf(threadId: string): ReplyThread {
    return withoutUndefined({ threadId, threadKey: this.#threadKey });
  }

  #end(): ReplyEnd | DocsAssistantError {
    const { endMarker, errorText, unreadableCount, hasContent, isUnfinished } = this.#chunks;
    const details = { status: this.#response.status, host: hostOf(this.#context.url) };
    if (errorText !== undefined) {
      return new DocsAssistantError(
        'service-error',
        withoutUndefined({
          ...details,
          serviceMessage: errorText || undefined,
        }),
      );
    }
    const isDegraded = unreadableCount > 0;
    if (endMarker === 'abort') return { status: 'stopped-by-service', isDegraded };
    if (endMarker !== undefined) {
      if (isUnfinished && hasContent)
        return { status: 'incomplete', isDegraded, isUnfinished: true };
      return hasContent
        ? { status: 'complete', isDegraded }
        : new DocsAssistantError(isDegraded ? 'bad-stream' : 'empty-reply', details);
    }
    if (this.#overLimit instanceof ReplyTooLongError && hasContent) {
      return { status: 'incomplete', isDegraded, isTooLong: true };
    }
    if (this.#failure) return this.#failure;
    if (this.#chunks.eventCount > 0) return { status: 'incomplete', isDegraded };
    // A stream of nothing but keep-alives counts as an empty body.
    return this.#chunks.repairs.size === 0 && !this.#events.hasOtherLines
      ? new DocsAssistantError('empty-reply', details)
      : bodyError(this.#response, this.#head, this.#context);
  }

  #logRepairs(): void {
    const { repairs, unreadableCount } = this.#chunks;
    if (repairs.size === 0) return;
    const counts = [...repairs].map(([repair, count]) => `${count} × ${repair}`).join(', ');
    const line = `Left out or repaired in the reply: ${counts}`;
    if (unreadableCount > 0) this.#log.warn(line);
    else this.#log.debug(line);
  }
}

function headerValue(headers: Headers, name: string): string | undefined {
  const value = headers.get(name)?.trim();
  return value && value.length <= MAX_HEADER_LENGTH ? value : undefined;
}

import * as v from 'valibot';
import { ModelError, type Model, type ModelMessage, noExperience } from '../../docs/writers/model';
import { toServiceSchema, type ToHost, type ToService } from './parentChannel';

/** The channel to the process that started this one. It exists if this process was started with `fork`. */
interface ParentPort {
  send(message: ToHost): void;
  /** Calls the listener with each message, which may be anything. */
  onMessage(listener: (message: unknown) => void): void;
}

/** Returns this process's channel to its parent, or undefined if it has none. */
export function parentPort(): ParentPort | undefined {
  const send = process.send?.bind(process);
  if (!send) return undefined;
  return {
    // Messages only get lost when the channel closes. This process ends then, so errors don't matter.
    send: (message) => void send(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
  };
}

type Reply = Extract<ToService, { readonly id: number }>;

interface Request {
  readonly received: Reply[];
  wake: () => void;
}

/**
 * Exchanges messages with the process that started this one. Several requests to models of VS Code can run at
 * the same time, each with its own ID.
 */
export class ParentChannel {
  readonly #port: ParentPort;
  readonly #requests = new Map<number, Request>();
  #lastId = 0;

  /** @param onCommand called with the messages that don't belong to a request. */
  constructor(port: ParentPort, onCommand: (message: Exclude<ToService, Reply>) => void) {
    this.#port = port;
    port.onMessage((value) => {
      const parsed = v.safeParse(toServiceSchema, value);
      if (!parsed.success) return;
      const message = parsed.output;
      if (!('id' in message)) {
        onCommand(message);
        return;
      }
      const request = this.#requests.get(message.id);
      request?.received.push(message);
      request?.wake();
    });
  }

  /**
   * Sends a request to the model of VS Code and streams its text.
   * @throws {ModelError} if the host reports a failure, or the signal's reason if it aborts.
   */
  async *request(
    messages: readonly ModelMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    const id = ++this.#lastId;
    const request: Request = { received: [], wake: () => undefined };
    this.#requests.set(id, request);
    const onAbort = (): void => request.wake();
    signal.addEventListener('abort', onAbort, { once: true });
    let isEnded = false;
    try {
      signal.throwIfAborted();
      this.#port.send({ type: 'model-request', id, messages: forHost(messages) });
      for (;;) {
        signal.throwIfAborted();
        const reply = request.received.shift();
        if (!reply) {
          await new Promise<void>((resolve) => {
            request.wake = resolve;
          });
          continue;
        }
        if (reply.type === 'model-text') yield reply.text;
        else {
          isEnded = true;
          if (reply.type === 'model-failed') throw new ModelError(reply.code);
          return;
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#requests.delete(id);
      if (!isEnded) this.#port.send({ type: 'model-cancel', id });
    }
  }
}

/**
 * Returns the messages in the form of VS Code's API, which has no system messages. The instructions become
 * the first message of the user.
 */
function forHost(
  messages: readonly ModelMessage[],
): Extract<ToHost, { type: 'model-request' }>['messages'] {
  return messages.map(({ role, text }) => ({ role: role === 'assistant' ? role : 'user', text }));
}

/** A model of VS Code. The host sends the requests to the model for this process. */
export class ParentModel implements Model {
  readonly experience = noExperience();

  constructor(
    private readonly channel: ParentChannel,
    readonly label: string,
    readonly maxInputTokens: number,
  ) {}

  stream(messages: readonly ModelMessage[], signal: AbortSignal): AsyncIterable<string> {
    return this.channel.request(messages, signal);
  }
}

import { untilAborted } from '../common/clock';
import type { Clock } from '../common/ports';

/** A request that the gate let through. When it ends, the caller calls exactly one of the methods. */
export interface AdmittedRequest {
  /** Reports a reply: the service accepts requests again. */
  readonly answered: () => void;
  /**
   * Reports a refusal with 429.
   * @param retryAt milliseconds since the epoch.
   * @returns false if the wait is longer than the gate waits.
   */
  readonly refused: (retryAt: number) => boolean;
  /** Reports another end of the request, which says nothing about the limit. */
  readonly ended: () => void;
}

/**
 * Delays requests while a service asks to wait. After the wait, one request goes first. The others
 * follow when the service has answered it, because it would refuse a burst as a whole.
 */
export class RateLimitGate {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  /** Time from which the service may answer again, or undefined while it isn't limited. */
  #until: number | undefined;
  /** Time of the first refusal since the last answer. */
  #refusedSince = 0;
  /** Resolves when the first request after a wait has ended. Undefined if there is none. */
  #first: PromiseWithResolvers | undefined;

  /** @param maxWaitMs longest time to wait for an answer. */
  constructor(clock: Clock, maxWaitMs: number) {
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Resolves when a request may be sent.
   * @throws the signal's reason.
   */
  async turn(signal: AbortSignal): Promise<AdmittedRequest> {
    while (this.#until !== undefined) {
      const wait = this.#until - this.#clock.now();
      if (wait > 0) await this.#clock.delay(wait, signal);
      else if (this.#first) await untilAborted(this.#first.promise, signal);
      else return this.#newTurn((this.#first = withResolvers()));
    }
    signal.throwIfAborted();
    return this.#newTurn();
  }

  #newTurn(first?: PromiseWithResolvers): AdmittedRequest {
    const release = (): void => {
      if (first === undefined) return;
      this.#first = undefined;
      first.resolve();
    };
    return {
      answered: () => {
        // An answer to a request that was sent before the refusal doesn't end the limit.
        if (first) this.#until = undefined;
        release();
      },
      refused: (retryAt) => {
        if (this.#until === undefined) this.#refusedSince = this.#clock.now();
        this.#until = Math.max(this.#until ?? 0, retryAt);
        release();
        return this.#until - this.#refusedSince <= this.#maxWaitMs;
      },
      ended: release,
    };
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

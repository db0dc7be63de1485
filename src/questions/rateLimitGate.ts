import { untilAborted } from '../common/clock';
import type { Clock } from '../common/ports';

/** One request that the gate let through. Exactly one of its methods is called when it has ended. */
export interface Turn {
  /** The service answered, so it takes requests again. */
  readonly answered: () => void;
  /**
   * The service refused with 429.
   * @param retryAt milliseconds since the epoch.
   * @returns false if the wait is longer than the gate waits.
   */
  readonly refused: (retryAt: number) => boolean;
  /** The request ended in another way, which says nothing about the limit. */
  readonly ended: () => void;
}

/**
 * Holds requests back while a service asks to wait. After the wait, one request goes first, and the
 * others follow when it was answered, because a burst would only be refused as a whole.
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
  async turn(signal: AbortSignal): Promise<Turn> {
    while (this.#until !== undefined) {
      const wait = this.#until - this.#clock.now();
      if (wait > 0) await this.#clock.delay(wait, signal);
      else if (this.#first) await untilAborted(this.#first.promise, signal);
      else return this.#newTurn((this.#first = withResolvers()));
    }
    signal.throwIfAborted();
    return this.#newTurn();
  }

  #newTurn(first?: PromiseWithResolvers): Turn {
    const release = (): void => {
      if (first === undefined) return;
      this.#first = undefined;
      first.resolve();
    };
    return {
      answered: () => {
        // The answer to a request from before the refusal says nothing about now.
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

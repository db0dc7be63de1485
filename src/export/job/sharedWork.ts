import { untilAborted } from '../../common/clock';
import { toDisposable } from '../../common/disposable';

interface Work<T> {
  readonly promise: Promise<T>;
  readonly unwanted: AbortController;
  readonly state: { waiting: number; isKept: boolean };
}

/** Lets several callers share the same work while it runs. */
export class SharedWork<T> {
  readonly #works = new Map<string, Work<T>>();

  has(key: string): boolean {
    return this.#works.has(key);
  }

  /**
   * Joins the running work with this key, or begins it.
   *
   * @param signal ends only this caller's wait.
   * @param begin gets a signal that aborts when no caller waits anymore, and a function that keeps the
   * work running even then. The function throws if no caller waits anymore.
   * @throws the signal's reason as soon as it aborts, and the errors of the work.
   */
  async join(
    key: string,
    signal: AbortSignal,
    begin: (unwanted: AbortSignal, keep: () => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const work = this.#works.get(key) ?? this.#begin(key, begin);
    const { promise, unwanted, state } = work;
    state.waiting++;
    const leaving = toDisposable(() => {
      state.waiting--;
      if (state.waiting > 0 || state.isKept) return;
      if (this.#works.get(key) === work) this.#works.delete(key);
      unwanted.abort(signal.reason);
    });
    // The caller leaves at once, so that work that has not sent anything yet can stop.
    const leave = (): void => leaving.dispose();
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await untilAborted(promise, signal);
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  #begin(key: string, begin: (unwanted: AbortSignal, keep: () => void) => Promise<T>): Work<T> {
    const unwanted = new AbortController();
    const state = { waiting: 0, isKept: false };
    const keep = (): void => {
      unwanted.signal.throwIfAborted();
      state.isKept = true;
    };
    const promise = begin(unwanted.signal, keep).finally(() => {
      if (this.#works.get(key)?.promise === promise) this.#works.delete(key);
    });
    const work: Work<T> = { promise, unwanted, state };
    this.#works.set(key, work);
    return work;
  }
}

import { toDisposable } from '../common/disposable';
import { untilAborted } from '../common/untilAborted';

interface Work<T> {
  readonly promise: Promise<T>;
  readonly unwanted: AbortController;
  readonly state: { waiting: number; isKept: boolean };
}

/** Lets all who want the same thing at the same time share one piece of work. */
export class SharedWork<T> {
  readonly #works = new Map<string, Work<T>>();

  /** True while work under that key can be joined. */
  has(key: string): boolean {
    return this.#works.has(key);
  }

  /**
   * Joins the work under that key, or begins it.
   *
   * @param signal gives up the wait of this caller alone.
   * @param begin gets a signal that aborts once nobody waits any more, and a function after whose
   * call the work goes on to its end even so; it throws if nobody waits any more.
   * @throws the signal's reason as soon as it aborts, and whatever the work throws.
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
    // At once, so that work which has not begun in earnest never does.
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

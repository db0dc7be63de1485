/** Something with a lifetime. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function as a {@link Disposable} that runs it once. */
export function toDisposable(action: () => void): Disposable {
  let isDone = false;
  return {
    dispose() {
      if (isDone) return;
      isDone = true;
      action();
    },
  };
}

/**
 * Owns other disposables and disposes them in reverse order. One that throws does not keep the
 * rest alive: all are disposed, then the failures are reported together.
 */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Takes ownership and returns the argument. After disposal it disposes the argument at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** @throws {AggregateError} of everything that the items threw. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const failures: unknown[] = [];
    for (let item = this.#items.pop(); item; item = this.#items.pop()) {
      try {
        item.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Disposing failed');
  }
}

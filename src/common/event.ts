import { toDisposable, type Disposable } from './disposable';

/** Registers a listener until the returned handle is disposed. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing end of an {@link Event}. Listeners added while firing hear the next value. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that one function registered twice is two registrations.
    const registration = (value: T): void => listener(value);
    this.#listeners.add(registration);
    return toDisposable(() => this.#listeners.delete(registration));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

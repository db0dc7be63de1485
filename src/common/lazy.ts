/** Loads something with its first use, and once for all uses. After a failure, the next use tries again. */
export class Lazy<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Result that is loaded or loading. Undefined before the first use and after a failure. */
  get current(): Promise<T> | undefined {
    return this.#loading;
  }

  get(): Promise<T> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }
}

/** Conditions that tests wait for, which are looked at whenever something has changed. */
export class Conditions {
  readonly #checks = new Set<() => void>();

  /** Resolves as soon as the condition holds. */
  async until(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.#checks.delete(check);
        resolve();
      };
      this.#checks.add(check);
    });
  }

  /** Looks at each condition. */
  changed(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Forgets the conditions that don't hold, which then never resolve. */
  clear(): void {
    this.#checks.clear();
  }
}

/** Different unknown types that are remembered by name for the log. */
const MAX_ODDITIES = 20;

/** What was left out of a reply or repaired in it, for the log. */
export class Oddities {
  readonly #counts = new Map<string, number>();

  /** How often, by what it was: `unknown type x`. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  note(oddity: string): void {
    const count = this.#counts.get(oddity);
    if (count === undefined && this.#counts.size >= MAX_ODDITIES) return;
    this.#counts.set(oddity, (count ?? 0) + 1);
  }
}

/** Steps that any page can take. */
const BASE_STEPS = 2_000_000;
/** Further steps for each character of the page. */
const STEPS_PER_CHARACTER = 40;

/** Thrown when a page has taken all of its steps. */
export class BudgetSpentError extends Error {
  override readonly name = 'BudgetSpentError';

  constructor() {
    super('it takes too many steps to read');
  }
}

/**
 * Steps that reading a page can take. A usual page takes about one step for each character. Parsers of other
 * makers, and parts that must be read again, can take far more for a hostile page.
 */
export class ReadingBudget {
  #left: number;

  /** @param length number of characters of the page. */
  constructor(length: number) {
    this.#left = BASE_STEPS + STEPS_PER_CHARACTER * length;
  }

  /** @throws {BudgetSpentError} if fewer steps are left. */
  spend(steps: number): void {
    if (steps > this.#left) this.#left = 0;
    else this.#left -= steps;
    if (this.#left === 0) throw new BudgetSpentError();
  }
}

/** Number of characters from which the time of a parser is assumed to grow with the square of the text. */
const SQUARE_FROM = 2000;

/** Returns the steps of a parser that may take the square of the text's length. */
export function squareSteps(length: number): number {
  return length * Math.max(1, length / SQUARE_FROM);
}

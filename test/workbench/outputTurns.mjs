// @ts-check

/**
 * One of several that print into the same output.
 *
 * @typedef {object} Turn
 * @property {(line: string) => void} print
 * @property {() => void} end
 */

/**
 * Keeps what each of several hosts prints together: the first that has not ended prints at once, the
 * lines of the others are held until those before them have ended.
 */
export class OutputTurns {
  #write;
  /** @type {{ held: string[], hasEnded: boolean }[]} */
  #turns = [];

  /** @param {(line: string) => void} write */
  constructor(write) {
    this.#write = write;
  }

  /** @returns {Turn} after those that have begun before */
  begin() {
    /** @type {string[]} */
    const held = [];
    const turn = { held, hasEnded: false };
    this.#turns.push(turn);
    return {
      print: (line) => {
        if (this.#turns[0] === turn) this.#write(line);
        else held.push(line);
      },
      end: () => {
        turn.hasEnded = true;
        this.#next();
      },
    };
  }

  /** Prints what is still held, for a process that ends before its hosts do. */
  flush() {
    for (const { held } of this.#turns) held.splice(0).forEach((line) => this.#write(line));
  }

  #next() {
    while (this.#turns[0]?.hasEnded) {
      this.#turns.shift();
      this.#turns[0]?.held.splice(0).forEach((line) => this.#write(line));
    }
  }
}

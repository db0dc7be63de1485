import { ModelError } from './model';

/** Characters of an instruction that are no accident in a reply. */
const MIN_ECHO = 60;

/**
 * Ends a reply in which the model repeats its instructions. Nothing in them is secret, but they
 * answer no question. The beginning of a text is held back while it could still be such a repetition.
 */
export class EchoFilter {
  readonly #instructions: string;
  readonly #sentences: readonly string[];
  #start = '';
  #isReleased = false;
  #tail = '';

  constructor(instructions: string) {
    this.#instructions = plain(instructions);
    this.#sentences = instructions
      .split(/\n|(?<=\.) /)
      .map(plain)
      .filter((sentence) => sentence.length >= MIN_ECHO);
  }

  /**
   * Returns the part of the text that is decided by now.
   * @throws {ModelError} `echo`.
   */
  push(piece: string): string {
    this.#tail = (this.#tail + piece).slice(-2000);
    const tail = plain(this.#tail);
    if (this.#sentences.some((sentence) => tail.includes(sentence))) throw new ModelError('echo');
    if (this.#isReleased) return piece;
    this.#start += piece;
    const start = plain(this.#start);
    if (this.#instructions.includes(start)) {
      if (start.length >= MIN_ECHO) throw new ModelError('echo');
      return '';
    }
    return this.end();
  }

  /** Returns what is still held back. */
  end(): string {
    const text = this.#start;
    this.#start = '';
    this.#isReleased = true;
    return text;
  }
}

/** Returns a text without what Markdown and line breaks add. */
function plain(text: string): string {
  return text
    .replace(/[\s*_`>#"“”-]+/gu, ' ')
    .trim()
    .toLowerCase();
}

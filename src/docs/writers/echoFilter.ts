import { ModelError } from './model';
import { REPLY_INSTRUCTIONS } from './prompt';

/** Minimum length of a part of the instructions that is hardly in a reply by chance. */
const MIN_ECHO = 60;

const instructions = plain(REPLY_INSTRUCTIONS);
const sentences = REPLY_INSTRUCTIONS.split(/\n|(?<=\.) /)
  .map(plain)
  .filter((sentence) => sentence.length >= MIN_ECHO);

/**
 * Ends a reply in which the model repeats its instructions. They aren't secret, but they don't answer the
 * question. Holds back the beginning of a text while it can still be such a repetition.
 */
export class EchoFilter {
  #start = '';
  #isReleased = false;
  #tail = '';

  /**
   * Adds a piece of the text, and returns the text that is certain not to be a repetition.
   * @throws {ModelError} `echo` if the text repeats the instructions.
   */
  push(piece: string): string {
    this.#tail = (this.#tail + piece).slice(-2000);
    const tail = plain(this.#tail);
    if (sentences.some((sentence) => tail.includes(sentence))) throw new ModelError('echo');
    if (this.#isReleased) return piece;
    this.#start += piece;
    const start = plain(this.#start);
    if (instructions.includes(start)) {
      if (start.length >= MIN_ECHO) throw new ModelError('echo');
      return '';
    }
    return this.end();
  }

  /** Returns the text that is still held back. */
  end(): string {
    const text = this.#start;
    this.#start = '';
    this.#isReleased = true;
    return text;
  }
}

/** Returns a text in lower case, without Markdown's marks and line breaks. */
function plain(text: string): string {
  return text
    .replace(/[\s*_`>#"“”-]+/gu, ' ')
    .trim()
    .toLowerCase();
}

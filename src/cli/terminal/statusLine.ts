import stringWidth from 'string-width';
import { plainLine } from '../../shared/characters';
import type { CliContext } from '../context';
import type { Output } from '../output';

const DEFAULT_COLUMNS = 80;

/** One line on stderr that says what a command is doing. It is shown only on a terminal. */
export class StatusLine {
  readonly #stream: Output | undefined;
  #shown = '';

  constructor(stream: Output, env: CliContext['env']) {
    // Without escape sequences, the line can't be removed again.
    this.#stream = stream.isTTY && env['TERM'] !== 'dumb' ? stream : undefined;
  }

  /** Replaces the sentence on the line. */
  show(sentence: string): void {
    if (!this.#stream) return;
    const line = fitting(plainLine(sentence), (this.#stream.columns ?? DEFAULT_COLUMNS) - 1);
    if (line === this.#shown) return;
    this.#shown = line;
    this.#stream.replaceLine(line);
  }

  clear(): void {
    if (this.#shown === '') return;
    this.#shown = '';
    this.#stream?.replaceLine();
  }
}

/**
 * Returns the beginning of the text that fits on one line, because a wrapped line can't be removed.
 */
function fitting(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = text.slice(0, Math.max(0, columns));
  while (cut !== '' && stringWidth(cut) > columns - 1) cut = cut.slice(0, -1);
  return cut === '' ? '' : `${cut}…`;
}

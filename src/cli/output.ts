/** Everything that a command prints goes through an {@link Output}. */
import { visibleProse, withoutTabsAndLineBreaks } from '../shared/characters';
import { CiCommandBreaker, jsonWithoutCiCommands } from './ciCommands';

/** A stream of the process. Pipes and files have no columns. */
export interface OutputStream {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
}

/** The styles of a terminal that commands use: SGR sequences with one number. */
// eslint-disable-next-line no-control-regex -- escape sequences are what is found
const style = /(\u001b\[\d{1,2}m)/;
/** Erases the line of a terminal and goes to its start. */
const ERASE_LINE = '\r\u001b[K';
/** Characters of JSON that a terminal executes, and characters that a reader can't see. */
const unseen = /[\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Prints to a stream of the process. Whatever a text contains, it can't control the terminal, hide
 * other text, or give commands to the CI system that reads the log.
 */
export class Output {
  readonly #stream: OutputStream;
  readonly #breaker = new CiCommandBreaker();

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number | undefined {
    return this.#stream.columns;
  }

  /** Prints a text with its line breaks. It can come in pieces. */
  text(piece: string): void {
    this.#write(visibleProse(piece));
  }

  /** Prints a text on a line of its own. Each line break in it becomes a space. */
  line(text: string): void {
    this.text(`${withoutTabsAndLineBreaks(text)}\n`);
  }

  /** Prints a text with the styles of a terminal. What is styled has no escape sequences. */
  styled(piece: string): void {
    const parts = piece.split(style);
    this.#write(parts.map((part, index) => (index % 2 ? part : visibleProse(part))).join(''));
  }

  /** Prints a value as JSON of visible characters: on one line, or indented. */
  json(value: unknown, indent?: number): void {
    this.#write(`${visibleJson(value, indent)}\n`);
  }

  /** Prints a command for the CI system. Only the command at the start of the line is one. */
  ciCommand(line: string): void {
    this.#breaker.restart('middle');
    this.line(line);
  }

  /** Replaces the current line of a terminal. It is empty by default. */
  replaceLine(text = ''): void {
    this.#breaker.restart('start');
    const line = this.#breaker.push(visibleProse(withoutTabsAndLineBreaks(text)));
    this.#stream.write(ERASE_LINE + line);
  }

  #write(text: string): void {
    if (text !== '') this.#stream.write(this.#breaker.push(text));
  }
}

function visibleJson(value: unknown, indent: number | undefined): string {
  return jsonWithoutCiCommands(JSON.stringify(value, undefined, indent)).replace(unseen, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}

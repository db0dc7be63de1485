import { element } from '../dom';
import type { GrammarName } from '../../src/shared/codeLanguages';

/**
 * Maximum size of a piece of code that is laid out as one. Appending code lays out only the last
 * piece again. A longer line shows a break at the end of its piece.
 */
const LINES_PER_PIECE = 100;
const CHARACTERS_PER_PIECE = 10_000;

/**
 * A part of a line in one color. It ends before `end`, in UTF-16 code units from the line's start.
 */
export interface ColoredSpan {
  readonly end: number;
  /** Class of the color, or undefined for the general color of code. */
  readonly className: string | undefined;
}

export interface CodeLine {
  readonly text: string;
  /** False for a last line without a line break, which may still grow. */
  readonly isComplete: boolean;
}

interface Piece {
  /** Text at the end of the piece that is not highlighted yet. New text is appended to it. */
  rest: Text;
}

/**
 * The exact text of a code block. Text is appended at the end and highlighted line by line from the
 * start. A highlighted line is not touched again.
 */
export class CodeText {
  readonly element = element('code');
  #code = '';
  #isFinished = false;
  #pieces: Piece[] = [];
  #linesInLastPiece = 0;
  #charactersInLastPiece = 0;
  /** Number of characters that are highlighted or skipped. */
  #done = 0;
  #pieceToColor = 0;
  /** A highlighted line without a line break. It becomes plain again when it grows. */
  #openLine: { readonly text: string; readonly nodes: readonly ChildNode[] } | undefined;
  #generation = 0;

  get code(): string {
    return this.#code;
  }

  /** Number that changes with every change other than appending. Highlighting then starts over. */
  get generation(): number {
    return this.#generation;
  }

  /** Updates the code. Appending is fast. */
  update(code: string, isFinished: boolean): void {
    this.#isFinished = isFinished;
    if (code === this.#code) return;
    if (code.startsWith(this.#code)) this.#takeBackOpenLine();
    else this.clear();
    const added = code.slice(this.#code.length);
    this.#code = code;
    this.#append(added);
  }

  /**
   * Returns the first line without colors, or undefined if there is none to highlight now.
   * @param ahead number of characters after the highlighted text to skip.
   */
  nextLine(ahead = 0): CodeLine | undefined {
    const start = this.#done + ahead;
    if (start >= this.#code.length) return undefined;
    const lineBreak = this.#code.indexOf('\n', start);
    if (lineBreak >= 0) return { text: this.#code.slice(start, lineBreak + 1), isComplete: true };
    return this.#isFinished ? { text: this.#code.slice(start), isComplete: false } : undefined;
  }

  /** Highlights the line that {@link nextLine} returned. Without spans the line stays plain. */
  color({ text, isComplete }: CodeLine, spans: readonly ColoredSpan[] | undefined): void {
    this.#leaveEmptyPieces();
    const piece = this.#pieces[this.#pieceToColor];
    this.#done += text.length;
    if (!piece || piece.rest.length < text.length) {
      this.#pass(text.length);
      return;
    }
    const plain = this.#cut(piece, text.length);
    if (!spans) return;
    const nodes = coloredNodes(text, spans);
    plain.replaceWith(...nodes);
    if (!isComplete) this.#openLine = { text, nodes };
  }

  clear(): void {
    this.element.replaceChildren();
    this.#code = '';
    this.#pieces = [];
    this.#linesInLastPiece = this.#charactersInLastPiece = 0;
    this.#done = this.#pieceToColor = 0;
    this.#openLine = undefined;
    this.#generation++;
  }

  #takeBackOpenLine(): void {
    const open = this.#openLine;
    const piece = this.#pieces.at(-1);
    if (!open || !piece) return;
    this.#openLine = undefined;
    this.#done -= open.text.length;
    this.#pieceToColor = this.#pieces.length - 1;
    for (const node of open.nodes) node.remove();
    piece.rest.insertData(0, open.text);
  }

  /** @returns the text before the cut, as a node of its own. */
  #cut(piece: Piece, length: number): Text {
    const before = piece.rest;
    piece.rest = before.splitText(length);
    return before;
  }

  #leaveEmptyPieces(): void {
    while (this.#pieceToColor < this.#pieces.length - 1) {
      const piece = this.#pieces[this.#pieceToColor];
      if (piece && piece.rest.length > 0) return;
      piece?.rest.remove();
      this.#pieceToColor++;
    }
  }

  /** Skips a line that spans several pieces. */
  #pass(length: number): void {
    let left = length;
    while (left > 0) {
      this.#leaveEmptyPieces();
      const piece = this.#pieces[this.#pieceToColor];
      if (!piece || piece.rest.length === 0) return;
      const step = Math.min(left, piece.rest.length);
      this.#cut(piece, step);
      left -= step;
    }
  }

  #append(text: string): void {
    let rest = text;
    while (rest !== '') {
      const piece = this.#pieces.at(-1);
      const room = CHARACTERS_PER_PIECE - this.#charactersInLastPiece;
      if (!piece || room <= 0 || this.#linesInLastPiece >= LINES_PER_PIECE) {
        this.#addPiece();
        continue;
      }
      let end = 0;
      while (end < Math.min(room, rest.length) && this.#linesInLastPiece < LINES_PER_PIECE) {
        const lineBreak = rest.indexOf('\n', end);
        end = lineBreak < 0 ? rest.length : lineBreak + 1;
        if (lineBreak >= 0) this.#linesInLastPiece++;
      }
      // A cut must not separate the two halves of a surrogate pair.
      if (end > room) end = /[\ud800-\udbff]/.test(rest.charAt(room - 1)) ? room + 1 : room;
      piece.rest.appendData(rest.slice(0, end));
      this.#charactersInLastPiece += end;
      rest = rest.slice(end);
    }
  }

  #addPiece(): void {
    const rest = document.createTextNode('');
    const created = element('span', { class: 'code-piece' }, rest);
    this.#pieces.push({ rest });
    this.element.append(created);
    this.#linesInLastPiece = this.#charactersInLastPiece = 0;
  }
}

function coloredNodes(text: string, spans: readonly ColoredSpan[]): ChildNode[] {
  const nodes: ChildNode[] = [];
  let start = 0;
  for (const { end, className } of spans) {
    const content = text.slice(start, end);
    start = Math.max(start, end);
    if (content === '') continue;
    nodes.push(
      className === undefined
        ? document.createTextNode(content)
        : element('span', { class: className, text: content }),
    );
  }
  if (start < text.length) nodes.push(document.createTextNode(text.slice(start)));
  return nodes;
}

/** A code block that the highlighter can color. */
export interface HighlightTarget {
  readonly element: Element;
  readonly text: CodeText;
  /** Grammar of the language, or undefined if there is none. */
  readonly grammar: GrammarName | undefined;
}

import { element } from '../dom';

/**
 * Lines and characters laid out together: when code grows, only the last piece is laid out again.
 * A longer line breaks at the end of its piece, for the eye only.
 */
const LINES_PER_PIECE = 100;
const CHARACTERS_PER_PIECE = 10_000;

/** A part of a line in one colour, up to `end` (UTF-16 code units from the line's start). */
export interface ColouredSpan {
  readonly end: number;
  /** Undefined for the colour that all code has. */
  readonly className: string | undefined;
}

export interface CodeLine {
  readonly text: string;
  /** False for a last line without a line break, which may still grow. */
  readonly isComplete: boolean;
}

interface Piece {
  /** What is not coloured yet, at the end of the piece; new text is added to it. */
  rest: Text;
}

/**
 * The text of a code block, to the letter. It grows at its end, and is coloured line by line from
 * its start: a line that has been coloured is never touched again, however much comes after it.
 */
export class CodeText {
  readonly element = element('code');
  #code = '';
  #isFinished = false;
  #pieces: Piece[] = [];
  #linesInLastPiece = 0;
  #charactersInLastPiece = 0;
  /** Characters that are coloured or were passed over. */
  #done = 0;
  #pieceToColour = 0;
  /** A coloured line without a line break, which is taken back when it grows. */
  #openLine: { readonly text: string; readonly nodes: readonly ChildNode[] } | undefined;
  #generation = 0;

  get code(): string {
    return this.#code;
  }

  /** Another number after each change that was not a growth: colouring starts anew then. */
  get generation(): number {
    return this.#generation;
  }

  /** Fast where the code only got longer. */
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
   * The first line that has no colours yet; undefined if there is none to colour now.
   * @param ahead so many characters behind what is coloured are passed over
   */
  nextLine(ahead = 0): CodeLine | undefined {
    const start = this.#done + ahead;
    if (start >= this.#code.length) return undefined;
    const lineBreak = this.#code.indexOf('\n', start);
    if (lineBreak >= 0) return { text: this.#code.slice(start, lineBreak + 1), isComplete: true };
    return this.#isFinished ? { text: this.#code.slice(start), isComplete: false } : undefined;
  }

  /** Colours the line that {@link nextLine} gave; without spans it stays as it is. */
  colour({ text, isComplete }: CodeLine, spans: readonly ColouredSpan[] | undefined): void {
    this.#leaveEmptyPieces();
    const piece = this.#pieces[this.#pieceToColour];
    this.#done += text.length;
    if (!piece || piece.rest.length < text.length) {
      this.#pass(text.length);
      return;
    }
    const plain = this.#cut(piece, text.length);
    if (!spans) return;
    const nodes = colouredNodes(text, spans);
    plain.replaceWith(...nodes);
    if (!isComplete) this.#openLine = { text, nodes };
  }

  clear(): void {
    this.element.replaceChildren();
    this.#code = '';
    this.#pieces = [];
    this.#linesInLastPiece = this.#charactersInLastPiece = 0;
    this.#done = this.#pieceToColour = 0;
    this.#openLine = undefined;
    this.#generation++;
  }

  #takeBackOpenLine(): void {
    const open = this.#openLine;
    const piece = this.#pieces.at(-1);
    if (!open || !piece) return;
    this.#openLine = undefined;
    this.#done -= open.text.length;
    this.#pieceToColour = this.#pieces.length - 1;
    for (const node of open.nodes) node.remove();
    piece.rest.insertData(0, open.text);
  }

  /** @returns the text before, as a node of its own. */
  #cut(piece: Piece, length: number): Text {
    const before = piece.rest;
    piece.rest = before.splitText(length);
    return before;
  }

  #leaveEmptyPieces(): void {
    while (this.#pieceToColour < this.#pieces.length - 1) {
      const piece = this.#pieces[this.#pieceToColour];
      if (piece && piece.rest.length > 0) return;
      piece?.rest.remove();
      this.#pieceToColour++;
    }
  }

  /** Goes past a line that reaches over the end of a piece. */
  #pass(length: number): void {
    let left = length;
    while (left > 0) {
      this.#leaveEmptyPieces();
      const piece = this.#pieces[this.#pieceToColour];
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
      // Never between the halves of a character outside the basic plane.
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

function colouredNodes(text: string, spans: readonly ColouredSpan[]): ChildNode[] {
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

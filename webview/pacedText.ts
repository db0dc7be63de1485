import { writeInFrame } from './frames';

/** So much of a text is drawn between two looks at the clock, or this part of what has come. */
const PIECE_LENGTH = 1_000;
const PIECE_SHARE = 0.25;
/** What a frame may spend on drawing text that came: layout and paint come on top of it. */
const FRAME_BUDGET_MS = 12;

/**
 * Draws text that grows, in each frame no more than there is time for: a frame that has much to
 * draw would keep the page from answering, and more text would come meanwhile.
 */
export class PacedText {
  readonly #draw: (text: string, isFinished: boolean) => void;
  #text = '';
  #isFinished = false;
  /** Characters that are drawn; undefined before the first time, when all of it is. */
  #drawn: number | undefined;
  readonly #goOn = (): void => {
    if (this.#drawn !== this.#text.length) this.#drawDue();
  };

  constructor(draw: (text: string, isFinished: boolean) => void) {
    this.#draw = draw;
  }

  update(text: string, isFinished: boolean): void {
    this.#text = text;
    this.#isFinished = isFinished;
    this.#drawDue();
  }

  #drawDue(): void {
    const text = this.#text;
    const end = performance.now() + FRAME_BUDGET_MS;
    let drawn = Math.min(this.#drawn ?? text.length, text.length);
    do {
      // A share, so that a slow machine falls behind by no more than a few frames.
      const piece = Math.max(PIECE_LENGTH, (text.length - drawn) * PIECE_SHARE);
      drawn = this.#isFinished ? text.length : pieceEnd(text, drawn + Math.ceil(piece));
      const isAll = drawn === text.length;
      this.#draw(isAll ? text : text.slice(0, drawn), isAll && this.#isFinished);
    } while (drawn < text.length && performance.now() < end);
    this.#drawn = drawn;
    if (drawn < text.length) writeInFrame(this.#goOn);
  }
}

/** Never between the two halves of a character. */
function pieceEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at + 1 : at;
}

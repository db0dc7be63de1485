/** Marks around the thoughts that open models write into their text, in lower case. */
const thoughtMarks: ReadonlyMap<string, string> = new Map([
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
]);
const closingMarks: readonly string[] = [...thoughtMarks.values()];
/** Marks that begin the header of a channel. The header ends at {@link HEADER_END}. */
const headerMarks: readonly string[] = ['<|start|>', '<|channel|>'];
const HEADER_END = '<|message|>';
/** Marks that end a channel. */
const channelEnds: readonly string[] = ['<|end|>', '<|return|>'];
const allMarks = [...thoughtMarks.keys(), ...closingMarks, ...headerMarks, ...channelEnds];
const LONGEST_MARK = Math.max(HEADER_END.length, ...allMarks.map((mark) => mark.length));

/** Text that is certain to be no thought. */
export interface FilteredText {
  readonly text: string;
  /** Whether all earlier text was a thought, and must be taken back. */
  readonly takesBack: boolean;
}

/**
 * Removes the thoughts that many open models write into their text: between marks such as `<think>` and
 * `</think>`, or in a channel other than `final`. Thoughts are not part of the reply, and JSON in them is not
 * the list of queries.
 *
 * A thought begins at the start of a line outside code, so that a reply can still be about these marks. Some
 * servers open the thought in their template, and only its closing mark arrives.
 */
export class ThinkingFilter {
  #held = '';
  /** Marks that end the part that is being left out, or undefined while text is passed on. */
  #until: readonly string[] | undefined;
  /** Header of a channel up to its end, or undefined outside headers. */
  #header: string | undefined;
  /** Line that is being passed on, up to now. */
  #line = '';
  #isFenced = false;
  /** Opening marks that are part of the text, each of which can have its closing mark. */
  #mentions = 0;
  #hasThought = false;
  #takesBack = false;
  /** Text that is a thought if its closing mark follows. Undefined if text is passed on at once. */
  #doubtful: string | undefined;

  /** @param isOpened whether the text is expected to begin within a thought, without an opening mark. */
  constructor(isOpened = false) {
    this.#doubtful = isOpened ? '' : undefined;
  }

  /** Whether the text began within a thought: a closing mark came without its opening mark. */
  wasOpened = false;

  push(piece: string): FilteredText {
    this.#held += piece;
    return this.#result(this.#take(false));
  }

  /** Returns the text that was held back because it could be the beginning of a mark. */
  end(): FilteredText {
    const text = this.#take(true);
    const doubtful = this.#doubtful ?? '';
    this.#doubtful = undefined;
    return this.#result(doubtful + text);
  }

  #result(text: string): FilteredText {
    const takesBack = this.#takesBack;
    this.#takesBack = false;
    if (this.#doubtful === undefined) return { text, takesBack };
    this.#doubtful += text;
    return { text: '', takesBack: false };
  }

  #take(isEnd: boolean): string {
    let out = '';
    while (this.#held !== '') {
      if (this.#until) {
        if (!this.#leaveOut(this.#until)) break;
        continue;
      }
      const mark = this.#markAt(this.#held);
      if (mark === 'incomplete' && !isEnd) break;
      if (mark !== undefined && mark !== 'incomplete') {
        if (this.#isPartOfText(mark)) {
          out += this.#pass(mark.length);
          continue;
        }
        this.#held = this.#held.slice(mark.length);
        if (!this.#use(mark)) {
          out = '';
          this.#takesBack = this.#doubtful === undefined;
          this.#doubtful = undefined;
          this.wasOpened = true;
          this.#line = '';
          this.#isFenced = false;
        }
        continue;
      }
      out += this.#pass(nextMark(this.#held));
    }
    return out;
  }

  /** Drops text up to the first of the marks. @returns false if more text is needed. */
  #leaveOut(marks: readonly string[]): boolean {
    const lower = this.#held.toLowerCase();
    const found = marks
      .map((mark) => ({ mark, at: lower.indexOf(mark) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at)[0];
    if (!found) {
      const rest = this.#held.slice(-LONGEST_MARK);
      if (this.#header !== undefined) {
        this.#header += this.#held.slice(0, this.#held.length - rest.length);
      }
      this.#held = rest;
      return false;
    }
    const { mark, at } = found;
    const header = this.#header === undefined ? '' : this.#header + this.#held.slice(0, at);
    this.#held = this.#held.slice(at + mark.length);
    this.#until = undefined;
    this.#header = undefined;
    this.#line = '';
    if (mark === HEADER_END && !/\bfinal\b/i.test(header))
      this.#think([...channelEnds, ...headerMarks]);
    else if (headerMarks.includes(mark)) this.#readHeader();
    return true;
  }

  /** Acts on a mark outside the text. @returns false if everything before the mark was a thought. */
  #use(mark: string): boolean {
    const closing = thoughtMarks.get(mark);
    if (closing !== undefined) this.#think([closing]);
    else if (headerMarks.includes(mark)) this.#readHeader();
    else if (closingMarks.includes(mark)) return this.#hasThought || this.wasOpened;
    return true;
  }

  #think(until: readonly string[]): void {
    this.#hasThought = true;
    this.#until = until;
    if (this.#doubtful?.trim() === '') this.#doubtful = undefined;
  }

  #readHeader(): void {
    this.#header = '';
    this.#until = [HEADER_END];
  }

  /** Returns whether a mark is something that the reply writes about. */
  #isPartOfText(mark: string): boolean {
    // In a thought, code can be unfinished.
    if (this.#doubtful !== undefined && closingMarks.includes(mark)) return false;
    const isInCode = this.#isFenced || (this.#line.split('`').length - 1) % 2 === 1;
    if (isInCode || fence.test(this.#line)) return true;
    const isOpening = thoughtMarks.has(mark);
    if ((isOpening || headerMarks.includes(mark)) && this.#line.trim() !== '') {
      if (isOpening) this.#mentions++;
      return true;
    }
    if (!closingMarks.includes(mark) || this.#mentions === 0) return false;
    this.#mentions--;
    return true;
  }

  /** Returns the mark at the beginning of a text, or whether the text can become one. */
  #markAt(text: string): string | undefined {
    const start = text.slice(0, LONGEST_MARK).toLowerCase();
    const mark = allMarks.find((one) => start.startsWith(one));
    if (mark !== undefined) return mark;
    return allMarks.some((one) => one.startsWith(start)) ? 'incomplete' : undefined;
  }

  /** Passes on the next characters. */
  #pass(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const lines = text.split('\n');
    for (const [place, line] of lines.entries()) {
      this.#line += line;
      if (place === lines.length - 1) break;
      if (fence.test(this.#line)) this.#isFenced = !this.#isFenced;
      this.#line = '';
    }
    return text;
  }
}

const fence = /^\s*(?:```|~~~)/;

/** Returns the place of the next character that can begin a mark, after the first character. */
function nextMark(text: string): number {
  const at = text.slice(1).search(/[<[◁]/u);
  return at < 0 ? text.length : at + 1;
}

import { WaitingOps, type PartOp } from '../shared/replyOps';
import type { MessagePart, ServiceMetadata } from '../shared/uiMessage';

/**
 * Longest reply, in characters of its parts. A book of 3,000 pages fits; an endless stream ends
 * here before it fills the memory (faults.md A17).
 */
export const MAX_REPLY_LENGTH = 16 * 1024 * 1024;

/** Most parts of a reply: each is a list or a box of its own in the view. */
export const MAX_REPLY_PARTS = 2000;

/** The reply is longer than {@link MAX_REPLY_LENGTH} or has more than {@link MAX_REPLY_PARTS}. */
export class ReplyTooLongError extends Error {
  constructor() {
    super('The reply is longer than any real one');
    this.name = 'ReplyTooLongError';
  }
}

/** What a part becomes that has nothing to show. Indexes never shift, so it keeps its place. */
const nothing: MessagePart = { type: 'text', text: '' };

/**
 * The parts of one reply as they come, told by what changes in them. Nothing here depends on how
 * much came before: texts are not even kept, but passed on.
 */
export class ReplyParts {
  readonly #ops = new WaitingOps();
  /** Places of the parts that a person would miss. */
  readonly #filled = new Set<number>();
  #count = 0;
  #length = 0;
  #stepStart = 0;

  /** Returns how many there are, which is the place of the next one. */
  get count(): number {
    return this.#count;
  }

  /** Returns true if there is more than blank text and steps. */
  get hasContent(): boolean {
    return this.#filled.size > 0;
  }

  /**
   * Adds a part.
   * @returns its place.
   * @throws {ReplyTooLongError} with nothing changed.
   */
  add(part: MessagePart): number {
    if (this.#count >= MAX_REPLY_PARTS) throw new ReplyTooLongError();
    const index = this.#count++;
    this.replace(index, part);
    if (part.type === 'step-start') this.#stepStart = this.#count;
    return index;
  }

  /** Puts a part in the place of another one. */
  replace(index: number, part: MessagePart): void {
    this.#ops.put(index, part);
    if (isFilled(part)) this.#filled.add(index);
    else this.#filled.delete(index);
  }

  /** Appends to the text of a part. */
  append(index: number, text: string): void {
    this.#ops.append(index, text);
    if (hasWords(text)) this.#filled.add(index);
  }

  /** Attaches what the service sent with a part for itself. */
  describe(index: number, providerMetadata: ServiceMetadata): void {
    this.#ops.attach(index, { providerMetadata });
  }

  /** Empties what was added since the step began. */
  emptyStep(): void {
    for (let index = this.#stepStart; index < this.#count; index++) this.replace(index, nothing);
    // They are empty now and stay so: a step that starts anew again begins behind them.
    this.#stepStart = this.#count;
  }

  /**
   * Counts characters of a part before they are added.
   * @throws {ReplyTooLongError} with nothing counted.
   */
  countCharacters(length: number): void {
    if (this.#length + length > MAX_REPLY_LENGTH) throw new ReplyTooLongError();
    this.#length += length;
  }

  /** Returns the changes since the last call. */
  take(): PartOp[] {
    return this.#ops.take();
  }
}

function isFilled(part: MessagePart): boolean {
  if (part.type === 'text' || part.type === 'reasoning') return hasWords(part.text);
  return part.type !== 'step-start';
}

function hasWords(text: string): boolean {
  return /\S/.test(text);
}

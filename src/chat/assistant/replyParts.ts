import type { PartOp } from '../../shared/replyOps';
import type { MessagePart, ServiceMetadata, TextPart } from '../../shared/uiMessage';
import { usableSecrets, StreamRedactor } from '../../common/http/redact';
import type { JsonObject } from './serviceMetadata';

/**
 * Longest reply, in characters of its parts. A book of 3,000 pages fits. The limit ends an endless
 * stream before it fills the memory (faults.md A17).
 */
export const MAX_REPLY_LENGTH = 16 * 1024 * 1024;

/** Most parts of a reply. The view draws a list or a box for each. */
export const MAX_REPLY_PARTS = 2000;

/**
 * Thrown when a reply is longer than {@link MAX_REPLY_LENGTH} or has more than {@link
 * MAX_REPLY_PARTS}.
 */
export class ReplyTooLongError extends Error {
  constructor() {
    super('The reply is longer than any real one');
    this.name = 'ReplyTooLongError';
  }
}

/** Takes the place of an emptied part, so that the indexes of later parts don't shift. */
const nothing: MessagePart = { type: 'text', text: '' };

/**
 * Collects the changes of one reply's parts as the service sends them. The cost of a change doesn't
 * depend on the length of the reply, because texts are passed on and not kept.
 */
export class ReplyParts {
  #ops: PartOp[] = [];
  /** Indexes of the parts that have content: more than blank text or the start of a step. */
  readonly #filled = new Set<number>();
  #count = 0;
  #length = 0;
  #stepStart = 0;

  /** Number of parts, which is also the index of the next part. */
  get count(): number {
    return this.#count;
  }

  /** True if the reply has more than blank text and steps. */
  get hasContent(): boolean {
    return this.#filled.size > 0;
  }

  /**
   * Adds a part.
   * @returns the index of the part.
   * @throws {ReplyTooLongError} if the reply would get too long. Nothing is changed then.
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
    this.#ops.push([index, part]);
    if (isFilled(part)) this.#filled.add(index);
    else this.#filled.delete(index);
  }

  append(index: number, text: string): void {
    this.#ops.push([index, text]);
    if (hasWords(text)) this.#filled.add(index);
  }

  /** Attaches the metadata that the service sent with a part. */
  describe(index: number, providerMetadata: ServiceMetadata): void {
    this.#ops.push([index, { providerMetadata }]);
  }

  /** Empties the parts that were added since the step began. */
  emptyStep(): void {
    for (let index = this.#stepStart; index < this.#count; index++) this.replace(index, nothing);
    // The emptied parts stay empty. A step that is started once more begins after them.
    this.#stepStart = this.#count;
  }

  /**
   * Counts characters of a part before they are added.
   * @throws {ReplyTooLongError} if the reply would get too long. Nothing is counted then.
   */
  countCharacters(length: number): void {
    if (this.#length + length > MAX_REPLY_LENGTH) throw new ReplyTooLongError();
    this.#length += length;
  }

  /** Returns the changes since the last call, in their order. They are joined where they wait. */
  take(): PartOp[] {
    const ops = this.#ops;
    this.#ops = [];
    return ops;
  }
}

function isFilled(part: MessagePart): boolean {
  if (part.type === 'text' || part.type === 'reasoning') return hasWords(part.text);
  return part.type !== 'step-start' && part.type !== 'proof';
}

function hasWords(text: string): boolean {
  return /\S/.test(text);
}

/** Most descriptions of repairs that are counted. A hostile service could send endless types. */
const MAX_REPAIRS = 20;

/** Counts repairs of a reply and parts that were left out of it, for the log. */
export class Repairs {
  readonly #counts = new Map<string, number>();

  /** Number of repairs by their description, such as `unknown type x`. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  note(repair: string): void {
    const count = this.#counts.get(repair);
    if (count === undefined && this.#counts.size >= MAX_REPAIRS) return;
    this.#counts.set(repair, (count ?? 0) + 1);
  }
}

export type TextKind = 'text' | 'reasoning';

/** A part whose text may still grow. */
interface OpenText {
  /** Index of the part in the reply. The service's ID is never used as a property name. */
  readonly index: number;
  readonly redactor: StreamRedactor;
  /** Text that was received since the last call of {@link GrowingTexts.flush}. */
  pending: string;
}

/**
 * The growing texts of one reply, by the service's IDs. Deltas of a text are joined until they are
 * taken. Each text gets a start and an end, even if the service sends neither.
 */
export class GrowingTexts {
  readonly #parts: ReplyParts;
  readonly #repairs: Repairs;
  readonly #secrets: readonly string[];
  readonly #open = new Map<string, OpenText>();
  /**
   * Texts that grew since the last call of {@link GrowingTexts.flush}. A text that was closed since
   * then stays in the list, with nothing pending.
   */
  #grown: OpenText[] = [];

  /** @param secrets that are removed from the texts. */
  constructor(parts: ReplyParts, repairs: Repairs, secrets: readonly string[]) {
    this.#parts = parts;
    this.#repairs = repairs;
    this.#secrets = usableSecrets(secrets);
  }

  /**
   * @param role part of the text in a reply of quotes.
   * @throws {ReplyTooLongError} if the reply would get too long. No text is opened then.
   */
  start(kind: TextKind, id: unknown, role?: TextPart['role']): void {
    if (this.#open.has(keyOf(kind, id))) this.end(kind, id);
    this.#openText(kind, id, role);
  }

  /**
   * Appends a delta.
   * @throws {ReplyTooLongError} if the reply would get too long. Nothing is added then.
   */
  grow(kind: TextKind, id: unknown, delta: string): void {
    const text = this.#open.get(keyOf(kind, id)) ?? this.#startImplicitly(kind, id);
    if (delta === '') return;
    this.#parts.countCharacters(delta.length);
    if (text.pending === '') this.#grown.push(text);
    text.pending += delta;
  }

  /**
   * Attaches a service's metadata to reasoning that is still open. Later metadata replaces earlier
   * metadata.
   */
  describeReasoning(id: unknown, metadata: JsonObject): void {
    const text = this.#open.get(keyOf('reasoning', id));
    if (text) this.#parts.describe(text.index, metadata);
  }

  end(kind: TextKind, id: unknown): void {
    const text = this.#open.get(keyOf(kind, id));
    if (!text) {
      this.#repairs.note(`${kind}-end without ${kind}-start`);
      return;
    }
    this.#open.delete(keyOf(kind, id));
    this.#close(text);
  }

  /**
   * Ends all texts. Services reuse IDs in each step, so the same ID means another part after this
   * (faults.md A18).
   */
  endAll(): void {
    for (const text of this.#open.values()) this.#close(text);
    this.#open.clear();
  }

  /** Passes on the text that was received since the last call. */
  flush(): void {
    for (const text of this.#grown) {
      if (text.pending === '') continue;
      this.#append(text, text.redactor.push(text.pending));
      text.pending = '';
    }
    this.#grown = [];
  }

  #startImplicitly(kind: TextKind, id: unknown): OpenText {
    this.#repairs.note(`${kind}-delta before ${kind}-start`);
    return this.#openText(kind, id);
  }

  #openText(kind: TextKind, id: unknown, role?: TextPart['role']): OpenText {
    const text: OpenText = {
      index: this.#parts.add(
        kind === 'text' && role !== undefined
          ? { type: kind, text: '', role }
          : { type: kind, text: '' },
      ),
      redactor: new StreamRedactor(this.#secrets),
      pending: '',
    };
    this.#open.set(keyOf(kind, id), text);
    return text;
  }

  #close(text: OpenText): void {
    this.#append(text, text.redactor.push(text.pending) + text.redactor.end());
    text.pending = '';
  }

  #append({ index }: OpenText, text: string): void {
    if (text !== '') this.#parts.append(index, text);
  }
}

function keyOf(kind: TextKind, id: unknown): string {
  return `${kind} ${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
}

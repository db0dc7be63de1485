import { usableSecrets } from '../common/redact';
import { StreamRedactor } from '../common/streamRedactor';
import type { Oddities } from './oddities';
import type { ReplyParts } from './replyParts';
import type { JsonObject } from './serviceMetadata';

export type TextKind = 'text' | 'reasoning';

/** A part whose text may still grow. */
interface OpenText {
  /** Its place in the reply: no foreign id becomes a key anywhere. */
  readonly index: number;
  readonly redactor: StreamRedactor;
  /** What came of it since the last call of {@link GrowingTexts.flush}. */
  pending: string;
}

/**
 * The texts of one reply that grow, by the service's ids. Deltas of one that wait to be taken are
 * joined, and each has a start before them and an end, whatever the service sent.
 */
export class GrowingTexts {
  readonly #parts: ReplyParts;
  readonly #oddities: Oddities;
  readonly #secrets: readonly string[];
  readonly #open = new Map<string, OpenText>();
  /** Those with something pending. One that was closed since then is among them, with nothing. */
  #grown: OpenText[] = [];
  #lastDelta: { kind: string; id: unknown; text: OpenText } | undefined;

  /** @param secrets which are kept out of them. */
  constructor(parts: ReplyParts, oddities: Oddities, secrets: readonly string[]) {
    this.#parts = parts;
    this.#oddities = oddities;
    this.#secrets = usableSecrets(secrets);
  }

  /** @throws {ReplyTooLongError} with nothing opened. */
  start(kind: TextKind, id: unknown): void {
    if (this.#open.has(keyOf(kind, id))) this.end(kind, id);
    this.#openText(kind, id);
  }

  /**
   * The hot path: no lookup while the same part grows.
   * @throws {ReplyTooLongError} with nothing added.
   */
  grow(kind: TextKind, id: unknown, delta: string): void {
    const last = this.#lastDelta;
    let text = last?.id === id && last?.kind === kind ? last.text : undefined;
    if (!text) {
      text = this.#open.get(keyOf(kind, id)) ?? this.#startImplicitly(kind, id);
      this.#lastDelta = { kind, id, text };
    }
    if (delta === '') return;
    this.#parts.countCharacters(delta.length);
    if (text.pending === '') this.#grown.push(text);
    text.pending += delta;
  }

  /** Attaches a service's metadata to reasoning that is open; the last counts. */
  describeReasoning(id: unknown, metadata: JsonObject): void {
    const text = this.#open.get(keyOf('reasoning', id));
    if (text) this.#parts.describe(text.index, metadata);
  }

  end(kind: TextKind, id: unknown): void {
    const text = this.#open.get(keyOf(kind, id));
    if (!text) {
      this.#oddities.note(`${kind}-end without ${kind}-start`);
      return;
    }
    this.#open.delete(keyOf(kind, id));
    this.#lastDelta = undefined;
    this.#close(text);
  }

  /** Ids start anew with each step: one that comes again is another part (faults.md A18). */
  endAll(): void {
    for (const text of this.#open.values()) this.#close(text);
    this.#open.clear();
    this.#lastDelta = undefined;
  }

  /** Passes on what has come since the last call. */
  flush(): void {
    for (const text of this.#grown) {
      if (text.pending === '') continue;
      this.#append(text, text.redactor.push(text.pending));
      text.pending = '';
    }
    this.#grown = [];
  }

  #startImplicitly(kind: TextKind, id: unknown): OpenText {
    this.#oddities.note(`${kind}-delta before ${kind}-start`);
    return this.#openText(kind, id);
  }

  #openText(kind: TextKind, id: unknown): OpenText {
    const text: OpenText = {
      index: this.#parts.add({ type: kind, text: '' }),
      redactor: new StreamRedactor(this.#secrets),
      pending: '',
    };
    this.#open.set(keyOf(kind, id), text);
    this.#lastDelta = undefined;
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

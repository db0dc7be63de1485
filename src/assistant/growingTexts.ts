import { StreamRedactor } from '../common/streamRedactor';
import type { Oddities } from './oddities';
import type { ReplyChunks } from './replyChunks';
import type { JsonObject } from './serviceMetadata';

export type TextKind = 'text' | 'reasoning';

/** A part whose text may still grow. `id` is ours, so no foreign id becomes a key anywhere. */
interface OpenPart {
  readonly id: string;
  readonly kind: TextKind;
  readonly redactor: StreamRedactor;
  pending: string;
  metadata?: JsonObject;
}

/**
 * The texts of one reply that grow, by the service's ids. Deltas of one that wait to be taken are
 * joined, and each has a start before them and an end, whatever the service sent.
 */
export class GrowingTexts {
  readonly #chunks: ReplyChunks;
  readonly #oddities: Oddities;
  readonly #secrets: readonly string[];
  readonly #open = new Map<string, OpenPart>();
  #grown: OpenPart[] = [];
  #lastDelta: { kind: string; id: unknown; part: OpenPart } | undefined;

  /** @param secrets which are kept out of them. */
  constructor(chunks: ReplyChunks, oddities: Oddities, secrets: readonly string[]) {
    this.#chunks = chunks;
    this.#oddities = oddities;
    this.#secrets = secrets;
  }

  start(kind: TextKind, id: unknown): void {
    if (this.#open.has(keyOf(kind, id))) this.end(kind, id);
    this.#openPart(kind, id);
  }

  /**
   * The hot path: no lookup while the same part grows.
   * @throws {ReplyTooLongError}
   */
  grow(kind: TextKind, id: unknown, delta: string): void {
    const last = this.#lastDelta;
    let part = last?.id === id && last?.kind === kind ? last.part : undefined;
    if (!part) {
      part = this.#open.get(keyOf(kind, id)) ?? this.#startImplicitly(kind, id);
      this.#lastDelta = { kind, id, part };
    }
    if (delta === '') return;
    this.#chunks.countCharacters(delta.length);
    if (part.pending === '') this.#grown.push(part);
    part.pending += delta;
  }

  /** Attaches a service's metadata to a text that is open; the last counts. */
  describe(kind: TextKind, id: unknown, metadata: JsonObject): void {
    const part = this.#open.get(keyOf(kind, id));
    if (part) part.metadata = metadata;
  }

  end(kind: TextKind, id: unknown): void {
    const part = this.#open.get(keyOf(kind, id));
    if (!part) {
      this.#oddities.note(`${kind}-end without ${kind}-start`);
      return;
    }
    this.#open.delete(keyOf(kind, id));
    this.#lastDelta = undefined;
    this.#close(part);
  }

  /** Ids start anew with each step: one that comes again is another part (faults.md A18). */
  endAll(): void {
    for (const part of this.#open.values()) this.#close(part);
    this.#open.clear();
    this.#lastDelta = undefined;
  }

  /** Adds one delta for each text that has grown since the last call. */
  flush(): void {
    for (const part of this.#grown) {
      this.#addDelta(part, part.redactor.push(part.pending));
      part.pending = '';
    }
    this.#grown = [];
  }

  #startImplicitly(kind: TextKind, id: unknown): OpenPart {
    this.#oddities.note(`${kind}-delta before ${kind}-start`);
    return this.#openPart(kind, id);
  }

  #openPart(kind: TextKind, id: unknown): OpenPart {
    const part: OpenPart = {
      id: `part-${this.#chunks.partCount}`,
      kind,
      redactor: new StreamRedactor(this.#secrets),
      pending: '',
    };
    this.#open.set(keyOf(kind, id), part);
    this.#lastDelta = undefined;
    this.#chunks.add({ type: `${kind}-start`, id: part.id });
    return part;
  }

  /** Our end of a part: its last text, and then its end chunk. */
  #close(part: OpenPart): void {
    const delta = part.redactor.push(part.pending) + part.redactor.end();
    part.pending = '';
    this.#grown = this.#grown.filter((grown) => grown !== part);
    this.#addDelta(part, delta);
    const { metadata } = part;
    this.#chunks.goOn({
      type: `${part.kind}-end`,
      id: part.id,
      ...(metadata ? { providerMetadata: { service: metadata } } : {}),
    });
  }

  #addDelta({ kind, id }: OpenPart, delta: string): void {
    if (delta !== '') this.#chunks.goOn({ type: `${kind}-delta`, id, delta });
  }
}

function keyOf(kind: TextKind, id: unknown): string {
  return `${kind} ${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
}

/** The reply: a list of changes, and the one fold that makes parts, text, sources and proof of them. */
import { applyOp, type PartOp } from './replyOps';
import type { MessagePart, ProofPart, ServiceMetadata, SourcePart } from './uiMessage';

/** Thread as the service names it. Only some services send a key, and only once. */
export interface ReplyThread {
  readonly threadId: string;
  readonly threadKey?: string;
}

/**
 * Describes how a reply ended without an error. `incomplete` means that the stream ended without
 * `finish`, `abort` or `[DONE]`, or that the service says so in `finish`.
 */
export interface ReplyEnd {
  readonly status: 'complete' | 'stopped-by-service' | 'incomplete';
  /** True if events could not be read, so that some of the text may be missing. */
  readonly isDegraded: boolean;
  /** True if the reply exceeds the maximum length, so that it is `incomplete`. */
  readonly isTooLong?: true;
  /** True if the service says that the reply lacks its end. */
  readonly isUnfinished?: true;
}

/** Changes of a reply since the change before, from whatever service or engine it comes. */
export interface ReplyChange {
  /** Changes of the parts since the last change. A text either grows or is emptied. */
  readonly ops?: readonly PartOp[];
  /** Quotes of all sources so far, by `sourceId`. Present only if one is new. */
  readonly quotes?: Readonly<Record<string, string>>;
  /** Metadata that the service attached to the message so far. Present only if some is new. */
  readonly metadata?: ServiceMetadata;
  /** Thread at the service. Present once it is known, and again if the service corrects it. */
  readonly serviceThread?: ReplyThread;
  /** End of the reply. Present only in the last change. */
  readonly end?: ReplyEnd;
}

/** Work that the service does for the reply at the moment. */
export type ReplyStep =
  | { readonly name: 'searching'; readonly query?: string }
  | { readonly name: 'writing' };

/** News of a reply after a change, for those who print it while it grows. */
export interface ReplyNews {
  /** Text to append. If `kept` is present, the whole text. */
  readonly text?: string;
  /**
   * Present if the text begins anew, because the service changed what it had written: the number
   * of characters at the start of `text` that were there before.
   */
  readonly kept?: number;
  /** The current step, if it is another one. */
  readonly step?: ReplyStep;
  /** All sources so far. Present if one is new or has changed. */
  readonly sources?: readonly SourcePart[];
  /** Comparison of the reply with its sources, if it is new. */
  readonly proof?: ProofPart;
}

/** The reply as far as its changes have come. */
export interface ReplySoFar {
  /** Texts that have words, as one Markdown text. */
  readonly text: string;
  readonly sources: readonly SourcePart[];
  readonly proof?: ProofPart;
  readonly end?: ReplyEnd;
}

/** Break between two texts of a reply. */
const TEXT_BREAK = '\n\n';

/**
 * Folds the changes of one reply. The cost of a change depends on what changes, and not on the length
 * of the text, unless the service takes back what it has written.
 */
export class ReplyFold implements ReplySoFar {
  #parts: readonly MessagePart[] = [];
  #text = '';
  /** Index of the part that ends the text, or -1 before the first word. */
  #lastText = -1;
  /** Text that the current change appended. */
  #added = '';
  /** Length of the part of the text before the current change that is still valid. */
  #kept = 0;
  #step: ReplyStep | undefined;
  #sources: readonly SourcePart[] = [];
  #proof: ProofPart | undefined;
  #quotes: ReplyChange['quotes'];
  #metadata: ServiceMetadata | undefined;
  #isClosest = false;
  #end: ReplyEnd | undefined;

  get parts(): readonly MessagePart[] {
    return this.#parts;
  }

  get text(): string {
    return this.#text;
  }

  get sources(): readonly SourcePart[] {
    return this.#sources;
  }

  get proof(): ProofPart | undefined {
    return this.#proof;
  }

  /** Quotes of all sources, by `sourceId`. */
  get quotes(): ReplyChange['quotes'] {
    return this.#quotes;
  }

  get metadata(): ServiceMetadata | undefined {
    return this.#metadata;
  }

  /** Whether the reply quotes sections that may not answer the question. */
  get isClosest(): boolean {
    return this.#isClosest;
  }

  get end(): ReplyEnd | undefined {
    return this.#end;
  }

  /**
   * Adds a change, and returns what is new.
   * @throws {TypeError} if the change does not fit. The reply can't be continued then.
   */
  take({ ops = [], quotes, metadata, end }: ReplyChange): ReplyNews {
    this.#quotes = quotes ?? this.#quotes;
    this.#metadata = metadata ?? this.#metadata;
    this.#end = end ?? this.#end;
    return ops.length === 0 ? {} : this.#takeOps(ops);
  }

  #takeOps(ops: readonly PartOp[]): ReplyNews {
    const parts = [...this.#parts];
    const told = this.#text.length;
    this.#added = '';
    this.#kept = told;
    let isSourceNew = false;
    for (const op of ops) {
      const [index, value] = op;
      const before = parts[index];
      if (!applyOp(parts, op)) throw new TypeError('What has changed does not fit the reply');
      this.#followText(op, before, parts);
      if (typeof value === 'string') continue;
      if (value.type === 'text' && value.role === 'closest') this.#isClosest = true;
      isSourceNew ||= before?.type === 'source-url' || value.type === 'source-url';
    }
    this.#parts = parts;
    if (isSourceNew) this.#sources = parts.filter((part) => part.type === 'source-url');
    const isAnew = this.#kept < told;
    const text = isAnew ? this.#text : this.#added;
    return {
      text: text === '' && !isAnew ? undefined : text,
      kept: isAnew ? this.#kept : undefined,
      step: this.#newStep(),
      sources: isSourceNew ? this.#sources : undefined,
      proof: this.#newProof(),
    };
  }

  #followText(
    [index, value]: PartOp,
    before: MessagePart | undefined,
    parts: readonly MessagePart[],
  ): void {
    if (typeof value === 'string' && index === this.#lastText) {
      this.#append(value);
      return;
    }
    const was = wordsOf(before);
    const is = wordsOf(parts[index]);
    if (was === is) return;
    if (index > this.#lastText) {
      this.#append(this.#text === '' ? is : TEXT_BREAK + is);
      this.#lastText = index;
    } else if (index === this.#lastText && is.startsWith(was)) {
      this.#append(is.slice(was.length));
    } else {
      this.#writeAnew(index, is.startsWith(was) ? was.length : 0, parts);
    }
  }

  #append(text: string): void {
    this.#text += text;
    this.#added += text;
  }

  /** Builds the text again. @param kept length of the part's text that is still valid. */
  #writeAnew(index: number, kept: number, parts: readonly MessagePart[]): void {
    const told = this.#text.length - this.#added.length;
    const textOf = (some: readonly MessagePart[]): string =>
      some
        .map(wordsOf)
        .filter((text) => text !== '')
        .join(TEXT_BREAK);
    const start = textOf(parts.slice(0, index));
    const breakLength = start === '' || kept === 0 ? 0 : TEXT_BREAK.length;
    this.#kept = Math.min(this.#kept, start.length + breakLength + kept);
    this.#text = textOf(parts);
    this.#lastText = parts.findLastIndex((part) => wordsOf(part) !== '');
    this.#added = this.#text.slice(Math.min(told, this.#kept));
  }

  #newStep(): ReplyStep | undefined {
    const part = this.#parts.findLast(({ type }) => type === 'search' || type === 'text');
    const step = stepOf(part);
    if (!step || isSameStep(step, this.#step)) return undefined;
    this.#step = step;
    return step;
  }

  #newProof(): ProofPart | undefined {
    const proof = this.#parts.findLast((part) => part.type === 'proof');
    if (!proof || proof === this.#proof) return undefined;
    this.#proof = proof;
    return proof;
  }
}

/** Returns the text of a text part, or an empty string for a blank one and for other parts. */
function wordsOf(part: MessagePart | undefined): string {
  return part?.type === 'text' && /\S/u.test(part.text) ? part.text : '';
}

function stepOf(part: MessagePart | undefined): ReplyStep | undefined {
  if (part?.type === 'search') return { name: 'searching', query: part.query };
  return wordsOf(part) === '' ? undefined : { name: 'writing' };
}

function isSameStep(one: ReplyStep, other: ReplyStep | undefined): boolean {
  return (
    one.name === other?.name &&
    (one.name === 'writing' || other.name === 'writing' || one.query === other.query)
  );
}

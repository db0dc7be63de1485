/**
 * Changes of a reply. The stream becomes changes, which are posted to the view as they are. No step
 * looks at earlier text, so the host sends about as many bytes as the reply's text has.
 */
import {
  partView,
  type MessagePart,
  type ReasoningPart,
  type ServiceMetadata,
  type TextPart,
} from './uiMessage';

/**
 * One change of a part.
 * - `[index, string]`: append to the text of that part.
 * - `[index, part]`: put the part there (at the end, or in place of what is there).
 * - `[index, note]`: attach what the service sent for itself. It stays in the host.
 */
export type PartOp = readonly [index: number, value: string | MessagePart | PartNote];

/** One change as it is posted: a bare `string` appends to the text of the last part. */
export type ReplyOp = string | readonly [index: number, value: string | MessagePart];

/** Metadata that a service attached to an existing part. */
interface PartNote {
  readonly type?: undefined;
  readonly providerMetadata: ServiceMetadata;
}

/** Collects changes of a reply until they are taken. Changes of one part are joined. */
export class WaitingOps {
  readonly #values = new Map<number, string | MessagePart>();
  readonly #notes = new Map<number, PartNote>();

  append(index: number, text: string): void {
    const before = this.#values.get(index);
    this.#values.set(index, before === undefined ? text : appended(before, text));
  }

  /** Puts a part at its place. Parts that are new come in the order of their places. */
  put(index: number, part: MessagePart): void {
    this.#values.set(index, part);
    this.#notes.delete(index);
  }

  /** Adds changes that were taken elsewhere. Of what a service sent for a part, the last counts. */
  add(ops: readonly PartOp[]): void {
    for (const [index, value] of ops) {
      if (typeof value === 'string') this.append(index, value);
      else if (value.type === undefined) this.#notes.set(index, value);
      else this.put(index, value);
    }
  }

  /** Returns the changes since the last call. */
  take(): PartOp[] {
    const ops: PartOp[] = [...this.#values, ...this.#notes];
    this.#values.clear();
    this.#notes.clear();
    return ops;
  }
}

function appended(before: string | MessagePart, text: string): string | MessagePart {
  if (typeof before === 'string') return before + text;
  if (!isText(before)) throw new TypeError(`A ${before.type} part does not grow`);
  return { ...before, text: before.text + text };
}

/** Returns the changes as they are posted. @param partCount how many parts there are with them. */
export function postedOps(ops: readonly PartOp[], partCount: number): ReplyOp[] {
  return ops.flatMap(([index, value]): ReplyOp[] => {
    if (typeof value === 'string') return [index === partCount - 1 ? value : [index, value]];
    return value.type === undefined ? [] : [[index, partView(value)]];
  });
}

/** Applies one change to the list. @returns whether it fits. If not, the list is unchanged. */
export function applyOp(parts: MessagePart[], op: PartOp | ReplyOp): boolean {
  const [index, value] = typeof op === 'string' ? [parts.length - 1, op] : op;
  const part = parts[index];
  if (typeof value === 'string') {
    if (!part || !isText(part)) return false;
    parts[index] = { ...part, text: part.text + value };
  } else if (value.type === undefined) {
    if (part?.type !== 'reasoning' && part?.type !== 'source-url') return false;
    parts[index] = { ...part, providerMetadata: value.providerMetadata };
  } else {
    if (index > parts.length || index < 0) return false;
    parts[index] = value;
  }
  return true;
}

function isText(part: MessagePart): part is TextPart | ReasoningPart {
  return part.type === 'text' || part.type === 'reasoning';
}

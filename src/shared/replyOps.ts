/**
 * What changed in a reply, small enough to be posted many times a second: bytes from host to
 * webview stay close to the bytes of the reply's text.
 */
import type { MessagePart } from './uiMessage';

/**
 * One change of a reply's parts.
 * - `string`: append to the text of the last part.
 * - `[index, string]`: append to the text of that part.
 * - `[index, part]`: put the part there (at the end, or in place of what is there).
 */
export type ReplyOp = string | readonly [index: number, value: string | MessagePart];

/**
 * The changes that turn `before` into `after`, where `after` is a later state of the same reply:
 * texts only grow (comparing them would cost their whole length at every delta).
 */
export function diffParts(
  before: readonly MessagePart[],
  after: readonly MessagePart[],
): ReplyOp[] {
  const ops: ReplyOp[] = [];
  after.forEach((part, index) => {
    const old = before[index];
    if (old === part) return;
    const grown = old && appendedText(old, part);
    if (grown === undefined) ops.push([index, part]);
    else if (grown !== '') ops.push(index === after.length - 1 ? grown : [index, grown]);
  });
  return ops;
}

function appendedText(old: MessagePart, part: MessagePart): string | undefined {
  if (old.type === 'text' || old.type === 'reasoning') {
    if (part.type !== old.type || part.text.length < old.text.length) return undefined;
    return part.text.slice(old.text.length);
  }
  return JSON.stringify(old) === JSON.stringify(part) ? '' : undefined;
}

/**
 * Applies changes and returns the new parts; parts that did not change are the same objects.
 * @returns undefined if the changes do not fit the parts: ask for a snapshot then.
 */
export function applyOps(
  parts: readonly MessagePart[],
  ops: readonly ReplyOp[],
): MessagePart[] | undefined {
  const next = [...parts];
  for (const op of ops) {
    const [index, value] = typeof op === 'string' ? [next.length - 1, op] : op;
    if (typeof value === 'string') {
      const part = next[index];
      if (part?.type !== 'text' && part?.type !== 'reasoning') return undefined;
      next[index] = { ...part, text: part.text + value };
    } else {
      if (index > next.length || index < 0) return undefined;
      next[index] = value;
    }
  }
  return next;
}

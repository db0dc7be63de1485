import assert from 'node:assert/strict';
import { applyOp, type PartOp, type ReplyOp } from '../../src/shared/replyOps';
import type { MessagePart } from '../../src/shared/uiMessage';

/** Returns the parts after the changes, which must fit them. */
export function applied(
  parts: readonly MessagePart[],
  ops: readonly (PartOp | ReplyOp)[],
): MessagePart[] {
  const next = [...parts];
  for (const op of ops) assert.ok(applyOp(next, op), 'the changes do not fit');
  return next;
}

/**
 * Checks messages that arrive at the webview. The host can be trusted, but any script with access
 * to the window can post `message` events, so the view shows nothing that does not match the
 * protocol.
 */
import * as v from 'valibot';
import { messagePartSchema } from '../src/shared/messageSchemas';
import {
  eventEnvelopeSchema,
  hostEventSchemas,
  replyEnvelopeSchema,
  type HostEventName,
  type HostEvents,
  type OpsEnvelope,
  type ReplyEnvelope,
} from '../src/shared/protocol';
import type { ReplyOp } from '../src/shared/replyOps';

/** An event of the protocol with the params of its name. */
export type HostEvent = {
  [Name in HostEventName]: {
    readonly seq: number;
    readonly name: Name;
    readonly params: HostEvents[Name];
  };
}[HostEventName];

type ParsedEnvelope =
  | ReplyEnvelope
  | { readonly kind: 'event'; readonly event: HostEvent }
  | { readonly kind: 'ops'; readonly ops: OpsEnvelope }
  | { readonly kind: 'unreadable'; readonly description: string };

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const op: v.GenericSchema<unknown, ReplyOp> = v.union([
  text,
  v.tuple([count, v.union([text, messagePartSchema])]),
]);
const opsSchema = v.tupleWithRest([count], op);

/**
 * Returns the message in an envelope of this protocol. Returns undefined for values that are
 * neither objects nor arrays, because messages of other scripts don't matter, and `unreadable` for
 * envelopes with errors.
 */
export function parseHostEnvelope(received: unknown): ParsedEnvelope | undefined {
  if (Array.isArray(received)) {
    const ops = v.safeParse(opsSchema, received);
    return ops.success ? { kind: 'ops', ops: ops.output } : unreadable('ops');
  }
  if (typeof received !== 'object' || received === null || !('kind' in received)) return undefined;
  if (received.kind === 'reply') {
    const reply = v.safeParse(replyEnvelopeSchema, received);
    return reply.success ? reply.output : unreadable('reply');
  }
  if (received.kind !== 'event') return undefined;
  const head = v.safeParse(eventEnvelopeSchema, received);
  if (!head.success) return unreadable('event');
  const { seq, name } = head.output;
  const params = v.safeParse<(typeof hostEventSchemas)[HostEventName]>(
    hostEventSchemas[name],
    head.output.params,
  );
  if (!params.success) return unreadable(name);
  // The schema was looked up by this name, which the type checker can't follow.
  return { kind: 'event', event: { seq, name, params: params.output } as HostEvent };
}

function unreadable(what: string): ParsedEnvelope {
  return { kind: 'unreadable', description: `unreadable ${what}` };
}

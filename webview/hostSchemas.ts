/**
 * Checks of what arrives at the webview. The host is ours, but `message` events are anyone's who
 * holds the window, so nothing is shown that does not have the protocol's form.
 */
import * as v from 'valibot';
import { errorActionNames, errorCodes, type ErrorInfo } from '../src/shared/errorInfo';
import { chosenBy, messagePartSchema } from '../src/shared/messagePartSchema';
import {
  mentionKinds,
  overlays,
  type HostEventName,
  type HostEvents,
  type OpsEnvelope,
  type ViewRequestName,
  type ViewRequests,
  type ViewSnapshot,
} from '../src/shared/protocol';
import type { ReplyOp } from '../src/shared/replyOps';
import { replyStatuses, type MessageView, type ThreadView } from '../src/shared/uiMessage';
import type { ViewStrings } from '../src/shared/viewStrings';

/** An event of the protocol with params of its name. */
export type HostEvent = {
  [Name in HostEventName]: {
    readonly seq: number;
    readonly name: Name;
    readonly params: HostEvents[Name];
  };
}[HostEventName];

export type ParsedEnvelope =
  | { readonly kind: 'reply'; readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: false; readonly error: ErrorInfo }
  | { readonly kind: 'event'; readonly event: HostEvent }
  | { readonly kind: 'ops'; readonly ops: OpsEnvelope }
  | { readonly kind: 'unreadable'; readonly description: string };

const text = v.string();
const maybeText = v.exactOptional(v.string());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const contextItem = v.object({
  id: text,
  type: v.picklist(['code', 'textSelection']),
  label: text,
  path: maybeText,
  startLine: v.exactOptional(v.number()),
  endLine: v.exactOptional(v.number()),
  length: v.number(),
});

const attachments = v.array(
  v.object({ id: text, filename: text, mediaType: text, sizeBytes: v.number() }),
);

const branch = v.exactOptional(v.object({ index: count, count }));

const errorInfo: v.GenericSchema<unknown, ErrorInfo> = v.object({
  code: v.picklist(errorCodes),
  message: text,
  actions: v.array(v.picklist(errorActionNames)),
  retryAt: v.exactOptional(v.number()),
});

const replyStatus = v.picklist(replyStatuses);

const message = chosenBy<MessageView>('role', {
  user: v.object({
    role: v.literal('user'),
    id: text,
    createdAt: text,
    text,
    contextItems: v.array(contextItem),
    files: v.exactOptional(attachments),
    branch,
  }),
  assistant: v.object({
    role: v.literal('assistant'),
    id: text,
    createdAt: text,
    parts: v.array(messagePartSchema),
    status: replyStatus,
    error: v.exactOptional(errorInfo),
    notice: maybeText,
    branch,
  }),
});

const thread: v.GenericSchema<unknown, ThreadView> = v.object({
  id: text,
  title: text,
  messages: v.array(message),
});

const site = v.object({
  isConfigured: v.boolean(),
  label: text,
  isLocal: v.boolean(),
  unavailable: v.exactOptional(errorInfo),
  filter: v.object({
    version: maybeText,
    language: maybeText,
    groups: v.exactOptional(v.array(text)),
  }),
});

/** Not key by key: the host sends all of them, in English where they are not translated. */
const stringSchema: v.GenericSchema<unknown, ViewStrings> = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((given) => given as ViewStrings),
);

/** The snapshot as `view-ready` gives it. */
export const snapshotSchema: v.GenericSchema<unknown, ViewSnapshot> = v.object({
  protocolVersion: v.number(),
  seq: count,
  site,
  thread,
  contextItems: v.array(contextItem),
  files: v.exactOptional(attachments),
  page: maybeText,
  suggestions: v.array(text),
  now: v.number(),
  strings: stringSchema,
});

const eventSchemas: {
  readonly [Name in HostEventName]: v.GenericSchema<unknown, HostEvents[Name]>;
} = {
  'thread-shown': v.object({ thread }),
  'message-added': v.object({ message }),
  'reply-status': v.object({
    messageId: text,
    status: replyStatus,
    error: v.exactOptional(errorInfo),
    notice: maybeText,
  }),
  'context-items': v.object({
    items: v.array(contextItem),
    files: v.exactOptional(attachments),
    page: maybeText,
  }),
  'suggestions-changed': v.object({ suggestions: v.array(text) }),
  'code-theme-changed': v.object({}),
  'site-changed': v.object({ site, suggestions: v.array(text) }),
  'composer-focus': v.object({ text: maybeText }),
  'overlay-show': v.object({ overlay: v.picklist(overlays) }),
};

const op: v.GenericSchema<unknown, ReplyOp> = v.union([
  text,
  v.tuple([count, v.union([text, messagePartSchema])]),
]);
const opsSchema = v.tupleWithRest([count], op);

const replySchema = v.variant('ok', [
  v.object({ kind: v.literal('reply'), id: v.number(), ok: v.literal(true), result: v.unknown() }),
  v.object({ kind: v.literal('reply'), id: v.number(), ok: v.literal(false), error: errorInfo }),
]);

const eventHeadSchema = v.object({
  kind: v.literal('event'),
  seq: count,
  name: v.picklist(Object.keys(eventSchemas) as HostEventName[]),
  params: v.unknown(),
});

const excerpt = v.object({
  text,
  matches: v.array(v.object({ start: count, end: count })),
});

/** Results of requests that the view relies on. */
export const resultSchemas = {
  'history-list': v.object({
    entries: v.array(
      v.object({
        id: text,
        title: text,
        updatedAt: text,
        messageCount: count,
        isShown: v.boolean(),
        excerpt: v.exactOptional(excerpt),
      }),
    ),
    isCut: v.boolean(),
  }),
  'mention-list': v.object({
    mentions: v.array(
      v.object({
        id: text,
        kind: v.picklist(mentionKinds),
        label: text,
        detail: text,
        isGroup: v.boolean(),
        isUnavailable: v.exactOptional(v.boolean()),
      }),
    ),
  }),
  'source-describe': v.nullable(
    v.object({ title: text, path: text, quote: maybeText, url: maybeText, file: maybeText }),
  ),
  'code-theme': v.nullable(
    v.object({
      kind: v.picklist(['dark', 'light', 'hc-dark', 'hc-light']),
      foreground: text,
      rules: v.array(
        v.object({ scope: v.array(text), foreground: maybeText, fontStyle: maybeText }),
      ),
    }),
  ),
} satisfies {
  readonly [Name in ViewRequestName]?: v.GenericSchema<unknown, ViewRequests[Name]['result']>;
};

/**
 * The message, if it is one of this protocol's. Not an object or an array at all: undefined, since
 * other scripts' messages are none of our business; almost one of ours: `unreadable`.
 */
export function parseHostEnvelope(received: unknown): ParsedEnvelope | undefined {
  if (Array.isArray(received)) {
    const ops = v.safeParse(opsSchema, received);
    return ops.success ? { kind: 'ops', ops: ops.output } : unreadable('ops');
  }
  if (typeof received !== 'object' || received === null || !('kind' in received)) return undefined;
  if (received.kind === 'reply') {
    const reply = v.safeParse(replySchema, received);
    return reply.success ? reply.output : unreadable('reply');
  }
  if (received.kind !== 'event') return undefined;
  const head = v.safeParse(eventHeadSchema, received);
  if (!head.success) return unreadable('event');
  const { seq, name } = head.output;
  const params = v.safeParse<(typeof eventSchemas)[HostEventName]>(
    eventSchemas[name],
    head.output.params,
  );
  if (!params.success) return unreadable(name);
  // The schema was looked up by this very name, which the type checker cannot follow.
  return { kind: 'event', event: { seq, name, params: params.output } as HostEvent };
}

function unreadable(what: string): ParsedEnvelope {
  return { kind: 'unreadable', description: `unreadable ${what}` };
}

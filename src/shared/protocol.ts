/**
 * The messages between the extension host and the chat webview: types, names and schemas. Both
 * sides import this file and nothing else of each other.
 *
 * Requests go from the webview to the host and are answered exactly once; events go from the host
 * to the webview and are not answered. What arrives at the host is untrusted (the webview renders
 * foreign Markdown): params are parsed with {@link viewRequestSchemas}, and no message carries a
 * path, a command, a header or a secret. The one address that a message may carry is a link that
 * a person clicked, which the host checks again before it opens it.
 */
import * as v from 'valibot';
import { errorActionNames, type ErrorAction, type ErrorInfo } from './errorInfo';
import type { ReplyOp } from './replyOps';
import type { ContextItemView, MessageView, ReplyStatus, ThreadView } from './uiMessage';
import type { ViewStrings } from './viewStrings';

/** Raised when a message changes its meaning. On a mismatch the host reloads the view. */
export const PROTOCOL_VERSION = 1;

/** Characters (UTF-16 code units) of one question, in the composer and on arrival at the host. */
export const MAX_QUESTION_LENGTH = 100_000;

/** Characters of code that the webview may hand to the host to insert, copy or open. */
export const MAX_CODE_LENGTH = 2_000_000;

/** Whether questions can be asked, and where they go. */
export interface SiteView {
  readonly isConfigured: boolean;
  /** What the header shows, such as `acme · docs.example.com`. */
  readonly label: string;
  readonly isLocal: boolean;
  /** Why this site has no assistant, and what answers instead. It is not configured then. */
  readonly unavailable?: ErrorInfo;
  readonly filter: {
    readonly version?: string;
    readonly language?: string;
    readonly groups?: readonly string[];
  };
}

/** Everything the view shows. `seq` is the number of the last event that it includes. */
export interface ViewSnapshot {
  readonly protocolVersion: number;
  readonly seq: number;
  readonly site: SiteView;
  readonly thread: ThreadView;
  readonly contextItems: readonly ContextItemView[];
  /** Questions to start with, shown while the thread is empty. */
  readonly suggestions: readonly string[];
  /** Milliseconds since the epoch at the host, to count down with. */
  readonly now: number;
  readonly strings: ViewStrings;
}

/** What the webview asks. */
export interface ViewRequests {
  'view-ready': { params: { protocolVersion: number }; result: ViewSnapshot };
  'question-submit': { params: { text: string }; result: { messageId: string } };
  'reply-stop': { params: { messageId: string }; result: null };
  'reply-retry': { params: { messageId: string }; result: null };
  'thread-start': { params: Record<string, never>; result: null };
  'context-item-remove': { params: { itemId: string }; result: null };
  'context-item-reveal': { params: { itemId: string }; result: null };
  'context-item-add': { params: Record<string, never>; result: null };
  'source-open': { params: { messageId: string; sourceId: string }; result: null };
  'file-open': { params: { messageId: string; partIndex: number }; result: null };
  'link-open': { params: { href: string }; result: null };
  'code-copy': { params: { text: string }; result: null };
  'code-insert': { params: { text: string }; result: null };
  'code-open': { params: { text: string; language: string }; result: null };
  'action-run': { params: { action: Exclude<ErrorAction, 'retry'> }; result: null };
  'view-log': { params: { level: 'warn' | 'error'; text: string }; result: null };
}

/** What the host tells. Numbered by `seq`; on a gap the view asks for a new snapshot. */
export interface HostEvents {
  'thread-shown': { thread: ThreadView };
  'message-added': { message: MessageView };
  'reply-status': { messageId: string; status: ReplyStatus; error?: ErrorInfo; notice?: string };
  'context-items': { items: readonly ContextItemView[] };
  'site-changed': { site: SiteView; suggestions: readonly string[] };
  'composer-focus': { text?: string };
}

export type ViewRequestName = keyof ViewRequests;
export type HostEventName = keyof HostEvents;

/** A missing or wrongly typed handler does not compile. */
export type ViewRequestHandlers = {
  readonly [Name in ViewRequestName]: (
    params: ViewRequests[Name]['params'],
  ) => Promise<ViewRequests[Name]['result']>;
};

export type HostEventHandlers = {
  readonly [Name in HostEventName]: (params: HostEvents[Name]) => void;
};

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const code = v.pipe(v.string(), v.maxLength(MAX_CODE_LENGTH));
const nothing = v.object({});

/** Checks of what the webview sends, beside the types above. */
export const viewRequestSchemas: {
  readonly [Name in ViewRequestName]: v.GenericSchema<unknown, ViewRequests[Name]['params']>;
} = {
  'view-ready': v.object({ protocolVersion: v.number() }),
  'question-submit': v.object({ text: v.pipe(v.string(), v.maxLength(MAX_QUESTION_LENGTH)) }),
  'reply-stop': v.object({ messageId: id }),
  'reply-retry': v.object({ messageId: id }),
  'thread-start': nothing,
  'context-item-remove': v.object({ itemId: id }),
  'context-item-reveal': v.object({ itemId: id }),
  'context-item-add': nothing,
  'source-open': v.object({ messageId: id, sourceId: v.pipe(v.string(), v.maxLength(2000)) }),
  'file-open': v.object({
    messageId: id,
    partIndex: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  'link-open': v.object({ href: v.pipe(v.string(), v.maxLength(8192)) }),
  'code-copy': v.object({ text: code }),
  'code-insert': v.object({ text: code }),
  'code-open': v.object({ text: code, language: v.pipe(v.string(), v.maxLength(100)) }),
  'action-run': v.object({
    action: v.picklist(errorActionNames.filter((name) => name !== 'retry')),
  }),
  'view-log': v.object({
    level: v.picklist(['warn', 'error']),
    text: v.pipe(v.string(), v.maxLength(2000)),
  }),
};

/** From the webview. */
export interface RequestEnvelope {
  readonly kind: 'request';
  readonly id: number;
  readonly name: ViewRequestName;
  readonly params: unknown;
}

/** From the host: the answer to the request of that id. */
export type ReplyEnvelope =
  | { readonly kind: 'reply'; readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: false; readonly error: ErrorInfo };

/** From the host, unasked. */
export interface EventEnvelope {
  readonly kind: 'event';
  readonly seq: number;
  readonly name: HostEventName;
  readonly params: unknown;
}

/**
 * From the host, many times a second: what changed in the running reply. A bare tuple, since an
 * envelope with names would outweigh the few characters that it brings. It counts in `seq`, and a
 * reply that waited streams from its first tuple on.
 */
export type OpsEnvelope = readonly [seq: number, ...ops: ReplyOp[]];

export type HostEnvelope = ReplyEnvelope | EventEnvelope | OpsEnvelope;

const requestSchema = v.object({
  kind: v.literal('request'),
  id: v.pipe(v.number(), v.integer()),
  name: v.picklist(Object.keys(viewRequestSchemas) as ViewRequestName[]),
  params: v.unknown(),
});

/** The request in a message from the webview; undefined for anything else. */
export function parseRequest(message: unknown): RequestEnvelope | undefined {
  const parsed = v.safeParse(requestSchema, message);
  return parsed.success ? parsed.output : undefined;
}

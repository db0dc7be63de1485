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
import type {
  AttachmentView,
  ContextItemView,
  MessageView,
  ReplyStatus,
  ThreadView,
} from './uiMessage';
import type { ViewStrings } from './viewStrings';

/** Raised when a message changes its meaning. On a mismatch the host reloads the view. */
export const PROTOCOL_VERSION = 2;

/** Characters (UTF-16 code units) of one question, in the composer and on arrival at the host. */
export const MAX_QUESTION_LENGTH = 100_000;

/** Characters of code that the webview may hand to the host to insert, copy or open. */
export const MAX_CODE_LENGTH = 2_000_000;

/** Files of one question, and the bytes of each and of all together. */
export const MAX_FILES = 10;
export const MAX_FILE_BYTES = 5_000_000;
export const MAX_FILES_BYTES = 20_000_000;

/** Characters of a thread's title. */
export const MAX_TITLE_LENGTH = 80;

/** Threads that one answer about the history holds. */
export const MAX_HISTORY_ENTRIES = 500;

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

/** A thread in the history. */
export interface HistoryEntry {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly messageCount: number;
  /** The thread that the panel shows. */
  readonly isShown: boolean;
  /** Plain text around the first match of a search, and where in it the matches are. */
  readonly excerpt?: { readonly text: string; readonly matches: readonly TextRange[] };
}

/** UTF-16 code units, `end` without. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What can be attached by a word in the question. */
export const mentionKinds = ['selection', 'file', 'problems', 'terminal'] as const;

export type MentionKind = (typeof mentionKinds)[number];

/** One thing that completion offers; the host keeps what its id stands for. */
export interface MentionView {
  readonly id: string;
  readonly kind: MentionKind;
  /** Such as `#file` or `start.ts`. */
  readonly label: string;
  /** Such as the folder of a file, or why there is nothing to attach. */
  readonly detail: string;
  /** True for `#file`, which goes on with a choice of files instead of being attached. */
  readonly isGroup: boolean;
  /** There is nothing to attach now, as `detail` says: it is shown but cannot be chosen. */
  readonly isUnavailable?: boolean;
}

/** What is known of a source beyond its address, for whoever points at its citation. */
export interface SourceDescription {
  readonly title: string;
  /** The page's path at its site, such as `/guides/start#tokens`. */
  readonly path: string;
  /** The cited section's text, as plain text of at most 600 characters; absent if unknown. */
  readonly quote?: string;
  /** The page's web address, where the service sent a path alone and its other sources tell it. */
  readonly url?: string;
  /** Path of the page's own file in the workspace, if it is there. */
  readonly file?: string;
}

/** Where a source opens: in the browser, in VS Code's Simple Browser, or as the page's own file. */
export const sourceTargets = ['browser', 'simple-browser', 'file'] as const;

export type SourceTarget = (typeof sourceTargets)[number];

/** The colours of the reader's theme for code, as VS Code's themes hold them. */
export interface CodeThemeView {
  readonly kind: 'dark' | 'light' | 'hc-dark' | 'hc-light';
  readonly foreground: string;
  readonly rules: readonly {
    readonly scope: readonly string[];
    readonly foreground?: string;
    readonly fontStyle?: string;
  }[];
}

/** Everything the view shows. `seq` is the number of the last event that it includes. */
export interface ViewSnapshot {
  readonly protocolVersion: number;
  readonly seq: number;
  readonly site: SiteView;
  readonly thread: ThreadView;
  readonly contextItems: readonly ContextItemView[];
  /** Files for the next question; absent if there are none. */
  readonly files?: readonly AttachmentView[];
  /** Path of the docs page that the next question is about, where a link said so. */
  readonly page?: string;
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
  /** Asks the question of a reply again, however it ended; what there is of it stays as a branch. */
  'reply-retry': { params: { messageId: string }; result: null };
  /** Asks a changed question in the place of an earlier one, as another branch. */
  'question-edit': { params: { messageId: string; text: string }; result: { messageId: string } };
  /** Shows the version of a message with that index, and what came after it. */
  'branch-show': { params: { messageId: string; index: number }; result: null };
  'thread-start': { params: Record<string, never>; result: null };
  'thread-open': { params: { threadId: string }; result: null };
  'thread-rename': { params: { threadId: string; title: string }; result: null };
  'thread-delete': { params: { threadId: string }; result: null };
  /** Takes a `thread-delete` back. */
  'thread-restore': { params: { threadId: string }; result: null };
  /** Saves it as Markdown, where a person says. */
  'thread-export': { params: { threadId: string }; result: null };
  /** Newest first; with a query, those in which every word of it occurs. */
  'history-list': {
    params: { query: string };
    result: { entries: readonly HistoryEntry[]; isCut: boolean };
  };
  'context-item-remove': { params: { itemId: string }; result: null };
  'context-item-reveal': { params: { itemId: string }; result: null };
  'context-item-add': { params: Record<string, never>; result: null };
  'page-remove': { params: Record<string, never>; result: null };
  /** Lets a person choose files. */
  'attachment-pick': { params: Record<string, never>; result: null };
  /** A file that was dropped or pasted; `content` is base64, and says what kind of file it is. */
  'attachment-add': {
    params: { filename: string; content: string };
    result: null;
  };
  'attachment-remove': { params: { attachmentId: string }; result: null };
  /** What completes `#…` in the question: all kinds, or files by a part of their path. */
  'mention-list': {
    params: { kind?: MentionKind; query: string };
    result: { mentions: readonly MentionView[] };
  };
  'mention-add': { params: { mentionId: string }; result: null };
  /** Without a target, where the setting says. */
  'source-open': {
    params: { messageId: string; sourceId: string; target?: SourceTarget };
    result: null;
  };
  'source-describe': {
    params: { messageId: string; sourceId: string };
    result: SourceDescription | null;
  };
  'file-open': { params: { messageId: string; partIndex: number }; result: null };
  'link-open': { params: { href: string }; result: null };
  'code-copy': { params: { text: string }; result: null };
  'code-insert': { params: { text: string }; result: null };
  'code-open': { params: { text: string; language: string }; result: null };
  /** Puts code in the place of the selection that was asked about, once its diff is accepted. */
  'code-replace': { params: { messageId: string; text: string }; result: null };
  'code-run': { params: { text: string; language: string }; result: null };
  'code-save': { params: { text: string; language: string }; result: null };
  'code-theme': { params: Record<string, never>; result: CodeThemeView | null };
  'action-run': { params: { action: Exclude<ErrorAction, 'retry'> }; result: null };
  'view-log': { params: { level: 'warn' | 'error'; text: string }; result: null };
}

/** What the view can show above the thread. */
export const overlays = ['history', 'shortcuts'] as const;

export type Overlay = (typeof overlays)[number];

/** What the host tells. Numbered by `seq`; on a gap the view asks for a new snapshot. */
export interface HostEvents {
  'thread-shown': { thread: ThreadView };
  'message-added': { message: MessageView };
  'reply-status': { messageId: string; status: ReplyStatus; error?: ErrorInfo; notice?: string };
  'context-items': {
    items: readonly ContextItemView[];
    files?: readonly AttachmentView[];
    page?: string;
  };
  'suggestions-changed': { suggestions: readonly string[] };
  'code-theme-changed': Record<string, never>;
  'site-changed': { site: SiteView; suggestions: readonly string[] };
  'composer-focus': { text?: string };
  /** A command asks for what the view can also show by itself. */
  'overlay-show': { overlay: Overlay };
}

export type ViewRequestName = keyof ViewRequests;
export type HostEventName = keyof HostEvents;

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const question = v.pipe(v.string(), v.maxLength(MAX_QUESTION_LENGTH));
const code = v.pipe(v.string(), v.maxLength(MAX_CODE_LENGTH));
const language = v.pipe(v.string(), v.maxLength(100));
const sourceId = v.pipe(v.string(), v.maxLength(2000));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const nothing = v.object({});

/** Checks of what the webview sends, beside the types above. */
export const viewRequestSchemas: {
  readonly [Name in ViewRequestName]: v.GenericSchema<unknown, ViewRequests[Name]['params']>;
} = {
  'view-ready': v.object({ protocolVersion: v.number() }),
  'question-submit': v.object({ text: question }),
  'reply-stop': v.object({ messageId: id }),
  'reply-retry': v.object({ messageId: id }),
  'question-edit': v.object({ messageId: id, text: question }),
  'branch-show': v.object({ messageId: id, index: count }),
  'thread-start': nothing,
  'thread-open': v.object({ threadId: id }),
  'thread-rename': v.object({
    threadId: id,
    title: v.pipe(v.string(), v.maxLength(MAX_TITLE_LENGTH)),
  }),
  'thread-delete': v.object({ threadId: id }),
  'thread-restore': v.object({ threadId: id }),
  'thread-export': v.object({ threadId: id }),
  'history-list': v.object({ query: v.pipe(v.string(), v.maxLength(200)) }),
  'context-item-remove': v.object({ itemId: id }),
  'context-item-reveal': v.object({ itemId: id }),
  'context-item-add': nothing,
  'page-remove': nothing,
  'attachment-pick': nothing,
  'attachment-add': v.object({
    filename: v.pipe(v.string(), v.maxLength(500)),
    content: v.pipe(v.string(), v.maxLength(Math.ceil(MAX_FILE_BYTES / 3) * 4)),
  }),
  'attachment-remove': v.object({ attachmentId: id }),
  'mention-list': v.object({
    kind: v.exactOptional(v.picklist(mentionKinds)),
    query: v.pipe(v.string(), v.maxLength(200)),
  }),
  'mention-add': v.object({ mentionId: id }),
  'source-open': v.object({
    messageId: id,
    sourceId,
    target: v.exactOptional(v.picklist(sourceTargets)),
  }),
  'source-describe': v.object({ messageId: id, sourceId }),
  'file-open': v.object({ messageId: id, partIndex: count }),
  'link-open': v.object({ href: v.pipe(v.string(), v.maxLength(8192)) }),
  'code-copy': v.object({ text: code }),
  'code-insert': v.object({ text: code }),
  'code-open': v.object({ text: code, language }),
  'code-replace': v.object({ messageId: id, text: code }),
  'code-run': v.object({ text: code, language }),
  'code-save': v.object({ text: code, language }),
  'code-theme': nothing,
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

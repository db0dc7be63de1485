/**
 * Defines the messages between the extension host and the chat webview: types, names and schemas.
 * Both sides import this file and nothing else of each other.
 *
 * Requests go from the webview to the host and are answered exactly once. Events go from the host
 * to the webview and are not answered. What arrives at the host is untrusted, because the webview
 * renders foreign Markdown: the host parses params with {@link viewRequestSchemas}, and no message
 * carries a path, a command, a header or a secret. The only URL in a message is a link that a
 * person clicked, and the host checks it again before it opens it.
 */
import * as v from 'valibot';
import { askFilterSchema } from './askFilter';
import { errorActionNames, errorInfoSchema } from './errorInfo';
import { MAX_CODE_LENGTH, MAX_FILE_BYTES, MAX_QUESTION_LENGTH, MAX_TITLE_LENGTH } from './limits';
import {
  attachmentViewSchema,
  contextItemViewSchema,
  messageViewSchema,
  modelOfferSchema,
  offeredWriterSchema,
  replyStatusSchema,
  threadViewSchema,
} from './messageSchemas';
import type { ReplyOp } from './replyOps';
import { count, type Parsed, parsedAs } from './schemas';
import type { ViewStrings } from './viewStrings';

/** Raised when a message changes its meaning. On a mismatch the host reloads the view. */
export const PROTOCOL_VERSION = 4;

const text = v.string();
const optionalText = v.optional(text);
const contextItems = v.array(contextItemViewSchema);
const files = v.optional(v.array(attachmentViewSchema));

/** Schema of the question that was asked while a reply ran. */
const queuedQuestionSchema = v.object({
  text,
  /** Whether it is sent when the reply ends. Otherwise the reply failed or was stopped. */
  isWaiting: v.boolean(),
});

export type QueuedQuestion = Parsed<typeof queuedQuestionSchema>;

const queued = v.optional(queuedQuestionSchema);

/**
 * Schema of what writes the replies of a local docs service: nothing (it quotes the docs), a model
 * of VS Code, or an endpoint.
 */
const answersWithSchema = v.object({
  kind: v.picklist(['quotes', 'vscode', 'endpoint']),
  /** Name of the model, or of what is used instead, in the reader's language. */
  label: text,
});

export type AnswersWith = Parsed<typeof answersWithSchema>;

/** Offer of models that a question waits for. */
export type ModelOfferView = Parsed<typeof modelOfferSchema>;

/** Writer of the replies in an offer of models. */
export type OfferedWriter = v.InferOutput<typeof offeredWriterSchema>;

export const siteSchema = v.object({
  isConfigured: v.boolean(),
  /** Label in the header, such as `acme · docs.example.com`. */
  label: text,
  isLocal: v.boolean(),
  /** Writer of a local docs service's replies. Absent for every other service. */
  answersWith: v.optional(answersWithSchema),
  /**
   * Error that says why this site has no assistant and what to use instead. The site is not
   * configured then.
   */
  unavailable: v.optional(errorInfoSchema),
  /** Whether questions go to installed packages, and can be narrowed to one. */
  hasPackages: v.optional(v.boolean()),
  /** Number of installed packages that can be asked about instead. Absent if there are none, and for a configured site. */
  packages: v.optional(count),
  filter: askFilterSchema,
});

/** The docs site: whether questions can be asked, and where they go. */
export type SiteView = Parsed<typeof siteSchema>;

/** Schema of a range of text in UTF-16 code units. `end` is exclusive. */
const textRangeSchema = v.object({ start: count, end: count });

export type TextRange = Parsed<typeof textRangeSchema>;

export const historyEntrySchema = v.object({
  id: text,
  title: text,
  /** ISO 8601. */
  updatedAt: text,
  messageCount: count,
  /** Whether the panel shows this thread. */
  isShown: v.boolean(),
  /** Plain text around the first match of a search, with the ranges of the matches in it. */
  excerpt: v.optional(v.object({ text, matches: v.array(textRangeSchema) })),
});

/** A thread in the history. */
export type HistoryEntry = Parsed<typeof historyEntrySchema>;

/** Kinds of things that a `#` word in the question can attach. */
export const mentionKinds = ['selection', 'file', 'problems', 'terminal', 'package'] as const;

export type MentionKind = (typeof mentionKinds)[number];

/** Kinds that lead to a list of what `#file:…` and `#package:…` can name. */
export const mentionGroups = ['file', 'package'] as const satisfies readonly MentionKind[];

export type MentionGroup = (typeof mentionGroups)[number];

export const mentionSchema = v.object({
  id: text,
  kind: v.picklist(mentionKinds),
  /** Label such as `#file` or `start.ts`. */
  label: text,
  /** Folder of a file, or the reason why there is nothing to attach. */
  detail: text,
  /**
   * Whether choosing it leads to a list, as `#file` does, instead of attaching something.
   */
  isGroup: v.boolean(),
  /**
   * Whether there is nothing to attach now. The item is shown but can't be chosen, and `detail`
   * says why.
   */
  isUnavailable: v.optional(v.boolean()),
});

/** One suggestion of the completion menu. The host remembers what the ID stands for. */
export type MentionView = Parsed<typeof mentionSchema>;

const textBlockSchema = v.object({ text, isCode: v.boolean() });

/** A part of a quoted section, as plain text: lines of prose, or code as it is. */
export type TextBlock = Parsed<typeof textBlockSchema>;

export const sourceDescriptionSchema = v.object({
  title: text,
  /** Path of the page at its site, such as `/guides/start#tokens`. */
  path: text,
  /** Beginning of the cited section, at most 600 characters. Absent if unknown. */
  quote: v.optional(v.array(textBlockSchema)),
  /**
   * Web address of the page, if the service sent only a path and the other sources reveal the site.
   */
  url: optionalText,
  /** Path of the page's own file in the workspace, if it exists there. */
  file: optionalText,
});

/** Details of a source, for the card that opens on its citation. */
export type SourceDescription = Parsed<typeof sourceDescriptionSchema>;

/**
 * Places where a source can open: the browser, VS Code's Simple Browser, or the page's own file.
 */
export const sourceTargets = ['browser', 'simple-browser', 'file'] as const;

export type SourceTarget = (typeof sourceTargets)[number];

export const codeThemeSchema = v.object({
  kind: v.picklist(['dark', 'light', 'hc-dark', 'hc-light']),
  foreground: text,
  rules: v.array(
    v.object({ scope: v.array(text), foreground: optionalText, fontStyle: optionalText }),
  ),
});

/** Colors of the reader's theme for code, in the form of VS Code's theme files. */
export type CodeThemeView = Parsed<typeof codeThemeSchema>;

/**
 * Schema of the strings. The keys are not checked: the host sends all of them, in English if they
 * are not translated.
 */
const stringsSchema = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((given) => given as ViewStrings),
);

export const snapshotSchema = v.object({
  protocolVersion: v.number(),
  seq: count,
  site: siteSchema,
  thread: threadViewSchema,
  contextItems,
  /** Files for the next question. Absent if there are none. */
  files,
  /** Path of the docs page that the next question is about, if a link named one. */
  page: optionalText,
  /** Name of the installed package that the next question is narrowed to. */
  package: optionalText,
  /** The question that was asked while a reply ran. It goes along with the attachments. */
  queued,
  /** Suggested questions, shown while the thread is empty. */
  suggestions: v.array(text),
  /** Current time at the host, in milliseconds since the epoch. Countdowns use it. */
  now: v.number(),
  strings: stringsSchema,
});

/** Everything that the view shows. `seq` is the number of the last event that is included. */
export type ViewSnapshot = Parsed<typeof snapshotSchema>;

/**
 * Schema of what a command can ask of the view: panels over the thread, and `request`, for which the
 * view sends its draft in a `request-show`.
 */
const overlaySchema = v.picklist(['history', 'shortcuts', 'request']);

export type Overlay = Parsed<typeof overlaySchema>;

/** Schemas of the params of the host's events, by name. The webview checks them. */
export const hostEventSchemas = {
  'thread-shown': v.object({ thread: threadViewSchema }),
  'message-added': v.object({ message: messageViewSchema }),
  'reply-status': v.object({
    messageId: text,
    status: replyStatusSchema,
    error: v.optional(errorInfoSchema),
    notice: optionalText,
    versionNote: optionalText,
    offer: v.optional(modelOfferSchema),
  }),
  'context-items': v.object({
    items: contextItems,
    files,
    page: optionalText,
    package: optionalText,
    queued,
  }),
  'suggestions-changed': v.object({ suggestions: v.array(text) }),
  'code-theme-changed': v.object({}),
  'site-changed': v.object({ site: siteSchema, suggestions: v.array(text) }),
  'composer-focus': v.object({ text: optionalText }),
  /** Shows a panel that a command asked for, or asks for the draft. */
  'overlay-show': v.object({ overlay: overlaySchema }),
} as const satisfies Readonly<Record<string, v.GenericSchema>>;

export type HostEventName = keyof typeof hostEventSchemas;

/**
 * Params of the host's events. Events are numbered by `seq`. If the view sees a gap, it asks for a
 * new snapshot.
 */
export type HostEvents = {
  readonly [Name in HostEventName]: Parsed<(typeof hostEventSchemas)[Name]>;
};

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const question = v.pipe(v.string(), v.maxLength(MAX_QUESTION_LENGTH));
const code = v.pipe(v.string(), v.maxLength(MAX_CODE_LENGTH));
const language = v.pipe(v.string(), v.maxLength(100));
const sourceId = v.pipe(v.string(), v.maxLength(2000));
const nothing = v.object({});
const secretChoice = v.picklist(['redact', 'send']);

/** Decision about secrets in the text of a question. */
export type SecretChoice = v.InferOutput<typeof secretChoice>;

/** Requests of the webview, by name. The host checks their params with these schemas. */
const requestSchemas = {
  'view-ready': v.object({ protocolVersion: v.number() }),
  /** Asks a question. `secrets` is what the person decided about secrets in its text. */
  'question-submit': v.object({ text: question, secrets: v.optional(secretChoice) }),
  /** Removes the question that was asked while a reply ran. */
  'queued-remove': nothing,
  'reply-stop': v.object({ messageId: id }),
  /** Asks the question of a reply again. The old reply stays as a branch. */
  'reply-retry': v.object({ messageId: id }),
  /** Takes or refuses the offer of models that a question waits for. */
  'writer-choose': v.object({ writer: offeredWriterSchema }),
  /** Asks the question of a failed reply again, from the docs on this machine that its error names. */
  'kept-docs-ask': v.object({ messageId: id }),
  /** Asks a changed question in the place of an earlier one, as another branch. */
  'question-edit': v.object({
    messageId: id,
    text: question,
    secrets: v.optional(secretChoice),
  }),
  /** Decides about an attached selection or file in which a secret was found. */
  'secret-choose': v.object({ itemId: id, choice: v.picklist(['redact', 'send', 'remove']) }),
  /** Shows the request that would send the draft, as a document. Nothing is sent. */
  'request-show': v.object({ text: question }),
  /** Shows the version of a message with that index, and the messages after it. */
  'branch-show': v.object({ messageId: id, index: count }),
  'thread-open': v.object({ threadId: id }),
  'thread-rename': v.object({
    threadId: id,
    title: v.pipe(v.string(), v.maxLength(MAX_TITLE_LENGTH)),
  }),
  'thread-delete': v.object({ threadId: id }),
  /** Undoes a `thread-delete`. */
  'thread-restore': v.object({ threadId: id }),
  /** Exports a thread as Markdown to a file that the person chooses. */
  'thread-export': v.object({ threadId: id }),
  /** Lists threads, newest first. With a query, lists the threads that contain every word of it. */
  'history-list': v.object({ query: v.pipe(v.string(), v.maxLength(200)) }),
  'context-item-remove': v.object({ itemId: id }),
  'context-item-reveal': v.object({ itemId: id }),
  'context-item-add': nothing,
  'page-remove': nothing,
  /** Asks about all installed packages again. */
  'package-remove': nothing,
  /** Opens a dialog in which the person chooses files. */
  'attachment-pick': nothing,
  /**
   * Attaches a file that was dropped or pasted. `content` is base64. The host detects the file type
   * from it.
   */
  'attachment-add': v.object({
    filename: v.pipe(v.string(), v.maxLength(500)),
    content: v.pipe(v.string(), v.maxLength(Math.ceil(MAX_FILE_BYTES / 3) * 4)),
  }),
  'attachment-remove': v.object({ attachmentId: id }),
  /**
   * Lists what completes `#…` in the question: all kinds, or the files or installed packages whose path or name
   * contains the query.
   */
  'mention-list': v.object({
    kind: v.optional(v.picklist(mentionKinds)),
    query: v.pipe(v.string(), v.maxLength(200)),
  }),
  'mention-add': v.object({ mentionId: id }),
  /** Opens a source. Without a target, the setting decides where. */
  'source-open': v.object({
    messageId: id,
    sourceId,
    target: v.optional(v.picklist(sourceTargets)),
  }),
  'source-describe': v.object({ messageId: id, sourceId }),
  'file-open': v.object({ messageId: id, partIndex: count }),
  'link-open': v.object({ href: v.pipe(v.string(), v.maxLength(8192)) }),
  'code-copy': v.object({ text: code }),
  'code-insert': v.object({ text: code }),
  'code-open': v.object({ text: code, language }),
  /** Replaces the selection that the question was about, after the person accepts the diff. */
  'code-replace': v.object({ messageId: id, text: code }),
  'code-run': v.object({ text: code, language }),
  'code-save': v.object({ text: code, language }),
  'code-theme': nothing,
  /** Opens a draft of an issue about what the docs don't say, from a reply and its question. */
  'docs-issue-draft': v.object({ messageId: id }),
  /** Adds the question of a reply to a `docs-questions.yaml` of the workspace. */
  'docs-question-add': v.object({ messageId: id }),
  'action-run': v.object({
    action: v.picklist(errorActionNames.filter((name) => name !== 'retry')),
  }),
  'view-log': v.object({
    level: v.picklist(['warn', 'error']),
    text: v.pipe(v.string(), v.maxLength(2000)),
  }),
} as const satisfies Readonly<Record<string, v.GenericSchema>>;

export type ViewRequestName = keyof typeof requestSchemas;

/** Schema of content in which a secret was found: a selection, a file, or `question`, the text itself. */
export const heldContentSchema = v.object({
  id: text,
  name: text,
  /** Names of what was found, such as `GitHub token`. */
  kinds: v.array(text),
});

export type HeldContent = Parsed<typeof heldContentSchema>;

/**
 * Schema of the result for a question: the ID of its reply, that it waits for the end of another reply,
 * or what holds it back. A question that is held back was not sent. The view sends it again when the person has decided.
 */
const acceptedSchema = v.union([
  v.object({ messageId: text }),
  v.object({ isQueued: v.boolean() }),
  v.object({ held: v.array(heldContentSchema) }),
]);

/** Schemas of the results, by the request's name. The result of other requests is null. */
export const resultSchemas = {
  'view-ready': snapshotSchema,
  'question-submit': acceptedSchema,
  'question-edit': acceptedSchema,
  'history-list': v.object({ entries: v.array(historyEntrySchema), isCut: v.boolean() }),
  'mention-list': v.object({ mentions: v.array(mentionSchema) }),
  'source-describe': v.nullable(sourceDescriptionSchema),
  'code-theme': v.nullable(codeThemeSchema),
} as const satisfies { readonly [Name in ViewRequestName]?: v.GenericSchema };

/** Result of a question: the ID of its reply, that it is queued, or what holds it back. */
export type AskResult = Parsed<typeof acceptedSchema>;

type ResultName = keyof typeof resultSchemas;

/** Params and result of each request. */
export type ViewRequests = {
  readonly [Name in ViewRequestName]: {
    readonly params: v.InferOutput<(typeof requestSchemas)[Name]>;
    readonly result: Name extends ResultName ? Parsed<(typeof resultSchemas)[Name]> : null;
  };
};

/** Schemas of the requests' params, typed so that a generic name can index them. */
export const viewRequestSchemas: {
  readonly [Name in ViewRequestName]: v.GenericSchema<unknown, ViewRequests[Name]['params']>;
} = requestSchemas;

const requestEnvelopeSchema = v.object({
  kind: v.literal('request'),
  id: v.pipe(v.number(), v.integer()),
  name: v.picklist(Object.keys(viewRequestSchemas) as ViewRequestName[]),
  params: v.unknown(),
});

/** A request from the webview. */
export type RequestEnvelope = Parsed<typeof requestEnvelopeSchema>;

export const replyEnvelopeSchema = v.variant('ok', [
  v.object({ kind: v.literal('reply'), id: v.number(), ok: v.literal(true), result: v.unknown() }),
  v.object({
    kind: v.literal('reply'),
    id: v.number(),
    ok: v.literal(false),
    error: errorInfoSchema,
  }),
]);

/** The answer of the host to the request with that ID. */
export type ReplyEnvelope = Parsed<typeof replyEnvelopeSchema>;

export const eventEnvelopeSchema = v.object({
  kind: v.literal('event'),
  seq: count,
  name: v.picklist(Object.keys(hostEventSchemas) as HostEventName[]),
  params: v.unknown(),
});

/** An event from the host. */
type EventEnvelope = Parsed<typeof eventEnvelopeSchema>;

/**
 * Changes of the running reply, sent by the host many times a second. A bare tuple, because an
 * object with names would outweigh the few characters that it carries. It has a number of its own
 * in `seq`. A waiting reply starts to stream with its first tuple.
 */
export type OpsEnvelope = readonly [seq: number, ...ops: ReplyOp[]];

export type HostEnvelope = ReplyEnvelope | EventEnvelope | OpsEnvelope;

/** Returns the request in a message from the webview, or undefined for anything else. */
export function parseRequest(message: unknown): RequestEnvelope | undefined {
  return parsedAs(requestEnvelopeSchema, message);
}

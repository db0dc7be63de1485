/**
 * The conversation as the host keeps it and the webview shows it. Parts carry the names of the
 * chat SDK's UI message parts (platform-api.md § Part), plus `search` for a service's search tool and
 * `proof` for its comparison of the reply with the docs.
 */
import type {
  attachmentViewSchema,
  branchSchema,
  contextItemViewSchema,
  filePartSchema,
  messageViewSchema,
  proofPartSchema,
  questionViewSchema,
  reasoningPartSchema,
  replyStatusSchema,
  replyViewSchema,
  searchPartSchema,
  secretMarkSchema,
  sourcePartSchema,
  stepStartPartSchema,
  textPartSchema,
  threadViewSchema,
} from './messageSchemas';
import type { Parsed } from './schemas';

/** Metadata that a service attached to a message or part: plain JSON, limited in size. */
export type ServiceMetadata = Readonly<Record<string, unknown>>;

export type TextPart = Parsed<typeof textPartSchema>;

export interface ReasoningPart extends Parsed<typeof reasoningPartSchema> {
  /** The service's own, to be sent back with the part. Stays in the host. */
  readonly providerMetadata?: ServiceMetadata;
}

/** A cited page. `url` is what the service sent: check its scheme before opening it. */
export interface SourcePart extends Parsed<typeof sourcePartSchema> {
  /** Metadata of the service, as in {@link ReasoningPart}. */
  readonly providerMetadata?: ServiceMetadata;
}

/** A file in a reply. `url` may be `https:` or `data:`; it is never loaded by itself. */
export type FilePart = Parsed<typeof filePartSchema>;

/** Marks the start of a new step. */
type StepStartPart = Parsed<typeof stepStartPartSchema>;

/** A search that the service ran on the way to its reply (field-notes.md § Assistant messages). */
export type SearchPart = Parsed<typeof searchPartSchema>;

/** Comparison of the reply with the docs (field-notes.md § Proven replies). */
export type ProofPart = Parsed<typeof proofPartSchema>;

export type MessagePart =
  | TextPart
  | ReasoningPart
  | SourcePart
  | FilePart
  | StepStartPart
  | SearchPart
  | ProofPart;

/** Returns a part as the webview gets it: without what a service attached to it for itself. */
export function partView(part: MessagePart): MessagePart {
  if (!('providerMetadata' in part)) return part;
  const { providerMetadata: _providerMetadata, ...view } = part;
  return view;
}

/**
 * Status of a reply. `incomplete` means that the stream ended without an end marker, `interrupted`
 * that the window closed or reloaded while the reply was streaming.
 */
export type ReplyStatus = Parsed<typeof replyStatusSchema>;

/** Returns whether the service may still add to the reply. */
export function isReplyRunning(status: ReplyStatus): boolean {
  return status === 'waiting' || status === 'streaming';
}

/** Returns whether a message is a reply that is running. Questions have no status. */
export function isRunningReply({
  status,
}: {
  readonly role: string;
  readonly status?: ReplyStatus;
}): boolean {
  return status !== undefined && isReplyRunning(status);
}

/** Result of the scan for secrets in a content, for its chip. */
export type SecretMark = Parsed<typeof secretMarkSchema>;

/** Context item as its chip shows it. The value stays in the host. */
export type ContextItemView = Parsed<typeof contextItemViewSchema>;

/** A file that a person attached. Its content stays in the host. */
export type AttachmentView = Parsed<typeof attachmentViewSchema>;

/** Position among the versions of a message. */
export type BranchView = Parsed<typeof branchSchema>;

export type QuestionView = Parsed<typeof questionViewSchema>;

export type ReplyView = Parsed<typeof replyViewSchema>;

export type MessageView = Parsed<typeof messageViewSchema>;

/** The branch of a thread that is shown. */
export type ThreadView = Parsed<typeof threadViewSchema>;

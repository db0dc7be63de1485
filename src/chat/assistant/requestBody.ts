/**
 * Builds the JSON body of a question. It has only documented fields and part types (platform-api.md
 * § Assistant request body), and `threadKey` if the service gave one (field-notes.md § Assistant
 * messages). A service of this machine that knows installed packages also gets those of context items.
 */
import type { ContextItem } from '../context/contextItem';
import { MAX_CURRENT_PATH_LENGTH, pagePath } from '../context/documentPaths';
import type { AskFilter } from '../../shared/askFilter';
import { sendableText } from '../../shared/characters';
import {
  type FilePart,
  type MessagePart,
  type ProofPart,
  type SearchPart,
  type ServiceMetadata,
  isReplyRunning,
} from '../../shared/uiMessage';
import type { AskSettings } from '../../site/activeSite';
import { isSentFile, sentFiles } from '../conversation/earlierContent';
import type { Attachment, ThreadMessage } from '../conversation/thread';
import { withoutUndefined } from '../../common/withoutUndefined';

export interface WireMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly createdAt: string;
  readonly parts: readonly WirePart[];
  readonly metadata?: ServiceMetadata;
}

/** Part of a message as the endpoint documents it (platform-api.md § Part). */
type WirePart = Exclude<MessagePart, SearchPart | ProofPart>;

type WireContextItem = Pick<
  ContextItem,
  'type' | 'value' | 'path' | 'elementId' | 'packages' | 'imports'
>;

export interface RequestBody {
  readonly fp: string;
  readonly messages: readonly WireMessage[];
  readonly retrievalPageSize: number;
  readonly threadId?: string;
  readonly threadKey?: string;
  readonly filter?: AskFilter;
  readonly context?: readonly WireContextItem[];
  readonly currentPath?: string;
  /** Installed package to answer from. Only a service of this machine that knows packages gets it. */
  readonly package?: string;
}

/** Everything that a request body is made from. */
export interface RequestBodyInput {
  readonly settings: AskSettings;
  /** The messages of the thread, up to and including the question. */
  readonly messages: readonly ThreadMessage[];
  /** Context items of the new question, and of earlier ones that the service doesn't know. */
  readonly contextItems: readonly ContextItem[];
  /** A path longer than 200 UTF-16 code units isn't sent. The log gets a warning. */
  readonly currentPath?: string;
  /** Installed package to answer from. Only a service of this machine that knows packages gets it. */
  readonly package?: string;
  readonly threadId?: string;
  readonly threadKey?: string;
}

/**
 * Builds the body. Lone surrogates and NUL characters are replaced or removed, because databases
 * and strict parsers refuse them. Optional fields without a value are left out. A `currentPath`
 * over {@link MAX_CURRENT_PATH_LENGTH} is left out too, because it is only a hint, which must not
 * fail the question.
 */
export function requestBody(input: RequestBodyInput): RequestBody {
  const { settings, threadId, threadKey } = input;
  const filter = wireFilter(settings);
  const { hasPackages = false } = settings;
  const context = input.contextItems.map((item) => wireContextItem(item, hasPackages));
  const currentPath = input.currentPath ? pagePath(sendableText(input.currentPath)) : '';
  const files = sentFiles(input.messages);
  return withoutUndefined({
    fp: sendableText(settings.fp).trim() || 'anonymous',
    messages: input.messages.flatMap((message) => wireMessage(message, files)),
    retrievalPageSize: settings.retrievalPageSize,
    threadId: threadId || undefined,
    threadKey: threadId && threadKey ? threadKey : undefined,
    filter,
    context: context.length > 0 ? context : undefined,
    currentPath:
      currentPath && currentPath.length <= MAX_CURRENT_PATH_LENGTH ? currentPath : undefined,
    // The API document has no such field, and a hosted site must not learn what is installed.
    package: hasPackages ? input.package : undefined,
  });
}

/** Returns the filter of the settings without blank values, or undefined if it filters nothing. */
export function wireFilter({ filter }: Pick<AskSettings, 'filter'>): AskFilter | undefined {
  const version = sendableText(filter.version ?? '').trim();
  const language = sendableText(filter.language ?? '').trim();
  const groups = (filter.groups ?? []).map((group) => sendableText(group).trim()).filter(Boolean);
  const wire = withoutUndefined({
    version: version || undefined,
    language: language || undefined,
    groups: groups.length > 0 ? groups : undefined,
  });
  return Object.keys(wire).length > 0 ? wire : undefined;
}

function wireContextItem(item: ContextItem, hasPackages: boolean): WireContextItem {
  return withoutUndefined({
    type: item.type,
    value: sendableText(item.value),
    path: item.path ? sendableText(item.path) : undefined,
    elementId: item.elementId ? sendableText(item.elementId) : undefined,
    // A hosted site must not learn what is installed.
    packages: hasPackages ? item.packages : undefined,
    imports: hasPackages ? item.imports : undefined,
  });
}

/**
 * Returns a message as it is sent. A reply without anything to send, such as one that failed at
 * once, is left out.
 */
function wireMessage(message: ThreadMessage, sent: ReadonlySet<Attachment>): WireMessage[] {
  const { id, role, createdAt } = message;
  if (role === 'user') {
    const files = (message.files ?? []).filter((file) => sent.has(file)).map(wireFile);
    const text = { type: 'text', text: sendableText(message.text) } as const;
    return [{ id, role, createdAt, parts: [text, ...files] }];
  }
  if (isReplyRunning(message.status)) return [];
  const parts = message.parts.flatMap(wirePart);
  if (parts.every((part) => part.type === 'step-start')) return [];
  const metadata = { status: message.status, ...message.metadata };
  return [{ id, role, createdAt, parts, metadata }];
}

function wirePart(part: MessagePart): WirePart[] {
  switch (part.type) {
    case 'text': {
      const text = sendableText(part.text);
      return text === '' ? [] : [{ type: part.type, text }];
    }
    case 'reasoning': {
      const text = sendableText(part.text);
      const metadata = wireMetadata(part);
      // Models that hide their reasoning send only its metadata.
      return text === '' && !('providerMetadata' in metadata)
        ? []
        : [{ type: part.type, text, ...metadata }];
    }
    case 'source-url': {
      if (part.url === '') return [];
      return [
        withoutUndefined({
          type: 'source-url' as const,
          sourceId: sendableText(part.sourceId),
          url: sendableText(part.url),
          title: sendableText(part.title ?? '') || undefined,
          ...wireMetadata(part),
        }),
      ];
    }
    case 'file':
      return isSentFile(part) ? [wireFile(part)] : [];
    case 'step-start':
      return [{ type: 'step-start' }];
    // The endpoint doesn't document these part types.
    case 'search':
    case 'proof':
      return [];
  }
}

function wireMetadata({ providerMetadata }: { readonly providerMetadata?: ServiceMetadata }): {
  readonly providerMetadata?: ServiceMetadata;
} {
  const isEmpty = !providerMetadata || Object.keys(providerMetadata).length === 0;
  return isEmpty ? {} : { providerMetadata };
}

function wireFile(file: Pick<FilePart, 'mediaType' | 'url' | 'filename'>): WirePart {
  return withoutUndefined({
    type: 'file' as const,
    mediaType: sendableText(file.mediaType),
    url: sendableText(file.url),
    filename: sendableText(file.filename ?? '') || undefined,
  });
}

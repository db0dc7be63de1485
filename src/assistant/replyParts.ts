import {
  readUIMessageStream,
  type ProviderMetadata,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import type { MessagePart, SearchPart, ServiceMetadata } from '../shared/uiMessage';

interface ReplyMetadata {
  /** How many batches of chunks the message holds. */
  readonly batch?: number;
}

/** Parts beside those of `ai`, each carried by a `data-*` chunk of the same name. */
type ReplyDataParts = {
  search: SearchPart;
  /** The step up to here was started anew: what it brought does not count. */
  reset: null;
};

type ReplyMessage = UIMessage<ReplyMetadata, ReplyDataParts>;

/** What a part becomes that has nothing to show. Indexes never shift, so it keeps its place. */
const nothing: MessagePart = { type: 'text', text: '' };

/** Folds chunks with the reducer of `ai` and gives its message's parts as ours. */
export class ReplyParts {
  readonly #snapshots: ReadableStreamDefaultReader<ReplyMessage>;
  #chunks: ReadableStreamDefaultController<UIMessageChunk> | undefined;
  #batch = 0;
  #parts: readonly MessagePart[] = [];

  constructor() {
    const stream = new ReadableStream<UIMessageChunk>({
      start: (controller) => {
        this.#chunks = controller;
      },
    });
    this.#snapshots = readUIMessageStream<ReplyMessage>({
      stream,
      terminateOnError: true,
    }).getReader();
  }

  get parts(): readonly MessagePart[] {
    return this.#parts;
  }

  /**
   * The parts with the chunks folded in. Parts that did not change are the same objects as before;
   * if none changed, so is the list.
   */
  async fold(chunks: readonly UIMessageChunk[]): Promise<readonly MessagePart[]> {
    if (chunks.length === 0) return this.#parts;
    for (const chunk of chunks) this.#chunks?.enqueue(chunk);
    // The reducer gives a snapshot for most chunks but not for all: this one tells the last.
    this.#batch++;
    this.#chunks?.enqueue({ type: 'message-metadata', messageMetadata: { batch: this.#batch } });
    for (;;) {
      const { done, value: message } = await this.#snapshots.read();
      if (done) throw new Error('The reducer ended before its stream');
      if (message.metadata?.batch === this.#batch) return (this.#parts = this.#mapped(message));
    }
  }

  /** Lets go of the reducer. */
  async dispose(): Promise<void> {
    await this.#snapshots.cancel();
  }

  #mapped(message: ReplyMessage): readonly MessagePart[] {
    const parts: MessagePart[] = [];
    let stepStart = 0;
    for (const [index, part] of message.parts.entries()) {
      if (part.type === 'step-start') stepStart = index + 1;
      if (part.type === 'data-reset') parts.fill(nothing, stepStart);
      parts.push(partOf(part));
    }
    const before = this.#parts;
    parts.forEach((part, index) => {
      const old = before[index];
      if (old && isSame(old, part)) parts[index] = old;
    });
    const isUnchanged =
      parts.length === before.length && parts.every((part, index) => part === before[index]);
    return isUnchanged ? before : parts;
  }
}

function partOf(part: ReplyMessage['parts'][number]): MessagePart {
  switch (part.type) {
    case 'text':
      return { type: part.type, text: part.text };
    case 'reasoning':
      return { type: part.type, text: part.text, ...metadataOf(part) };
    case 'source-url': {
      const { type, sourceId, url, title } = part;
      return {
        type,
        sourceId,
        url,
        ...(title === undefined ? {} : { title }),
        ...metadataOf(part),
      };
    }
    case 'file': {
      const filename = part.providerMetadata?.['file']?.['filename'];
      return {
        type: 'file',
        mediaType: part.mediaType,
        url: part.url,
        ...(typeof filename === 'string' ? { filename } : {}),
      };
    }
    case 'step-start':
      return { type: 'step-start' };
    case 'data-search':
      return part.data;
    default:
      return nothing;
  }
}

/** What the service attached, which the chunk carries as that of one provider. */
function metadataOf({ providerMetadata }: { readonly providerMetadata?: ProviderMetadata }): {
  readonly providerMetadata?: ServiceMetadata;
} {
  const metadata = providerMetadata?.['service'];
  return metadata ? { providerMetadata: metadata } : {};
}

/** Compares without reading texts: they only grow, and what a source or file is never changes. */
function isSame(old: MessagePart, part: MessagePart): boolean {
  if (old.type !== part.type) return false;
  if (old.type === 'text' || old.type === 'reasoning') {
    const isSameLength = 'text' in part && old.text.length === part.text.length;
    return isSameLength && JSON.stringify(metadataIn(old)) === JSON.stringify(metadataIn(part));
  }
  if (old.type !== 'search' || part.type !== 'search') return true;
  return (
    old.state === part.state && old.query === part.query && old.resultCount === part.resultCount
  );
}

function metadataIn(part: MessagePart): ServiceMetadata | undefined {
  return 'providerMetadata' in part ? part.providerMetadata : undefined;
}

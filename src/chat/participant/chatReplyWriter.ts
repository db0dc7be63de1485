import type { Translate } from '../../common/errors';
import { applyOps, type PartOp } from '../../shared/replyOps';
import type { MessagePart, SearchPart } from '../../shared/uiMessage';
import { viewStrings } from '../../shared/viewStrings';
import { sourceAddress } from '../sources/sourceAddress';

/** Output of a reply in VS Code's chat. Written text can't be taken back. */
export interface ChatReply {
  /** Shows a line of progress until the next part is written. */
  readonly progress: (sentence: string) => void;
  readonly markdown: (text: string) => void;
  /** Lists a web page that the reply is based on. */
  readonly reference: (url: string) => void;
}

/** Writes the changes of a reply into VS Code's chat as they come. */
export class ChatReplyWriter {
  readonly #reply: ChatReply;
  readonly #translate: Translate;
  readonly #references = new Set<string>();
  readonly #searched = new Set<string>();
  #parts: readonly MessagePart[] = [];
  #isThinking = false;
  /** The last written characters. */
  #tail = '';

  constructor(reply: ChatReply, translate: Translate) {
    this.#reply = reply;
    this.#translate = translate;
  }

  /** The reply as far as it was read. */
  get parts(): readonly MessagePart[] {
    return this.#parts;
  }

  /**
   * Writes the changes. Text that the service took back stays, and a new paragraph begins below it.
   */
  write(ops: readonly PartOp[]): void {
    for (const op of ops) {
      const before = this.#parts;
      const parts = applyOps(before, [op]);
      if (!parts) throw new TypeError('What has changed does not fit the reply');
      this.#parts = parts;
      const [index, value] = op;
      const part = parts[index];
      if (typeof value !== 'string' && value.type === undefined) continue;
      if (part?.type === 'text')
        this.#text(typeof value === 'string' ? value : part.text, op, before);
      else if (part) this.#other(part);
    }
  }

  /** Writes a block of Markdown below the text. */
  block(markdown: string): void {
    this.#startParagraph();
    this.#markdown(markdown);
  }

  #text(text: string, [index, value]: PartOp, before: readonly MessagePart[]): void {
    if (typeof value === 'string') {
      this.#markdown(text);
      return;
    }
    const old = before[index];
    const written = old?.type === 'text' ? old.text : undefined;
    if (written !== undefined && text.startsWith(written)) {
      this.#markdown(text.slice(written.length));
      return;
    }
    if (text !== '' || written !== undefined) this.#startParagraph();
    this.#markdown(text);
  }

  #other(part: MessagePart): void {
    switch (part.type) {
      case 'search':
        this.#search(part);
        return;
      case 'source-url': {
        const url = sourceAddress(part.url)?.url?.href;
        if (url === undefined || this.#references.has(url)) return;
        this.#references.add(url);
        this.#reply.reference(url);
        return;
      }
      case 'reasoning':
        if (!this.#isThinking) this.#reply.progress(this.#translate(viewStrings.reasoningRunning));
        this.#isThinking = true;
        return;
      default:
    }
  }

  #search({ toolCallId, state, query }: SearchPart): void {
    const shown = `${toolCallId} ${query ?? ''}`;
    if (state !== 'running' || this.#searched.has(shown)) return;
    this.#searched.add(shown);
    this.#reply.progress(
      query === undefined
        ? this.#translate(viewStrings.searchingPlain)
        : this.#translate(viewStrings.searching, query),
    );
  }

  #startParagraph(): void {
    if (this.#tail !== '' && !this.#tail.endsWith('\n\n')) this.#markdown('\n\n');
  }

  #markdown(text: string): void {
    if (text === '') return;
    this.#tail = (this.#tail + text).slice(-2);
    this.#reply.markdown(text);
  }
}

import type { Translate } from '../../common/errors';
import { type ReplyChange, ReplyFold, type ReplyNews } from '../../shared/reply';
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
  readonly #fold = new ReplyFold();
  /** Index of the part whose text was written last. */
  #textIndex = -1;
  #isThinking = false;
  /** The last written characters. */
  #tail = '';

  constructor(reply: ChatReply, translate: Translate) {
    this.#reply = reply;
    this.#translate = translate;
  }

  /** The reply as far as it was written. */
  get fold(): Pick<ReplyFold, 'parts' | 'quotes' | 'metadata'> {
    return this.#fold;
  }

  /**
   * Writes a change. Text that the service took back stays, and a new paragraph begins below it.
   * @throws {TypeError} if the change does not fit.
   */
  write({ ops = [], quotes, metadata }: ReplyChange): void {
    this.#fold.take({ quotes, metadata });
    // Searches and sources are shown between the texts in the order in which they came.
    for (const op of ops) {
      const news = this.#fold.take({ ops: [op] });
      const [index, value] = op;
      this.#text(index, news);
      if (typeof value !== 'string' && value.type !== undefined) this.#other(value);
    }
  }

  /** Writes a block of Markdown below the text. */
  block(markdown: string): void {
    this.#startParagraph();
    this.#markdown(markdown);
  }

  #text(index: number, { text, kept }: ReplyNews): void {
    if (text === undefined) return;
    const isGrowing = index === this.#textIndex && kept === undefined;
    this.#textIndex = index;
    if (isGrowing) {
      this.#markdown(text);
      return;
    }
    this.#startParagraph();
    this.#markdown(text.slice(kept).replace(/^\n+/u, ''));
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

import { overlap } from '../common/http/redact';
import { LOCAL_DOCS_PATH } from '../chat/sources/sourceAddress';
import type { AskUpdate } from './askStream';
import type { SourcePart } from '../shared/uiMessage';

/** Characters that end a URL in Markdown. */
const urlEnd = /[\s()<>"'\]]/;

/**
 * Replaces URLs of a local docs service with the files of their pages. After the command, the
 * service and its URLs no longer exist.
 */
export class PageAddresses {
  readonly #prefix: string;
  readonly #fileOf: (page: string) => string;
  /** End of the text that can be the beginning of a URL. */
  #held = '';

  /**
   * @param serviceUrl base URL of the service.
   * @param fileOf returns the name of a page, from its percent-encoded path with its fragment.
   */
  constructor(serviceUrl: string, fileOf: (page: string) => string) {
    this.#prefix = `${serviceUrl}${LOCAL_DOCS_PATH}`;
    this.#fileOf = fileOf;
  }

  /** Returns the update with files in place of URLs. A URL that isn't whole waits for its end. */
  update({ text, sources, ...update }: AskUpdate): AskUpdate {
    if (update.isReset) this.#held = '';
    const all = this.#held + (text ?? '');
    const held = update.end ? 0 : this.#heldLength(all);
    this.#held = all.slice(all.length - held);
    const shown = this.#replaced(all.slice(0, all.length - held));
    return {
      ...update,
      ...(shown === '' ? {} : { text: shown }),
      ...(sources ? { sources: sources.map((source) => this.#source(source)) } : {}),
    };
  }

  /** Returns the text that is still held back, such as after a reply that broke off. */
  rest(): string {
    const rest = this.#replaced(this.#held);
    this.#held = '';
    return rest;
  }

  #heldLength(text: string): number {
    const start = text.lastIndexOf(this.#prefix);
    if (start < 0 || urlEnd.test(text.slice(start))) return overlap(text, this.#prefix);
    return text.length - start;
  }

  #source(source: SourcePart): SourcePart {
    return { ...source, url: this.#replaced(source.url) };
  }

  #replaced(text: string): string {
    const [before = '', ...pieces] = text.split(this.#prefix);
    return pieces.reduce((result, piece) => {
      const end = piece.search(urlEnd);
      const page = end < 0 ? piece : piece.slice(0, end);
      return result + this.#fileOf(page) + piece.slice(page.length);
    }, before);
  }
}

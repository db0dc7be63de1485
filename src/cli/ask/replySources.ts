import { plainLine, visibleText } from '../../shared/characters';
import type { SourcePart } from '../../shared/uiMessage';

/** A page that a reply cites or links to. */
interface NumberedSource {
  readonly number: number;
  readonly title: string;
  readonly url: string;
}

/** Numbers the pages of a reply in the order in which they first occur. */
export class SourceNumbers {
  readonly #byUrl = new Map<string, NumberedSource>();

  /** Returns the number of a page, and gives a new page the next number. */
  numberOf(url: string, title: string): number {
    const known = this.#byUrl.get(url);
    if (known) return known.number;
    const number = this.#byUrl.size + 1;
    const shownUrl = shown(url);
    this.#byUrl.set(url, { number, title: shown(title) || shownUrl, url: shownUrl });
    return number;
  }

  get all(): readonly NumberedSource[] {
    return [...this.#byUrl.values()];
  }
}

/** Returns a text as one line without invisible characters. */
const shown = (text: string): string => visibleText(plainLine(text));

/** Returns the sources of a reply with their numbers, each page once. */
export function numberedSources(sources: readonly SourcePart[]): readonly NumberedSource[] {
  const numbers = new SourceNumbers();
  for (const { url, title = '' } of sources) if (url !== '') numbers.numberOf(url, title);
  return numbers.all;
}

import type { DocsLibrary } from './docsLibrary';
import type { DocsIndex } from './search/docsIndex';
import { JoinedIndex } from './search/joinedIndex';

/** The sets of docs that one request asks, each with its library. */
export class AskedDocs {
  readonly libraries: readonly DocsLibrary[];
  readonly index: DocsIndex;

  /** @param libraries of the sets. None if the engine has no such set. */
  constructor(libraries: readonly DocsLibrary[]) {
    this.libraries = libraries;
    const [first] = libraries;
    this.index =
      first && libraries.length === 1
        ? first.index
        : new JoinedIndex(libraries.map(({ index }) => index));
  }

  /** Whether all pages of the sets are indexed. */
  get isIndexed(): boolean {
    return this.libraries.every(({ isIndexed }) => isIndexed);
  }
}

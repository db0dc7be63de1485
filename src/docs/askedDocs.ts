import type { DocsLibrary } from './docsLibrary';
import type { DocsIndex, IndexedSet } from './search/docsIndex';
import { JoinedIndex } from './search/joinedIndex';
import type { PageSource } from './sources/pageSource';

/** A set of docs as requests read it. */
export interface ReadableSet {
  readonly index: DocsIndex & IndexedSet;
  readonly source: Pick<PageSource, 'read' | 'readIncludes' | 'readConfig' | 'readFile'>;
  /** Whether all pages that existed at the start are indexed. */
  readonly isIndexed: boolean;
}

/** The sets of docs that one request asks. */
export interface AskedDocs {
  /** None if the engine has no such set. */
  readonly libraries: readonly ReadableSet[];
  readonly index: DocsIndex;
  /** Whether all pages of the sets are indexed. */
  readonly isIndexed: boolean;
}

/** Returns the docs of some sets together. */
export function askedDocs(libraries: readonly DocsLibrary[]): AskedDocs {
  const [first] = libraries;
  return {
    libraries,
    index:
      first && libraries.length === 1
        ? first.index
        : new JoinedIndex(libraries.map(({ index }) => index)),
    get isIndexed() {
      return libraries.every(({ isIndexed }) => isIndexed);
    },
  };
}

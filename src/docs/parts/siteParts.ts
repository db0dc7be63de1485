/** Opens an index that was written in parts for a site in the browser (`partWriter.ts`). */
import type { ExampleLanguage } from '../pages/codeLanguages';
import { type KeptEntries, keptEntries } from '../search/keptPostings';
import { readPostings } from '../search/postingBytes';
import { IndexFacts } from './indexFacts';
import {
  type CodeLanguagesPart,
  PARTS_FORMAT,
  type PartsHead,
  type PageTexts,
  readTexts,
  readWordsPart,
  type WrittenPage,
} from './partFormat';
import { type IndexParts, PartIndex } from './partIndex';
import type { PartStore } from './partStore';

/** Parts of words that are loaded for the beginning of a word. Shorter beginnings have more. */
const MAX_BEGINNING_PARTS = 3;

/** Reads the head of an index. Undefined if it isn't in memory yet. @throws for another format. */
export function readHead(store: PartStore, name: string): PartsHead | undefined {
  const head = store.get(name, (bytes) => jsonPart(bytes) as PartsHead);
  if (head && head.format !== PARTS_FORMAT) throw new Error('The index has another format');
  return head;
}

/** Opens the index with a head. It asks the store for what it lacks. */
export function openParts(head: PartsHead, store: PartStore): PartIndex {
  const facts = factsOf(head);
  return new PartIndex(facts, new SiteParts(head, store, (section) => facts.pageOf(section)));
}

/** Returns the JSON of a part. A writer of ours wrote it, and its name is its content, so callers know its type. */
function jsonPart(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function factsOf(head: PartsHead): IndexFacts {
  const facts = new IndexFacts();
  const { pages, sectionLengths, versions, languages, readLanguages } = head;
  let firstSection = 0;
  pages.paths.forEach((path, place) => {
    const count = pages.sections[place] ?? 0;
    facts.add(
      {
        path,
        title: pages.titles[place] ?? '',
        version: versions[pages.versions[place] ?? -1],
        language: languages[pages.languages[place] ?? -1],
        readLanguage: readLanguages[pages.readLanguages[place] ?? -1],
        groups: [],
        firstSection,
        count,
      },
      {
        page: pages.lengths[place] ?? 0,
        sections: sectionLengths.slice(firstSection, firstSection + count),
      },
    );
    firstSection += count;
  });
  const { currentVersion, mainLanguage } = head;
  facts.editions = { versions, languages, currentVersion, mainLanguage };
  return facts;
}

class SiteParts implements IndexParts {
  readonly #head: PartsHead;
  readonly #store: PartStore;
  readonly #pageOf: (section: number) => number;

  constructor(head: PartsHead, store: PartStore, pageOf: (section: number) => number) {
    this.#head = head;
    this.#store = store;
    this.#pageOf = pageOf;
  }

  postingsOf(word: string): KeptEntries | undefined {
    const name = this.#head.words[this.#partOf(word)]?.[1];
    const part = name === undefined ? undefined : this.#store.get(name, readWordsPart);
    const place = part?.words.indexOf(word) ?? -1;
    if (!part || place < 0) return undefined;
    return keptEntries([readPostings(part.bytesOf(place))], this.#pageOf);
  }

  beginningWith(beginning: string): readonly string[] {
    const { words } = this.#head;
    const first = this.#partOf(beginning);
    const begun: string[] = [];
    for (let at = first; at < first + MAX_BEGINNING_PARTS; at++) {
      const [start, name] = words[at] ?? [];
      if (start === undefined || name === undefined) break;
      if (start > beginning && !start.startsWith(beginning)) break;
      const part = this.#store.get(name, readWordsPart);
      for (const word of part?.words ?? []) if (word.startsWith(beginning)) begun.push(word);
    }
    return begun;
  }

  vocabulary(): readonly string[] {
    const read = (bytes: Uint8Array): string[] => new TextDecoder().decode(bytes).split('\n');
    return this.#store.get(this.#head.vocabulary, read) ?? [];
  }

  textsOf(page: number): PageTexts | undefined {
    const { texts } = this.#head;
    const part = texts.findLast(([first]) => first <= page);
    if (!part) return undefined;
    const [first, name] = part;
    const pages = this.#store.get(name, (bytes) =>
      (jsonPart(bytes) as readonly WrittenPage[]).map(readTexts),
    );
    return pages?.[page - first];
  }

  codeLanguagesOf(section: number): readonly ExampleLanguage[] {
    const part = this.#store.get(
      this.#head.codeLanguages,
      (bytes) => new Map(jsonPart(bytes) as CodeLanguagesPart),
    );
    return part?.get(section) ?? [];
  }

  /** Returns the place of the part that has a word, if the docs have it. */
  #partOf(word: string): number {
    const { words } = this.#head;
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((words[middle]?.[0] ?? '') <= word) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Tells what is about the topic of a question as a whole, and not about a part of it. */
import type { FoundSection } from '../pages/page';
import type { SectionBlock } from '../pages/sections';
import type { DocsIndex } from './docsIndex';
import { isWeakTerm, plainTerms, termsOf } from './terms';

/** Minimum likeness of a heading and a topic. A smaller one is that of a part, or of something else. */
const MIN_LIKENESS = 0.3;
/** Minimum likeness of a topic and the subject of a sentence that defines it. */
const MIN_DEFINED = 0.75;

/** Questions such as “What is a module?” and “What does it do?”, in English and German. */
const asksWhat =
  /^\P{L}*(?:(?:what(?:['’]?s| is| are)|was (?:ist|sind))(?!\p{L})|what (?:does|do)\s.*\s(?:do|mean)\P{L}*$)/iu;

/** The subject of a sentence such as “A module is a class”, in English and German. */
const subject = /^(.{1,60}?)\s(?:is|are|ist|sind)\s/iu;

/** A number before a heading, as in “13.1. Introduction” and “Appendix K. Limits”. */
const numbering = /^(?:\p{L}+\s)?(?:\d+|[A-Z])(?:\.\d+)*\.\s+/u;

/** Names by heading, because each question is compared with the titles of all pages that it finds. */
const knownNames = new Map<string, string>();
const MAX_KNOWN_NAMES = 20_000;

/** The words of a question that say what it is about. */
export class Topic {
  /** Whether the question asks what something is. */
  readonly asksWhat: boolean;
  /** The question without stop words. Empty if it needs the questions before it. */
  readonly #name: string;
  readonly #own: ReadonlySet<string>;
  readonly #index: DocsIndex;

  /** @param own terms of the question that say something about its topic. Without any, nothing is about it. */
  constructor(question: string, own: ReadonlySet<string>, isFollowUp: boolean, index: DocsIndex) {
    this.asksWhat = own.size > 0 && asksWhat.test(question);
    this.#name = isFollowUp ? '' : nameIn(question);
    this.#own = own;
    this.#index = index;
  }

  /** Returns whether the question is a title or a heading, as in “useState” or “What are guards?”, and asks nothing else. */
  isName(heading: string): boolean {
    if (this.#name === '') return false;
    let name = knownNames.get(heading);
    if (name === undefined) {
      if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
      name = nameIn(heading);
      knownNames.set(heading, name);
    }
    return this.#name === name;
  }

  /**
   * Returns how much a heading names the topic, from 0 to 1: the share of the topic's words that it has, times the share
   * of its words that the topic has. Rare words of the topic count more.
   */
  likeness(heading: string): number {
    const terms = new Set(termsOf(heading.replace(numbering, '')).map(({ text }) => text));
    const said = [...terms].filter((term) => !isWeakTerm(term));
    const worth = (some: readonly string[]): number =>
      some.reduce((sum, term) => sum + this.#index.rarity(term), 0);
    const all = worth([...this.#own]);
    const both = worth(said.filter((term) => this.#own.has(term)));
    if (both === 0) return 0;
    // An index in parts would load each word whose rarity is asked, so other words count like those of the topic.
    const others = said.filter((term) => !this.#own.has(term)).length * (all / this.#own.size);
    const likeness = (both / all) * (both / (both + others));
    return likeness < MIN_LIKENESS ? 0 : likeness;
  }

  /** Returns how much a section is the top of a page about the topic, from 0 to 1. */
  likenessOfTop({ page, section }: FoundSection): number {
    return section.heading === page.title ? this.likeness(page.title) : 0;
  }

  /** Returns whether a sentence of a text says what the topic is. */
  isDefinedIn(blocks: readonly SectionBlock[]): boolean {
    const texts = blocks.filter(({ kind }) => kind === 'prose').map(({ text }) => text);
    return texts
      .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
      .some((sentence) => this.likeness(subject.exec(sentence)?.[1] ?? '') >= MIN_DEFINED);
  }
}

function nameIn(text: string): string {
  return plainTerms(text.replace(numbering, ''));
}

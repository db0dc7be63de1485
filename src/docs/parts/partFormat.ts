/**
 * The index of a site in parts, as a browser loads it: a head with the facts of all pages, postings by ranges of words,
 * and the texts of a few pages each. A part is compressed and written as base64, so that nothing of a page can be taken
 * for code or for markup by those who check a site's scripts.
 */
import type { ExampleLanguage } from '../pages/codeLanguages';
import type { SectionBlock } from '../pages/sections';

/** Changes with the format. A browser doesn't read the parts of another one. */
export const PARTS_FORMAT = 1;

/** The first part: facts of all pages and sections in columns, and the names of the other parts. */
export interface PartsHead {
  readonly format: number;
  readonly pages: {
    readonly paths: readonly string[];
    readonly titles: readonly string[];
    /** Number of sections of each page. */
    readonly sections: readonly number[];
    /** Weighted number of words of each page. */
    readonly lengths: readonly number[];
    /** Places in the lists of names below. -1 for a page without one. */
    readonly versions: readonly number[];
    readonly languages: readonly number[];
    readonly readLanguages: readonly number[];
  };
  /** Weighted number of words of each section, in the order of the pages. */
  readonly sectionLengths: readonly number[];
  /** Versions, the languages that pages name, and the languages that they are written in. */
  readonly versions: readonly string[];
  readonly languages: readonly string[];
  readonly readLanguages: readonly string[];
  readonly currentVersion?: string;
  readonly mainLanguage?: string;
  /** First word of each part with postings, and the part's name, in the order of the words. */
  readonly words: readonly (readonly [first: string, part: string])[];
  /** Number of the first page of each part with texts, and the part's name, in the order of the pages. */
  readonly texts: readonly (readonly [first: number, part: string])[];
  /** Part with all words, for words that the docs don't have. */
  readonly vocabulary: string;
  /** Part with the {@link CodeLanguagesPart}. */
  readonly codeLanguages: string;
}

/** Sections with code, by number, and the languages of their code. */
export type CodeLanguagesPart = readonly (readonly [
  section: number,
  languages: readonly ExampleLanguage[],
])[];

/** Texts of a page. */
export interface PageTexts {
  readonly description: string;
  /** Link reference definitions by label, if the blocks use some. */
  readonly references?: Readonly<Record<string, string>>;
  readonly sections: readonly SectionTexts[];
}

/** A section as `sections.ts` has it, but for its position in a file. */
interface SectionTexts {
  readonly heading: string;
  readonly ancestors: readonly string[];
  readonly slug: string;
  readonly blocks: readonly SectionBlock[];
}

/** A section as it is written: the text of a block is 0 if it is equal to the Markdown. */
type WrittenSection = readonly [
  heading: string,
  ancestors: readonly string[],
  slug: string,
  blocks: readonly (readonly [
    kind: SectionBlock['kind'],
    markdown: string,
    text: string | 0,
    codeLanguage?: ExampleLanguage,
  ])[],
];

export type WrittenPage = readonly [description: string, sections: readonly WrittenSection[]];

export function writtenPage({ description, sections }: PageTexts): WrittenPage {
  return [description, sections.map(writtenSection)];
}

function writtenSection({ heading, ancestors, slug, blocks }: SectionTexts): WrittenSection {
  return [
    heading,
    ancestors,
    slug,
    blocks.map(({ kind, markdown, text, codeLanguage }) =>
      codeLanguage === undefined
        ? [kind, markdown, text === markdown ? 0 : text]
        : [kind, markdown, text === markdown ? 0 : text, codeLanguage],
    ),
  ];
}

export function readTexts([description, sections]: WrittenPage): PageTexts {
  return {
    description,
    sections: sections.map(([heading, ancestors, slug, blocks]) => ({
      heading,
      ancestors,
      slug,
      blocks: blocks.map(([kind, markdown, text, codeLanguage]) => ({
        kind,
        markdown,
        text: text === 0 ? markdown : text,
        codeLanguage,
      })),
    })),
  };
}

/** Bytes before the words of a part with postings: the length of their JSON. */
const LENGTH_BYTES = 4;

/** The words of a part and the bytes of their postings, in the order of the words. */
interface WordsPart {
  readonly words: readonly string[];
  /** Returns the postings of the word at a place, as `postingBytes.ts` writes them. */
  readonly bytesOf: (place: number) => Uint8Array;
}

export function writeWords(
  words: readonly string[],
  postings: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const lengths = postings.map(({ length }) => length);
  const head = new TextEncoder().encode(JSON.stringify([words, lengths]));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const bytes = new Uint8Array(LENGTH_BYTES + head.length + total);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, LENGTH_BYTES);
  let at = LENGTH_BYTES + head.length;
  for (const posting of postings) {
    bytes.set(posting, at);
    at += posting.length;
  }
  return bytes;
}

/** Returns what {@link writeWords} has written. */
export function readWordsPart(bytes: Uint8Array): WordsPart {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = LENGTH_BYTES + view.getUint32(0);
  // The part is of this format, or else its head would not name it.
  const [words, lengths] = JSON.parse(
    new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, start)),
  ) as [string[], number[]];
  const ends: number[] = [];
  let end = start;
  for (const length of lengths) ends.push((end += length));
  return {
    words,
    bytesOf: (place) => bytes.subarray(ends[place - 1] ?? start, ends[place]),
  };
}

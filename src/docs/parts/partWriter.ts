/** Writes the index of a site in parts (`partFormat.ts`). Compresses with `node:zlib`. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { compareText } from '../../common/text/strings';
import type { DocsPage } from '../pages/page';
import { Editions } from '../search/editions';
import { readWords } from '../search/pageWords';
import { codeLanguagesOf } from '../search/preferences';
import { lengthsOf } from '../search/sectionSearch';
import { Vocabulary } from '../search/vocabulary';
import {
  type CodeLanguagesPart,
  PARTS_FORMAT,
  type PartsHead,
  writeWords,
  writtenPage,
} from './partFormat';
import { WordPostings } from './wordPostings';

/** Characters of JSON after which a part with texts is full. A longer page has a part of its own. */
const TEXT_PART = 32_000;
/** Bytes of postings after which a part with words is full. */
const WORDS_PART = 12_000;
/** Hexadecimal digits of a part's name, which nobody can guess who doesn't know its content. */
const NAME_DIGITS = 20;

const pack = promisify(deflateRaw);

/** A part as it is written to a file. */
export interface WrittenPart {
  /** First digits of the content's hash. */
  readonly name: string;
  /** Compressed content in base64. */
  readonly content: string;
}

interface PartWriterPorts {
  /** Writes a part. Parts with the same name are equal. */
  readonly write: (part: WrittenPart) => Promise<void>;
  /** Gives other work a turn, if it is time. */
  readonly pause: () => Promise<void>;
}

/** Names without repetition, each with its place. */
class NameList {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();

  /** Returns the place of a name, or -1 for none. */
  placeOf(name: string | undefined): number {
    if (name === undefined) return -1;
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.names.push(name) - 1;
      this.#places.set(name, place);
    }
    return place;
  }
}

/** Writes pages one by one. Their texts are written at once, so that memory only holds their words. */
export class PartWriter {
  readonly #ports: PartWriterPorts;
  readonly #vocabulary = new Vocabulary();
  readonly #editions = new Editions();
  readonly #words = new WordPostings();
  readonly #versions = new NameList();
  readonly #languages = new NameList();
  readonly #readLanguages = new NameList();
  readonly #paths: string[] = [];
  readonly #titles: string[] = [];
  readonly #sectionCounts: number[] = [];
  readonly #pageLengths: number[] = [];
  readonly #pageVersions: number[] = [];
  readonly #pageLanguages: number[] = [];
  readonly #pageReadLanguages: number[] = [];
  readonly #sectionLengths: number[] = [];
  readonly #codeLanguages: CodeLanguagesPart[number][] = [];
  readonly #texts: (readonly [first: number, part: string])[] = [];
  /** JSON of the pages of the part that isn't full, and its length. */
  #open: string[] = [];
  #openLength = 0;

  constructor(ports: PartWriterPorts) {
    this.#ports = ports;
  }

  get pageCount(): number {
    return this.#paths.length;
  }

  get sectionCount(): number {
    return this.#sectionLengths.length;
  }

  /** Adds a page. Paths must differ. */
  async add(page: DocsPage): Promise<void> {
    const json = JSON.stringify(writtenPage(page));
    if (this.#openLength + json.length > TEXT_PART) await this.#closeTexts();
    this.#open.push(json);
    this.#openLength += json.length;
    const { language, words } = readWords(page, this.#vocabulary);
    page.sections.forEach((section, position) => {
      const languages = codeLanguagesOf(section);
      if (languages.length > 0) this.#codeLanguages.push([this.sectionCount + position, languages]);
    });
    this.#editions.count(page, language, 1);
    this.#words.add(words);
    const lengths = lengthsOf(words.counts);
    this.#sectionLengths.push(...lengths.sections);
    this.#paths.push(page.path);
    this.#titles.push(page.title);
    this.#sectionCounts.push(page.sections.length);
    this.#pageLengths.push(lengths.page);
    this.#pageVersions.push(this.#versions.placeOf(page.version));
    this.#pageLanguages.push(this.#languages.placeOf(page.language));
    this.#pageReadLanguages.push(this.#readLanguages.placeOf(language));
    await this.#ports.pause();
  }

  /** Writes what is left. @returns the name of the head. */
  async finish(): Promise<string> {
    await this.#closeTexts();
    const words = this.#words
      .all()
      .map(([word, bytes]) => [this.#vocabulary.wordOf(word), bytes] as const)
      .sort(([one], [other]) => compareText(one, other));
    await this.#ports.pause();
    const wordParts: (readonly [string, string])[] = [];
    let open: { words: string[]; postings: Uint8Array[]; bytes: number } | undefined;
    const close = async (): Promise<void> => {
      const first = open?.words[0];
      if (!open || first === undefined) return;
      wordParts.push([first, await this.#write(writeWords(open.words, open.postings))]);
      open = undefined;
    };
    for (const [word, bytes] of words) {
      if (open && open.bytes + bytes.length > WORDS_PART) await close();
      open ??= { words: [], postings: [], bytes: 0 };
      open.words.push(word);
      open.postings.push(bytes);
      open.bytes += bytes.length + word.length;
      await this.#ports.pause();
    }
    await close();
    const head: PartsHead = {
      format: PARTS_FORMAT,
      pages: {
        paths: this.#paths,
        titles: this.#titles,
        sections: this.#sectionCounts,
        lengths: this.#pageLengths,
        versions: this.#pageVersions,
        languages: this.#pageLanguages,
        readLanguages: this.#pageReadLanguages,
      },
      sectionLengths: this.#sectionLengths,
      versions: this.#versions.names,
      languages: this.#languages.names,
      readLanguages: this.#readLanguages.names,
      currentVersion: this.#editions.currentVersion,
      mainLanguage: this.#editions.mainLanguage,
      words: wordParts,
      texts: this.#texts,
      vocabulary: await this.#write(utf8(words.map(([word]) => word).join('\n'))),
      codeLanguages: await this.#write(utf8(JSON.stringify(this.#codeLanguages))),
    };
    return this.#write(utf8(JSON.stringify(head)));
  }

  async #closeTexts(): Promise<void> {
    if (this.#open.length === 0) return;
    const first = this.pageCount - this.#open.length;
    const json = `[${this.#open.join(',')}]`;
    this.#open = [];
    this.#openLength = 0;
    this.#texts.push([first, await this.#write(utf8(json))]);
  }

  async #write(bytes: Uint8Array): Promise<string> {
    const content = (await pack(bytes, { level: 9 })).toString('base64');
    const name = createHash('sha256').update(content).digest('hex').slice(0, NAME_DIGITS);
    await this.#ports.write({ name, content });
    return name;
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

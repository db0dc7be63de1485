/** Measures how often a question about an option, a flag or a constant finds the section that defines it. */
import { composeAnswer } from '../../src/docs/answers/answer';
import { addressesAt } from '../../src/docs/pages/links';
import type { DocsIndex } from '../../src/docs/search/docsIndex';
import { retrieve } from '../../src/docs/search/retrieval';
import type { Section } from '../../src/docs/pages/sections';

/** Names that one set of docs is asked about. */
const NAMES = 100;
/** Sources that a reply has. */
const PAGE_SIZE = 5;

/** A heading that is a name as code, and the lines of an item and of a row that begin with one. */
const named = /^(?:#+|[ \t]*[-*+]|\|)[ \t]+\[?\*{0,2}`([^`\s]+)`(?:\]\([^)\s]*\))?(.*)/gm;
/** The last name of an entry of an API with a signature: `order_by` of `QuerySet.order_by(*fields)`. */
const entryName = /^(?:[a-z]+ )*(?:\w+\.)*(\w+)\([^)]*\)$/;
/** Number of words of a definition, behind its name, that a reply must have. */
const WORDS = 6;
/** Names that no text has by chance: with letters of both cases, or joined by a dot, a hyphen or an underscore. */
const codeShaped = /^(?:--)?[A-Za-z]\w*(?:[.-]\w+)*$/;
const joined = /[a-z][A-Z]|\w[._-]\w|^--/;

export interface NamesFigures {
  readonly of: number;
  readonly first: number;
  readonly inFive: number;
  /** Number of replies with the beginning of a definition in their first 60 words. */
  readonly in60Words: number;
}

/** Returns the words of Markdown in lower case, without the targets of links and the numbers of citations. */
function wordsOf(markdown: string): string[] {
  const text = markdown.replaceAll(/(?<=\])\([^)\s]*\)|\[\d+\]/g, '');
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Asks what names do, each of which a heading, an item of a list or a row of a table begins with. */
export function askNames(index: DocsIndex): NamesFigures {
  const definers = new Map<string, { sections: Set<Section>; said: string[] }>();
  for (const page of index.pages()) {
    for (const section of page.sections) {
      const texts = [`# \`${section.heading.replaceAll('`', '')}\``];
      for (const { kind, markdown } of section.blocks)
        if (kind === 'list' || kind === 'table') texts.push(markdown);
      const entry = entryName.exec(section.heading)?.[1];
      if (entry !== undefined) texts.push(`# \`${entry}\``);
      for (const [line, name = '', rest = ''] of texts.join('\n').matchAll(named)) {
        if (!codeShaped.test(name) || !joined.test(name)) continue;
        const known = definers.get(name) ?? { sections: new Set(), said: [] };
        const text = line.startsWith('#') ? (section.blocks[0]?.text ?? '') : rest;
        const words = wordsOf(text).slice(0, WORDS);
        known.sections.add(section);
        if (words.length > 0) known.said.push(words.join(' '));
        definers.set(name, known);
      }
    }
  }
  const names = [...definers].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const step = Math.max(1, names.length / NAMES);
  const asked = names.filter((_, at) => Math.floor(at % step) === 0);
  const figures = { of: 0, first: 0, inFive: 0, in60Words: 0 };
  for (const [name, { sections, said }] of asked) {
    const question = { text: `What does ${name} do?`, earlier: [], contextItems: [] };
    const retrieval = retrieve(index, question, undefined, PAGE_SIZE);
    const found = retrieval.sections.map(({ section }) => section);
    const { text } = composeAnswer({
      question: question.text,
      retrieval,
      index,
      filter: undefined,
      addresses: addressesAt(() => 'http://127.0.0.1'),
      isIndexed: true,
    });
    const beginning = wordsOf(text)
      .slice(0, 60 + WORDS)
      .join(' ');
    figures.of++;
    if (found[0] && sections.has(found[0])) figures.first++;
    if (found.some((section) => sections.has(section))) figures.inFive++;
    if (said.some((words) => beginning.includes(words))) figures.in60Words++;
  }
  return figures;
}

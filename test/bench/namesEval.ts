/** Measures how often a question about an option, a flag or a constant finds the section that defines it. */
import type { DocsIndex } from '../../src/docs/search/docsIndex';
import { retrieve } from '../../src/docs/search/retrieval';
import type { Section } from '../../src/docs/pages/sections';

/** Names that one set of docs is asked about. */
const NAMES = 100;
/** Sources that a reply has. */
const PAGE_SIZE = 5;

/** A heading that is a name as code, and the lines of an item and of a row that begin with one. */
const named = /^(?:#+|[ \t]*[-*+]|\|)[ \t]+\[?\*{0,2}`([^`\s]+)`/gm;
/** Names that no text has by chance: with letters of both cases, or joined by a dot, a hyphen or an underscore. */
const codeShaped = /^(?:--)?[A-Za-z]\w*(?:[.-]\w+)*$/;
const joined = /[a-z][A-Z]|\w[._-]\w|^--/;

export interface NamesFigures {
  readonly of: number;
  readonly first: number;
  readonly inFive: number;
}

/** Asks what names do, each of which a heading, an item of a list or a row of a table begins with. */
export function askNames(index: DocsIndex): NamesFigures {
  const definers = new Map<string, Set<Section>>();
  for (const page of index.pages()) {
    for (const section of page.sections) {
      const texts = [`# \`${section.heading.replaceAll('`', '')}\``];
      for (const { kind, markdown } of section.blocks)
        if (kind === 'list' || kind === 'table') texts.push(markdown);
      for (const [, name = ''] of texts.join('\n').matchAll(named)) {
        if (!codeShaped.test(name) || !joined.test(name)) continue;
        const known = definers.get(name);
        if (known) known.add(section);
        else definers.set(name, new Set([section]));
      }
    }
  }
  const names = [...definers].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const step = Math.max(1, names.length / NAMES);
  const asked = names.filter((_, at) => Math.floor(at % step) === 0);
  const figures = { of: 0, first: 0, inFive: 0 };
  for (const [name, sections] of asked) {
    const question = { text: `What does ${name} do?`, earlier: [], contextItems: [] };
    const found = retrieve(index, question, undefined, PAGE_SIZE).sections.map(
      ({ section }) => section,
    );
    figures.of++;
    if (found[0] && sections.has(found[0])) figures.first++;
    if (found.some((section) => sections.has(section))) figures.inFive++;
  }
  return figures;
}

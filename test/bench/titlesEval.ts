/** Measures how often a title or a heading, asked as it is, finds its page. */
import type { DocsIndex } from '../../src/docs/search/docsIndex';
import type { DocsPage } from '../../src/docs/pages/page';
import { askAll, isFirst, isInFive, isMisled } from './retrievalEval';

/** Titles and headings that one set of docs is asked about, of each. */
const MAX_ASKED = 100;
/** A set of docs with fewer titles says little. */
const MIN_ASKED = 5;

/** The ways in which titles and headings are asked. */
const ways: Readonly<Record<string, (name: string) => string>> = {
  'as it is': (name) => name,
  'What is …?': (name) => `What is ${name}?`,
  'in small letters': (name) => name.toLowerCase().replace(/[?!,:`()]/g, ''),
};

interface Named {
  readonly name: string;
  readonly page: DocsPage;
}

interface TitlesFigures {
  readonly of: number;
  readonly first: number;
  readonly inFive: number;
  /** Replies in the tone of an answer that begin with another page. */
  readonly misled: number;
}

/** Returns the figures of titles and of headings, each of which only one page has, for each way to ask. */
export function askTitles(index: DocsIndex): readonly (readonly [string, TitlesFigures])[] {
  const titles: Named[] = [];
  const headings: Named[] = [];
  for (const page of index.pages()) {
    titles.push({ name: plain(page.title), page });
    for (const { heading } of page.sections)
      if (heading !== page.title) headings.push({ name: plain(heading), page });
  }
  const counts = new Map<string, number>();
  for (const { name } of [...titles, ...headings])
    counts.set(key(name), (counts.get(key(name)) ?? 0) + 1);
  const figures: (readonly [string, TitlesFigures])[] = [];
  for (const [kind, all] of Object.entries({ Titles: titles, Headings: headings })) {
    const own = all.filter(({ name }) => counts.get(key(name)) === 1);
    const step = Math.max(1, own.length / MAX_ASKED);
    const asked = own.filter((_, at) => Math.floor(at % step) === 0);
    if (asked.length < MIN_ASKED) continue;
    for (const [way, ask] of Object.entries(ways)) {
      const answerable = asked.map(({ name, page }) => ({
        q: ask(name),
        accept: [page.path],
        span: ['no reply has this text'],
      }));
      const set = { answerable, unanswerable: [], followups: [], withCode: [] };
      const outcomes = askAll(index, set);
      const count = (is: typeof isFirst | typeof isMisled): number => outcomes.filter(is).length;
      figures.push([
        `${kind}, ${way}`,
        {
          of: asked.length,
          first: count(isFirst),
          inFive: count(isInFive),
          misled: count(isMisled),
        },
      ]);
    }
  }
  return figures;
}

/** Number before a heading, which nobody types. */
const numbering = /^(?:\p{L}+\s)?(?:\d+|[A-Z])(?:\.\d+)*\.\s+/u;

/** Returns a heading without its number and the marks of Markdown. */
function plain(heading: string): string {
  return heading.replace(/[`*]/g, '').trim().replace(numbering, '');
}

function key(name: string): string {
  return name.toLowerCase();
}

/** Small docs written in the test, indexed as the service does it. */
import { SetIndex } from '../../../src/docs/search/setIndex';
import { parsePage } from '../../../src/docs/pages/page';
import type { SearchQuestion } from '../../../src/docs/search/query';

export function indexOf(pages: Readonly<Record<string, string>>): SetIndex {
  const index = new SetIndex();
  for (const [path, source] of Object.entries(pages)) index.put(parsePage(path, source));
  return index;
}

/** Returns a question, by default without turns before it. */
export function aQuestion(text: string, rest: Partial<SearchQuestion> = {}): SearchQuestion {
  return { text, earlier: [], contextItems: [], ...rest };
}

/** Turns from their questions alone, oldest first. */
export function turnsOf(...questions: string[]): SearchQuestion['earlier'] {
  return questions.map((question) => ({ question, citedRoutes: [] }));
}

/**
 * Returns a page that has nothing to do with what the tests ask, so that words are not all rare.
 */
export function filler(topic: string): string {
  return `# ${topic}\n\nEverything about ${topic}: how it is set up, what it costs and when it ends.\n`;
}

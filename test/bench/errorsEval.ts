/** Measures how often a question about an error that the docs show finds a section that shows it. */
import type { DocsIndex } from '../../src/docs/search/docsIndex';
import type { SearchQuestion } from '../../src/docs/search/query';
import { retrieve } from '../../src/docs/search/retrieval';
import type { Section } from '../../src/docs/pages/sections';

/** Errors that one set of docs is asked about. */
const ERRORS = 40;
/** Sources that a reply has. */
const PAGE_SIZE = 5;

/** A line with an error as docs show it, often in the output of an example. */
const shownError =
  /^[ \t>#*/|-]*((?:(?:[\w.]+\.)*[A-Z]\w*(?:Error|Exception|Warning)|ERROR|Error|error|npm ERR!|fatal|WARNING)(?: ?[([]\w+[)\]])?: +\S.{14,220})$/gm;
/** Pages that tell of errors which are gone. */
const historyPage = /changelog|release|whats|news|history/i;

/** Names in the place of those in quotes, as a reader's own program has others. */
const ownNames = ['orders', 'invoice', 'customer', 'payload'];

/** Returns an error with the names and numbers of another program. */
function asOfReader(error: string): string {
  let used = 0;
  return error
    .replace(
      /(["'`‘“])[^"'`‘’“”]{1,40}(["'`’”])/g,
      (_, open: string, close: string) => `${open}${ownNames[used++ % ownNames.length]}${close}`,
    )
    .replace(/\b\d+\b/g, '7');
}

const outputOfNode = (error: string): string => `$ npm run start

> orders@1.4.0 start
> node build/main.js

/home/ana/orders/build/main.js:41
    throw error;
    ^

${error}
    at Object.<anonymous> (/home/ana/orders/build/main.js:41:11)
    at Module._compile (node:internal/modules/cjs/loader:1364:14)
    at Module.load (node:internal/modules/cjs/loader:1203:32)
    at node:internal/main/run_main_module:28:49

Node.js v20.19.2`;

const outputOfPython = (error: string): string => `$ python manage.py
Traceback (most recent call last):
  File "/home/ana/orders/manage.py", line 22, in <module>
    main()
  File "/home/ana/orders/manage.py", line 18, in main
    run(config)
  File "/usr/lib/python3.11/site-packages/orders/app.py", line 1031, in run
    return func(*args, **kwargs)
${error}`;

/** The ways in which an error is asked about. */
export const errorForms = ['alone', 'problem', 'terminal', 'pasted'] as const;
type ErrorForm = (typeof errorForms)[number];

function questionFor(form: ErrorForm, error: string, isPython: boolean): SearchQuestion {
  const output = isPython ? outputOfPython(error) : outputOfNode(error);
  const asking = (text: string, value?: string): SearchQuestion => {
    const contextItems = value === undefined ? [] : [{ type: 'textSelection' as const, value }];
    return { text, earlier: [], contextItems };
  };
  switch (form) {
    case 'alone':
      return asking(`I get this error: ${error}`);
    case 'problem':
      return asking('How do I fix this error?', `src/main.ts:41:11: error: ${error}`);
    case 'terminal':
      return asking('How do I fix this error?', output);
    case 'pasted':
      return asking(`${output}\n\nwhat does this mean?`);
  }
}

/** Counts of the errors that each form of a question finds. */
export interface ErrorFigures {
  readonly of: number;
  readonly found: Readonly<Record<ErrorForm, { first: number; inFive: number }>>;
}

/**
 * Asks about errors that the docs show, with other names and numbers.
 * @param isPython whether the output around an error is Python's. Node's by default.
 */
export function askErrors(index: DocsIndex, isPython = false): ErrorFigures {
  const shown = new Map<string, Set<Section>>();
  for (const page of index.pages()) {
    if (historyPage.test(page.path)) continue;
    for (const section of page.sections) {
      const text = section.blocks.map(({ markdown }) => markdown).join('\n');
      for (const [, error = ''] of text.matchAll(shownError)) {
        const sections = shown.get(error.trim()) ?? new Set();
        shown.set(error.trim(), sections.add(section));
      }
    }
  }
  const errors = [...shown].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const step = Math.max(1, errors.length / ERRORS);
  const asked = errors.filter((_, at) => Math.floor(at % step) === 0);
  const none = () => ({ first: 0, inFive: 0 });
  const found = { alone: none(), problem: none(), terminal: none(), pasted: none() };
  for (const [error, sections] of asked) {
    for (const form of errorForms) {
      const question = questionFor(form, asOfReader(error), isPython);
      const best = retrieve(index, question, undefined, PAGE_SIZE).sections;
      if (best[0] && sections.has(best[0].section)) found[form].first++;
      if (best.some(({ section }) => sections.has(section))) found[form].inFive++;
    }
  }
  return { of: asked.length, found };
}

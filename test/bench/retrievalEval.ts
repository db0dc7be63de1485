/**
 * Measures how well the local docs service finds the page that answers: the same library, search
 * and reply as in the service, in this process.
 */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Clock, silentLog } from '../../src/common/ports';
import { composeAnswer } from '../../src/localService/answers/answer';
import { DocsLibrary } from '../../src/localService/pages/docsLibrary';
import { pageHref } from '../../src/localService/pages/links';
import type { DocsPage } from '../../src/localService/pages/page';
import { FolderSource } from '../../src/localService/pages/pageSource';
import type { DocsIndex } from '../../src/localService/search/docsIndex';
import type { SearchQuestion, ThreadTurn } from '../../src/localService/search/query';
import { retrieve } from '../../src/localService/search/retrieval';
import type { AskFilter } from '../../src/shared/askFilter';
import { median } from './benchRow';

const pagesThatAnswer = v.array(v.string());

/** Schema of `questions-<set>.json`. Pages are paths below the docs folder. */
export const questionsSchema = v.object({
  answerable: v.array(v.object({ q: v.string(), accept: pagesThatAnswer })),
  unanswerable: v.array(v.string()),
  followups: v.array(v.object({ first: v.string(), follow: v.string(), accept: pagesThatAnswer })),
  withCode: v.array(
    v.object({
      q: v.string(),
      code: v.string(),
      language: v.optional(v.string()),
      accept: pagesThatAnswer,
    }),
  ),
});
export type QuestionSet = v.InferOutput<typeof questionsSchema>;

export type QuestionKind = 'answerable' | 'unanswerable' | 'follow-up' | 'with code';

/** One question and the pages of the sources that the reply has. */
export interface Outcome {
  readonly kind: QuestionKind;
  readonly question: string;
  readonly accept: readonly string[];
  /** Paths of the sources' pages, in the reply's order. A page can occur several times. */
  readonly found: readonly string[];
  /** The same sources with their headings, for a reader of the misses. */
  readonly shown: readonly string[];
  readonly ms: number;
}

/** Sources that a reply has unless its question asks for another number (platform-api.md). */
const PAGE_SIZE = 5;

const origin = 'http://127.0.0.1';

/** Indexes a folder as the service does. The caller stops the library. */
export async function libraryOf(folder: string): Promise<DocsLibrary> {
  const clock: Clock = {
    now: () => performance.now(),
    delay: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
  };
  const source = new FolderSource({ root: folder, clock, log: silentLog });
  const library = new DocsLibrary({ source, clock, log: silentLog });
  library.start();
  await library.whenIndexed();
  return library;
}

/** Asks every question of a set. */
export function askAll(index: DocsIndex, set: QuestionSet, filter?: AskFilter): readonly Outcome[] {
  const pages = new Map<string, DocsPage>();
  for (const page of index.pages()) pages.set(origin + pageHref(page), page);

  const ask = (question: SearchQuestion): Pick<Outcome, 'found' | 'shown' | 'ms'> & ThreadTurn => {
    const startedAt = performance.now();
    const retrieval = retrieve(index, question, filter, PAGE_SIZE);
    const { sources } = composeAnswer({
      question: question.text,
      retrieval,
      index,
      filter,
      origin,
      isIndexed: true,
    });
    const ms = performance.now() - startedAt;
    return {
      ms,
      found: sources.map(({ url }) => pages.get(url.replace(/#.*$/, ''))?.path ?? url),
      shown: sources.map(({ url }) => decodeURI(url.slice(origin.length + 1))),
      question: question.text,
      citedRoutes: [...new Set(retrieval.sections.map(({ page }) => page.route))],
    };
  };
  const plain = (text: string): SearchQuestion => ({ text, earlier: [], contextItems: [] });
  return [
    ...set.answerable.map(({ q, accept }) => ({
      ...ask(plain(q)),
      kind: 'answerable' as const,
      accept,
    })),
    ...set.unanswerable.map((q) => ({
      ...ask(plain(q)),
      kind: 'unanswerable' as const,
      accept: [],
    })),
    ...set.followups.map(({ first, follow, accept }) => ({
      ...ask({ ...plain(follow), earlier: [ask(plain(first))] }),
      kind: 'follow-up' as const,
      question: `${first} → ${follow}`,
      accept,
    })),
    ...set.withCode.map(({ q, code, language, accept }) => ({
      ...ask({
        ...plain(q),
        contextItems: [
          {
            type: 'code',
            value: code,
            ...(language === undefined ? {} : { path: `selection.${language}` }),
          },
        ],
      }),
      kind: 'with code' as const,
      accept,
    })),
  ];
}

export function isFirst({ found, accept }: Outcome): boolean {
  return found[0] !== undefined && accept.includes(found[0]);
}

export function isInFive({ found, accept }: Outcome): boolean {
  return found.slice(0, 5).some((page) => accept.includes(page));
}

/** Returns whether the outcome is as the set wants it: found first, or refused. */
export function isMissed(outcome: Outcome): boolean {
  return outcome.kind === 'unanswerable' ? outcome.found.length > 0 : !isFirst(outcome);
}

/** Counts of a set's outcomes. `of` counts the questions of that kind. */
export interface Figures {
  readonly first: number;
  readonly inFive: number;
  readonly silent: number;
  readonly answerable: number;
  readonly refused: number;
  readonly unanswerable: number;
  readonly followUpsFirst: number;
  readonly followUpsInFive: number;
  readonly followUps: number;
  readonly withCodeInFive: number;
  readonly withCode: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const of = (kind: QuestionKind): Outcome[] => outcomes.filter((each) => each.kind === kind);
  const [answerable, unanswerable] = [of('answerable'), of('unanswerable')];
  const [followUps, withCode] = [of('follow-up'), of('with code')];
  const isSilent = ({ found }: Outcome): boolean => found.length === 0;
  const times = outcomes.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return {
    first: answerable.filter(isFirst).length,
    inFive: answerable.filter(isInFive).length,
    silent: answerable.filter(isSilent).length,
    answerable: answerable.length,
    refused: unanswerable.filter(isSilent).length,
    unanswerable: unanswerable.length,
    followUpsFirst: followUps.filter(isFirst).length,
    followUpsInFive: followUps.filter(isInFive).length,
    followUps: followUps.length,
    withCodeInFive: withCode.filter(isInFive).length,
    withCode: withCode.length,
    medianMs: median(times),
    p95Ms: times[Math.ceil(times.length * 0.95) - 1] ?? NaN,
  };
}

export interface NamedSet {
  readonly name: string;
  readonly docs: string;
  readonly questions: string;
}

/** Returns the sets of a folder: those of its folders `<set>` that have a `questions-<set>.json`. */
export async function setsIn(folder: string): Promise<NamedSet[]> {
  const names = await readdir(folder);
  return names
    .flatMap((file) => /^questions-(.+)\.json$/.exec(file)?.[1] ?? [])
    .filter((name) => names.includes(name))
    .toSorted()
    .map((name) => ({
      name,
      docs: path.join(folder, name, 'docs'),
      questions: path.join(folder, `questions-${name}.json`),
    }));
}

/** @throws when the file is not a set of questions. */
export async function readQuestions(file: string): Promise<QuestionSet> {
  return v.parse(questionsSchema, JSON.parse(await readFile(file, 'utf8')));
}

/** Adds copies of every page in other folders until the index has `count` pages. */
export function multiplyPages(index: DocsIndex, count: number): void {
  const originals = [...index.pages()];
  for (let copy = 1; index.pageCount < count; copy++) {
    for (const page of originals) {
      if (index.pageCount >= count) return;
      index.put({
        ...page,
        path: `copy-${copy}/${page.path}`,
        route: `copy-${copy}/${page.route}`,
      });
    }
  }
}

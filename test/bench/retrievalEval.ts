/**
 * Measures the replies that the local docs service gives without a model: the same library, search and
 * reply as in the service, in this process.
 */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Clock, silentLog } from '../../src/common/ports';
import { composeAnswer, type ReplyTone } from '../../src/docs/answers/answer';
import { BundleSource } from '../../src/docs/sources/bundleSource';
import { folderKind } from '../../src/docs/sources/folderKind';
import { DocsLibrary } from '../../src/docs/docsLibrary';
import { addressesAt, pageHref } from '../../src/docs/pages/links';
import type { DocsPage } from '../../src/docs/pages/page';
import { FolderSource } from '../../src/docs/sources/pageSource';
import type { DocsIndex } from '../../src/docs/search/docsIndex';
import type { SetIndex } from '../../src/docs/search/setIndex';
import type { SearchQuestion, ThreadTurn } from '../../src/docs/search/query';
import { retrieve } from '../../src/docs/search/retrieval';
import type { AskFilter } from '../../src/shared/askFilter';
import { median } from './benchRow';

/** Pages that answer, and phrases of them that each hold the answer. */
const answered = { accept: v.array(v.string()), span: v.optional(v.array(v.string()), []) };

const answerable = v.array(v.object({ q: v.string(), ...answered }));

/** Schema of `questions-<set>.json`. Pages are paths below the docs folder. */
export const questionsSchema = v.object({
  answerable,
  unanswerable: v.array(v.string()),
  followups: v.array(v.object({ first: v.string(), follow: v.string(), ...answered })),
  withCode: v.array(
    v.object({ q: v.string(), code: v.string(), language: v.optional(v.string()), ...answered }),
  ),
});
export type QuestionSet = v.InferOutput<typeof questionsSchema>;

export type QuestionKind = 'answerable' | 'unanswerable' | 'follow-up' | 'with code';

/** The reply to one question. */
interface Reply {
  readonly tone: ReplyTone;
  /** Paths of the sources' pages, in the reply's order. */
  readonly found: readonly string[];
  /** The same sources with their headings, for a reader of the misses. */
  readonly shown: readonly string[];
  readonly text: string;
  /** Text behind *Show more*. */
  readonly more: string;
  readonly ms: number;
}

/** One question, what answers it, and its reply. */
export interface Outcome extends Reply {
  readonly kind: QuestionKind;
  readonly question: string;
  readonly accept: readonly string[];
  readonly span: readonly string[];
}

/** Sources that a reply has unless its question asks for another number (platform-api.md). */
const PAGE_SIZE = 5;

const origin = 'http://127.0.0.1';

/** Indexes a folder as the command line does: as an exported site if it is one. The caller stops the library. */
export async function libraryOf(folder: string): Promise<DocsLibrary> {
  const clock: Clock = {
    now: () => performance.now(),
    delay: (ms, signal) => delay(ms, undefined, { signal }),
  };
  const ports = { root: folder, clock, log: silentLog };
  const isBundle = (await folderKind(folder)) === 'bundle';
  const source = isBundle ? new BundleSource(ports) : new FolderSource(ports);
  const library = new DocsLibrary({ source, clock, log: silentLog });
  library.start();
  await library.whenIndexed();
  return library;
}

/** Asks every question of a set. */
export function askAll(index: DocsIndex, set: QuestionSet, filter?: AskFilter): readonly Outcome[] {
  const pages = new Map<string, DocsPage>();
  for (const page of index.pages()) pages.set(origin + pageHref(page), page);

  const ask = (question: SearchQuestion): Reply & ThreadTurn => {
    const startedAt = performance.now();
    const retrieval = retrieve(index, question, filter, PAGE_SIZE);
    const { sources, tone, text, more } = composeAnswer({
      question: question.text,
      retrieval,
      index,
      filter,
      addresses: addressesAt(() => origin),
      isIndexed: true,
    });
    const ms = performance.now() - startedAt;
    return {
      ms,
      tone,
      text,
      more,
      found: sources.map(({ url }) => pages.get(url.replace(/#.*$/, ''))?.path ?? url),
      shown: sources.map(({ url }) => decodeURI(url.slice(origin.length + 1))),
      question: question.text,
      reply: text,
      citedRoutes: [...new Set(retrieval.sections.map(({ page }) => page.route))],
    };
  };
  const plain = (text: string): SearchQuestion => ({ text, earlier: [], contextItems: [] });
  return [
    ...set.answerable.map(({ q, accept, span }): Outcome => {
      return { ...ask(plain(q)), kind: 'answerable', accept, span };
    }),
    ...set.unanswerable.map((q): Outcome => {
      return { ...ask(plain(q)), kind: 'unanswerable', accept: [], span: [] };
    }),
    ...set.followups.map(({ first, follow, accept, span }): Outcome => {
      const reply = ask({ ...plain(follow), earlier: [ask(plain(first))] });
      return { ...reply, kind: 'follow-up', question: `${first} → ${follow}`, accept, span };
    }),
    ...set.withCode.map(({ q, code, language, accept, span }): Outcome => {
      const file = language === undefined ? undefined : `selection.${language}`;
      const contextItems = [{ type: 'code' as const, value: code, path: file }];
      return { ...ask({ ...plain(q), contextItems }), kind: 'with code', accept, span };
    }),
  ];
}

export function isFirst({ found, accept }: Pick<Outcome, 'found' | 'accept'>): boolean {
  return found[0] !== undefined && accept.includes(found[0]);
}

export function isInFive({ found, accept }: Pick<Outcome, 'found' | 'accept'>): boolean {
  return found.slice(0, 5).some((page) => accept.includes(page));
}

/** Returns Markdown as a reader sees it, on one line and in lower case. */
function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[*`_>|#\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Returns whether a text holds one of the phrases. Spaces don't count, because markup leaves some. */
export function holds(text: string, span: readonly string[]): boolean {
  const packed = (part: string): string => withoutMarkup(part).replaceAll(' ', '');
  const all = packed(text);
  return span.some((phrase) => all.includes(packed(phrase)));
}

/** Returns whether the first words of the reply hold the answer. */
export function answersIn(words: number, { text, span }: Pick<Outcome, 'text' | 'span'>): boolean {
  return holds(withoutMarkup(text).split(' ').slice(0, words).join(' '), span);
}

export function answersInReply({
  text,
  more,
  span,
}: Pick<Outcome, 'text' | 'more' | 'span'>): boolean {
  return holds(`${text}\n\n${more}`, span);
}

/**
 * Returns whether the reply asserts something that doesn't answer: its tone is that of an answer, and its text
 * before the links neither holds the answer nor cites a page that does.
 */
export function isMisled(outcome: Outcome): boolean {
  const { tone, text, shown, found, accept, span } = outcome;
  if (tone !== 'answer' || outcome.kind === 'unanswerable') return false;
  const passage = text.split('\n\n**')[0] ?? '';
  const cited = shown.findIndex((place) => passage.includes(encodeURI(place)));
  return !holds(passage, span) && !accept.includes(found[cited] ?? '');
}

/** Returns whether the outcome is as the set wants it: found first, or not in the tone of an answer. */
export function isMissed(outcome: Outcome): boolean {
  return outcome.kind === 'unanswerable' ? outcome.tone === 'answer' : !isFirst(outcome);
}

/** Counts of the replies to one kind of question. */
interface ReplyFigures {
  readonly of: number;
  readonly first: number;
  readonly inFive: number;
  readonly in60Words: number;
  readonly in150Words: number;
  readonly inReply: number;
  readonly misled: number;
  readonly silent: number;
  /** Replies in the tone of an answer. */
  readonly sure: number;
}

/** Counts of a set's outcomes. */
export interface Figures {
  readonly answerable: ReplyFigures;
  readonly followUps: ReplyFigures;
  readonly withCode: ReplyFigures;
  readonly unanswerable: ReplyFigures;
  /** Median of the words before *Show more*. */
  readonly words: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

function repliesOf(outcomes: readonly Outcome[]): ReplyFigures {
  const count = (holdsFor: (outcome: Outcome) => boolean): number =>
    outcomes.filter(holdsFor).length;
  return {
    of: outcomes.length,
    first: count(isFirst),
    inFive: count(isInFive),
    in60Words: count((outcome) => answersIn(60, outcome)),
    in150Words: count((outcome) => answersIn(150, outcome)),
    inReply: count(answersInReply),
    misled: count(isMisled),
    silent: count(({ found }) => found.length === 0),
    sure: count(({ tone }) => tone === 'answer'),
  };
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const of = (kind: QuestionKind): ReplyFigures =>
    repliesOf(outcomes.filter((outcome) => outcome.kind === kind));
  const times = outcomes.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return {
    answerable: of('answerable'),
    followUps: of('follow-up'),
    withCode: of('with code'),
    unanswerable: of('unanswerable'),
    words: median(outcomes.map(({ text }) => withoutMarkup(text).split(' ').length)),
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

/** Returns the questions of a file that only has some that can be answered. @throws when it has something else. */
export async function readAnswerable(file: string): Promise<QuestionSet> {
  const questions = v.parse(answerable, JSON.parse(await readFile(file, 'utf8')));
  return { answerable: questions, unanswerable: [], followups: [], withCode: [] };
}

/** Adds copies of every page in other folders until the index has `count` pages. */
export function multiplyPages(index: SetIndex, count: number): void {
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

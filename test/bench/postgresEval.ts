/**
 * Asks the service of a company the same questions twice: with the index of the process, and with the one in PostgreSQL.
 * Both are asked over HTTP.
 */
import path from 'node:path';
import { pageHref } from '../../src/docs/pages/links';
import { type Company, startCompany } from '../service/company/company';
import { startPostgres } from '../service/company/postgresServer';
import type { Reply as CompanyReply } from '../service/service/localServiceAsking';
import {
  answersIn,
  holds,
  isFirst,
  isInFive,
  libraryOf,
  type NamedSet,
  type QuestionSet,
  readQuestions,
} from './retrievalEval';

/** Counts of the replies to the questions of a set that have an answer. */
export interface BackendFigures {
  readonly of: number;
  readonly first: number;
  readonly inFive: number;
  readonly in60Words: number;
  readonly inReply: number;
}

export interface ComparedSet {
  readonly name: string;
  readonly embedded: BackendFigures;
  readonly stored: BackendFigures;
  /** Number of all questions, and of those whose replies are equal word for word, with the same sources. */
  readonly questions: number;
  readonly equal: number;
}

interface AskedReply {
  readonly text: string;
  readonly found: readonly string[];
  readonly accept: readonly string[];
  readonly span: readonly string[];
}

const limits = {
  organization: { requests: 1_000_000, seconds: 60 },
  address: { requests: 1_000_000, seconds: 60 },
};

/** Asks all questions of a set. Those without an answer have no pages that are accepted. */
async function askCompany(
  company: Company,
  domain: string,
  key: string,
  set: QuestionSet,
  pathOf: (route: string) => string,
): Promise<AskedReply[]> {
  const start = `${company.url}/sites/${domain}`;
  const replyOf = (
    { text, sources }: CompanyReply,
    accept: readonly string[],
    span: readonly string[],
  ): AskedReply => ({
    text: text.replaceAll(company.url, ''),
    found: sources.map(({ url }) => pathOf(url.replace(start, '').replace(/#.*$/, ''))),
    accept,
    span,
  });
  const ask = (question: string, fields: object = {}): Promise<CompanyReply> =>
    company.ask(domain, key, question, { retrievalPageSize: 5, ...fields });
  const replies: AskedReply[] = [];
  for (const { q, accept, span } of set.answerable)
    replies.push(replyOf(await ask(q), accept, span));
  for (const q of set.unanswerable) replies.push(replyOf(await ask(q), [], []));
  for (const { first, follow, accept, span } of set.followups) {
    const { threadId } = await ask(first);
    replies.push(replyOf(await ask(follow, { threadId }), accept, span));
  }
  for (const { q, code, language, accept, span } of set.withCode) {
    const file = language === undefined ? undefined : `selection.${language}`;
    const context = [{ type: 'code', value: code, path: file }];
    replies.push(replyOf(await ask(q, { context }), accept, span));
  }
  return replies;
}

function figuresOf(replies: readonly AskedReply[]): BackendFigures {
  const answerable = replies.filter(({ accept }) => accept.length > 0);
  const count = (holdsFor: (reply: AskedReply) => boolean): number =>
    answerable.filter(holdsFor).length;
  return {
    of: answerable.length,
    first: count(isFirst),
    inFive: count(isInFive),
    in60Words: count((reply) => answersIn(60, reply)),
    inReply: count(({ text, span }) => holds(text, span)),
  };
}

/** @returns undefined if PostgreSQL isn't installed. */
export async function compareBackends(
  sets: readonly NamedSet[],
): Promise<ComparedSet[] | undefined> {
  const server = await startPostgres();
  if (!server) return undefined;
  const manifest = {
    limits,
    sites: sets.map(({ name, docs }) => ({
      domain: name,
      source: { kind: 'folder', path: path.resolve(docs) },
    })),
  };
  const embedded = await startCompany(manifest);
  const stored = await startCompany(manifest, { database: await server.newDatabase() });
  const compared: ComparedSet[] = [];
  for (const { name, docs, questions } of sets) {
    const set = await readQuestions(questions);
    const library = await libraryOf(docs);
    const paths = new Map([...library.index.pages()].map((page) => [pageHref(page), page.path]));
    await library.stop();
    const [own = [], other = []] = await Promise.all(
      [embedded, stored].map(async (company) =>
        askCompany(company, name, await company.newKey(), set, (href) => paths.get(href) ?? href),
      ),
    );
    compared.push({
      name,
      embedded: figuresOf(own),
      stored: figuresOf(other),
      questions: own.length,
      equal: own.filter((reply, place) => JSON.stringify(reply) === JSON.stringify(other[place]))
        .length,
    });
  }
  await Promise.all([embedded.end(), stored.end()]);
  await server.remove();
  return compared;
}

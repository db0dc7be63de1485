/** Notes and shows what readers miss: questions that the docs had no source for, by site and week. */
import type { Context } from 'hono';
import { stringify } from 'yaml';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Log } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import { escapeHtml, pageDocument } from '../../docs/pages/pageHtml';
import { plainLine } from '../../shared/characters';
import { pageHeaders } from '../server/docsRoutes';
import type { Miss, MissRecords } from './stores';

const MAX_QUESTION = 300;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the ISO week of a time, such as `2026-W48`. */
export function weekOf(time: number): string {
  const date = new Date(time);
  const day = (date.getUTCDay() + 6) % 7;
  // The Thursday of a week decides to which year the week belongs.
  const thursday = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - day + 3),
  );
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - start) / DAY_MS / 7) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

/** Returns a question without what could tell who has asked it: secrets, addresses, long numbers and names of hosts. */
export async function impersonal(question: string): Promise<string> {
  const { redactSecrets } = await import('../../common/secretScan/scanText');
  const { text } = await redactSecrets(cutText(question, MAX_QUESTION * 2));
  const plain = plainLine(text)
    .replace(/[^\s@<>()]+@[^\s@<>()]+/g, '[address]')
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '[link]')
    .replace(/(?:\+\d|\b\d)[\d ()/.-]{5,}\d\b/g, '[number]')
    .replace(/(?:[A-Za-z]:\\|\/(?:home|Users)\/)\S+/g, '[path]');
  return cutText(plain, MAX_QUESTION);
}

/** Notes questions without an answer in the background. A failure loses the note and nothing else. */
export class MissNotes {
  readonly #records: MissRecords;
  readonly #clock: Clock;
  readonly #log: Log;
  #noting: Promise<void> = Promise.resolve();

  constructor(records: MissRecords, clock: Clock, log: Log) {
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
  }

  note(domain: string, question: string): void {
    const week = weekOf(this.#clock.now());
    this.#noting = this.#noting
      .then(async () => this.#records.add({ domain, week, question: await impersonal(question) }))
      .catch((error: unknown) =>
        this.#log.warn(`Can't note a question without an answer: ${errorCodeOrName(error)}`),
      );
  }

  whenIdle(): Promise<void> {
    return this.#noting;
  }
}

/** Answers with the questions as JSON, or as a page for a browser. */
export async function answerMisses(c: Context, records: MissRecords): Promise<Response> {
  const misses = await records.list(c.req.query('site'), c.req.query('week'));
  if (!(c.req.header('accept') ?? '').includes('text/html')) return c.json({ misses });
  return c.html(pageDocument('What readers miss', missesHtml(misses)), 200, pageHeaders);
}

function missesHtml(misses: readonly Miss[]): string {
  const rows = misses.map(
    ({ domain, week, question, count }) =>
      `<tr><td>${escapeHtml(week)}</td><td>${escapeHtml(domain)}</td><td>${escapeHtml(question)}</td><td>${count}</td></tr>`,
  );
  const questions = [...new Set(misses.map(({ question }) => question))];
  const written = stringify({ questions: questions.map((question) => ({ question })) });
  return (
    `<h1>What readers miss</h1><table><thead><tr><th>Week</th><th>Site</th><th>Question</th><th>Times</th></tr></thead><tbody>${rows.join('')}</tbody></table>` +
    `<h2>As docs-questions.yaml</h2><pre>${escapeHtml(written)}</pre>`
  );
}

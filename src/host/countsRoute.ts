/** Shows the counts to the docs team, as JSON and as a page. Reads the team's token with `node:fs`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { html, raw } from 'hono/html';
import { isSameSecret } from '../common/http/sameSecret';
import { sendPlainPage } from '../export/preview/fileResponse';
import type { CountReport, ReaderCounts } from './readerCounts';

/** Days of a report, without and with `?days=`. */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

/** Rows of a table on the page. The JSON has all. */
const MAX_ROWS = 200;

/** Shortest token that counts. A guess of 16 characters can't succeed. */
const SHORTEST_TOKEN = 16;

/** Answers a request for the counts, if it has the token of the file. The file is read each time, so it can be renewed. */
export async function sendCounts(
  request: IncomingMessage,
  response: ServerResponse,
  {
    counts,
    tokenFile,
    isJson,
    search,
  }: {
    readonly counts: ReaderCounts;
    readonly tokenFile: string;
    readonly isJson: boolean;
    readonly search: string;
  },
): Promise<void> {
  const token = (await readFile(tokenFile, 'utf8').catch(() => '')).trim();
  if (token.length < SHORTEST_TOKEN) {
    const sentence = `The token file can’t be read, or has fewer than ${SHORTEST_TOKEN} characters.`;
    sendPlainPage(response, 503, sentence);
    return;
  }
  if (!isSameSecret(givenToken(request.headers.authorization), token)) {
    response.setHeader('WWW-Authenticate', 'Basic realm="Counts of the docs", charset="UTF-8"');
    sendPlainPage(response, 401, 'Enter the token of the docs team as the password.');
    return;
  }
  const asked = Number(new URLSearchParams(search).get('days') ?? DEFAULT_DAYS);
  const days = Number.isInteger(asked) ? Math.min(Math.max(1, asked), MAX_DAYS) : DEFAULT_DAYS;
  const report = await counts.report(days);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', pagePolicy);
  response.setHeader('X-Robots-Tag', 'noindex');
  if (isJson) {
    response.setHeader('Content-Type', 'application/json');
    response.end(`${JSON.stringify({ version: 1, ...report }, undefined, 2)}\n`);
  } else {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(await countsPage(report));
  }
}

/** Returns the password of `Basic`, or the token of `Bearer`. */
function givenToken(header = ''): string {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(\S+)$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse;width:100%}tr{border-bottom:1px solid #8885}' +
  'th,td{padding:.3rem 0;text-align:start;overflow-wrap:anywhere}' +
  ':is(th,td)+:is(th,td){padding-inline-start:1rem;text-align:end;white-space:nowrap}';

const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; frame-ancestors 'none'`;

async function countsPage(report: CountReport): Promise<string> {
  const { from, to, views, pages, searchesWithoutResult, searches, days } = report;
  const table = (
    names: readonly string[],
    rows: readonly (readonly (string | number)[])[],
  ): unknown => {
    if (rows.length === 0) return html`<p>None.</p>`;
    const head = names.map((name) => html`<th scope="col">${name}</th>`);
    const body = rows.slice(0, MAX_ROWS).map((cells) => {
      const shown = cells.map((cell) => html`<td><bdi>${cell}</bdi></td>`);
      return html`<tr>
        ${shown}
      </tr>`;
    });
    return html`<table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>`;
  };
  return String(
    await html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>Counts of the docs</title>
        ${raw(`<style>${style}</style>`)}
        <h1>Counts of the docs</h1>
        <p>
          From ${from} to ${to}: ${views} views of pages, ${searchesWithoutResult} searches without
          a result.
        </p>
        <p>
          Show <a href="?days=7">7</a>, <a href="?days=30">30</a>, <a href="?days=90">90</a> or
          <a href="?days=${MAX_DAYS}">${MAX_DAYS}</a> days. The first ${MAX_ROWS} rows of each table
          are here. <a href="counts.json">JSON</a> has all.
        </p>
        <h2>Searches without a result</h2>
        ${table(
          ['Search', 'Times'],
          searches.map(({ text, count }) => [text, count]),
        )}
        <h2>Pages</h2>
        ${table(
          ['Page', 'Views'],
          pages.map(({ path, views: number }) => [path, number]),
        )}
        <h2>Days</h2>
        ${table(
          ['Day', 'Views', 'Searches without a result'],
          days.toReversed().map((day) => [day.day, day.views, day.searchesWithoutResult]),
        )}
      </html> `,
  );
}

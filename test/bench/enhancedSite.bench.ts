/**
 * Search and answers in an enhanced site, in a browser over loopback: what a page loads, what the first result takes, and
 * how long a question takes after that. `ENHANCED_PAGES=20000` measures that many pages instead.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { systemClock } from '../../src/common/clock';
import { silentLog } from '../../src/common/ports';
import { enhanceSite } from '../../src/enhance/enhanceSite';
import { seededRandom } from '../builders/seededRandom';
import { launchBrowser, openContext } from '../webview/harness';
import { bounded, median, report, type BenchRow } from './benchRow';

const SECTIONS = 8;
const WORDS_A_SECTION = 110;
const VOCABULARY = 20_000;
const QUESTIONS = 7;
/** Goal of a question over 1,000 pages, in milliseconds. */
const QUESTION_MS = 150;

const random = seededRandom(11);
const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

/** Words as rare and as frequent as those of a language: the n-th is n times rarer than the first. */
const words = Array.from({ length: VOCABULARY }, (_, rank) => {
  let word = '';
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / 20))
    word += syllables[rest % 20] ?? '';
  return word;
});
const word = (): string => words[Math.floor(VOCABULARY ** (random(10_000) / 10_000)) - 1] ?? '';

function text(): string {
  return Array.from(
    { length: WORDS_A_SECTION },
    (_, at) => word() + (at % 11 === 10 ? '.' : ''),
  ).join(' ');
}

function pageHtml(page: number): string {
  const sections = Array.from(
    { length: SECTIONS },
    (_, section) => `<h2 id="s${section}">${word()} ${word()}</h2><p>${text()}</p>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${word()} ${page}</title></head><body><main><h1>${word()} ${page}</h1>${sections.join('')}</main></body></html>`;
}

interface Figures {
  readonly pageBytes: number;
  readonly resultBytes: number;
  readonly resultMs: number;
  readonly questionMs: number;
  /** Processor time of the page for a question. */
  readonly questionCpuMs: number;
  readonly enhanceMs: number;
  readonly folderBytes: number;
}

async function measure(browser: Browser, pages: number): Promise<Figures> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'enhanced-bench-'));
  try {
    for (let page = 0; page < pages; page++) {
      const file = path.join(root, `part-${Math.floor(page / 100)}`, `page-${page}.html`);
      if (page % 100 === 0) await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, pageHtml(page));
    }
    const start = performance.now();
    const { bytes: folderBytes } = await enhanceSite({
      root,
      scripts: path.resolve('dist/site'),
      signal: new AbortController().signal,
      onProgress: () => undefined,
      clock: systemClock,
      log: silentLog,
    });
    const enhanceMs = performance.now() - start;
    return { ...(await inBrowser(browser, root)), enhanceMs, folderBytes };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function inBrowser(
  browser: Browser,
  root: string,
): Promise<Omit<Figures, 'enhanceMs' | 'folderBytes'>> {
  let own = 0;
  const server = createServer((request, response) => {
    const file = path.join(root, request.url ?? '');
    readFile(file).then(
      (content) => {
        if (file.includes('_docs-assistant')) own += content.length;
        const type = file.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
        response.writeHead(200, { 'content-type': type }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const context = await openContext(browser);
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/part-0/page-0.html`);
    const box = page.locator('docs-assistant-box');
    await box.locator('button.open').waitFor();
    const pageBytes = own;
    /** Types a text, waits for what it leads to, and returns the milliseconds as the page measures them. */
    const timed = (typed: string, wanted: string, isAsked: boolean): Promise<number> =>
      page.evaluate(
        async ([value, selector, asks]) => {
          const host = document.querySelector('docs-assistant-box')?.shadowRoot;
          if (!host) throw new Error('The page has no box');
          const from = performance.now();
          const until = async (ready: () => boolean): Promise<void> => {
            while (!ready()) await new Promise((resolve) => setTimeout(resolve, 1));
          };
          if (!host.querySelector('dialog[open]')) {
            host.querySelector<HTMLElement>('button.open')?.click();
            await until(() => host.querySelector('dialog[open]') !== null);
          }
          const field = host.querySelector('input');
          if (!field) throw new Error('The box has no field');
          for (const shown of host.querySelectorAll('.option, .reply')) shown.remove();
          field.value = value;
          if (asks) {
            const enter = { key: 'Enter', ctrlKey: true, bubbles: true };
            field.dispatchEvent(new KeyboardEvent('keydown', enter));
          } else field.dispatchEvent(new InputEvent('input', { bubbles: true }));
          await until(() => host.querySelector(selector) !== null);
          return performance.now() - from;
        },
        [typed, wanted, isAsked] as const,
      );
    const query = (): string => `${words[900 + random(4000)]} ${words[200 + random(700)]}`;
    const resultMs = await timed(query(), '.option[href]', false);
    const resultBytes = own - pageBytes;
    await timed(`How does ${query()} work?`, '.reply', true);
    const client = await context.newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    const processorMs = async (): Promise<number> => {
      const { metrics } = await client.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const before = await processorMs();
    const times: number[] = [];
    for (let question = 0; question < QUESTIONS; question++)
      times.push(await timed(`How does ${query()} ${query()} work?`, '.reply', true));
    const questionCpuMs = ((await processorMs()) - before) / QUESTIONS;
    return { pageBytes, resultBytes, resultMs, questionMs: median(times), questionCpuMs };
  } finally {
    await context.close();
    server.close();
    server.closeAllConnections();
  }
}

function rowsOf(pages: number, figures: Figures): BenchRow[] {
  const { pageBytes, resultBytes, resultMs, questionMs, questionCpuMs, enhanceMs, folderBytes } =
    figures;
  const name = `enhanced site of ${pages.toLocaleString('en')} pages`;
  const perPage = (value: number): string => (value / pages).toFixed(1);
  return [
    bounded({ name: `${name}: script of a page`, unit: 'KB', ours: pageBytes / 1024, goal: 40 }),
    bounded({
      name: `${name}: loaded for the first result`,
      unit: 'KB',
      ours: resultBytes / 1024,
      goal: null,
      note: `folder: ${perPage(folderBytes / 1024)} KB a page`,
    }),
    bounded({
      name: `${name}: first result after the click`,
      unit: 'ms',
      ours: resultMs,
      goal: null,
      note: `enhanced in ${perPage(enhanceMs)} ms a page`,
    }),
    bounded({
      name: `${name}: a further question`,
      unit: 'ms',
      ours: questionMs,
      goal: pages <= 1000 ? QUESTION_MS : null,
      note: `${questionCpuMs.toFixed(0)} ms of processor time`,
    }),
  ];
}

const asked = Number(process.env['ENHANCED_PAGES'] ?? '');
const browser = await launchBrowser();
try {
  for (const pages of asked > 0 ? [asked] : [60, 1000])
    report(rowsOf(pages, await measure(browser, pages)));
} finally {
  await browser.close();
}

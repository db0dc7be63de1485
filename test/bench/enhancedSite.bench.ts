/**
 * Search and answers in an enhanced site, in a browser over loopback: what a page loads, what the first result takes, and
 * how long a question takes after that, beside Pagefind's own UI and the search that our exports have. Pagefind is
 * installed once per user. `ENHANCED_PAGES=20000` measures that many pages instead.
 */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../src/common/clock';
import { silentLog } from '../../src/common/ports';
import { enhanceSite } from '../../src/enhance/enhanceSite';
import { launchBrowser, openContext } from '../webview/harness';
import { against, bounded, median, report, type BenchRow } from './benchRow';
import { KNOWN_HEADING, query, SOME_PAGE, writeMadeUpSite } from './madeUpDocs';

const QUESTIONS = 9;
/** Times that a first result is measured, each in a new context of the browser. */
const ROUNDS = 3;
/** Goal of a question over 1,000 pages, in milliseconds. */
const QUESTION_MS = 150;

/** A search of a page: how it is opened, its field, and what it shows for a result. */
interface SearchKind {
  readonly page: string;
  /** Names of the folders and files that belong to the search. */
  readonly files: RegExp;
  readonly opener?: string;
  readonly field: string;
  readonly result: string;
}

const box: SearchKind = {
  page: SOME_PAGE,
  files: /\/_docs-assistant\//,
  opener: 'button.open',
  field: 'dialog[open] input',
  result: '.option[href]',
};
const pagefind: SearchKind = {
  page: 'part-0/pagefind.html',
  files: /\/pagefind\//,
  field: '.pagefind-ui__search-input',
  result: '.pagefind-ui__result-link',
};
const own: SearchKind = {
  page: 'part-0/plain.html',
  files: /\/assets\/search/,
  field: '[id="site:search"]',
  result: '[id^="site:result-"]',
};

interface FirstResult {
  /** Bytes that the page loads for the search before somebody uses it. */
  readonly pageBytes: number;
  readonly bytes: number;
  readonly ms: number;
}

interface Enhanced {
  readonly bytes: number;
  /** Processor time. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

interface Figures {
  readonly ours: FirstResult;
  readonly own: FirstResult;
  readonly pagefind?: FirstResult;
  readonly pagefindBytes: number;
  readonly questionMs: number;
  /** Processor time of the page for a question. */
  readonly questionCpuMs: number;
  readonly enhanced: Enhanced;
}

/** Enhances a site in a process of its own, whose memory and time are its own. */
async function enhanceHere(root: string): Promise<void> {
  const { bytes } = await enhanceSite({
    root,
    scripts: path.resolve('dist/site'),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    clock: systemClock,
    log: silentLog,
  });
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const enhanced: Enhanced = {
    bytes,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    peakMb: maxRSS / 1024,
  };
  process.stdout.write(JSON.stringify(enhanced));
}

/** Indexes a site with Pagefind. @returns the bytes of its folder, or undefined if it can't be had. */
async function indexWithPagefind(root: string): Promise<number | undefined> {
  try {
    const said = execFileSync(process.execPath, ['test/bench/sites/pagefind.mjs'], {
      encoding: 'utf8',
    });
    const program = said.trim().split('\n').at(-1) ?? '';
    execFileSync(process.execPath, [program, '--site', root], { stdio: 'ignore' });
  } catch (error) {
    process.stderr.write(
      `SKIPPED: Pagefind can't be had here: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return undefined;
  }
  const page = await readFile(path.join(root, own.page), 'utf8');
  const ui = `<link rel="stylesheet" href="../pagefind/pagefind-ui.css"><script src="../pagefind/pagefind-ui.js"></script>
<div id="pagefind"></div><script>new PagefindUI({ element: '#pagefind', debounceTimeoutMs: 0 });</script>`;
  // The policy of our exports allows neither its inline script nor its WebAssembly.
  const open = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  await writeFile(path.join(root, pagefind.page), open.replace('</main>', `${ui}</main>`));
  const folder = path.join(root, 'pagefind');
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const entry = await stat(path.join(folder, name));
    if (entry.isFile()) bytes += entry.size;
  }
  return bytes;
}

async function measure(browser: Browser, pages: number): Promise<Figures> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'enhanced-bench-')));
  try {
    const root = await writeMadeUpSite(folder, pages);
    const plain = await readFile(path.join(root, SOME_PAGE));
    const said = execFileSync(process.execPath, [process.argv[1] ?? '', root], {
      encoding: 'utf8',
    });
    // This process is the only one that writes it.
    const enhanced = JSON.parse(said) as Enhanced;
    await writeFile(path.join(root, own.page), plain);
    const pagefindBytes = await indexWithPagefind(root);
    return {
      ...(await inBrowser(browser, root, pagefindBytes !== undefined)),
      pagefindBytes: pagefindBytes ?? NaN,
      enhanced,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

async function inBrowser(
  browser: Browser,
  root: string,
  hasPagefind: boolean,
): Promise<Omit<Figures, 'enhanced' | 'pagefindBytes'>> {
  const sent: { url: string; bytes: number }[] = [];
  const server = createServer((request, response) => {
    const url = (request.url ?? '').replace(/\?.*$/, '');
    readFile(path.join(root, url)).then(
      (content) => {
        sent.push({ url, bytes: content.length });
        const type = types[path.extname(url)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  const bytesOf = ({ files }: SearchKind): number =>
    sent.reduce((sum, { url, bytes }) => sum + (files.test(url) ? bytes : 0), 0);
  /** Opens a page in a new context and lets `use` work on it. */
  const onPage = async <Result>(
    kind: SearchKind,
    use: (page: Page) => Promise<Result>,
  ): Promise<Result> => {
    sent.length = 0;
    const context = await openContext(browser);
    try {
      const page = await context.newPage();
      await page.goto(origin + kind.page, { waitUntil: 'networkidle' });
      return await use(page);
    } finally {
      await context.close();
    }
  };
  const first = (kind: SearchKind): Promise<FirstResult> =>
    onPage(kind, async (page) => {
      const pageBytes = bytesOf(kind);
      const ms = await timed(page, kind, KNOWN_HEADING, false);
      return { pageBytes, bytes: bytesOf(kind) - pageBytes, ms };
    });
  try {
    const results = new Map<SearchKind, FirstResult[]>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of hasPagefind ? [box, pagefind, own] : [box, own])
        results.set(kind, [...(results.get(kind) ?? []), await first(kind)]);
    }
    const typical = (kind: SearchKind): FirstResult | undefined => {
      const all = results.get(kind) ?? [];
      return all[0] && { ...all[0], ms: median(all.map(({ ms }) => ms)) };
    };
    const [ours, ofSite] = [typical(box), typical(own)];
    if (!ours || !ofSite) throw new Error('No search was measured');
    return {
      ours,
      own: ofSite,
      pagefind: typical(pagefind),
      ...(await onPage(box, measureQuestions)),
    };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function measureQuestions(
  page: Page,
): Promise<Pick<Figures, 'questionMs' | 'questionCpuMs'>> {
  await timed(page, box, `How does ${query()} work?`, true);
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const processorMs = async (): Promise<number> => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await processorMs();
  const times: number[] = [];
  for (let question = 0; question < QUESTIONS; question++)
    times.push(await timed(page, box, `How does ${query()} ${query()} work?`, true));
  const questionCpuMs = ((await processorMs()) - before) / QUESTIONS;
  return { questionMs: median(times), questionCpuMs };
}

/** Types a text, waits for what it leads to, and returns the milliseconds as the page measures them. */
function timed(page: Page, kind: SearchKind, text: string, isAsked: boolean): Promise<number> {
  return page.evaluate(
    async ({ value, opener, field, wanted, asks }) => {
      const root = document.querySelector('docs-assistant-box')?.shadowRoot ?? document;
      const from = performance.now();
      const found = async <Kind extends HTMLElement>(selector: string): Promise<Kind> => {
        for (;;) {
          if (performance.now() - from > 30_000) throw new Error(`The page shows no ${selector}`);
          const element = root.querySelector<Kind>(selector);
          if (element) return element;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      };
      if (opener !== undefined && !root.querySelector(field)) (await found(opener)).click();
      const input = await found<HTMLInputElement>(field);
      for (const shown of root.querySelectorAll(wanted)) shown.remove();
      input.focus();
      input.value = value;
      if (asks) {
        const enter = { key: 'Enter', ctrlKey: true, bubbles: true };
        input.dispatchEvent(new KeyboardEvent('keydown', enter));
      } else input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await found(wanted);
      return performance.now() - from;
    },
    {
      value: text,
      opener: kind.opener,
      field: kind.field,
      wanted: isAsked ? '.reply' : kind.result,
      asks: isAsked,
    },
  );
}

function rowsOf(pages: number, figures: Figures): BenchRow[] {
  const { ours, own: ofSite, pagefind: peer, pagefindBytes, enhanced } = figures;
  const name = `enhanced site of ${pages.toLocaleString('en')} pages`;
  const kb = (bytes: number): number => bytes / 1024;
  const perPage = (value: number): string => (value / pages).toFixed(1);
  const beside = (row: Parameters<typeof bounded>[0], value: number | undefined): BenchRow =>
    value === undefined ? bounded(row) : against({ ...row, peerName: 'Pagefind', peer: value });
  return [
    bounded({
      name: `${name}: script of a page`,
      unit: 'KB',
      ours: kb(ours.pageBytes),
      goal: 40,
      note: peer ? `Pagefind's UI: ${kb(peer.pageBytes).toFixed(0)} KB` : '',
    }),
    beside(
      {
        name: `${name}: loaded for the first result`,
        unit: 'KB',
        ours: kb(ours.bytes),
        goal: null,
        note: `the export's own search: ${kb(ofSite.bytes).toFixed(0)} KB`,
      },
      peer && kb(peer.bytes),
    ),
    beside(
      {
        name: `${name}: first result after the click`,
        unit: 'ms',
        ours: ours.ms,
        goal: null,
        note: `the export's own search: ${ofSite.ms.toFixed(0)} ms`,
      },
      peer?.ms,
    ),
    bounded({
      name: `${name}: a further question`,
      unit: 'ms',
      ours: figures.questionMs,
      goal: pages <= 1000 ? QUESTION_MS : null,
      note: `${figures.questionCpuMs.toFixed(0)} ms of processor time`,
    }),
    beside(
      {
        name: `${name}: folder, for each page`,
        unit: 'KB',
        ours: kb(enhanced.bytes) / pages,
        goal: null,
      },
      peer && kb(pagefindBytes) / pages,
    ),
    bounded({
      name: `${name}: enhancing`,
      unit: 'MB',
      ours: enhanced.peakMb,
      goal: null,
      note: `peak memory; ${perPage(enhanced.cpuMs)} ms of processor time a page`,
    }),
  ];
}

async function main(): Promise<void> {
  const asked = Number(process.env['ENHANCED_PAGES'] ?? '');
  const browser = await launchBrowser();
  try {
    for (const pages of asked > 0 ? [asked] : [60, 1000])
      report(rowsOf(pages, await measure(browser, pages)));
  } finally {
    await browser.close();
  }
}

const root = process.argv[2];
await (root === undefined ? main() : enhanceHere(root));

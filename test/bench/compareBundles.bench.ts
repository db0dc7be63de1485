/**
 * *Compare Bundles…* on two releases of a generated site: against `diff -r` on the same folders, and how
 * its time and memory grow with the pages. Wants `dist/compareBundles.js`, and runs it as the extension
 * does, in a worker thread. Memory is that of the whole process, measured in one of its own.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { against, bounded, median, report, type BenchRow } from './benchRow';
import { makeSite, pathOf, withSite } from './generatedSite';

const execute = promisify(execFile);

const FEW_PAGES = 500;
const MANY_PAGES = 5000;
const ROUNDS = 3;

/** Pages of a hundred whose text changes, and of those that move to another folder. */
const CHANGED_PERCENT = 10;
const MOVED_PERCENT = 2;

interface Measured {
  readonly ms: number;
  /** Time of the processor, which other work of the machine doesn't change. */
  readonly cpuMs: number;
  readonly megabytes: number;
}

/** Turns a copy of a site into its next release: a new footer on all pages, new texts, moved pages. */
async function release(root: string, pages: number): Promise<{ changed: number; moved: number }> {
  let changed = 0;
  let moved = 0;
  for (let page = 0; page < pages; page++) {
    const file = path.join(root, pathOf(page));
    let html = (await readFile(file, 'utf8')).replace('</body>', '<footer>Build 2</footer></body>');
    if (page % 100 < CHANGED_PERCENT) {
      html = html.replace('Section 3</h2>\n<p>', 'Section 3</h2>\n<p>Since release 2, ');
      changed++;
    }
    await writeFile(file, html);
    if (page % 100 >= 100 - MOVED_PERCENT) {
      await rename(file, path.join(path.dirname(file), `moved-${page}.html`));
      moved++;
    }
  }
  return { changed, moved };
}

/** Compares in a process of its own, which prints its time, its memory and what it found. */
const script = `
import { Worker } from 'node:worker_threads';
const [worker, before, after] = process.argv.slice(1);
const from = performance.now();
const data = { before: { root: before, name: 'before' }, after: { root: after, name: 'after' } };
new Worker(worker, { workerData: data, execArgv: [] }).on('message', ({ name, result }) => {
  if (name !== 'result') return;
  const ms = performance.now() - from;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  console.log(JSON.stringify({ ms, cpuMs, megabytes, counts: result.counts }));
});
`;

async function ours(
  before: string,
  after: string,
  planted: { changed: number; moved: number },
): Promise<Measured> {
  const worker = path.resolve('dist/compareBundles.js');
  const { stdout } = await execute(
    process.execPath,
    ['--input-type=module', '-e', script, worker, before, after],
    { maxBuffer: 1e8 },
  );
  const { ms, cpuMs, megabytes, counts } = JSON.parse(stdout) as Measured & {
    counts: { changedPages: number; movedPages: number };
  };
  // A page that links to one that moved has the same text and a broken link.
  if (counts.changedPages !== planted.changed || counts.movedPages !== planted.moved)
    throw new Error(`Not what was planted: ${JSON.stringify({ counts, planted })}`);
  return { ms, cpuMs, megabytes };
}

/** Program that tells the memory of another one, where it is installed. */
const gnuTime = '/usr/bin/time';

/** Runs `diff -r`, which ends with 1 for folders that differ. */
async function peer(before: string, after: string): Promise<Measured> {
  const from = performance.now();
  const isTimed = existsSync(gnuTime);
  const command = `${isTimed ? `${gnuTime} -f %M ` : ''}diff -r "$0" "$1" > /dev/null || test $? -le 1`;
  const { stderr } = await execute('sh', ['-c', command, before, after]);
  const ms = performance.now() - from;
  // The last line, after what is said about the exit code.
  return {
    ms,
    cpuMs: NaN,
    megabytes: isTimed ? Number(stderr.trim().split('\n').at(-1)) / 1024 : NaN,
  };
}

async function repeated(measure: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await measure());
  return {
    ms: median(all.map(({ ms }) => ms)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
    megabytes: median(all.map(({ megabytes }) => megabytes)),
  };
}

async function on(pages: number): Promise<{ ours: Measured; peer: Measured }> {
  return withSite(pages, (before) =>
    withSite(0, async (after) => {
      await makeSite(after, pages);
      const planted = await release(after, pages);
      if ((await readdir(before)).length === 0) throw new Error('The site is empty');
      await ours(before, after, planted);
      return {
        ours: await repeated(() => ours(before, after, planted)),
        peer: await repeated(() => peer(before, after)),
      };
    }),
  );
}

async function main(): Promise<void> {
  const few = await on(FEW_PAGES);
  const many = await on(MANY_PAGES);
  const perPage = (measured: Measured, pages: number): number => measured.cpuMs / pages;
  const names = `${MANY_PAGES.toLocaleString('en')} by ${FEW_PAGES} pages`;
  const rows: BenchRow[] = [
    against({
      name: `Compare Bundles: ${MANY_PAGES.toLocaleString('en')} pages, all with a new footer`,
      unit: 'ms',
      ours: many.ours.ms,
      peer: many.peer.ms,
      peerName: 'diff -r, which compares bytes only',
      goal: null,
    }),
    bounded({
      name: `Compare Bundles: processor time per page, ${names}`,
      unit: 'ratio',
      ours: perPage(many.ours, MANY_PAGES) / perPage(few.ours, FEW_PAGES),
      goal: 1.2,
      note: `${perPage(few.ours, FEW_PAGES).toFixed(2)} ms and ${perPage(many.ours, MANY_PAGES).toFixed(2)} ms a page`,
    }),
    bounded({
      name: `Compare Bundles: memory, ${names}`,
      unit: 'ratio',
      ours: many.ours.megabytes / few.ours.megabytes,
      goal: 2,
      note: `${few.ours.megabytes.toFixed(0)} MB and ${many.ours.megabytes.toFixed(0)} MB, diff -r ${many.peer.megabytes.toFixed(0)} MB`,
    }),
  ];
  report(rows);
}

await main();

/**
 * *Check Bundle* on generated sites: against a link checker from npm on the same folder, and how
 * its time grows with the pages. Wants `dist/checkBundle.js`, and runs it as the extension does: in
 * a worker thread.
 */
import path from 'node:path';
import { LinkChecker, LinkState } from 'linkinator';
import { checkInWorker } from '../../src/export/check/checkInWorker';
import { against, bounded, median, report, type BenchRow } from './benchRow';
import { BROKEN, withSite } from './generatedSite';

const PAGES = 2000;
const FEW_PAGES = 500;
const MANY_PAGES = 5000;
const ROUNDS = 3;

interface Timed {
  readonly ms: number;
  readonly broken: number;
}

async function timed(work: () => Promise<number>): Promise<Timed> {
  const from = performance.now();
  const broken = await work();
  return { ms: performance.now() - from, broken };
}

async function ours(root: string): Promise<number> {
  const found = await checkInWorker({
    script: path.resolve('dist/checkBundle.js'),
    root,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (found.outsideFetchCount > 0) throw new Error('The site fetches nothing from outside');
  return found.brokenCount;
}

/**
 * Checks a bundle with the peer's tool, including the fragments and style sheets that *Check
 * Bundle* checks.
 */
async function peer(root: string): Promise<number> {
  const { links } = await new LinkChecker().check({
    path: root,
    recurse: true,
    checkCss: true,
    checkFragments: true,
  });
  return new Set(links.flatMap(({ state, url }) => (state === LinkState.BROKEN ? [url] : []))).size;
}

async function oursOn(root: string): Promise<number> {
  await ours(root);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, broken } = await timed(() => ours(root));
    if (broken !== BROKEN) throw new Error(`${broken} broken links found, not ${BROKEN}`);
    times.push(ms);
  }
  return median(times);
}

async function main(): Promise<void> {
  const rows: BenchRow[] = [];
  await withSite(PAGES, async (root) => {
    const peerRun = await timed(() => peer(root));
    if (peerRun.broken < BROKEN) throw new Error(`The peer found ${peerRun.broken} broken links`);
    rows.push(
      against({
        name: `Check Bundle: ${PAGES.toLocaleString('en')} pages`,
        unit: 'ms',
        ours: await oursOn(root),
        peer: peerRun.ms,
        peerName: 'linkinator, with fragments and CSS',
        goal: 0.3,
        note: `of ${BROKEN} broken links we report ${BROKEN}, the peer ${peerRun.broken}`,
      }),
    );
  });
  const few = (await withSite(FEW_PAGES, oursOn)) / FEW_PAGES;
  const many = (await withSite(MANY_PAGES, oursOn)) / MANY_PAGES;
  rows.push(
    bounded({
      name: `Check Bundle: time per page, ${MANY_PAGES.toLocaleString('en')} by ${FEW_PAGES} pages`,
      unit: 'ratio',
      ours: many / few,
      goal: 1.2,
      note: `${few.toFixed(2)} ms and ${many.toFixed(2)} ms a page; below 1, as the thread starts once`,
    }),
  );
  report(rows);
}

await main();

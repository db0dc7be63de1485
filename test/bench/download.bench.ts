/**
 * Measures how long one large bundle takes to arrive, hashed and on disk, against `curl`, `sha256sum` and
 * `sync` on the same machine.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/common/clock';
import { downloadBundle } from '../../src/export/download/bundleDownload';
import { against, bounded, median, report } from './benchRow';

const SIZE_BYTES = 1_000_000_000;
const ROUNDS = 3;
const MEGABYTE = 1_000_000;
const folder = path.resolve('out/bench/download');

async function download(url: string, target: string): Promise<void> {
  const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
  const link = { url };
  await downloadBundle({
    link: { current: link, renew: () => Promise.resolve(link) },
    target,
    overwrite: true,
    fetch: (address, init) => fetch(address, init),
    clock: systemClock,
    hashScript: path.resolve('dist/hashArchive.js'),
    log: silent,
    random: Math.random,
    timeouts: { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 },
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}

const run = promisify(execFile);

/** Does what our download does: fetches the archive, hashes it, and flushes it to disk. */
async function withTools(url: string, target: string): Promise<void> {
  await run('curl', ['--silent', '--fail', '--output', target, url]);
  await run('sha256sum', [target]);
  await run('sync', [target]);
}

/** Returns whether this machine has the tools. The `sync` of macOS takes no file and no flags. */
async function hasTools(): Promise<boolean> {
  const versions = ['curl', 'sha256sum', 'sync'].map((tool) => run(tool, ['--version']));
  return Promise.all(versions).then(
    ([, , sync]) => sync?.stdout.includes('coreutils') === true,
    () => false,
  );
}

async function timed(get: (target: string) => Promise<void>): Promise<number> {
  const target = path.join(folder, 'bundle.tar.gz');
  rmSync(target, { force: true });
  const startedAt = performance.now();
  await get(target);
  const ms = performance.now() - startedAt;
  if (statSync(target).size !== SIZE_BYTES) throw new Error('The download is not whole');
  return ms;
}

async function startServer(sizeBytes: number): Promise<{ url: string; stop(): void }> {
  const server = spawn(process.execPath, ['test/bench/bundleServer.mjs', String(sizeBytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => server.stdin.end() };
}

const rate = (ms: number): string => `${Math.round(SIZE_BYTES / MEGABYTE / (ms / 1000))} MB/s`;

async function main(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = await startServer(SIZE_BYTES);
  const { url } = server;
  const hasPeer = await hasTools();
  // The memory that the first download takes once, above all for its code, doesn't grow with the
  // size.
  const small = await startServer(MEGABYTE);
  await download(small.url, path.join(folder, 'small.tar.gz'));
  small.stop();
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    // Interleaved, so that a machine that slows down slows both alike; the first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = await timed((target) => download(url, target));
      const peer = hasPeer ? await timed((target) => withTools(url, target)) : NaN;
      if (round === 0) continue;
      times.ours.push(ours);
      times.peer.push(peer);
    }
  } finally {
    clearInterval(timer);
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const [ours, peer] = [median(times.ours), median(times.peer)];
  const row = { name: 'Download: 1 GB over loopback', unit: 'ms', ours };
  report([
    hasPeer
      ? against({
          ...row,
          peer,
          peerName: 'curl, sha256sum, sync',
          goal: 1,
          note: `${rate(ours)}, peer ${rate(peer)}`,
        })
      : bounded({ ...row, goal: null, note: 'no curl, sha256sum and sync to compare with' }),
    bounded({
      name: `Download: memory growth over ${ROUNDS + 1} × 1 GB`,
      unit: 'MB',
      ours: (most - before) / MEGABYTE,
      goal: 64,
    }),
  ]);
}

await main();

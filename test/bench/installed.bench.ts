/**
 * Measures what the docs of installed packages cost: the list of a workspace, the first answer while the others are
 * read, the event loop, and what is kept on disk, also for a second workspace with the same packages. Each figure comes
 * from a process of its own, over packages of this repository's own `node_modules` under made-up names.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src/common/clock';
import { silentLog } from '../../src/common/ports';
import { InstalledEngine } from '../../src/docs/installedEngine';
import { addressesAt } from '../../src/docs/pages/links';
import { InstalledPackages } from '../../src/docs/sources/installed/installedPackages';
import { against, bounded, report } from './benchRow';

/** Packages with a README and types of different sizes, from small to large. */
const models = [
  'yazl',
  'p-limit',
  'commander',
  'mime',
  'yaml',
  'valibot',
  'htmlparser2',
  'sinon',
  'mocha',
  'acorn',
];

interface Measured {
  readonly listMs: number;
  /** Milliseconds from the start to the end of the first reply. */
  readonly firstAnswerMs: number;
  readonly allReadMs: number;
  /** Longest processor time between two turns of the event loop. */
  readonly heldMs: number;
  readonly peakMb: number;
  readonly pages: number;
}

/** Writes a workspace with so many packages, each with files and a version of its own. */
function writeWorkspace(root: string, count: number): void {
  const dependencies: Record<string, string> = {};
  for (let index = 0; index < count; index++) {
    const model = models[index % models.length] ?? '';
    const name = `${model}-${index}`;
    const target = path.join(root, 'node_modules', name);
    const source = path.resolve('node_modules', model);
    cpSync(source, target, {
      recursive: true,
      dereference: true,
      filter: (file) => !file.slice(source.length).includes('node_modules') && !/\.map$/.test(file),
    });
    const manifest = path.join(target, 'package.json');
    const text = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
    writeFileSync(manifest, JSON.stringify(Object.assign(text, { name, version: `1.0.${index}` })));
    dependencies[name] = '*';
  }
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ name: 'bench', dependencies }));
}

/** Returns the processor time of the thread with the event loop, in milliseconds. On Linux, that of no other thread. */
function loopTime(): number {
  if (process.platform === 'linux') {
    const [nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures the longest processor time between two turns of the event loop, which other programs don't add to. */
function holdsOfLoop(): { stop: () => void; longestMs: () => number } {
  let longest = 0;
  let before = loopTime();
  const timer = setInterval(() => {
    const now = loopTime();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return { stop: () => clearInterval(timer), longestMs: () => longest };
}

/** Opens a workspace as an agent's server or a window does, and asks about one package at once. */
async function measure(folder: string, indexFolder: string): Promise<Measured> {
  const held = holdsOfLoop();
  const startedAt = performance.now();
  const engine = new InstalledEngine({
    installed: new InstalledPackages({
      root: folder,
      isTrusted: () => true,
      clock: systemClock,
      log: silentLog,
    }),
    folder,
    addresses: () => addressesAt(() => 'http://127.0.0.1'),
    readsAhead: true,
    indexFolder,
    patienceMs: 5000,
  });
  const { signal } = new AbortController();
  const { packages } = await engine.list(signal);
  const listMs = performance.now() - startedAt;
  const { name = '' } = packages.find((one) => one.name.startsWith('commander')) ?? {};
  let text = '';
  const question = {
    text: `How do I add an option with ${name}?`,
    contextItems: [],
    earlier: [],
    pageSize: 5,
  };
  for await (const change of engine.ask(question, signal)) text += JSON.stringify(change);
  const firstAnswerMs = performance.now() - startedAt;
  if (!text.includes(`${name}@`)) throw new Error(`No answer from ${name}: ${text.slice(0, 500)}`);
  while (!engine.sets.every(({ isIndexed }) => isIndexed)) await systemClock.delay(20, signal);
  const allReadMs = performance.now() - startedAt;
  held.stop();
  const pages = engine.sets.reduce((sum, set) => sum + set.pages, 0);
  await engine.close();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { listMs, firstAnswerMs, allReadMs, heldMs: held.longestMs(), peakMb, pages };
}

const [, script = '', folderAsked, indexAsked] = process.argv;
if (folderAsked !== undefined && indexAsked !== undefined) {
  process.stdout.write(JSON.stringify(await measure(folderAsked, indexAsked)));
} else {
  const bench = path.resolve('out/bench/installed');
  rmSync(bench, { recursive: true, force: true });
  const inProcess = (folder: string, index: string): Measured =>
    JSON.parse(
      execFileSync(process.execPath, [script, folder, index], { encoding: 'utf8' }),
    ) as Measured;
  const bytesIn = (folder: string): number =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(path.join(folder, name)))
      .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  const workspace = (name: string, count: number): string => {
    const folder = path.join(bench, name);
    mkdirSync(folder, { recursive: true });
    writeWorkspace(folder, count);
    return folder;
  };
  const fewIndex = path.join(bench, 'few-index');
  const few = inProcess(workspace('few', 50), fewIndex);
  const fewBytes = bytesIn(fewIndex);
  const manyIndex = path.join(bench, 'many-index');
  const many = inProcess(workspace('many', 500), manyIndex);
  const manyBytes = bytesIn(manyIndex);
  const second = inProcess(workspace('second', 500), manyIndex);
  const secondBytes = bytesIn(manyIndex) - manyBytes;
  rmSync(bench, { recursive: true, force: true });
  report([
    bounded({ name: 'Installed packages: list of 500', unit: 'ms', ours: many.listMs, goal: 1000 }),
    bounded({
      name: 'Installed packages: first answer while 500 are read',
      unit: 'ms',
      ours: many.firstAnswerMs,
      goal: 2000,
      note: `all ${many.pages} pages were read after ${many.allReadMs.toFixed(0)} ms`,
    }),
    bounded({
      name: 'Installed packages: event loop held while 500 are read',
      unit: 'ms processor time',
      ours: many.heldMs,
      goal: 50,
      note: 'with the collection of garbage',
    }),
    against({
      name: 'Installed packages: index on disk, a package of 500',
      unit: 'bytes',
      ours: manyBytes / 500,
      peer: fewBytes / 50,
      peerName: 'one of 50',
      goal: 1.1,
    }),
    against({
      name: 'Installed packages: peak memory, 500 packages',
      unit: 'MB',
      ours: many.peakMb,
      peer: few.peakMb,
      peerName: '50 packages',
      goal: 10,
    }),
    against({
      name: 'Installed packages: a second workspace with the same 500, until all are read',
      unit: 'ms',
      ours: second.allReadMs,
      peer: many.allReadMs,
      peerName: 'the first',
      goal: 0.3,
      note: `${secondBytes} more bytes on disk`,
    }),
  ]);
}

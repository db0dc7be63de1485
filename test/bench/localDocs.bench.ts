/**
 * Measures what the local docs service costs: the first answer while pages are still being read, a
 * page and its memory in each form of docs, a question, and pages that an earlier process has read.
 * Every figure comes from a process of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { seededRandom } from '../builders/seededRandom';
import { against, bounded, median, report, type BenchRow } from './benchRow';

const folder = path.resolve('out/bench/localDocs');
const KEY = 'local_dsc_benchbenchbench';
const QUESTIONS = 30;

const random = seededRandom(7);
/** Words of a made-up language, a few of them frequent, as in any text. */
const words = Array.from({ length: 8000 }, (_, index) => {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'ta', 'vo', 'se', 'di', 'pu'];
  return Array.from(String(index + 100), (digit) => syllables[Number(digit)]).join('');
});

function word(): string {
  return words[Math.floor(words.length * (random(1_000_000) / 1_000_000) ** 3)] ?? '';
}

function sentence(): string {
  return `${Array.from({ length: 12 }, word).join(' ')}.`;
}

interface BenchPage {
  readonly title: string;
  /** Paragraphs by heading. */
  readonly sections: readonly {
    readonly heading: string;
    readonly paragraphs: readonly string[];
  }[];
}

function aPage(): BenchPage {
  return {
    title: `${word()} ${word()}`,
    sections: Array.from({ length: 4 }, () => ({
      heading: `${word()} ${word()} ${word()}`,
      paragraphs: Array.from({ length: 3 }, () => `${sentence()} ${sentence()}`),
    })),
  };
}

const code = (name: string): string => `const ${name} = await client.${name}({ limit: 10 });`;

function markdownOf({ title, sections }: BenchPage): string {
  const parts = sections.map(
    ({ heading, paragraphs }) =>
      `## ${heading}\n\n${paragraphs.join('\n\n')}\n\n\`\`\`js\n${code(heading.split(' ')[0] ?? '')}\n\`\`\`\n`,
  );
  return `# ${title}\n\n${parts.join('\n')}`;
}

function htmlOf({ title, sections }: BenchPage): string {
  const parts = sections.map(
    ({ heading, paragraphs }) =>
      `<h2 id="${heading.replaceAll(' ', '-')}">${heading}</h2>` +
      paragraphs.map((text) => `<p>${text}</p>`).join('') +
      `<pre><code class="language-js">${code(heading.split(' ')[0] ?? '')}</code></pre>`,
  );
  const menu = Array.from(
    { length: 40 },
    (_, index) => `<li><a href="/p${index}">${word()}</a></li>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>` +
    `<nav><ul>${menu.join('')}</ul></nav><main><h1>${title}</h1>${parts.join('')}</main></body></html>`
  );
}

function writePages(name: string, count: number, ending: 'md' | 'html'): string {
  const root = path.join(folder, name);
  rmSync(root, { recursive: true, force: true });
  for (let index = 0; index < count; index++) {
    const inside = path.join(root, `part-${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(inside, { recursive: true });
    const page = aPage();
    const text = ending === 'md' ? markdownOf(page) : htmlOf(page);
    writeFileSync(path.join(inside, `page-${index}.${ending}`), text);
  }
  return root;
}

/** Returns a text of `llms-full.txt` with about so many bytes, and its number of pages. */
function fullText(bytes: number): { readonly text: string; readonly pages: number } {
  const pages: string[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const page = markdownOf(aPage()).replace('\n', `\nSource: ORIGIN/page-${index}\n`);
    pages.push(page);
    size += page.length;
  }
  return { text: pages.join('\n'), pages: pages.length };
}

interface Service {
  readonly url: string;
  readonly startedAt: number;
  /** Resolves with the number of pages when all are read. */
  readonly indexed: Promise<number>;
  /** Returns the peak memory of the process so far in MB, or NaN where the system doesn't tell. */
  peakMb(): number;
  stop(): Promise<void>;
}

async function start(args: readonly string[]): Promise<Service> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['dist/localService.js', ...args, '--pace', '0', '--quiet', '--exit-with-parent'],
    { env: { ...process.env, DOCS_ASSISTANT_KEY: KEY }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let listening: (url: string) => void;
  let read: (pages: number) => void;
  const url = new Promise<string>((resolve) => (listening = resolve));
  const indexed = new Promise<number>((resolve) => (read = resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line) as { event: string; url?: string; pages?: number };
    if (event.event === 'listening') listening(event.url ?? '');
    if (event.event === 'indexed') read(event.pages ?? 0);
    if (event.event === 'error') throw new Error(line);
  });
  return {
    url: await url,
    startedAt,
    indexed,
    peakMb: () => {
      if (process.platform !== 'linux') return NaN;
      const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
      return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Asks a question. Returns the milliseconds until the whole reply is there. */
async function ask({ url }: Service): Promise<number> {
  const asked = performance.now();
  const response = await fetch(`${url}/v2/assistant/sample/message`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` },
    body: JSON.stringify({
      fp: 'bench',
      messages: [
        { id: '1', role: 'user', parts: [{ type: 'text', text: `What is ${word()} ${word()}?` }] },
      ],
    }),
  });
  const text = await response.text();
  if (!text.includes('"type":"finish"')) throw new Error(`No reply: ${text.slice(0, 200)}`);
  return performance.now() - asked;
}

interface Measured {
  readonly msPerPage: number;
  readonly peakMb: number;
  readonly firstAnswerMs: number;
  readonly questionMs: number;
}

/** Starts a service, asks while it reads its pages, and asks again when it has read them. */
async function measure(args: readonly string[], pages: number): Promise<Measured> {
  const service = await start(args);
  const listeningAt = performance.now();
  const firstAnswerMs = await ask(service);
  const read = await service.indexed;
  const msPerPage = (performance.now() - listeningAt) / pages;
  if (read < pages) throw new Error(`Only ${read} of ${pages} pages were read`);
  const peakMb = service.peakMb();
  const times: number[] = [];
  for (let round = 0; round < QUESTIONS; round++) times.push(await ask(service));
  await service.stop();
  return { msPerPage, peakMb, firstAnswerMs, questionMs: median(times) };
}

function growthRow(
  what: string,
  few: Measured,
  many: Measured,
  counts: readonly string[],
): BenchRow {
  return against({
    name: `Local docs: a page of ${what}, ${counts[1] ?? ''}`,
    unit: 'ms',
    ours: many.msPerPage,
    peer: few.msPerPage,
    peerName: `one of ${counts[0] ?? ''}`,
    goal: 1.3,
    note: `peak memory ${many.peakMb.toFixed(0)} MB, of the few ${few.peakMb.toFixed(0)} MB`,
  });
}

async function serveText(text: string): Promise<{ server: Server; url: string }> {
  let url = '';
  const server = createServer((request, response) => {
    if (request.url !== '/llms-full.txt') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(text.replaceAll('ORIGIN', url));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return { server, url };
}

async function measureFullText(bytes: number): Promise<Measured> {
  const { text, pages } = fullText(bytes);
  const { server, url } = await serveText(text);
  const cache = path.join(folder, `cache-${bytes}`);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const measured = await measure(['--site', url, '--cache', cache], pages);
  server.close();
  return measured;
}

/** Costs of using docs again. */
interface Again {
  readonly firstAskMs: number;
  readonly askMs: number;
  readonly askAfterEditMs: number;
  readonly reloadMs: number;
  readonly peakMb: number;
  readonly bytesPerPage: number;
}

const ROUNDS = 5;

/** Asks with the command line. Returns the milliseconds of the whole command. */
function askCommand(root: string, cache: string): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['dist/cli.js', 'ask', '--docs', root, `What is ${word()} ${word()}?`],
    { env: { ...process.env, DOCS_ASSISTANT_CACHE: cache }, encoding: 'utf8' },
  );
  // The exit code 9 says that the docs don't answer.
  if (status !== 0 && status !== 9) throw new Error(`ask ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

/** Uses docs for the first time, again, after the change of a page, and in a window that reloads. */
async function measureAgain(root: string, pages: number): Promise<Again> {
  const cache = path.join(folder, `kept-${pages}`);
  const kept = path.join(cache, 'index');
  const repeat = (action: () => number): number =>
    median(Array.from({ length: ROUNDS }, () => action()));
  const firstAskMs = askCommand(root, cache);
  const askMs = repeat(() => askCommand(root, cache));
  const bytes = readdirSync(kept, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(kept, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  const askAfterEditMs = repeat(() => {
    appendFileSync(path.join(root, 'part-0', 'page-0.md'), `\n\n${sentence()}\n`);
    return askCommand(root, cache);
  });
  const reloads: number[] = [];
  let peakMb = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start(['--docs', root, '--index', kept]);
    if ((await service.indexed) !== pages) throw new Error('Not all pages were read');
    reloads.push(performance.now() - service.startedAt);
    peakMb = Math.max(peakMb, service.peakMb());
    await service.stop();
  }
  const reloadMs = median(reloads);
  return { firstAskMs, askMs, askAfterEditMs, reloadMs, peakMb, bytesPerPage: bytes / pages };
}

function againRows(few: Again, many: Again): BenchRow[] {
  return [
    bounded({
      name: 'Local docs: second `ask` over 1,100 pages',
      unit: 'ms',
      ours: few.askMs,
      goal: 1000,
      note: `the first took ${few.firstAskMs.toFixed(0)} ms`,
    }),
    bounded({
      name: 'Local docs: `ask` after one of 1,100 pages changed',
      unit: 'ms',
      ours: few.askAfterEditMs,
      goal: 1000,
    }),
    bounded({
      name: 'Local docs: window reloaded over 1,100 pages',
      unit: 'ms',
      ours: few.reloadMs,
      goal: 1000,
      note: 'until all pages are read',
    }),
    against({
      name: 'Local docs: second `ask` over 10,000 pages',
      unit: 'ms',
      ours: many.askMs,
      peer: many.firstAskMs,
      peerName: 'the first',
      goal: 0.3,
      note: `after the change of a page ${many.askAfterEditMs.toFixed(0)} ms`,
    }),
    against({
      name: 'Local docs: index on disk, a page of 10,000',
      unit: 'bytes',
      ours: many.bytesPerPage,
      peer: few.bytesPerPage,
      peerName: 'one of 1,100',
      goal: 1.1,
    }),
    against({
      name: 'Local docs: peak memory over 10,000 kept pages',
      unit: 'MB',
      ours: many.peakMb,
      peer: manyMarkdown.peakMb,
      peerName: 'over pages that are read',
      goal: 1,
      note: `over 1,100 pages ${few.peakMb.toFixed(0)} MB`,
    }),
  ];
}

const fewMarkdown = await measure(['--docs', writePages('few', 1000, 'md')], 1000);
const manyMarkdown = await measure(['--docs', writePages('many', 10_000, 'md')], 10_000);
const fewAgain = await measureAgain(writePages('fewAgain', 1100, 'md'), 1100);
const manyAgain = await measureAgain(path.join(folder, 'many'), 10_000);
const fewHtml = await measure(['--bundle', writePages('fewHtml', 200, 'html')], 200);
const manyHtml = await measure(['--bundle', writePages('manyHtml', 2000, 'html')], 2000);
const fewText = await measureFullText(2_000_000);
const manyText = await measureFullText(20_000_000);
rmSync(folder, { recursive: true, force: true });

report([
  bounded({
    name: 'Local docs: first answer while 10,000 pages are read',
    unit: 'ms',
    ours: manyMarkdown.firstAnswerMs,
    goal: 3000,
    note: 'a question waits up to 1 s for pages',
  }),
  against({
    name: 'Local docs: a question over 10,000 pages',
    unit: 'ms',
    ours: manyMarkdown.questionMs,
    peer: fewMarkdown.questionMs,
    peerName: 'one over 1,000',
    goal: 10,
  }),
  growthRow('a folder', fewMarkdown, manyMarkdown, ['1,000', '10,000']),
  growthRow('a bundle', fewHtml, manyHtml, ['200', '2,000']),
  growthRow('llms-full.txt', fewText, manyText, ['2 MB', '20 MB']),
  ...againRows(fewAgain, manyAgain),
]);

/**
 * The service of a company on PostgreSQL under load: ten sites of 1,000 pages, asked through one process and through
 * two, and while one of two is killed every ten seconds.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/common/clock';
import { silentLog } from '../../src/common/ports';
import { openStores } from '../../src/service/company/backend';
import { createKey } from '../../src/service/company/keys';
import { startPostgres } from '../service/company/postgresServer';
import { bounded, report } from './benchRow';

const SITES = 10;
const PAGES = Number(process.env['COMPANY_PAGES'] ?? 1000);
const CLIENTS = 8;
const LOAD_MS = 20_000;
const KILLING_MS = 60_000;
const KILL_EVERY_MS = 10_000;

const program = path.resolve('dist/service/service.js');
const topics = ['refund', 'webhook', 'label', 'invoice', 'sandbox', 'retry', 'token', 'carrier'];

interface Process {
  readonly child: ChildProcess;
  readonly url: string;
}

function pageOf(site: number, page: number): string {
  const topic = topics[page % topics.length] ?? '';
  const words = Array.from({ length: 120 }, (_, word) => `word${(page * 7 + word * 13) % 5000}`);
  return `# ${topic} ${page}\n\n## Use a ${topic} of kind ${page}\n\nThe ${topic} ${page} of site ${site} takes ${page} seconds. ${words.join(' ')}.\n`;
}

async function startProcess(folder: string, name: string, database: string): Promise<Process> {
  const args = [program, '--config', 'service.yaml', '--data', name, '--port', '0'];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url = '';
  let ready = 0;
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      url = /Listening on (http:[^"]+)"/.exec(line)?.[1] ?? url;
      if (line.includes('is up to date')) ready++;
      if (ready === SITES) resolve();
    });
  });
  return { child, url };
}

async function kill({ child }: Process): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Asks until the time is over. A question that fails goes to another process, as a balancer would send it. */
async function load(
  processes: () => readonly Process[],
  key: string,
  ms: number,
): Promise<{ perSecond: number; p95: number; lost: number; moved: number }> {
  const times: number[] = [];
  let lost = 0;
  let moved = 0;
  const end = performance.now() + ms;
  const client = async (number: number): Promise<void> => {
    for (let count = number; performance.now() < end; count += CLIENTS) {
      const start = performance.now();
      const body = JSON.stringify({
        fp: 'bench',
        messages: [
          {
            id: 'm',
            role: 'user',
            parts: [
              {
                type: 'text',
                text: `How long does ${topics[count % 8] ?? ''} ${count % PAGES} take?`,
              },
            ],
          },
        ],
      });
      let isAnswered = false;
      for (let tries = 0; !isAnswered && tries < 20; tries++) {
        const all = processes();
        const url = all[(count + tries) % all.length]?.url ?? '';
        try {
          const response = await fetch(`${url}/v2/assistant/site${count % SITES}/message`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body,
          });
          isAnswered = response.ok && (await response.text()).includes('[DONE]');
        } catch {
          // The process was killed.
        }
        if (!isAnswered) moved++;
      }
      if (isAnswered) times.push(performance.now() - start);
      else lost++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  times.sort((one, other) => one - other);
  return {
    perSecond: times.length / (ms / 1000),
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    lost,
    moved,
  };
}

/** Reports a figure without a goal, because machines differ. */
function tell(name: string, unit: string, ours: number): void {
  report([
    bounded({ name: `Service: ${name}`, unit, ours: Math.round(ours * 10) / 10, goal: null }),
  ]);
}

const server = await startPostgres();
if (server) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-bench-'));
  const database = await server.newDatabase();
  const sites: object[] = [];
  for (let site = 0; site < SITES; site++) {
    const docs = path.join(folder, `site${site}`);
    await mkdir(docs);
    for (let page = 0; page < PAGES; page++) {
      await writeFile(path.join(docs, `page${page}.md`), pageOf(site, page));
    }
    sites.push({
      domain: `site${site}`,
      source: { kind: 'folder', path: docs },
      refresh: { every: '1d' },
    });
  }
  const limits = { requests: 1_000_000_000, seconds: 60 };
  const manifest = { limits: { organization: limits, address: limits }, sites };
  await writeFile(path.join(folder, 'service.yaml'), JSON.stringify(manifest));
  const stores = await openStores({
    folder,
    databaseUrl: database,
    replicaUrl: undefined,
    clock: systemClock,
    log: silentLog,
  });
  const wanted = { kind: 'assistant', name: 'bench' } as const;
  const { key } = await createKey(stores.keys, wanted, systemClock.now());
  await stores.close();

  const begun = performance.now();
  let processes = [await startProcess(folder, 'one', database)];
  const pages = SITES * PAGES;
  tell(`first start, ${pages} pages`, 's', (performance.now() - begun) / 1000);
  await load(() => processes, key, 3000);
  const alone = await load(() => processes, key, LOAD_MS);
  tell('one process', 'questions a second', alone.perSecond);
  tell('one process, p95', 'ms', alone.p95);
  processes = [...processes, await startProcess(folder, 'two', database)];
  const both = await load(() => processes, key, LOAD_MS);
  tell('two processes', 'questions a second', both.perSecond);
  tell('two processes, p95', 'ms', both.p95);

  let isOver = false;
  const killing = (async () => {
    for (let turn = 0; !isOver; turn++) {
      await systemClock.delay(KILL_EVERY_MS);
      if (isOver) return;
      const victim = processes[turn % 2];
      if (!victim) return;
      await kill(victim);
      const next = await startProcess(folder, turn % 2 === 0 ? 'one' : 'two', database);
      processes = processes.map((each) => (each === victim ? next : each));
    }
  })();
  const killed = await load(() => processes, key, KILLING_MS);
  isOver = true;
  await killing;
  tell('questions lost, a process killed every 10 s', 'questions', killed.lost);
  tell('questions sent again meanwhile', 'questions', killed.moved);
  tell('p95 meanwhile', 'ms', killed.p95);
  await Promise.all(processes.map(kill));
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}

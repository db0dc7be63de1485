/**
 * The service of a company on PostgreSQL under load: ten sites of 1,000 pages, asked through one process and through
 * two, with a replica, and while one of two is killed every ten seconds. With `COMPANY_LARGE=1`, it measures instead how
 * the service grows from ten sites of 1,000 pages to ten of 10,000, and one site of 50,000 pages with and without a
 * database.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { systemClock } from '../../src/common/clock';
import { silentLog } from '../../src/common/ports';
import { openStores } from '../../src/service/company/backend';
import { createKey } from '../../src/service/company/keys';
import { type PostgresServer, startPostgres } from '../service/company/postgresServer';
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

/** Starts a process, and waits until all of its sites can be asked. Without a database, its data is in files. */
async function startProcess(
  folder: string,
  name: string,
  database: string | undefined,
  { replica, sites = SITES }: { readonly replica?: string; readonly sites?: number } = {},
): Promise<Process> {
  const args = [program, '--config', 'service.yaml', '--data', name, '--port', '0'];
  const env = { ...process.env };
  if (database !== undefined) env['DATABASE_URL'] = database;
  if (replica !== undefined) env['DATABASE_REPLICA_URL'] = replica;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url = '';
  let ready = 0;
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      url = /Listening on (http:[^"]+)"/.exec(line)?.[1] ?? url;
      if (line.includes('is up to date')) ready++;
      if (ready === sites) resolve();
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
  { sites = SITES, pages = PAGES } = {},
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
                text: `How long does ${topics[count % 8] ?? ''} ${count % pages} take?`,
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
          const response = await fetch(`${url}/v2/assistant/site${count % sites}/message`, {
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

/** Writes sites with their manifest. */
async function writeSites(folder: string, count: number, pages: number): Promise<void> {
  const sites: object[] = [];
  for (let site = 0; site < count; site++) {
    const docs = path.join(folder, `site${site}`);
    await mkdir(docs, { recursive: true });
    for (let page = 0; page < pages; page++) {
      await writeFile(path.join(docs, `page${page}.md`), pageOf(site, page));
    }
    const source = { kind: 'folder', path: docs };
    sites.push({ domain: `site${site}`, source, refresh: { every: '1d' } });
  }
  const limits = { requests: 1_000_000_000, seconds: 60 };
  const manifest = { limits: { organization: limits, address: limits }, sites };
  await writeFile(path.join(folder, 'service.yaml'), JSON.stringify(manifest));
}

/** Returns a key of a service whose data is in a database or in a folder. */
async function newKey(dataFolder: string, databaseUrl: string | undefined): Promise<string> {
  const stores = await openStores({
    folder: dataFolder,
    databaseUrl,
    replicaUrl: undefined,
    clock: systemClock,
    log: silentLog,
  });
  const wanted = { kind: 'assistant', name: 'bench' } as const;
  const { key } = await createKey(stores.keys, wanted, systemClock.now());
  await stores.close();
  return key;
}

/** Returns the peak memory of a process in MB, as Linux tells it. */
async function peakMemory({ child }: Process): Promise<number> {
  const status = await readFile(`/proc/${child.pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024;
}

async function databaseMegabytes(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ size: string }>(
    'select pg_database_size(current_database()) as size',
  );
  await client.end();
  return Number(rows[0]?.size) / 2 ** 20;
}

const temporaryFolder = (): Promise<string> =>
  mkdtemp(path.join(os.tmpdir(), 'docs-assistant-bench-'));

/** Measures one process over sites of a size, with or without a database. */
async function grow(
  { sites, pages }: { readonly sites: number; readonly pages: number },
  database: string | undefined,
): Promise<void> {
  const folder = await temporaryFolder();
  await writeSites(folder, sites, pages);
  const key = await newKey(path.join(folder, 'data'), database);
  const kind = database === undefined ? 'without a database' : 'on PostgreSQL';
  const name = `${sites} × ${pages} pages ${kind}`;
  const begun = performance.now();
  let one = await startProcess(folder, 'data', database, { sites });
  tell(`${name}, first start`, 's', (performance.now() - begun) / 1000);
  await load(() => [one], key, 3000, { sites, pages });
  const { perSecond, p95 } = await load(() => [one], key, LOAD_MS, { sites, pages });
  tell(name, 'questions a second', perSecond);
  tell(`${name}, p95`, 'ms', p95);
  tell(`${name}, peak memory`, 'MB', await peakMemory(one));
  await kill(one);
  const again = performance.now();
  one = await startProcess(folder, 'data', database, { sites });
  tell(`${name}, next start`, 's', (performance.now() - again) / 1000);
  if (database !== undefined) tell(`${name}, database`, 'MB', await databaseMegabytes(database));
  await kill(one);
  await rm(folder, { recursive: true, force: true });
}

async function large(server: PostgresServer): Promise<void> {
  await grow({ sites: SITES, pages: 1000 }, await server.newDatabase());
  await grow({ sites: SITES, pages: 10_000 }, await server.newDatabase());
  await grow({ sites: 1, pages: 50_000 }, await server.newDatabase());
  await grow({ sites: 1, pages: 50_000 }, undefined);
}

async function underLoad(server: PostgresServer): Promise<void> {
  const folder = await temporaryFolder();
  const database = await server.newDatabase();
  await writeSites(folder, SITES, PAGES);
  const key = await newKey(folder, database);

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

  const replica = await server.startReplica(0);
  await Promise.all(processes.map(kill));
  processes = await Promise.all(
    ['one', 'two'].map((name) =>
      startProcess(folder, name, database, { replica: replica.urlOf(database) }),
    ),
  );
  await load(() => processes, key, 3000);
  const reading = await load(() => processes, key, LOAD_MS);
  tell('two processes with a replica', 'questions a second', reading.perSecond);
  tell('two processes with a replica, p95', 'ms', reading.p95);
  await Promise.all(processes.map(kill));
  await replica.remove();
  processes = await Promise.all(['one', 'two'].map((name) => startProcess(folder, name, database)));

  const over = new AbortController();
  const killing = (async () => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      try {
        await systemClock.delay(KILL_EVERY_MS, over.signal);
      } catch {
        return; // The load has ended.
      }
      const victim = processes[turn % 2];
      if (!victim) return;
      await kill(victim);
      const next = await startProcess(folder, turn % 2 === 0 ? 'one' : 'two', database);
      processes = processes.map((each) => (each === victim ? next : each));
    }
  })();
  const killed = await load(() => processes, key, KILLING_MS);
  over.abort();
  await killing;
  tell('questions lost, a process killed every 10 s', 'questions', killed.lost);
  tell('questions sent again meanwhile', 'questions', killed.moved);
  tell('p95 meanwhile', 'ms', killed.p95);
  await Promise.all(processes.map(kill));
  await rm(folder, { recursive: true, force: true });
}

const server = await startPostgres();
if (server) {
  try {
    await (process.env['COMPANY_LARGE'] === '1' ? large : underLoad)(server);
  } finally {
    await server.remove();
  }
}

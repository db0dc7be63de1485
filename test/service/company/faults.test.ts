/** Faults that the service of a company survives: a killed migration, a replica that is slow, silent or gone, and more. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { systemClock } from '../../../src/common/clock';
import { docsFolder, until } from '../service/localServiceAsking';
import { type Company, startCompany, type WrittenManifest } from './company';
import { type PostgresReplica, type PostgresServer, startPostgres } from './postgresServer';

const program = path.resolve('dist/service/service.js');
const refunds = (days: string): string =>
  `# Refunds\n\n## Refund a payment\n\nA refund takes ${days} days and is free.\n`;
const question = 'How long does a refund take?';

describe('the service of a company, when things fail', function () {
  let server: PostgresServer | undefined;
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let database: string;
  const cleaning: (() => Promise<unknown>)[] = [];

  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.remove());
  beforeEach(async function () {
    if (!server) this.skip();
    database = await server.newDatabase();
    docs = await docsFolder({ 'a/refunds.md': refunds('five') });
  });
  afterEach(async () => {
    for (const clean of cleaning.splice(0).toReversed()) await clean();
    if (server) await docs.remove();
  });

  const manifest = (): WrittenManifest => ({
    sites: [
      {
        domain: 'a',
        source: { kind: 'folder', path: path.join(docs.root, 'a') },
        refresh: { every: '1s' },
      },
    ],
  });
  const start = async (
    { replica, env = {} }: { readonly replica?: string; readonly env?: NodeJS.ProcessEnv } = {},
    written = manifest(),
  ): Promise<Company> => {
    const company = await startCompany(written, { database, replica, env });
    cleaning.push(() => company.end());
    return company;
  };
  const onDatabase = async (...statements: readonly string[]): Promise<void> => {
    const client = new Client({ connectionString: database });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const startReplica = async (delayMs: number): Promise<PostgresReplica> => {
    assert.ok(server);
    const replica = await server.startReplica(delayMs);
    cleaning.push(() => replica.remove());
    return replica;
  };
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: database });
    await client.connect();
    cleaning.push(() => client.end());
    return client;
  };

  it('finishes the migration of a process that was killed in the middle of it', async () => {
    const client = await connect();
    await client.query(`
      create function wait() returns event_trigger language plpgsql as 'begin perform pg_sleep(1); end';
      create event trigger slow on ddl_command_end execute function wait();
    `);
    await docs.write('service.yaml', JSON.stringify(manifest()));
    const child = spawn(process.execPath, [program, '--port', '0'], {
      cwd: docs.root,
      env: { ...process.env, DATABASE_URL: database },
      stdio: 'ignore',
    });
    // It sleeps after a change of the tables, within the transaction of the migration.
    await until(async () => {
      const { rows } = await client.query<{ count: string }>(`
        select count(*) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep' and query not ilike '%kysely%'
      `);
      return rows[0]?.count !== '0';
    });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await client.query('drop event trigger slow');
    const company = await start();
    const key = await company.newKey();
    assert.match((await company.ask('a', key, question)).text, /five days/);
  });

  it('starts before its replica shows the tables', async () => {
    const replica = await startReplica(5000);
    const company = await start({ replica: replica.urlOf(database) });
    assert.match((await company.ask('a', await company.newKey(), question)).text, /five days/);
    assert.match(company.log(), /The replica can't be read \(42P01\)/);
  });

  it('answers from a replica that is behind, without a gap, until it shows the new pages', async () => {
    const write = async (folder: string, days: string): Promise<void> => {
      for (let page = 0; page < 8; page++) {
        await docs.write(`${folder}/page${page}.md`, refunds(days));
      }
    };
    await write('a', 'five');
    const replica = await startReplica(2000);
    // The replica has what this one has stored before the other begins to read it.
    await start();
    const client = new Client({ connectionString: replica.urlOf(database) });
    cleaning.push(() => client.end());
    await client.connect();
    await until(async () => {
      const { rows } = await client.query<{ count: string }>(
        `select count(*) from pg_tables where tablename = 'sites'`,
      );
      return rows[0]?.count === '1';
    });
    const company = await start({ replica: replica.urlOf(database) });
    const key = await company.newKey();
    await write('next', 'six');
    // No refresh finds some of the new pages only.
    await rename(path.join(docs.root, 'a'), path.join(docs.root, 'old'));
    await rename(path.join(docs.root, 'next'), path.join(docs.root, 'a'));
    await until(async () => {
      const response = await company.post('/local/v1/a/search', key, { query: question });
      const days: readonly string[] = (await response.text()).match(/\w+ days/g) ?? [];
      // All of them are of one refresh.
      assert.match(days.join(' '), /^(?:(?:five days ?)+|(?:six days ?)+)$/);
      return !days.includes('five days');
    });
    assert.doesNotMatch(company.log(), /The replica can't be read|"level":"error"/);
  });

  it('reads from the database while its replica is away, and says so', async () => {
    const replica = await startReplica(0);
    const company = await start({ replica: replica.urlOf(database) });
    const key = await company.newKey();
    await replica.stop();
    await docs.write('a/refunds.md', refunds('six'));
    await until(async () => (await company.ask('a', key, question)).text.includes('six days'));
    assert.match(
      company.log(),
      /"The replica can't be read \([^)]+\), so the database itself is read"/,
    );
    await replica.start();
    await until(() => company.log().includes('The replica of the database is there again'));
    await docs.write('a/refunds.md', refunds('seven'));
    await until(async () => (await company.ask('a', key, question)).text.includes('seven days'));
  });

  it('starts while its replica is away', async () => {
    const replica = await startReplica(0);
    await replica.stop();
    const company = await start({ replica: replica.urlOf(database) });
    assert.match((await company.ask('a', await company.newKey(), question)).text, /five days/);
  });

  it('answers over a slow network to the replica, and gives the replica up if it never answers', async () => {
    const slow = await startProxy(database, 100);
    cleaning.push(() => slow.stop());
    const company = await start({ replica: slow.url });
    const key = await company.newKey();
    assert.match((await company.ask('a', key, question)).text, /five days/);
    slow.hang();
    await docs.write('a/refunds.md', refunds('six'));
    await until(async () => (await company.ask('a', key, question)).text.includes('six days'));
    assert.match(company.log(), /The replica can't be read/);
  });

  it('starts as many refreshes for a webhook that is replayed as for one', async () => {
    const count = path.join(docs.root, 'count');
    const company = await start(
      { env: { HOOK: 'a-long-secret' } },
      {
        sites: [
          {
            domain: 'a',
            source: { kind: 'folder', path: path.join(docs.root, 'a') },
            refresh: {
              every: '1h',
              webhook: { secretVariable: 'HOOK' },
              command: ['sh', '-c', `echo x >> '${count}'`],
            },
          },
        ],
      },
    );
    const refreshes = async (): Promise<number> => (await readFile(count, 'utf8')).length / 2;
    assert.equal(await refreshes(), 1);
    const body = '{"ref":"refs/heads/main"}';
    const signature = createHmac('sha256', 'a-long-secret').update(body).digest('hex');
    const send = (): Promise<Response> =>
      company.get('/service/v1/sites/a/webhook', undefined, {
        method: 'POST',
        body,
        headers: { 'x-hub-signature-256': `sha256=${signature}` },
      });
    // One that comes right after a refresh waits.
    await until(async () => {
      assert.equal((await send()).status, 202);
      return (await refreshes()) > 1;
    });
    const replies = await Promise.all(Array.from({ length: 50 }, send));
    assert.ok(replies.every(({ status }) => status === 202));
    const admin = await company.newKey({ kind: 'admin' });
    assert.equal((await company.get('/service/v1/sites', admin)).status, 200);
    assert.equal(await refreshes(), 2);
  });

  it('answers others while questions of 10 MB come', async () => {
    const company = await start();
    const key = await company.newKey();
    const text = 'How long does a refund take? '.repeat(360_000);
    const parts = [{ type: 'text', text }];
    const large = { fp: 'anonymous', messages: [{ id: 'm', role: 'user', parts }] };
    const [reply, ...statuses] = await Promise.all([
      company.ask('a', key, question),
      ...Array.from({ length: 3 }, async () => {
        const response = await company.post('/v2/assistant/a/message', key, large);
        await response.text();
        return response.status;
      }),
    ]);
    assert.match(reply.text, /five days/);
    assert.deepEqual(statuses, [200, 200, 200]);
    assert.match((await company.ask('a', key, question)).text, /five days/);
  });

  it('asks readers of pages to wait while PostgreSQL is away', async () => {
    const company = await start();
    assert.equal((await company.get('/sites/a/docs/refunds')).status, 200);
    await server?.stop();
    cleaning.push(async () => server?.start());
    const shown = await company.get('/sites/a/docs/refunds');
    assert.equal(shown.status, 503);
    assert.ok(shown.headers.has('retry-after'));
  });

  it('says that the database is at fault, not the docs, while it is read-only, and answers', async () => {
    const company = await start();
    const key = await company.newKey();
    await onDatabase(
      `alter database ${new URL(database).pathname.slice(1)} set default_transaction_read_only = on`,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await until(() => company.log().includes("can't be refreshed"));
    assert.match(
      company.log(),
      /The site a can't be refreshed: The database can't be reached or written\./,
    );
    assert.match((await company.ask('a', key, question)).text, /five days/);
  });

  it('answers as before each time that PostgreSQL is there again', async () => {
    const company = await start();
    const key = await company.newKey();
    await company.ask('a', key, question);
    for (const days of ['six', 'seven']) {
      await server?.stop();
      assert.match((await company.ask('a', key, question)).text, /days/);
      assert.equal((await company.get('/readyz')).status, 503);
      await server?.start();
      await docs.write('a/refunds.md', refunds(days));
      await until(async () => (await company.get('/readyz')).status === 200);
      await until(async () => (await company.ask('a', key, question)).text.includes(days));
    }
  });

  it('goes on when its connections break in the middle of queries', async () => {
    const proxy = await startProxy(database, 20);
    cleaning.push(() => proxy.stop());
    const company = await startCompany(manifest(), { database: proxy.url });
    cleaning.push(() => company.end());
    const key = await company.newKey();
    for (let times = 0; times < 5; times++) {
      const asked = company.post('/local/v1/a/search', key, { query: question });
      await proxy.nextQuery();
      proxy.cut();
      await asked;
    }
    await until(async () => (await company.get('/readyz')).status === 200);
    assert.match((await company.ask('a', key, question)).text, /five days/);
  });

  it('reads a site of 50,000 pages, and answers for other sites meanwhile', async function () {
    this.timeout(this.timeout() * 10);
    const birds = await docsFolder(
      Object.fromEntries(
        Array.from({ length: 50_000 }, (_, bird) => [
          `${bird % 100}/bird${bird}.md`,
          `# Bird${bird}\n\nA bird${bird} lays ${bird} eggs.\n`,
        ]),
      ),
    );
    cleaning.push(() => birds.remove());
    const company = await start();
    const key = await company.newKey();
    const [small] = manifest()['sites'] as object[];
    const large = { domain: 'birds', source: { kind: 'folder', path: birds.root } };
    company.change({ sites: [small, large] });
    let asked = 0;
    await until(async () => {
      assert.match((await company.ask('a', key, question)).text, /five days/);
      asked++;
      const response = await company.post('/local/v1/birds/search', key, { query: 'bird43210' });
      return (await response.text()).includes('lays 43210 eggs');
    });
    assert.ok(asked > 1);
    const { text, sources } = await company.ask('birds', key, 'How many eggs does bird43210 lay?');
    assert.match(text, /lays 43210 eggs/);
    assert.match(sources[0]?.url ?? '', /\/10\/bird43210/);
  });
});

interface Proxy {
  readonly url: string;
  /** Passes nothing on from now on, and keeps the connections open. */
  hang(): void;
  /** Waits until a client has sent something that it hasn't passed on. */
  nextQuery(): Promise<void>;
  /** Breaks all connections. New ones work. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a proxy before a database, on a socket of its own, that holds everything back for some milliseconds. */
async function startProxy(database: string, delayMs: number): Promise<Proxy> {
  const name = '.s.PGSQL.5432';
  const behind = new URL(database).searchParams.get('host') ?? '';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-proxy-'));
  const sockets = new Set<net.Socket>();
  const queries = new EventEmitter();
  let isHanging = false;
  const pass = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      void systemClock.delay(delayMs).then(() => {
        if (!isHanging && to.writable) to.write(chunk);
      });
    });
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on('error', () => to.destroy());
  };
  const server = net.createServer((client) => {
    const own = net.connect(path.join(behind, name));
    client.on('data', () => queries.emit('sent'));
    pass(client, own);
    pass(own, client);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(path.join(folder, name));
  await once(server, 'listening');
  return {
    url: database.replace(encodeURIComponent(behind), encodeURIComponent(folder)),
    hang: () => (isHanging = true),
    nextQuery: async () => void (await once(queries, 'sent')),
    cut,
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

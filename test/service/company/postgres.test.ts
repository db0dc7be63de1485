/** Several processes of the service over one PostgreSQL, and what goes wrong with it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { userInfo } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../src/common/clock';
import { silentLog } from '../../../src/common/ports';
import { openBackend } from '../../../src/service/company/backend';
import { hashOfKey } from '../../../src/service/company/keys';
import { Database } from '../../../src/service/company/postgres/database';
import { postgresStores } from '../../../src/service/company/postgres/postgresStores';
import { StoreDown } from '../../../src/service/company/stores';
import { docsFolder, until } from '../service/localServiceAsking';
import { sampleDocs } from '../service/sampleService';
import { type Company, startCompany, type WrittenManifest } from './company';
import { type PostgresServer, startPostgres } from './postgresServer';

const program = path.resolve('dist/service/service.js');
const refunds = (days: string): string =>
  `# Refunds\n\n## Refund a payment\n\nA refund takes ${days} days and is free.\n`;
const question = 'How long does a refund take?';
const message = (text: string, fields: object = {}): object => ({
  fp: 'anonymous',
  messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }],
  ...fields,
});

describe('the service of a company on PostgreSQL', function () {
  let server: PostgresServer | undefined;
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let database: string;
  const running: Company[] = [];
  const children: ChildProcess[] = [];

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
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await Promise.all(running.splice(0).map((company) => company.end()));
    if (server) await docs.remove();
  });

  const start = async (manifest: WrittenManifest): Promise<Company> => {
    const company = await startCompany(manifest, { database });
    running.push(company);
    return company;
  };
  /** A site whose command notes each refresh in a file. */
  const counted = (fields: object = {}): WrittenManifest => ({
    sites: [
      {
        domain: 'a',
        source: { kind: 'folder', path: path.join(docs.root, 'a') },
        refresh: {
          every: '1h',
          command: ['sh', '-c', `echo x >> '${path.join(docs.root, 'count')}'`],
        },
      },
    ],
    ...fields,
  });
  const refreshes = async (): Promise<number> =>
    (await readFile(path.join(docs.root, 'count'), 'utf8').catch(() => '')).split('x').length - 1;

  /** Waits until no process has a refresh to do, be it later. */
  const untilQueueIsEmpty = async (): Promise<void> => {
    const queue = new Database(database, undefined, silentLog);
    await until(async () => {
      const { rows } = await queue.pool.query("select from pgboss.job where state < 'completed'");
      return rows.length === 0;
    });
    await queue.close();
  };

  it('names the site in each line of the log about its pages', async () => {
    await docs.write('a/broken.mdx', '# Broken\n\nPelicans <!-- all --> eat fish.\n');
    await docs.write('a/binary.md', 'a\0b');
    const company = await start(counted());
    const lines = company.log().split('\n');
    const told = lines.filter((line) => /broken\.mdx|binary\.md/.test(line));
    assert.ok(told.length >= 2, told.join('\n'));
    for (const line of told) assert.match(line, /"message":"The site a: /);
  });

  it('says of an export that the docs are in the database', async () => {
    const company = await start(counted());
    const admin = await company.newKey({ kind: 'admin' });
    const refused = await company.post('/v1/static-export/jobs', admin, { domain: 'a' });
    assert.equal(refused.status, 409);
    assert.deepEqual(await refused.json(), {
      error:
        "This service keeps the docs in a database, so it can't export them. Use one without a database.",
    });
  });

  it('refreshes a site once for all processes, and each answers from it', async () => {
    const [one, other] = await Promise.all([start(counted()), start(counted())]);
    const key = await one.newKey();
    for (const company of [one, other]) {
      assert.match((await company.ask('a', key, question)).text, /five days/);
    }
    await untilQueueIsEmpty();
    assert.equal(await refreshes(), 1);
  });

  it('finds the same as the embedded one', async () => {
    const manifest = {
      sites: [{ domain: 'a', source: { kind: 'folder', path: sampleDocs } }],
    };
    const stored = await start(manifest);
    const embedded = await startCompany(manifest);
    running.push(embedded);
    for (const query of [
      'verify a webhook',
      'rate limits',
      'void a label',
      'sandbox',
      'paginate',
    ]) {
      const [one, other] = await Promise.all(
        [stored, embedded].map(async (company) => {
          const found = await company.post('/local/v1/a/search', await company.newKey(), { query });
          const text = await found.text();
          return JSON.parse(text.replaceAll(company.url, '')) as object;
        }),
      );
      assert.deepEqual(one, other);
    }
  });

  it('brings changed and removed pages to all processes', async () => {
    const [one, other] = await Promise.all([start(counted()), start(counted())]);
    const key = await one.newKey();
    const admin = await one.newKey({ kind: 'admin' });
    await writeFile(path.join(docs.root, 'a/refunds.md'), refunds('six'));
    await docs.write('a/labels.md', '# Labels\n\nPrint a label before noon.\n');
    // A request right after a refresh starts none.
    await until(async () => {
      await one.post('/service/v1/sites/a/refresh', admin, {});
      const replies = await Promise.all([one, other].map((each) => each.ask('a', key, question)));
      return replies.every(({ text }) => text.includes('six days'));
    });
    for (const company of [one, other]) {
      assert.match((await company.ask('a', key, 'When do I print a label?')).text, /before noon/);
    }
  });

  it('reads the source of a changed manifest at once, also after a restart, however seldom it refreshes', async () => {
    await docs.write('b/refunds.md', refunds('nine'));
    const from = (folder: string): WrittenManifest => ({
      sites: [
        {
          domain: 'a',
          source: { kind: 'folder', path: path.join(docs.root, folder) },
          refresh: { every: '1h' },
        },
      ],
    });
    const one = await start(from('a'));
    const key = await one.newKey();
    assert.match((await one.ask('a', key, question)).text, /five days/);
    one.change(from('b'));
    await until(async () => (await one.ask('a', key, question)).text.includes('nine days'));
    await one.end();
    const next = await start(from('a'));
    await until(async () => (await next.ask('a', key, question)).text.includes('five days'));
  });

  it('shares keys, threads, limits and questions without an answer', async () => {
    const limits = { limits: { organization: { requests: 5, seconds: 3600 } } };
    const [one, other] = await Promise.all([start(counted(limits)), start(counted(limits))]);
    const key = await one.newKey();
    const admin = await other.newKey({ kind: 'admin' });
    const { threadId } = await one.ask('a', key, question);
    const goOn = message('And is it free?', { threadId });
    const next = (company: Company, body: object): Promise<Response> =>
      company.post('/v2/assistant/a/message', key, body);
    assert.equal((await next(other, goOn)).status, 200);
    assert.equal((await next(other, { ...goOn, fp: 'else' })).status, 404);
    await one.ask('a', key, 'xylophone quux');
    assert.equal((await next(other, message(question))).status, 200);
    assert.equal((await next(one, message(question))).status, 429);
    assert.equal((await next(other, message(question))).status, 429);
    await until(async () =>
      (await (await other.get('/service/v1/misses', admin)).text()).includes('xylophone'),
    );
  });

  it('takes NUL characters, half characters and SQL for text', async () => {
    const company = await start(counted());
    const key = await company.newKey();
    for (const text of ['\0', '\ud800', `'; drop table pages; --`, `\\' or 1=1`]) {
      const { threadId, isDone } = await company.ask('a', key, `refund ${text}`, {
        fp: text,
        currentPath: text,
        filter: { version: text === '\0' ? undefined : '' },
        context: [{ type: 'code', value: text, path: text }],
      });
      assert.equal(isDone, true);
      assert.ok(threadId);
      const again = await company.post(
        '/v2/assistant/a/message',
        key,
        message('again', { fp: text, threadId }),
      );
      assert.equal(again.status, 200);
      const unknown = message('again', { fp: text, threadId: text });
      assert.equal((await company.post('/v2/assistant/a/message', key, unknown)).status, 404);
      assert.equal(
        (
          await company.post(
            '/v2/assistant/a/message',
            `docs_dsc_x${encodeURIComponent(text.toWellFormed())}`,
            unknown,
          )
        ).status,
        401,
      );
    }
    assert.doesNotMatch(company.log(), /"level":"error"/);
  });

  it('is reached as the user of the process if its URL names nobody', async () => {
    const { username } = userInfo();
    const admin = new Database(database, undefined, silentLog);
    await admin.pool.query(`create role "${username}" login`);
    const own = new Database(database.replace('postgres@', ''), undefined, silentLog);
    const { rows } = await own.pool.query<{ name: string }>('select current_user as name');
    assert.deepEqual(rows, [{ name: username }]);
    await Promise.all([admin.close(), own.close()]);
  });

  it('is migrated by several processes at once, and again', async () => {
    const all = Array.from({ length: 5 }, () => new Database(database, undefined, silentLog));
    await Promise.all(all.map((each) => each.migrate()));
    await all[0]?.migrate();
    await Promise.all(all.map((each) => each.close()));
  });

  it('makes the queue once when several processes start at once', async () => {
    // The deadlock that this is about needs two processes in the same few milliseconds, so there are several tries.
    for (let round = 0; round < 5; round += 1) {
      const databaseUrl = await server?.newDatabase();
      const all = await Promise.all(
        Array.from({ length: 6 }, () =>
          openBackend({
            folder: docs.root,
            databaseUrl,
            replicaUrl: undefined,
            clock: systemClock,
            log: silentLog,
          }),
        ),
      );
      await Promise.all(all.map((each) => each.close()));
    }
  });

  it('finds one of a thousand keys', async () => {
    const base = new Database(database, undefined, silentLog);
    await base.migrate();
    const stores = postgresStores(base, systemClock);
    const { keys } = stores;
    const record = { kind: 'assistant', name: 'many', createdAt: 0 } as const;
    await Promise.all(
      Array.from({ length: 1000 }, (_, id) =>
        keys.add(hashOfKey(`key ${id}`), { ...record, id: `id ${id}` }),
      ),
    );
    assert.equal((await keys.find(hashOfKey('key 777')))?.id, 'id 777');
    assert.equal((await keys.list()).length, 1000);
    assert.equal(await keys.remove('id 777'), true);
    assert.equal(await keys.find(hashOfKey('key 777')), undefined);
    await stores.close();
  });

  it('says that the database is busy when no connection is free', async () => {
    const base = new Database(database, undefined, silentLog);
    await base.migrate();
    const busy = Array.from({ length: 10 }, () => base.pool.query('select pg_sleep(4)'));
    const stores = postgresStores(base, systemClock);
    const { keys } = stores;
    await assert.rejects(keys.find('x'), StoreDown);
    await Promise.all(busy);
    assert.equal(await keys.find('x'), undefined);
    await stores.close();
  });

  it('goes on while PostgreSQL is away for ten seconds, and as before when it is there again', async () => {
    const company = await start(counted());
    const key = await company.newKey();
    const { threadId } = await company.ask('a', key, question);
    await server?.stop();
    for (let second = 0; second < 10; second++) {
      // New questions are answered. A thread can't be continued, which the service says.
      assert.match((await company.ask('a', key, question)).text, /five days/);
      const goOn = await company.post(
        '/v2/assistant/a/message',
        key,
        message('And?', { threadId }),
      );
      assert.equal(goOn.status, 503);
      assert.equal(goOn.headers.get('retry-after'), '5');
      const unknown = await company.post('/v2/assistant/a/message', 'docs_dsc_0', message('And?'));
      assert.equal(unknown.status, 503);
      await systemClock.delay(1000);
    }
    assert.equal((await company.get('/healthz')).status, 200);
    assert.equal((await company.get('/readyz')).status, 503);
    await server?.start();
    await until(async () => (await company.get('/readyz')).status === 200);
    const goOn = message('And?', { threadId });
    assert.equal((await company.post('/v2/assistant/a/message', key, goOn)).status, 200);
    const admin = await company.newKey({ kind: 'admin' });
    const before = await refreshes();
    await until(async () => {
      await company.post('/service/v1/sites/a/refresh', admin, {});
      return (await refreshes()) > before;
    });
  });

  /** Starts the program as a process of its own. */
  const spawnService = async (manifest: WrittenManifest, name: string): Promise<ChildProcess> => {
    await docs.write(`${name}.yaml`, JSON.stringify(manifest));
    const args = ['--config', `${name}.yaml`, '--data', `${name}-data`, '--port', '0'];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: docs.root,
      env: { ...process.env, DATABASE_URL: database },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  };

  it('takes over the refresh of a process that is killed', async () => {
    const marker = path.join(docs.root, 'started');
    const slow = {
      sites: [
        {
          domain: 'a',
          source: { kind: 'folder', path: path.join(docs.root, 'a') },
          refresh: { command: ['sh', '-c', `echo x > '${marker}'; sleep 20`] },
        },
      ],
    };
    const child = await spawnService(slow, 'slow');
    await until(() =>
      readFile(marker).then(
        () => true,
        () => false,
      ),
    );
    child.kill('SIGKILL');
    const company = await start(counted());
    const key = await company.newKey();
    assert.match((await company.ask('a', key, question)).text, /five days/);
  });

  it('keeps the last pages when a process is killed while it writes new ones', async () => {
    const company = await start(counted());
    const key = await company.newKey();
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, count) => [
        `many/page${count}.md`,
        `# Page ${count}\n\n${'Words of a page. '.repeat(200)}\n`,
      ]),
    );
    const further = await docsFolder(many);
    const other = {
      sites: [
        {
          domain: 'a',
          source: { kind: 'folder', path: path.join(further.root, 'many') },
          refresh: { every: '1s' },
        },
      ],
    };
    const base = new Database(database, undefined, silentLog);
    const child = await spawnService(other, 'other');
    // It writes within a transaction, so another connection sees that it is active and none of its pages.
    await until(async () => {
      const { rows } = await base.pool.query<{ count: string }>(
        `select count(*) from pg_stat_activity where query ilike 'insert into "pages"%' and state <> 'idle'`,
      );
      return rows[0]?.count !== '0';
    });
    child.kill('SIGKILL');
    const { rows } = await base.pool.query<{ path: string }>('select path from pages');
    assert.deepEqual(rows, [{ path: 'refunds.md' }]);
    assert.match((await company.ask('a', key, question)).text, /five days/);
    await base.close();
    await further.remove();
  });

  it('answers others while a client never reads its reply', async () => {
    const company = await start(counted());
    const key = await company.newKey();
    const { port } = new URL(company.url);
    const request = http.request({
      port,
      method: 'POST',
      path: '/v2/assistant/a/message',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    request.end(JSON.stringify(message(question)));
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.pause();
    assert.match((await company.ask('a', key, question)).text, /five days/);
    response.destroy();
  });
});

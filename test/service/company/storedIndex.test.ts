/** The index of a site in PostgreSQL, compared with the one that a process makes for itself. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { silentLog } from '../../../src/common/ports';
import { Database } from '../../../src/service/company/postgres/database';
import {
  IndexCaches,
  readIndex,
  StoredParts,
} from '../../../src/service/company/postgres/storedParts';
import { readQuestions } from '../../bench/retrievalEval';
import { docsFolder, until } from '../service/localServiceAsking';
import { sampleDocs } from '../service/sampleService';
import { type Company, startCompany, type WrittenManifest } from './company';
import { type PostgresServer, startPostgres } from './postgresServer';

const page = (name: string, text: string): string =>
  `# ${name}\n\n## Use the ${name}\n\nThe ${name} ${text}.\n`;
const birds = ['heron', 'pelican', 'bittern', 'lapwing', 'curlew', 'sandpiper', 'godwit', 'avocet'];

describe('an index in PostgreSQL', function () {
  let server: PostgresServer | undefined;
  let database: string;
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let base: Database;
  const running: Company[] = [];

  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.remove());
  beforeEach(async function () {
    if (!server) this.skip();
    database = await server.newDatabase();
    base = new Database(database, undefined, silentLog);
    docs = await docsFolder(
      Object.fromEntries(
        birds.map((bird, count) => [`a/${bird}.md`, page(bird, `eats ${count} fish a day`)]),
      ),
    );
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((company) => company.end()));
    if (!server) return;
    await base.close();
    await docs.remove();
  });

  const start = async (manifest: WrittenManifest, isStored = true): Promise<Company> => {
    const company = await startCompany(manifest, { database: isStored ? database : undefined });
    running.push(company);
    return company;
  };
  const manifest = (fields: object = {}): WrittenManifest => ({
    sites: [
      {
        domain: 'a',
        source: { kind: 'folder', path: path.join(docs.root, 'a') },
        refresh: { every: '1s' },
        ...fields,
      },
    ],
  });
  /** Returns what each way to ask gives, without the address of the service and the IDs of a reply. */
  const answers = async (
    company: Company,
    question: string,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const key = await company.newKey();
    const posted = async (route: string, body: object): Promise<string> =>
      (await (await company.post(`/local/v1/a/${route}`, key, body)).text()).replaceAll(
        company.url,
        '',
      );
    const { text, reasoning, sources } = await company.ask('a', key, question);
    const [first] = sources;
    const shown = first && (await company.get(new URL(first.url).pathname));
    return {
      text: text.replaceAll(company.url, ''),
      reasoning,
      sources: sources.map(({ url, title }) => [url.replace(company.url, ''), title]),
      shown: (await shown?.text())?.replaceAll(company.url, ''),
      page: await posted('page', { page: first?.title ?? 'none' }),
      found: await posted('search', { query: question, limit: 8, isWhole: true }),
      claims: await posted('claims', {
        text: `${question} Call \`void\` with \`--dry-run\` 99 times.`,
      }),
    };
  };

  it('gives the same pages and replies for 35 questions as the index of a process', async () => {
    const sample = { sites: [{ domain: 'a', source: { kind: 'folder', path: sampleDocs } }] };
    const [stored, embedded] = await Promise.all([start(sample), start(sample, false)]);
    const { answerable, unanswerable } = await readQuestions(
      path.resolve('test/fixtures/questions-sample.json'),
    );
    const questions = [...answerable.map(({ q }) => q), ...unanswerable].slice(0, 35);
    assert.equal(questions.length, 35);
    for (const question of [...questions, 'webhok verifcation', 'Ratenlimit']) {
      assert.deepEqual(
        await answers(stored, question),
        await answers(embedded, question),
        question,
      );
    }
    for (const [route, body] of [
      ['pages', {}],
      ['filters', {}],
      ['page', { page: 'no/such/page' }],
    ] as const) {
      const [one, other] = await Promise.all(
        [stored, embedded].map(async (company) => {
          const read = await company.post(`/local/v1/a/${route}`, await company.newKey(), body);
          return (await read.text()).replaceAll(company.url, '');
        }),
      );
      assert.equal(one, other);
    }
  });

  it('finds after changes what an index that is made anew finds, and writes only the changed pages', async () => {
    const company = await start(manifest());
    const key = await company.newKey();
    await docs.write('a/heron.md', page('heron', 'eats ninety fish a day'));
    await docs.write('a/osprey.md', page('osprey', `hunts from the air ${'x'.repeat(5000)}`));
    await until(async () => {
      const text = (await company.ask('a', key, 'How many fish does the heron eat?')).text;
      return text.includes('ninety') && !text.includes('eats 0 fish');
    });
    const { rows } = await base.pool.query<{ path: string; number: number }>(
      'select path, number from index_pages where to_generation is null order by number',
    );
    const numberOf = new Map(rows.map((row) => [row.path, row.number]));
    assert.ok((numberOf.get('avocet.md') ?? Infinity) < birds.length);
    assert.ok((numberOf.get('heron.md') ?? 0) >= birds.length);
    const anew = await start(manifest(), false);
    for (const question of ['How many fish does the heron eat?', 'osprey', 'x'.repeat(5000)]) {
      const { shown: _one, ...one } = await answers(company, question);
      const { shown: _other, ...other } = await answers(anew, question);
      assert.deepEqual(one, other);
    }
  });

  it('is read from the database itself while a replica lacks its newest pages', async () => {
    const company = await start(manifest());
    await company.ask('a', await company.newKey(), 'heron');
    const { rows } = await base.pool.query<{ rules: string }>('select rules from site_indexes');
    const index = await readIndex(base, 'a', rows[0]?.rules ?? '');
    assert.ok(index);
    const behind = await server?.newDatabase();
    const reader = new Database(database, behind, silentLog);
    const empty = new Database(behind ?? '', undefined, silentLog);
    try {
      await empty.migrate();
      const parts = new StoredParts(reader, index, new IndexCaches());
      const sections = await parts.complete(() => parts.postingsOf('heron')?.sections.length);
      const texts = await parts.complete(() => parts.textsOf(0)?.sections[0]?.heading);
      const words = await parts.complete(() => parts.vocabulary().includes('heron'));
      assert.deepEqual([sections, texts, words], [2, 'Use the avocet', true]);
      // Nobody has it if it is gone from the database as well.
      await base.pool.query('delete from site_indexes');
      const late = new StoredParts(reader, index, new IndexCaches());
      await assert.rejects(
        late.complete(() => late.postingsOf('heron')),
        { name: 'StoreDown' },
      );
    } finally {
      await Promise.all([reader.close(), empty.close()]);
    }
  });

  it('is made anew when most pages have changed, without a gap for those who ask', async () => {
    const company = await start(manifest());
    const key = await company.newKey();
    for (const bird of birds) await docs.write(`a/${bird}.md`, page(bird, 'sleeps all winter'));
    await until(async () => {
      const { text } = await company.ask('a', key, 'What does the godwit do?');
      assert.match(text, /eats 6 fish|sleeps all winter/);
      return text.includes('winter');
    });
    const { rows } = await base.pool.query<{ replaced: boolean }>(
      'select replaced_at is not null as replaced from site_indexes order by id',
    );
    assert.deepEqual(rows, [{ replaced: true }, { replaced: false }]);
  });

  it('is made of pages that an earlier version of the program has stored', async () => {
    const first = await start(manifest());
    await first.stop(0);
    await base.pool.query('truncate site_indexes cascade');
    const company = await start(manifest());
    const key = await company.newKey();
    assert.match(
      (await company.ask('a', key, 'How many fish does the curlew eat?')).text,
      /4 fish/,
    );
  });

  it('has no word of a page that became restricted, from the next generation on', async () => {
    const versions = ['v1', { name: 'v2', groups: ['staff'] }];
    const company = await start(manifest({ versions }));
    const key = await company.newKey();
    await docs.write(
      'a/heron.md',
      `---\nversion: v2\n---\n\n${page('heron', 'hides a zyxcanary')}`,
    );
    await until(async () => (await company.get('/sites/a/docs/heron')).status === 404);
    const shown = JSON.stringify(await answers(company, 'What does the heron hide?'));
    assert.doesNotMatch(shown, /zyxcanary/);
    const { rows } = await base.pool.query<{ count: string }>(
      `select count(*) from index_words where word like 'zyxcanar%'`,
    );
    assert.deepEqual(rows, [{ count: '0' }]);
    assert.doesNotMatch((await company.ask('a', key, 'zyxcanary heron')).reasoning, /Found [2-9]/);
  });
});

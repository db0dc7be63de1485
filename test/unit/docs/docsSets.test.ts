import assert from 'node:assert/strict';
import type { DocsQuestion } from '../../../src/common/localDocsApi';
import type { Clock } from '../../../src/common/ports';
import { type DocsSets, openSets } from '../../../src/docs/docsSets';
import { addressesAt } from '../../../src/docs/pages/links';
import { MemorySource } from '../../fakes/memorySource';
import { RecordingLog } from '../../fakes/recordingLog';

const origin = 'http://127.0.0.1:4100';

const routing = {
  'README.md': '# Parcel Router\n\nRoutes parcels. See [the guide](guide.md).\n',
  'guide.md':
    '# Guide\n\n## Retry\n\nThe router retries a parcel three times. See [setup](README.md).\n',
};
const queue = {
  'README.md': '# Parcel Queue\n\nQueues parcels for the router.\n',
  'guide.md': '# Guide\n\n## Retry\n\nThe queue retries a parcel five times, then drops it.\n',
};

/** Requests wait for the sets that they ask, however long these take. */
const clock: Clock = {
  now: () => 0,
  delay: (_ms, signal) =>
    new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
};

describe('an engine with several sets of docs', () => {
  const { signal } = new AbortController();
  let log: RecordingLog;
  let engine: DocsSets;

  beforeEach(() => {
    log = new RecordingLog();
    engine = openSets('packages', { addresses: addressesAt(() => origin), clock, log });
    engine.start();
  });
  afterEach(async () => {
    await engine.close();
    log.assertNoErrors();
  });

  function add(id: string, pages: Readonly<Record<string, string>>): MemorySource {
    const source = new MemorySource(pages);
    engine.add({ id, label: `${id}@1.2.3`, source, key: `package ${id}` });
    return source;
  }

  function addBoth(): void {
    add('router', routing);
    add('queue', queue);
  }

  /** Returns the found pages as their set and path, best first. */
  async function found(query: string, sets?: readonly string[]): Promise<string[]> {
    const request = { query, limit: 10, sets: sets && [...sets] };
    const { sections } = await engine.search(request, signal);
    return sections.map(({ set, path }) => `${set?.id ?? ''} ${path}`);
  }

  async function reply(text: string, sets?: readonly string[]): Promise<string> {
    const question: DocsQuestion = { text, earlier: [], contextItems: [], pageSize: 5, sets };
    let written = '';
    for await (const { ops = [] } of engine.ask(question, signal)) written += JSON.stringify(ops);
    return written;
  }

  it('lists a version once, however its pages write it', async () => {
    add('router', {
      'v10/guide.md': '# Guide\n',
      'v2/guide.md': '# Guide\n',
      'v2/setup.md': '---\nversion: 2\n---\n# Setup\n',
      '10.x/setup.md': '# Setup\n',
    });
    assert.deepEqual((await engine.filters(signal)).versions, ['10.x', '2']);
  });

  it('names a source by its set, its page and its section, and a page named like the package not again', async () => {
    add('router', {
      ...routing,
      'README.md': '# Router\n\n## Speed\n\nIt is as fast as a pigeon.\n',
    });
    assert.match(
      await reply('How often does the router retry?'),
      /"router@1\.2\.3 › Guide › Retry"/,
    );
    const replied = await reply('How fast is the pigeon?');
    assert.match(replied, /"router@1\.2\.3 › Speed"/);
    assert.doesNotMatch(replied, /› Router/);
  });

  it('answers from all of them, or from those that a question names', async () => {
    addBoth();
    assert.deepEqual(await found('retry parcel'), [
      'queue guide#retry',
      'router guide#retry',
      'queue README.md',
      'router README.md',
    ]);
    assert.deepEqual(await found('retry parcel', ['queue']), [
      'queue guide#retry',
      'queue README.md',
    ]);
    assert.deepEqual(await found('retry parcel', ['unknown']), []);
    assert.match(await reply('How often is a parcel retried?', ['queue']), /five times/);
    assert.doesNotMatch(await reply('How often is a parcel retried?', ['queue']), /three times/);
  });

  it('tells the label of each page’s set', async () => {
    addBoth();
    const { sections } = await engine.search({ query: 'drops', limit: 5 }, signal);
    assert.deepEqual(sections[0]?.set, { id: 'queue', label: 'queue@1.2.3' });
  });

  it('ranks one set as if it had no others', async () => {
    const alone = openSets('alone', { addresses: addressesAt(() => origin), clock, log });
    alone.start();
    const own = new MemorySource(routing);
    alone.add({ id: 'router', label: 'router', source: own, key: 'router' });
    addBoth();
    const others = Array.from({ length: 30 }, (_, page): [string, string] => [
      `p${page}.md`,
      '# Setup\n\nA retry of setup.',
    ]);
    add('others', Object.fromEntries(others));
    await found('setup');
    const request = { query: 'rooter setup retry', limit: 10, sets: ['router'] };
    const [ours, theirs] = [
      await engine.search(request, signal),
      await alone.search(request, signal),
    ];
    assert.deepEqual(
      ours.sections.map(({ path }) => path),
      theirs.sections.map(({ path }) => path),
    );
    assert.equal(ours.isWeak, theirs.isWeak);
    await alone.close();
  });

  it('finds a page in the set that its address names, and leads its links there', async () => {
    addBoth();
    const { sections } = await engine.search({ query: 'retry', limit: 5 }, signal);
    const urls = sections.map(({ url }) => url).toSorted();
    assert.deepEqual(urls, [
      `${origin}/sets/queue/docs/guide#retry`,
      `${origin}/sets/router/docs/guide#retry`,
    ]);
    for (const [position, url] of urls.entries()) {
      const page = await engine.page({ page: url }, signal);
      assert.ok('markdown' in page);
      assert.equal(page.set?.id, ['queue', 'router'][position]);
    }
    const guide = await engine.page({ page: 'guide', sets: ['router'] }, signal);
    assert.ok('markdown' in guide);
    assert.match(guide.markdown, /\[setup\]\(http:\/\/127\.0\.0\.1:4100\/sets\/router\/docs\/\)/);
    assert.equal(engine.pathOf(urls[1] ?? ''), 'guide#retry');
  });

  it('reads each page by the path that a list of them names, such as that of C#', async () => {
    add('odd', {
      'c#.md': '# Sharp\n',
      'c.md': '# Plain\n',
      'why?.md': '# Why\n',
      '100%25.md': '# All\n',
    });
    const { pages } = await engine.pages({}, signal);
    assert.equal(pages.length, 4);
    for (const { path, title } of pages) {
      const page = await engine.page({ page: path }, signal);
      assert.equal('title' in page ? page.title : page.error, title, path);
    }
  });

  it('prefers the newest version of each set, whatever versions others have', async () => {
    add('old', {
      'v1/keys.md': '# Keys\n\nRotate a key by hand.\n',
      'v2/keys.md': '# Keys\n\nRotate a key with the tool.\n',
    });
    add('new', { 'v9/boats.md': '# Boats\n\nBoats have no keys.\n' });
    const [best] = await found('rotate a key');
    assert.equal(best, 'old v2/keys');
  });

  it('reads a set that a question names before those that were added earlier', async () => {
    let goOn = (): void => undefined;
    const never = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)));
    for (const id of ['slow', 'slower', 'slowest']) {
      add(id, { 'a.md': '# A\n\nText.' }).read = () => never;
    }
    add('queue', queue);
    engine.readFirst(['queue']);
    assert.deepEqual(
      engine.sets.map(({ isIndexed }) => isIndexed),
      [false, false, false, false],
    );
    assert.deepEqual(await found('drops', ['queue']), ['queue guide#retry']);
    assert.deepEqual(
      engine.sets.map(({ id, pages, isIndexed }) => [id, pages, isIndexed]),
      [
        ['slow', 0, false],
        ['slower', 0, false],
        ['slowest', 0, false],
        ['queue', 2, true],
      ],
    );
    goOn();
  });

  it('no longer answers from a set that was removed', async () => {
    addBoth();
    await found('retry');
    await engine.remove('queue');
    assert.deepEqual(await found('drops'), []);
    assert.throws(() => add('router', routing), /already has the set router/);
    add('queue', queue);
    assert.deepEqual(await found('drops'), ['queue guide#retry']);
  });

  it('answers from the others if one can’t be read', async () => {
    add('broken', {}).paths = () => {
      throw Object.assign(new Error('no permission'), { code: 'EACCES' });
    };
    add('queue', queue);
    assert.deepEqual(await found('drops'), ['queue guide#retry']);
    assert.deepEqual(log.messages('warn'), ["Can't read the docs broken: EACCES"]);
  });

  it('lists the pages of all sets, each once, from any of them on', async () => {
    addBoth();
    const { pages } = await engine.pages({}, signal);
    const names = pages.map(({ set, path }) => `${set?.id ?? ''} ${path}`);
    assert.deepEqual(names, ['queue README.md', 'queue guide', 'router README.md', 'router guide']);
    const rest = await engine.pages({ after: 'guide', afterSet: 'queue' }, signal);
    assert.deepEqual(
      rest.pages.map(({ path }) => path),
      ['README.md', 'guide'],
    );
  });
});

import assert from 'node:assert/strict';
import { rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { LocalService } from '../../../src/service/server/server';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, docsFolder, startService, until } from './localServiceAsking';

const others = {
  'maps.md': '# Maps\n\nMaps show streets.\n',
  'trains.md': '# Trains\n\nTrains run on rails.\n',
  'bills.md': '# Bills\n\nBills are due monthly.\n',
};

describe('docs folder of the local docs service', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService | undefined;
  const log = new RecordingLog();

  const start = async (files: Parameters<typeof docsFolder>[0]): Promise<LocalService> => {
    docs = await docsFolder({ ...others, ...files });
    service = await startService(docs.root, { log });
    await service.whenIndexed();
    return service;
  };
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await docs.remove();
    log.assertNoErrors();
  });

  const titles = async (running: LocalService, question: string): Promise<string[]> =>
    (await ask(running, question)).sources.map(({ title }) => title);

  it('is watched for pages that are added, changed, moved and removed', async () => {
    const running = await start({ 'birds/a.md': '# Birds\n\nPelicans eat fish.\n' });
    assert.deepEqual(await titles(running, 'pelicans'), ['Birds']);

    await docs.write('birds/new.md', '# Penguins\n\nPenguins swim.\n');
    await until(async () => (await titles(running, 'penguins'))[0] === 'Penguins');

    await docs.write('birds/a.md', '# Birds\n\nStorks eat frogs.\n');
    await until(async () => (await titles(running, 'storks'))[0] === 'Birds');
    assert.deepEqual(await titles(running, 'pelicans'), []);

    await rename(path.join(docs.root, 'birds/new.md'), path.join(docs.root, 'moved.md'));
    await until(async () => {
      const { sources } = await ask(running, 'penguins');
      return sources.length === 1 && sources[0]?.url.includes('/docs/moved') === true;
    });

    await rm(path.join(docs.root, 'birds'), { recursive: true });
    await until(async () => (await titles(running, 'storks')).length === 0);
  });

  it('reports when a question can be asked about a changed page', async () => {
    docs = await docsFolder({ ...others, 'birds.md': '# Birds\n\nPelicans eat fish.\n' });
    const told: number[] = [];
    service = await startService(docs.root, { log, onChanged: ({ pages }) => told.push(pages) });
    await service.whenIndexed();
    const running = service;
    // In one step, so that the page isn't told of while it is still empty.
    await docs.write('.new', '# Storks\n\nStorks eat frogs.\n');
    await rename(path.join(docs.root, '.new'), path.join(docs.root, 'new.md'));
    await until(() => told.length > 0);
    assert.equal(told.at(-1), 5);
    assert.deepEqual(await titles(running, 'storks'), ['Storks']);
  });

  it('is watched for changed snippets, which update the pages that include them', async () => {
    const running = await start({
      'snippets/fish.mdx': 'Pelicans eat fish.\n',
      'birds.mdx': "# Birds\n\nimport Fish from '/snippets/fish.mdx';\n\n<Fish />\n",
    });
    assert.deepEqual(await titles(running, 'pelicans'), ['Birds']);

    await docs.write('snippets/fish.mdx', 'Storks eat frogs.\n');
    await until(async () => (await titles(running, 'storks'))[0] === 'Birds');
    assert.deepEqual(await titles(running, 'storks'), ['Birds']);
    assert.deepEqual(await titles(running, 'pelicans'), []);

    await docs.write('birds.mdx', '# Birds\n\nNothing more.\n');
    await until(async () => (await titles(running, 'storks'))[0] === 'Fish');
  });

  it('logs pages that are not valid MDX', async () => {
    await start({ 'birds.mdx': '# Birds\n\nPelicans <!-- all of them --> eat fish.\n' });
    assert.match(log.text('warn'), /birds\.mdx:3 is read as Markdown/);
  });

  it('is watched in folders that did not exist at the start', async () => {
    const running = await start({});
    await docs.write('new/deep/er/birds.mdx', '# Birds\n\nPelicans eat fish.\n');
    await until(async () => (await titles(running, 'pelicans'))[0] === 'Birds');
  });

  it('is watched in a folder that was made anew, and in the folders below it', async () => {
    const running = await start({ 'birds/sea/a.md': '# Birds\n\nPelicans eat fish.\n' });
    const birds = path.join(docs.root, 'birds');
    await rm(birds, { recursive: true });
    await docs.write('birds/sea/a.md', '# Birds\n\nStorks eat frogs.\n');
    await until(async () => (await titles(running, 'storks'))[0] === 'Birds');
    await docs.write('birds/sea/a.md', '# Birds\n\nHerons eat newts.\n');
    await until(async () => (await titles(running, 'herons'))[0] === 'Birds');

    await docs.write('.next/sea/a.md', '# Birds\n\nGulls eat chips.\n');
    await rename(birds, path.join(docs.root, '.last'));
    await rename(path.join(docs.root, '.next'), birds);
    await until(async () => (await titles(running, 'gulls'))[0] === 'Birds');
    await docs.write('birds/sea/b.md', '# Penguins\n\nPenguins swim.\n');
    await until(async () => (await titles(running, 'penguins'))[0] === 'Penguins');
  });

  it('can go and come back, as with the branch of a repository', async () => {
    const running = await start({ 'birds.md': '# Birds\n\nPelicans eat fish.\n' });
    assert.deepEqual(await titles(running, 'pelicans'), ['Birds']);
    const away = `${docs.root}-away`;
    await rename(docs.root, away);
    await until(async () => (await titles(running, 'pelicans')).length === 0);
    await rename(away, docs.root);
    await until(async () => (await titles(running, 'pelicans'))[0] === 'Birds');
    await docs.write('birds.md', '# Birds\n\nStorks eat frogs.\n');
    await until(async () => (await titles(running, 'storks'))[0] === 'Birds');
  });

  it('is read without files that are not documentation', async () => {
    const running = await start({
      '.git/pelican.md': '# Git\n\nPelicans.\n',
      'node_modules/p/pelican.md': '# Module\n\nPelicans.\n',
      'pelican.txt': 'Pelicans.',
      'binary.md': new Uint8Array([80, 101, 108, 0, 99, 97, 110]),
    });
    assert.deepEqual(await titles(running, 'pelicans'), []);
    assert.match(log.text('warn'), /binary\.md: it is not text/);
  });

  it('is not left through symbolic links', async () => {
    const outside = await docsFolder({ 'secret.md': '# Secret\n\nPelicans.\n' });
    docs = await docsFolder(others);
    await symlink(path.join(outside.root, 'secret.md'), path.join(docs.root, 'link.md'));
    await symlink(outside.root, path.join(docs.root, 'linked'));
    service = await startService(docs.root, { log });
    await service.whenIndexed();
    assert.deepEqual(await titles(service, 'pelicans'), []);
    await outside.remove();
  });

  it('can contain pages that are not UTF-8', async () => {
    const running = await start({
      'latin.md': Buffer.from('# Vögel\n\nPelikane essen Größeres.\n', 'latin1'),
      'wide.md': Buffer.from('\uFEFF# Störche\n\nStörche essen Frösche.\n', 'utf16le'),
    });
    assert.deepEqual(await titles(running, 'Pelikane'), ['Vögel']);
    assert.deepEqual(await titles(running, 'Störche Frösche'), ['Störche']);
  });

  it('can contain a page that is too large, which is left out and named', async () => {
    const running = await start({ 'dump.md': `# Dump\n\nPelicans. ${'x '.repeat(1_100_000)}` });
    assert.deepEqual(await titles(running, 'pelicans'), []);
    assert.match(log.text('warn'), /dump\.md: it has \d+ bytes, and the limit is 2097152/);
  });

  it('can be empty', async () => {
    docs = await docsFolder({});
    service = await startService(docs.root, { log });
    assert.deepEqual(await service.whenIndexed(), { pages: 0, sections: 0, sizeBytes: 0 });
    assert.match((await ask(service, 'pelicans')).text, /nothing about that/);
  });
});

describe('10,000 pages in the local docs service', () => {
  it('are indexed without delaying the first question', async () => {
    const files: Record<string, string> = { 'a-first.md': '# Pelicans\n\nPelicans eat fish.\n' };
    const paragraphs = 'Some words about the matter at hand, as pages have them. '.repeat(6);
    for (let count = 0; count < 10_000; count++) {
      files[`part${count % 100}/page${count}.md`] =
        `# Page ${count}\n\n## Topic${count}\n\nItem${count} is described. ${paragraphs}\n\n## More\n\n${paragraphs}\n`;
    }
    const docs = await docsFolder(files);
    const service = await startService(docs.root, { patienceMs: 0 });
    try {
      const order: string[] = [];
      let turns = 0;
      let isIndexed = false;
      const indexed = service.whenIndexed().then(({ pages }) => {
        isIndexed = true;
        order.push(`indexed ${pages}`);
      });
      // Each turn of the event loop is a chance for a request to be served.
      const count = (): void => {
        turns++;
        if (!isIndexed) setImmediate(count);
      };
      setImmediate(count);
      await until(async () => (await ask(service, 'pelicans')).sources.length > 0);
      order.push('answered');
      const early = await ask(service, 'What is the weather in Paris?');
      assert.match(early.text, /indexed so far/);
      await indexed;
      assert.deepEqual(order, ['answered', 'indexed 10001']);
      assert.ok(turns > 100, `the event loop turned ${turns} times`);
      const { sources } = await ask(service, 'item9876');
      assert.match(sources[0]?.url ?? '', /page9876#topic9876$/);
    } finally {
      await service.stop();
      await docs.remove();
    }
  });
});

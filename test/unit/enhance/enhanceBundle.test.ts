import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exportCommands } from '../../../src/common/contributions';
import { type EnhancePorts, enhanceHandlers } from '../../../src/enhance/enhanceBundle';
import type { EnhanceOutcome } from '../../../src/enhance/enhanceInWorker';
import { bundlePorts } from '../../builders/bundlePorts';
import { ScriptedUi } from '../../fakes/scriptedUi';

const enhanced: EnhanceOutcome = {
  enhanced: {
    indexed: 1200,
    sections: 5000,
    hidden: 2,
    tagged: 1196,
    untagged: [
      { page: '404.html', reason: 'not-found' },
      { page: 'frames.html', reason: 'frames' },
      { page: 'a.html', reason: 'policy' },
      { page: 'b.html', reason: 'base' },
      { page: 'c.html', reason: 'encoding' },
    ],
    files: 40,
    bytes: 1000,
  },
};

const files = 'The files of the site';
const aService = 'A docs service, or the files when it is away…';

describe('Add Search and Answers to Bundle…', () => {
  let folder = '';
  let site = '';
  let ui: ScriptedUi;
  let asked: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'enhance-command-'));
    site = path.join(folder, 'site');
    await mkdir(site);
    ui = new ScriptedUi();
    asked = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs the command on the site, with a worker that notes its task and has this outcome. */
  async function run(outcome: EnhanceOutcome, { isFromPalette = false } = {}): Promise<void> {
    const script = path.join(folder, 'worker.mjs');
    await writeFile(
      script,
      `import { writeFileSync } from 'node:fs';
      import { parentPort, workerData } from 'node:worker_threads';
      writeFileSync(${JSON.stringify(path.join(folder, 'task.json'))}, JSON.stringify(workerData));
      parentPort.postMessage({ name: 'progress', progress: { pages: 600, totalPages: 2400 } });
      parentPort.postMessage(${JSON.stringify({ name: 'result', result: outcome })});\n`,
    );
    const ports: EnhancePorts = {
      ...bundlePorts(site, ui),
      enhanceScript: script,
      siteScripts: '/dist/site',
      configured: () => ({ baseUrl: 'https://platform.test/ask', domain: 'acme' }),
      savedKey: (origin) => {
        asked.push(origin);
        return Promise.resolve(
          origin === 'https://platform.test' ? 'acme_dsc_0a1b2c3d' : undefined,
        );
      },
    };
    await enhanceHandlers(ports)[exportCommands.enhanceBundle]?.(
      isFromPalette ? undefined : { kind: 'site', folder: site },
    );
  }

  const task = async (): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, 'task.json'), 'utf8'));

  async function alreadyEnhanced(): Promise<void> {
    await mkdir(path.join(site, '_docs-assistant'));
    await writeFile(
      path.join(site, '_docs-assistant/manifest.json'),
      '{"generator":"docs-assistant"}',
    );
  }

  it('adds them in a worker, shows its progress, and says what was added and what has no box', async () => {
    ui.answer(files, 'Preview Bundle');
    await run(enhanced);
    assert.deepEqual(await task(), { root: site, scripts: '/dist/site' });
    assert.deepEqual(ui.progresses.at(0)?.reports, [
      { message: '600 of 2,400 steps', increment: 25 },
    ]);
    assert.deepEqual(ui.texts('inform'), [
      'Added search and answers to docs.acme.com. Pages with the box: 1,196. Searched pages: 1,200, sections: 5,000. ' +
        'Pages that say noindex and can’t be found: 2. frames.html has no box, because it has frames. ' +
        'a.html has no box, because its own Content-Security-Policy allows no scripts of the site. ' +
        'b.html has no box, because its <base> leads out of the site. … and 1 more.',
    ]);
    assert.deepEqual(ui.ran, [[exportCommands.previewBundle, { kind: 'site', folder: site }]]);
  });

  it('copies the list of all pages without the box', async () => {
    ui.answer(files, 'Copy Pages Without the Box');
    await run(enhanced);
    assert.equal(ui.copied.at(0)?.split('\n').length, 5);
    assert.match(ui.copied.at(0) ?? '', /c\.html has no box, because it is UTF-16\./);
  });

  it('removes them from a bundle that has them', async () => {
    await alreadyEnhanced();
    ui.answer('Remove');
    await run({ restored: 1196 });
    assert.deepEqual(await task(), { root: site });
    assert.deepEqual(ui.texts('inform'), [
      'Took search and answers out of 1,196 pages in docs.acme.com.',
    ]);
  });

  it('does nothing if the user dismisses the choice', async () => {
    await alreadyEnhanced();
    ui.answer(undefined);
    await run(enhanced);
    assert.deepEqual(ui.progresses, []);
  });

  it('offers the service of the docs site that is set up, with its key', async () => {
    ui.answer(aService, 'https://platform.test/ask', 'acme', 'acme_dsc_0a1b2c3d');
    await run(enhanced);
    assert.deepEqual(
      ui.prompts.map(({ value }) => value),
      ['https://platform.test/ask', 'acme', 'acme_dsc_0a1b2c3d'],
    );
    assert.deepEqual(await task(), {
      root: site,
      scripts: '/dist/site',
      service: { baseUrl: 'https://platform.test/ask', domain: 'acme', key: 'acme_dsc_0a1b2c3d' },
    });
  });

  it('refuses an admin key, which everyone could read, and offers no key of another origin', async () => {
    ui.answer(aService, '/_docs-assistant/service', 'acme', 'acme_0a1b2c3d4e5f', undefined);
    await run(enhanced);
    assert.deepEqual(ui.prompts.at(2)?.value, undefined);
    assert.deepEqual(asked, []);
    assert.match(ui.remarks.at(-1)?.text ?? '', /looks like an admin key, which must stay secret/);
    assert.deepEqual(ui.progresses, []);
  });

  it('passes on why the worker could not', async () => {
    ui.answer(files);
    await assert.rejects(
      run({ failure: { code: 'assistant-folder-taken', path: '_docs-assistant' } }),
      { code: 'assistant-folder-taken' },
    );
  });

  it('asks for a bundle if it is run without one', async () => {
    ui.answer('docs.acme.com', files, undefined);
    await run(enhanced, { isFromPalette: true });
    assert.deepEqual(ui.texts('choose'), ['Choose a Bundle', 'Who Answers on docs.acme.com?']);
    assert.deepEqual(await task(), { root: site, scripts: '/dist/site' });
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exportCommands } from '../../../../src/common/contributions';
import { hostingHandlers, type HostingPorts } from '../../../../src/export/commands/hostingCommand';
import { writeFiles, type PlannedFile } from '../../../../src/export/hosting/hostingFolder';
import { redirectsJson } from '../../../../src/export/hosting/redirects';
import { bundlePorts } from '../../../builders/bundlePorts';
import { survey } from '../../../builders/hostedSite';
import { ScriptedUi } from '../../../fakes/scriptedUi';
import { page } from '../check/site';

describe('Generate Hosting Configuration…', () => {
  let folder = '';
  let site = '';
  let ui: ScriptedUi;
  let reviewed: (readonly PlannedFile[])[] = [];
  let isApplied = true;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'hosting-command-'));
    site = await mkdtemp(path.join(os.tmpdir(), 'hosting-site-'));
    await writeFile(path.join(site, 'index.html'), page('<script>one()</script>'));
    await writeFile(path.join(site, '404.html'), page(''));
    ui = new ScriptedUi();
    reviewed = [];
    isApplied = true;
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(site, { recursive: true, force: true });
  });

  /** Runs the command on the site. Its worker sends what the survey of the site is. */
  async function generate(): Promise<void> {
    const script = path.join(folder, 'worker.mjs');
    const result = JSON.stringify({ name: 'result', result: await survey(site) });
    await writeFile(
      script,
      `import { parentPort } from 'node:worker_threads';\nparentPort.postMessage(${result});\n`,
    );
    const ports: HostingPorts = {
      ...bundlePorts(site, ui),
      surveyScript: script,
      defaultFolder: () => folder,
      review: async (_title, files) => {
        reviewed.push(files);
        if (isApplied) await writeFiles(files);
        return isApplied;
      },
    };
    await hostingHandlers(ports)[exportCommands.generateHosting]?.({ kind: 'site', folder: site });
  }

  const target = (): string => path.join(folder, 'docs-site.nginx.conf');

  it('asks for the server, its names and a folder, and writes the reviewed files', async () => {
    ui.answer('nginx', 'docs.acme.com', '/var/www/docs', 'No redirects', folder);
    await generate();
    const content = await readFile(target(), 'utf8');
    assert.match(content, /server_name docs\.acme\.com;/);
    assert.match(content, /root "\/var\/www\/docs";/);
    assert.match(content, /'sha256-/);
    assert.deepEqual(
      reviewed.map((files) => files.map(({ name, state }) => `${name} ${state}`)),
      [['docs-site.nginx.conf new']],
    );
    assert.match(ui.shown.at(-1)?.text ?? '', /^Wrote docs-site\.nginx\.conf\./);
  });

  it('offers the domain of the export as the host name', async () => {
    ui.answer('Caddy', undefined);
    await generate();
    assert.equal(ui.prompts[0]?.value, 'docs.acme.com');
  });

  it('writes nothing that the user does not apply', async () => {
    await writeFile(target(), 'mine');
    isApplied = false;
    ui.answer('nginx', 'docs.acme.com', '/srv/docs', 'No redirects', folder);
    await generate();
    assert.deepEqual(
      reviewed[0]?.map(({ state }) => state),
      ['changed'],
    );
    assert.equal(await readFile(target(), 'utf8'), 'mine');
    assert.ok(!ui.shown.some(({ text }) => text.startsWith('Wrote')));
  });

  it('says that there is nothing to write if the files are the same', async () => {
    const answers = ['nginx', 'docs.acme.com', '/srv/docs', 'No redirects', folder];
    ui.answer(...answers, ...answers);
    await generate();
    await generate();
    assert.equal(reviewed.length, 1);
    assert.match(ui.shown.at(-1)?.text ?? '', /already has this configuration/);
  });

  it('does not ask for a host name if the platform knows it', async () => {
    ui.answer('Netlify', 'No redirects', folder);
    await generate();
    assert.deepEqual(ui.prompts, []);
    assert.deepEqual(
      reviewed[0]?.map(({ name }) => name),
      ['_redirects', '_headers'],
    );
  });

  it('refuses a file without redirects', async () => {
    const file = path.join(folder, 'package.json');
    await writeFile(file, '{}');
    ui.answer('Netlify', 'From a file…', file);
    await assert.rejects(generate(), { code: 'values-not-usable' });
    await writeFile(file, redirectsJson([]));
    ui.answer('Netlify', 'From a file…', file, folder);
    await generate();
    assert.equal(reviewed.length, 1);
  });
});

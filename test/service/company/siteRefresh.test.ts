import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as tar from 'tar';
import { systemClock } from '../../../src/common/clock';
import { type Clock, silentLog } from '../../../src/common/ports';
import { openFileStores } from '../../../src/service/company/fileStores';
import { ownSourceOf } from '../../../src/service/company/postgres/ownSource';
import type { ManifestSite } from '../../../src/service/company/sites/manifestSchema';
import type { SiteLoader } from '../../../src/service/company/sites/siteLoader';
import { SiteSources } from '../../../src/service/company/sites/siteSources';
import { DocsSite } from '../service/docsSite';
import { docsFolder, until } from '../service/localServiceAsking';
import { type Company, payments, question, shipping, startCompany } from './company';

type Folder = Awaited<ReturnType<typeof docsFolder>>;

function git(repo: string, ...args: string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', [...who, ...args], { cwd: repo, stdio: 'ignore' });
}

/** Makes a git repository of a folder. */
function commitAll(repo: string): void {
  git(repo, 'init', '--initial-branch=main');
  git(repo, 'add', '.');
  git(repo, 'commit', '-m', 'one');
}

describe('the service of a company, refreshing', () => {
  let docs: Folder;
  let company: Company | undefined;

  beforeEach(async () => {
    docs = await docsFolder({ 'one/refunds.md': payments, 'two/labels.md': shipping });
  });
  afterEach(async () => {
    await company?.end();
    company = undefined;
    await docs.remove();
  });

  const folder = (name: string): object => ({
    domain: 'a',
    source: { kind: 'folder', path: path.join(docs.root, name) },
  });
  interface SiteState {
    readonly pages: number;
    readonly problem?: string;
    readonly refreshedAt?: number;
  }

  const stateOf = async (running: Company, admin: string): Promise<SiteState> => {
    const response = await running.get('/service/v1/sites', admin);
    const { sites } = (await response.json()) as { sites: SiteState[] };
    assert.ok(sites[0]);
    return sites[0];
  };

  it('takes over a changed manifest without a restart', async () => {
    company = await startCompany({ sites: [folder('one')] });
    const key = await company.newKey();
    company.change({ sites: [folder('two'), { ...folder('one'), domain: 'b' }] });
    await company.whenStarted();
    assert.match((await company.ask('a', key, 'When do I print a label?')).text, /before noon/);
    assert.match((await company.ask('b', key, 'How long does a refund take?')).text, /five days/);
    company.change({ sites: [folder('two')] });
    assert.equal((await company.post('/v2/assistant/b/message', key, question)).status, 404);
  });

  it('answers from the newest of changes that come while the docs of an earlier one are read', async () => {
    const slow = {
      ...folder('two'),
      refresh: { command: ['node', '-e', 'setTimeout(() => undefined, 1500)'] },
    };
    const one = { sites: [{ ...folder('one'), languages: ['en'] }] };
    company = await startCompany(one);
    const key = await company.newKey();
    for (const newest of [one, { sites: [folder('one')] }]) {
      company.change({ sites: [slow] });
      const isRead = company.whenStarted();
      company.change(newest);
      await Promise.all([isRead, company.whenStarted()]);
      const reply = await company.ask('a', key, 'How long does a refund take?');
      assert.match(reply.text, /five days/);
    }
  });

  it('shows the images of a site only while all of its versions are open', async () => {
    await docs.write('one/next/plan.png', 'image');
    const next = (fields: object): Record<string, unknown> => ({
      sites: [{ ...folder('one'), versions: ['v1', { name: 'v2', folder: 'next', ...fields }] }],
    });
    company = await startCompany(next({}));
    const image = '/sites/a/docs/next/plan.png';
    const shown = await company.get(image);
    assert.equal(shown.headers.get('content-type'), 'image/png');
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff');
    company.change(next({ groups: ['staff'] }));
    await company.whenStarted();
    assert.equal((await company.get(image)).status, 404);
  });

  it('logs refreshes by the clock only if they change the number of pages, and all that are asked for', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const manifest = { sites: [{ ...folder('one'), refresh: { every: '1s' } }] };
    const running = (company = await startCompany(manifest, { clock }));
    const admin = await running.newKey({ kind: 'admin' });
    const lines = (): number => running.log().split('is up to date').length - 1;
    const refreshed = async (): Promise<void> => {
      const { refreshedAt = 0 } = await stateOf(running, admin);
      await until(async () => ((await stateOf(running, admin)).refreshedAt ?? 0) > refreshedAt);
    };
    await refreshed();
    await refreshed();
    assert.equal(lines(), 1);
    await docs.write('one/labels.md', shipping);
    await until(() => lines() === 2);
    later = 11_000;
    await running.get('/service/v1/sites/a/refresh', admin, { method: 'POST' });
    await until(() => lines() === 3);
    // Nobody waits for the time of before again if the clock is set back.
    later = -3_600_000;
    await running.get('/service/v1/sites/a/refresh', admin, { method: 'POST' });
    await until(() => lines() === 4);
  });

  it('keeps the last docs where the source of a changed manifest can’t be read, until it can', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const running = (company = await startCompany({ sites: [folder('one')] }, { clock }));
    const key = await running.newKey();
    const admin = await running.newKey({ kind: 'admin' });
    const asked = async (): Promise<string> =>
      (await running.ask('a', key, 'How long does a refund take?')).text;
    await docs.write('other/notes.txt', 'No page.');
    for (const [wrong, said] of [
      ['typo', /doesn't exist/],
      ['other', /no pages/],
    ] as const) {
      running.change({ sites: [folder(wrong)] });
      await running.whenStarted();
      assert.match(await asked(), /five days/);
      const { problem, pages } = await stateOf(running, admin);
      assert.match(problem ?? '', said);
      assert.ok(pages > 0);
    }
    await docs.write('other/refunds.md', '# Refunds\n\nA refund takes nine days.\n');
    later = 11_000;
    await until(async () => (await asked()).includes('nine days'));
    await until(async () => (await stateOf(running, admin)).problem === undefined);
  });

  it('limits a site to groups as soon as the manifest says so', async () => {
    company = await startCompany({ sites: [folder('one')] });
    const key = await company.newKey();
    company.change({ sites: [{ ...folder('one'), groups: ['staff'] }] });
    assert.equal((await company.post('/v2/assistant/a/message', key, question)).status, 404);
  });

  it('reads the newest commit of a git repository, and keeps the last one if that fails', async () => {
    const repo = path.join(docs.root, 'one');
    commitAll(repo);
    company = await startCompany({
      sites: [
        {
          domain: 'a',
          source: { kind: 'git', url: repo, branch: 'main' },
          refresh: { every: '1s' },
        },
      ],
    });
    const running = company;
    const key = await company.newKey();
    const admin = await company.newKey({ kind: 'admin' });
    assert.match((await company.ask('a', key, 'How long does a refund take?')).text, /five days/);
    await writeFile(path.join(repo, 'refunds.md'), payments.replace('five', 'six'));
    git(repo, 'commit', '-am', 'two');
    await until(async () =>
      (await running.ask('a', key, 'How long does a refund take?')).text.includes('six days'),
    );
    await rename(path.join(repo, '.git'), path.join(repo, '.gone'));
    await until(async () => (await stateOf(running, admin)).problem !== undefined);
    assert.match((await stateOf(running, admin)).problem ?? '', /^git ls-remote failed: /);
    assert.match((await company.ask('a', key, 'How long does a refund take?')).text, /six days/);
  });

  it('keeps one copy of a repository whose docs processes share', async () => {
    const repo = path.join(docs.root, 'one');
    const data = path.join(docs.root, 'data');
    commitAll(repo);
    const entry: ManifestSite = { domain: 'a', source: { kind: 'git', url: repo } };
    const sources = new SiteSources(entry, { manifestFolder: docs.root, folder: data, fetch });
    const shared = ownSourceOf(entry, sources, { clock: systemClock, log: silentLog });
    const { signal } = new AbortController();
    for (const days of ['six', 'seven', 'eight']) {
      await writeFile(path.join(repo, 'refunds.md'), payments.replace('five', days));
      git(repo, 'commit', '-am', days);
      const source = await shared.open(signal, true);
      assert.match((await source.read('refunds.md'))?.source ?? '', new RegExp(`${days} days`));
    }
    const names = await readdir(data);
    assert.equal(names.filter((name) => name.startsWith('copy-')).length, 1);
  });

  it('fetches a public site again for a webhook that comes shortly after the last fetch', async () => {
    const published = await DocsSite.start({ '/llms-full.txt': payments });
    const entry: ManifestSite = { domain: 'a', source: { kind: 'site', url: published.url } };
    const data = path.join(docs.root, 'data');
    const sources = new SiteSources(entry, { manifestFolder: docs.root, folder: data, fetch });
    const shared = ownSourceOf(entry, sources, { clock: systemClock, log: silentLog });
    const textAfter = async (isAsked: boolean): Promise<string> => {
      const { signal } = new AbortController();
      const source = await shared.open(signal, isAsked);
      let text = '';
      for await (const name of source.paths(signal))
        text += (await source.read(name))?.source ?? '';
      return text;
    };
    try {
      assert.match(await textAfter(true), /five days/);
      published.answers = { '/llms-full.txt': payments.replace('five', 'six') };
      assert.match(await textAfter(false), /five days/);
      assert.match(await textAfter(true), /six days/);
    } finally {
      await published.stop();
    }
  });

  it('reads the docs once more if they change while or shortly after they are read', async () => {
    let loads = 0;
    let isHeld = false;
    const sharedLoaderOf = (): SiteLoader => ({
      last: () => Promise.resolve(undefined),
      load: async () => {
        loads++;
        await until(() => !isHeld);
        const one = path.join(docs.root, 'one');
        return { docs: { kind: 'folder', folder: one }, version: '' };
      },
      clean: () => Promise.resolve(),
    });
    const clock: Clock = {
      ...systemClock,
      delay: (ms, signal) => systemClock.delay(Math.min(ms, 50), signal),
    };
    const stores = await openFileStores(docs.root, clock);
    const backend = { stores, sharedLoaderOf, close: () => stores.close() };
    const running = (company = await startCompany({ sites: [folder('one')] }, { backend, clock }));
    const admin = await running.newKey({ kind: 'admin' });
    const change = async (): Promise<void> => {
      assert.equal((await running.post('/service/v1/sites/a/refresh', admin, {})).status, 202);
    };
    isHeld = true;
    await change();
    await until(() => loads === 2);
    await change();
    await change();
    isHeld = false;
    await until(() => loads === 3);
    assert.equal((await running.get('/healthz')).status, 200);
    assert.equal(loads, 3);
  });

  it('takes a webhook as large as that of a push with many commits', async () => {
    company = await startCompany(
      { sites: [{ ...folder('one'), refresh: { webhook: { secretVariable: 'HOOK' } } }] },
      { env: { HOOK: 'a-long-secret' } },
    );
    const body = JSON.stringify({ commits: [{ message: 'x'.repeat(3_000_000) }] });
    const signature = createHmac('sha256', 'a-long-secret').update(body).digest('hex');
    const answer = await company.get('/service/v1/sites/a/webhook', undefined, {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': `sha256=${signature}` },
    });
    assert.equal(answer.status, 202);
  });

  it('takes webhooks of GitLab, which send the secret itself, and those that Bitbucket signs', async () => {
    const secret = 'a-long-secret';
    company = await startCompany(
      { sites: [{ ...folder('one'), refresh: { webhook: { secretVariable: 'HOOK' } } }] },
      { env: { HOOK: secret } },
    );
    const body = '{"ref":"refs/heads/main"}';
    const sent = async (headers: Record<string, string>): Promise<number | undefined> => {
      const url = '/service/v1/sites/a/webhook';
      return (await company?.get(url, undefined, { method: 'POST', body, headers }))?.status;
    };
    const signed = createHmac('sha256', secret).update(body).digest('hex');
    const gitlab = { 'x-gitlab-event': 'Push Hook' };
    assert.equal(await sent({ ...gitlab, 'x-gitlab-token': secret }), 202);
    assert.equal(
      await sent({ 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${signed}` }),
      202,
    );
    for (const token of ['', 'another-secret', `${secret}x`, signed]) {
      assert.equal(await sent({ ...gitlab, 'x-gitlab-token': token }), 403);
    }
    assert.equal(await sent({ 'x-hub-signature': secret }), 403);
    assert.equal(await sent({ ...gitlab, 'x-hub-signature-256': secret }), 403);
  });

  it('keeps a copy of a repository while an export reads it', async () => {
    const repository = path.join(docs.root, 'one');
    commitAll(repository);
    const folder = path.join(docs.root, 'copies');
    let read: string | undefined;
    const source = { kind: 'git', url: repository } as const;
    const isRead = (copy: string): boolean => copy === read;
    const ports = { manifestFolder: docs.root, folder, fetch, isRead };
    const sources = new SiteSources({ source }, ports);
    await sources.load(new AbortController().signal);
    [read = ''] = (await readdir(folder))
      .filter((name) => name.startsWith('copy-'))
      .map((name) => path.join(folder, name));
    await docs.write('one/more.md', shipping);
    commitAll(repository);
    await sources.load(new AbortController().signal);
    await sources.clean();
    assert.ok((await readdir(read)).includes('refunds.md'));
    const old = path.basename(read);
    read = undefined;
    await sources.clean();
    assert.ok(!(await readdir(folder)).includes(old));
    assert.equal((await readdir(folder)).length, 2);
  });

  it('names the site in each line of the log about its pages', async () => {
    await docs.write('one/broken.mdx', '# Broken\n\nPelicans <!-- all --> eat fish.\n');
    await docs.write('two/broken.mdx', '# Broken\n\nStorks <!-- all --> eat frogs.\n');
    const two = { domain: 'b', source: { kind: 'folder', path: path.join(docs.root, 'two') } };
    company = await startCompany({ sites: [folder('one'), two] });
    const admin = await company.newKey({ kind: 'admin' });
    await company.post('/v1/static-export/jobs', admin, { domain: 'b' });
    await until(() => company?.log().includes('Exported') === true);
    const lines = company.log().split('\n');
    const told = lines.filter((line) => /broken\.mdx|Exported|links/.test(line));
    assert.ok(told.length >= 4, told.join('\n'));
    for (const line of told) assert.match(line, /"message":"The site [ab]: /);
    assert.ok(lines.some((line) => line.includes('"route":"export","status":202')));
  });

  it('counts a single page as one', async () => {
    company = await startCompany({ sites: [folder('one')] });
    assert.match(company.log(), /"The site a is up to date: 1 page"/);
    company.change({ sites: [folder('two')] });
    assert.match(company.log(), /"The changed manifest was taken over: 1 site"/);
    const admin = await company.newKey({ kind: 'admin' });
    await company.post('/v1/static-export/jobs', admin, { domain: 'a' });
    await until(() => company?.log().includes('Exported') === true);
    assert.match(company.log(), /Exported 1 page in \d+ ms/);
  });

  it('waits for weeks between two refreshes if the manifest says so', async () => {
    const delays: number[] = [];
    const clock: Clock = {
      ...systemClock,
      delay: (ms, signal) => {
        delays.push(ms);
        return systemClock.delay(ms, signal);
      },
    };
    const site = { ...folder('one'), refresh: { every: '30d' } };
    company = await startCompany({ sites: [site] }, { clock });
    const weeks = 20 * 24 * 60 * 60 * 1000;
    await until(() => delays.some((ms) => ms > weeks));
    // A timer of the system that is set to more ends at once.
    assert.ok(Math.max(...delays) < 2 ** 31);
  });

  it('fetches a public site whose docs processes share once a day, if the manifest names no time', () => {
    const everyMs = (refresh?: ManifestSite['refresh']): number | undefined => {
      const entry: ManifestSite = {
        domain: 'a',
        source: { kind: 'site', url: 'https://a' },
        refresh,
      };
      const sources = new SiteSources(entry, { manifestFolder: '', folder: '', fetch });
      return ownSourceOf(entry, sources, { clock: systemClock, log: silentLog }).everyMs;
    };
    assert.equal(everyMs(), 24 * 60 * 60 * 1000);
    assert.equal(everyMs({ every: '30m' }), 30 * 60 * 1000);
  });

  it('goes on when an old copy can’t be removed', async () => {
    let loads = 0;
    let removals = 0;
    const sharedLoaderOf = (_: unknown, own: SiteLoader): SiteLoader => ({
      last: () => own.last(),
      // Each load brings another folder.
      load: () => {
        const name = loads++ % 2 === 0 ? 'one' : 'two';
        const folder = path.join(docs.root, name);
        return Promise.resolve({ docs: { kind: 'folder', folder }, version: '' });
      },
      clean: () => {
        removals++;
        return Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }));
      },
    });
    const clock: Clock = {
      ...systemClock,
      delay: (ms, signal) => systemClock.delay(Math.min(ms, 50), signal),
    };
    const stores = await openFileStores(docs.root, clock);
    const backend = { stores, sharedLoaderOf, close: () => stores.close() };
    const written = { ...folder('one'), refresh: { every: '1s' } };
    const running = (company = await startCompany({ sites: [written] }, { backend, clock }));
    await until(() => removals > 1);
    assert.match(running.log(), /Old docs of the site a can't be removed \(EBUSY\)/);
    assert.equal((await running.get('/healthz')).status, 200);
  });

  it('unpacks the archive of a bundle, and answers from it after a restart without it', async () => {
    const site = path.join(docs.root, 'bundle');
    const archive = path.join(docs.root, 'bundle.tar.gz');
    await docs.write(
      'bundle/refunds.html',
      '<html><head><title>Refunds</title></head><body><main><h1>Refunds</h1><p>A refund takes nine days in the bundle.</p></main></body></html>',
    );
    await tar.create({ file: archive, cwd: site, gzip: true }, ['.']);
    const dataFolder = path.join(docs.root, 'data');
    const manifest = { sites: [{ domain: 'a', source: { kind: 'bundle', from: archive } }] };
    company = await startCompany(manifest, { dataFolder });
    const key = await company.newKey();
    const ask = async (running: Company): Promise<string> =>
      (await running.ask('a', key, 'How long does a refund take?')).text;
    assert.match(await ask(company), /nine days/);
    await company.end();
    await rm(archive);
    company = await startCompany(manifest, { dataFolder });
    assert.match(await ask(company), /nine days/);
    const admin = await company.newKey({ kind: 'admin' });
    const { pages, problem } = await stateOf(company, admin);
    assert.equal(pages, 1);
    assert.match(problem ?? '', /^The archive can't be read \(ENOENT\)\.$/);
  });

  it('downloads the archive of a bundle, keeps the last one if that fails, and never tells its link', async () => {
    const archive = path.join(docs.root, 'bundle.tar.gz');
    const packed = async (days: string): Promise<Buffer> => {
      await docs.write(
        'bundle/refunds.html',
        `<html><head><title>Refunds</title></head><body><main><h1>Refunds</h1><p>A refund takes ${days} days in the bundle.</p></main></body></html>`,
      );
      await tar.create({ file: archive, cwd: path.join(docs.root, 'bundle'), gzip: true }, ['.']);
      return readFile(archive);
    };
    const link = '/bundle.tar.gz?signature=secret-of-the-link';
    const host = await DocsSite.start({ [link]: { body: await packed('nine') } });
    try {
      const source = { kind: 'bundle', from: host.url + link };
      const dataFolder = path.join(docs.root, 'data');
      const running = (company = await startCompany(
        { sites: [{ domain: 'a', source, refresh: { every: '1s' } }] },
        { dataFolder },
      ));
      const key = await running.newKey();
      const admin = await running.newKey({ kind: 'admin' });
      const isTold = async (days: string): Promise<boolean> =>
        (await running.ask('a', key, 'How long does a refund take?')).text.includes(`${days} days`);
      const problemIs = (wanted: string | undefined): Promise<void> =>
        until(async () => (await stateOf(running, admin)).problem === wanted);
      assert.ok(await isTold('nine'));
      host.answers = { [link]: { body: await packed('ten') } };
      await until(() => isTold('ten'));
      host.answers = {};
      await problemIs('The link to the archive answers with status 404.');
      host.answers = { [link]: { body: 'no archive' } };
      await until(async () => /unpacked/.test((await stateOf(running, admin)).problem ?? ''));
      await host.stop();
      await problemIs("The archive can't be downloaded (ECONNREFUSED).");
      assert.ok(await isTold('ten'));
      assert.doesNotMatch(running.log(), /secret-of-the-link/);
      const names = await readdir(path.join(dataFolder, 'sites/a'));
      assert.ok(names.length > 0);
      assert.ok(!names.some((name) => name.startsWith('part-')));
    } finally {
      await host.stop();
    }
  });

  it('runs the command of a site before its pages are read, and tells its last words if it fails', async () => {
    const script =
      'require("node:fs").writeFileSync("made/new.md", "# New\\n\\nThe command made this page.")';
    await docs.write('made/old.md', '# Old\n\nThis page was there before.\n');
    const made = (source: string): object => ({
      domain: 'a',
      source: { kind: 'folder', path: 'made' },
      refresh: { command: [process.execPath, '-e', source] },
    });
    company = await startCompany({ sites: [made(script)] }, { manifestFolder: docs.root });
    const key = await company.newKey();
    const admin = await company.newKey({ kind: 'admin' });
    assert.match(
      (await company.ask('a', key, 'What did the command make?')).text,
      /made this page/,
    );
    company.change({ sites: [made('console.error("no docs today"); process.exit(3)')] });
    await company.whenStarted();
    const { problem } = await stateOf(company, admin);
    assert.equal(problem, 'The command of the manifest failed: no docs today');
  });

  for (const [what, command, reason] of [
    ['can’t be started', ['./sync-docs'], '"./sync-docs" can\'t be started (ENOENT).'],
    [
      'fails without a word',
      [process.execPath, '-e', 'process.exit(3)'],
      'It ended with exit code 3.',
    ],
  ] as const) {
    it(`says why a command failed that ${what}`, async () => {
      company = await startCompany({ sites: [{ ...folder('one'), refresh: { command } }] });
      const admin = await company.newKey({ kind: 'admin' });
      const { problem } = await stateOf(company, admin);
      assert.equal(problem, `The command of the manifest failed: ${reason}`);
    });
  }

  it('follows a link that leads to another folder, and tells a folder whose pages are gone', async () => {
    const link = path.join(docs.root, 'current');
    await symlink(path.join(docs.root, 'one'), link);
    const site = { ...folder('current'), refresh: { every: '1s' } };
    const running = (company = await startCompany({ sites: [site] }));
    const key = await running.newKey();
    const admin = await running.newKey({ kind: 'admin' });
    await rm(link);
    await symlink(path.join(docs.root, 'two'), link);
    const isFollowed = async (): Promise<boolean> =>
      (await running.ask('a', key, 'When do I print a label?')).text.includes('before noon');
    await until(isFollowed);
    assert.equal((await stateOf(running, admin)).problem, undefined);
    await rm(path.join(docs.root, 'two/labels.md'));
    await until(async () => (await stateOf(running, admin)).problem !== undefined);
    assert.match((await stateOf(running, admin)).problem ?? '', /no pages/);
  });

  it('answers from the last docs if a changed manifest names a source that can’t be read', async () => {
    company = await startCompany({ sites: [folder('one')] });
    const key = await company.newKey();
    const admin = await company.newKey({ kind: 'admin' });
    const gone = path.join(docs.root, 'gone');
    const mistaken = [
      { kind: 'folder', path: path.join(docs.root, 'oen') },
      { kind: 'git', url: gone },
      { kind: 'bundle', from: gone },
      { kind: 'site', url: 'http://127.0.0.1:1' },
    ];
    for (const source of mistaken) {
      company.change({ sites: [{ domain: 'a', source }] });
      await company.whenStarted();
      const reply = await company.ask('a', key, 'How long does a refund take?');
      assert.match(reply.text, /five days/, source.kind);
      const { pages, problem } = await stateOf(company, admin);
      assert.equal(pages, 1);
      assert.notEqual(problem, undefined);
    }
    company.change({ sites: [folder('two')] });
    await company.whenStarted();
    assert.match((await company.ask('a', key, 'When do I print a label?')).text, /before noon/);
    assert.equal((await stateOf(company, admin)).problem, undefined);
  });

  for (const kind of ['folder', 'git', 'site']) {
    it(`asks readers to wait for a ${kind} that can’t be read, and answers once it can be`, async () => {
      const place = path.join(docs.root, 'late');
      const published = await DocsSite.start({});
      const source = { folder: { path: place }, git: { url: place }, site: { url: published.url } };
      let ahead = 0;
      try {
        company = await startCompany(
          { sites: [{ domain: 'a', source: { kind, ...source[kind as keyof typeof source] } }] },
          { clock: { ...systemClock, now: () => systemClock.now() + ahead } },
        );
        const running = company;
        const key = await running.newKey();
        const ask = (): Promise<Response> => running.post('/v2/assistant/a/message', key, question);
        const early = await ask();
        assert.equal(early.status, 503);
        assert.ok(early.headers.has('retry-after'));
        await docs.write('late/refunds.md', payments);
        if (kind === 'git') commitAll(place);
        published.answers = { '/llms-full.txt': payments };
        ahead = 60_000;
        await until(async () => (await ask()).status === 200);
        const { text } = await running.ask('a', key, 'How long does a refund take?');
        assert.match(text, /five days/);
        const admin = await running.newKey({ kind: 'admin' });
        await until(async () => (await stateOf(running, admin)).problem === undefined);
      } finally {
        await published.stop();
      }
    });
  }

  it('tells a site that can’t be loaded, and answers for the others', async () => {
    company = await startCompany({ sites: [folder('missing'), { ...folder('one'), domain: 'b' }] });
    const key = await company.newKey();
    const admin = await company.newKey({ kind: 'admin' });
    assert.match((await stateOf(company, admin)).problem ?? '', /doesn't exist/);
    assert.equal((await company.ask('b', key, 'How long does a refund take?')).isDone, true);
    const refused = await company.post('/v2/assistant/a/message', key, question);
    assert.equal(refused.status, 503);
    assert.ok(refused.headers.has('retry-after'));
    assert.deepEqual(await refused.json(), {
      error:
        "The docs of this site can't be read from their source. The log of the service says why.",
    });
    assert.equal((await company.get('/readyz')).status, 200);
  });

  it('tells readers that the docs of a new site are still being read', async () => {
    company = await startCompany({ sites: [folder('one')] });
    const key = await company.newKey();
    const command = ['node', '-e', 'setTimeout(() => undefined, 60_000)'];
    company.change({ sites: [{ ...folder('two'), domain: 'b', refresh: { command } }] });
    const early = await company.post('/v2/assistant/b/message', key, question);
    assert.equal(early.status, 503);
    assert.deepEqual(await early.json(), {
      error: 'The docs of this site are still being read. Try again.',
    });
  });

  it('tells why git can’t read a repository, and not what git says to everybody', async () => {
    const missing = path.join(docs.root, 'missing.git');
    company = await startCompany({
      sites: [{ domain: 'a', source: { kind: 'git', url: missing } }],
    });
    const { problem } = await stateOf(company, await company.newKey({ kind: 'admin' }));
    assert.match(problem ?? '', /^git ls-remote failed: .*does not appear to be a git repository$/);
  });
});

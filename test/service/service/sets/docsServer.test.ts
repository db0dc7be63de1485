import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import type { ChosenDocs } from '../../../../src/service/sets/chooseDocs';
import { parseSiteAddress } from '../../../../src/service/sets/siteAddress';
import { aMoment, docsServing, isThere } from './docsServing';

const whole = { pages: 200, sizeBytes: 4_000_000, fetchedAt: 1_700_000_000_000, notes: [] };

function siteAt(url: string): ChosenDocs {
  const address = parseSiteAddress(url);
  assert.ok(address.ok);
  return { kind: 'site', address };
}

describe('DocsServer', () => {
  let world: Awaited<ReturnType<typeof docsServing>>;
  beforeEach(async () => {
    world = await docsServing();
  });
  afterEach(async () => {
    await world.remove();
  });

  const folderDocs = async (name: string): Promise<ChosenDocs & { docs: LocalDocs }> => ({
    kind: 'docs',
    docs: { kind: 'folder', folder: await world.aFolder(name), label: name },
  });

  it('serves a folder, keeps it as a set with its pages, and reports how many there are', async () => {
    const { server, service, sets, state, ui } = world.open();
    const guide = await folderDocs('guide');
    const serving = server.serve(guide);
    const { hooks } = await service(0);
    assert.equal(state.local?.label, 'guide', 'questions wait for the pages');
    hooks.onDidProgress({ pages: 10, total: 40 });
    hooks.onDidIndex(40, 90_000);
    assert.equal(await serving, true);
    assert.equal(sets.list[0]?.sizeBytes, 90_000);
    assert.equal(sets.list[0].pages, 40);
    assert.equal(sets.list[0].fetchedAt, world.clock.now());
    assert.deepEqual(state.remembered, guide.docs);
    assert.deepEqual(state.local.docs, {
      kind: 'folder',
      bundleFolder: undefined,
      siteUrl: undefined,
      installedFolder: undefined,
      packages: undefined,
      pages: 40,
      fetchedAt: world.clock.now(),
    });
    assert.equal(state.local.docsFolder, guide.docs.folder);
    assert.deepEqual(ui.progresses[0]?.reports.at(-1), {
      message: '10 of 40 pages',
      increment: 25,
    });
    assert.match(ui.texts('inform')[0] ?? '', /40 pages of guide/);
    assert.deepEqual(await world.ownFolders(), [], 'the folder is the reader’s own');
  });

  it('numbers the name of docs before their pages are read if a set has the name', async () => {
    const { server, service, state } = world.open();
    const guideIn = async (folder: string): Promise<ChosenDocs> => ({
      kind: 'docs',
      docs: { kind: 'folder', folder: await world.aFolder(folder), label: 'guide' },
    });
    const first = server.serve(await guideIn('one'));
    (await service(0)).hooks.onDidIndex(1);
    await first;
    const second = server.serve(await guideIn('two'));
    const { hooks } = await service(1);
    const { label, threadName } = state.local ?? {};
    assert.deepEqual([label, threadName], ['guide (2)', 'guide (2)']);
    hooks.onDidIndex(1);
    await second;
  });

  it('serves installed packages once they are listed, and keeps them as no set', async () => {
    const { server, service, sets, state, ui } = world.open();
    const folder = await world.aFolder('app');
    const docs: LocalDocs = { kind: 'installed', folder, root: folder, label: 'Packages' };
    const serving = server.serve({ kind: 'docs', docs });
    const { hooks } = await service(0);
    hooks.onDidList(43);
    assert.equal(await serving, true, 'their pages are read in the background');
    assert.deepEqual(ui.texts('inform'), ['You can ask about 43 installed packages now.']);
    hooks.onDidIndex(900, 5_000_000);
    assert.deepEqual([state.local?.docs?.packages, state.local?.docs?.pages], [43, 900]);
    assert.deepEqual(server.facts.sizeBytes, 5_000_000);
    assert.equal(state.local?.threadName, `installed ${folder}`);
    assert.deepEqual(sets.list, []);
    assert.deepEqual(state.remembered, docs);
    const next = world.open();
    const resumed = next.server.resume(docs);
    (await next.service(0)).hooks.onDidList(44);
    await resumed;
    assert.equal(next.state.local?.docs?.packages, 44);
    assert.deepEqual(next.ui.texts('inform'), []);
  });

  it('keeps the pages of a set that is asked beside packages, and knows both again', async () => {
    const { server, service, sets, state } = world.open();
    const fetching = server.serve(siteAt('https://docs.example.com'));
    (await service(0)).hooks.onDidRefresh(whole);
    await fetching;
    const [site] = sets.list;
    assert.ok(site && site.docs.kind === 'site');
    const folder = await world.aFolder('app');
    const docs: LocalDocs = { kind: 'installed', folder, label: 'Both', beside: site.docs };
    const serving = server.serve({ kind: 'docs', docs });
    (await service(1)).hooks.onDidList(3);
    await serving;
    assert.equal(state.local?.docs?.siteUrl, site.docs.url);
    assert.equal(state.local.docs.installedFolder, folder);
    assert.deepEqual(state.remembered, docs);
    assert.equal(await server.serve({ kind: 'docs', docs }), true, 'it is served already');
    await server.remove(site);
    assert.deepEqual(await world.ownFolders(), [site.ownFolder], 'its pages are in use');
    await server.stop();
    const gone = world.open();
    await rm(site.docs.folder, { recursive: true });
    await gone.server.resume(docs);
    assert.match(gone.ui.texts('warn')[0] ?? '', /no longer exists/);
  });

  // Shows faults.md I13.
  it('keeps serving other docs if no packages are installed', async () => {
    const { server, service, state, ui } = world.open();
    const guide = await folderDocs('guide');
    const first = server.serve(guide);
    (await service(0)).hooks.onDidIndex(1);
    await first;
    const docs: LocalDocs = {
      kind: 'installed',
      folder: await world.aFolder('app'),
      label: 'Packages',
    };
    const serving = server.serve({ kind: 'docs', docs });
    (await service(1)).hooks.onDidList(0);
    assert.equal(await serving, false);
    assert.match(ui.texts('fail')[0] ?? '', /No packages are installed here/);
    assert.deepEqual(state.remembered, guide.docs);
  });

  it('does not keep the sample docs', async () => {
    const { server, service, sets, state } = world.open();
    const serving = server.serve({ kind: 'docs', docs: world.sample });
    (await service(0)).hooks.onDidIndex(38);
    await serving;
    assert.deepEqual(sets.list, []);
    assert.deepEqual(state.remembered, world.sample);
  });

  it('keeps serving the old docs until the new ones are complete, then ends their service', async () => {
    const { server, service, state } = world.open();
    const first = server.serve(await folderDocs('one'));
    const one = await service(0);
    one.hooks.onDidIndex(1);
    await first;
    const second = server.serve(await folderDocs('two'));
    const two = await service(1);
    assert.equal(one.isRunning, true);
    assert.equal(state.local?.label, 'two');
    two.hooks.onDidIndex(2);
    await second;
    assert.equal(one.isRunning, false);
    assert.equal(two.isRunning, true);
  });

  // Shows faults.md I3.
  it('goes back to the old docs when the start of new ones is canceled', async () => {
    const { server, service, sets, state, ui } = world.open();
    const first = server.serve(await folderDocs('one'));
    (await service(0)).hooks.onDidIndex(1);
    await first;
    const served = state.local;
    const second = server.serve(siteAt('https://docs.example.com'));
    const two = await service(1);
    ui.progresses[1]?.cancel();
    assert.equal(await second, false);
    assert.equal(two.isRunning, false);
    assert.deepEqual(state.local, served);
    assert.equal(state.remembered?.label, 'one');
    assert.deepEqual(
      sets.list.map(({ docs }) => docs.label),
      ['one'],
    );
    assert.deepEqual(await world.ownFolders(), []);
    assert.deepEqual(ui.texts('fail'), [], 'a person who cancels knows it');
  });

  it('leaves nothing of a failed first fetch, says why, and tries again on request', async () => {
    const { server, service, sets, state, ui } = world.open();
    ui.answer('Try Again');
    const serving = server.serve(siteAt('https://docs.example.com'));
    const { hooks, docs } = await service(0);
    assert.ok(docs?.kind === 'site' && (await isThere(docs.folder)));
    hooks.onDidProgress({ pages: 12 });
    hooks.onDidFail('The site answers with HTTP 503.');
    assert.equal(await serving, false);
    assert.match(
      ui.texts('fail')[0] ?? '',
      /Can’t fetch docs\.example\.com: The site answers with HTTP 503\./,
    );
    assert.deepEqual(sets.list, []);
    assert.equal(await isThere(docs.folder), false);
    const again = await service(1);
    assert.equal(state.remembered, undefined, 'a fetch that is under way is not resumed');
    again.hooks.onDidIndex(0);
    await aMoment();
    assert.deepEqual(sets.list, [], 'an empty cache is no whole set');
    again.hooks.onDidRefresh(whole);
    while (sets.list.length === 0) await aMoment();
    assert.equal(state.local?.label, 'docs.example.com');
  });

  it('keeps a fetched site with its size and age, and warns about limits that were met', async () => {
    const { server, service, sets, state, ui } = world.open();
    const serving = server.serve(siteAt('https://docs.example.com/guide'));
    const { hooks, docs } = await service(0);
    const notes = ['Only the first 10,000 pages were fetched.'];
    hooks.onDidRefresh({ ...whole, notes });
    assert.equal(await serving, true);
    const [set] = sets.list;
    assert.deepEqual(set?.docs, docs);
    assert.equal(set?.sizeBytes, 4_000_000);
    assert.equal(set.fetchedAt, whole.fetchedAt);
    assert.equal(path.dirname(docs?.folder ?? ''), path.join(world.own, set.ownFolder ?? '?'));
    assert.match(ui.texts('warn')[0] ?? '', /200 pages of docs\.example\.com\/guide\. Only the/);
    assert.equal(state.local?.docsFolder, undefined, 'its cache holds no files for a person');
  });

  it('serves a kept site from its pages without a fetch, and fetches it on request', async () => {
    const { server, service, sets, ui } = world.open();
    const first = server.serve(siteAt('https://docs.example.com'));
    (await service(0)).hooks.onDidRefresh(whole);
    await first;
    await server.stop();
    const [set] = sets.list;
    assert.ok(set);
    const serving = server.serve({ kind: 'set', set, isRefresh: false });
    const again = await service(1);
    again.hooks.onDidIndex(200);
    assert.equal(await serving, true);
    assert.deepEqual(again.sent, []);

    const refreshing = server.serve({ kind: 'set', set, isRefresh: true });
    while (again.sent.length === 0) await aMoment();
    assert.deepEqual(again.sent, [{ type: 'docs-refresh' }]);
    again.hooks.onDidRefresh({ ...whole, pages: 210, fetchedAt: whole.fetchedAt + 1 });
    assert.equal(await refreshing, true);
    assert.equal(sets.list[0]?.pages, 210);
    assert.equal(sets.list[0].fetchedAt, whole.fetchedAt + 1);
    assert.match(ui.texts('inform').at(-1) ?? '', /210 pages/);
  });

  it('waits for the new fetch, and ignores what a started service reports about its old pages', async () => {
    const { server, service, sets } = world.open();
    const first = server.serve(siteAt('https://docs.example.com'));
    (await service(0)).hooks.onDidRefresh(whole);
    await first;
    await server.stop();
    const [set] = sets.list;
    assert.ok(set);
    let isDone = false;
    const refreshing = server
      .serve({ kind: 'set', set, isRefresh: true })
      .finally(() => (isDone = true));
    const again = await service(1);
    again.hooks.onDidIndex(200);
    while (again.sent.length === 0) await aMoment();
    again.hooks.onDidRefresh(whole);
    await aMoment();
    assert.equal(isDone, false);
    again.hooks.onDidRefresh({ ...whole, pages: 210, fetchedAt: whole.fetchedAt + 1 });
    assert.equal(await refreshing, true);
    assert.equal(sets.list[0]?.pages, 210);
  });

  // Shows faults.md I5.
  it('keeps serving the pages that it has when a new fetch fails', async () => {
    const { server, service, sets, state, ui } = world.open();
    const first = server.serve(siteAt('https://docs.example.com'));
    const played = await service(0);
    played.hooks.onDidRefresh(whole);
    await first;
    const [set] = sets.list;
    assert.ok(set);
    const refreshing = server.serve({ kind: 'set', set, isRefresh: true });
    while (played.sent.length === 0) await aMoment();
    played.hooks.onDidFail('No route to the host.');
    assert.equal(await refreshing, true);
    assert.match(ui.texts('fail')[0] ?? '', /couldn’t be fetched again: No route to the host\./);
    assert.equal(state.local?.label, 'docs.example.com');
    assert.equal(sets.list[0]?.pages, 200);
  });

  it('unpacks a bundle into a folder of its own and serves it', async () => {
    const { server, service, sets } = world.open();
    const archive = path.join(world.root, 'acme.tar.gz');
    const serving = server.serve({ kind: 'archive', archive, label: 'acme' });
    const { hooks, docs } = await service(0);
    assert.ok(docs?.kind === 'bundle' && (await isThere(path.join(docs.folder, 'index.html'))));
    hooks.onDidIndex(7);
    assert.equal(await serving, true);
    assert.equal(sets.list[0]?.archive, archive);
    assert.ok(docs.folder.startsWith(path.join(world.own, sets.list[0].ownFolder ?? '?')));
  });

  // Shows faults.md I6.
  it('says why an archive can’t be unpacked, and keeps nothing of it', async () => {
    const { server, sets, ui, unpacking, services } = world.open();
    unpacking.error = new Error('unsafe');
    assert.equal(await server.serve({ kind: 'archive', archive: '/tmp/x.zip', label: 'x' }), false);
    await aMoment();
    assert.deepEqual(ui.texts('fail'), ['unpacking: unsafe']);
    assert.deepEqual([sets.list, services, await world.ownFolders()], [[], [], []]);
  });

  it('keeps no bundle without pages', async () => {
    const { server, service, sets, ui, state } = world.open();
    const folder = await world.aFolder('pictures');
    const serving = server.serve({ kind: 'docs', docs: { kind: 'bundle', folder, label: 'p' } });
    (await service(0)).hooks.onDidIndex(0);
    assert.equal(await serving, false);
    assert.match(ui.texts('fail')[0] ?? '', /p has no readable pages/);
    assert.deepEqual(sets.list, []);
    assert.equal(state.local, undefined);
    assert.equal(await isThere(folder), true);
  });

  it('unpacks a kept bundle again from its archive, and then deletes the old pages', async () => {
    const { server, service, sets } = world.open();
    const archive = path.join(world.root, 'acme.zip');
    await writeFile(archive, '');
    const first = server.serve({ kind: 'archive', archive, label: 'acme' });
    const one = await service(0);
    one.hooks.onDidIndex(7);
    await first;
    const [set] = sets.list;
    assert.ok(set);
    const refreshing = server.serve({ kind: 'set', set, isRefresh: true });
    const two = await service(1);
    assert.equal(await isThere(set.docs.folder), true, 'the old pages are still served');
    two.hooks.onDidIndex(8);
    assert.equal(await refreshing, true);
    assert.equal(sets.list.length, 1);
    assert.equal(sets.list[0]?.id, set.id);
    assert.equal(sets.list[0].pages, 8);
    assert.notEqual(sets.list[0].docs.folder, set.docs.folder);
    assert.equal(await isThere(set.docs.folder), false);
  });

  it('serves a folder again when it is read again, and not when it is only chosen', async () => {
    const { server, service, services, sets } = world.open();
    const guide = await folderDocs('guide');
    const first = server.serve(guide);
    (await service(0)).hooks.onDidIndex(1);
    await first;
    assert.equal(await server.serve(guide), true);
    assert.equal(services.length, 1);
    const [set] = sets.list;
    assert.ok(set);
    const again = server.serve({ kind: 'set', set, isRefresh: true });
    (await service(1)).hooks.onDidIndex(3);
    assert.equal(await again, true);
    assert.equal(sets.list[0]?.pages, 3);
  });

  it('replaces a start that is still running, and ends with the last one only', async () => {
    const { server, service, services, besides, state, sets, ui } = world.open();
    const one = server.serve(await folderDocs('one'));
    await service(0);
    const two = server.serve(await folderDocs('two'));
    const three = server.serve(await folderDocs('three'));
    assert.deepEqual([await one, await two], [false, false]);
    const last = await service();
    last.hooks.onDidIndex(3);
    assert.equal(await three, true);
    assert.deepEqual(
      services.filter(({ isRunning }) => isRunning),
      [last],
    );
    assert.equal(state.local?.label, 'three');
    assert.deepEqual(
      sets.list.map(({ docs }) => docs.label),
      ['three'],
    );
    assert.deepEqual(
      besides.map((count) => count > 0),
      besides.map(() => false),
      'each start waits until the one before has ended',
    );
    assert.deepEqual(ui.texts('fail'), []);
  });

  it('says why docs can’t be read, instead of waiting for them', async () => {
    const { server, service, state, sets, ui } = world.open();
    const serving = server.serve(await folderDocs('guide'));
    const played = await service(0);
    played.hooks.onDidFail("Can't read the docs folder.");
    assert.equal(await serving, false);
    assert.match(ui.texts('fail')[0] ?? '', /for guide stopped: Can't read the docs folder\./);
    assert.equal(played.isRunning, false);
    assert.deepEqual([state.local, state.remembered, sets.list], [undefined, undefined, []]);
  });

  // Shows faults.md I4.
  it('says that a running service crashed, goes back to the settings, and starts it again', async () => {
    const { server, service, state, ui } = world.open();
    const serving = server.serve(await folderDocs('guide'));
    const { hooks } = await service(0);
    hooks.onDidIndex(1);
    await serving;
    ui.answer('Start Again');
    hooks.onDidCrash('out of memory');
    assert.deepEqual([state.local], [undefined]);
    const again = await service(1);
    assert.match(ui.texts('fail')[0] ?? '', /for guide stopped: out of memory/);
    again.hooks.onDidIndex(1);
    await aMoment();
    assert.equal(state.local?.label, 'guide');
  });

  it('keeps new docs when the old service crashes while they are read', async () => {
    const { server, service, state } = world.open();
    const first = server.serve(await folderDocs('one'));
    const one = await service(0);
    one.hooks.onDidIndex(1);
    await first;
    const second = server.serve(await folderDocs('two'));
    const two = await service(1);
    one.hooks.onDidCrash('out of memory');
    assert.equal(state.local?.label, 'two');
    two.hooks.onDidIndex(2);
    assert.equal(await second, true);
    assert.equal(state.local.label, 'two');
    assert.equal(state.remembered?.label, 'two');
  });

  // Shows faults.md I7.
  it('offers other docs if a folder no longer exists, and forgets that folder', async () => {
    const { server, ui, state, services } = world.open();
    ui.answer('Choose Docs…');
    const docs: LocalDocs = {
      kind: 'folder',
      folder: path.join(world.root, 'gone'),
      label: 'gone',
    };
    await server.resume(docs);
    await aMoment();
    assert.match(ui.texts('warn')[0] ?? '', /The folder of gone no longer exists\./);
    assert.deepEqual(ui.ran, [['docsAssistant.chooseDocs']]);
    assert.equal(state.remembered, undefined);
    assert.deepEqual(services, []);
  });

  it('resumes without a message and never fetches by itself', async () => {
    const { server, service, sets, ui } = world.open();
    const first = server.serve(siteAt('https://docs.example.com'));
    (await service(0)).hooks.onDidRefresh(whole);
    await first;
    const [set] = sets.list;
    assert.ok(set);

    const later = world.open();
    const resuming = later.server.resume(set.docs);
    (await later.service(0)).hooks.onDidIndex(200);
    await resuming;
    assert.deepEqual(later.ui.texts('inform'), []);
    assert.equal(later.state.local?.label, 'docs.example.com');

    await server.stop();
    await later.server.stop();
    await rm(set.docs.folder, { recursive: true });
    const last = world.open();
    await last.server.resume(set.docs);
    assert.match(last.ui.texts('warn')[0] ?? '', /no longer on this machine/);
    assert.deepEqual(last.services, [], 'nothing may be requested without a person');
    assert.equal(ui.texts('fail').length, 0);
  });

  it('finds the sample docs of an updated extension', async () => {
    const { server, service } = world.open();
    const old = { ...world.sample, folder: path.join(world.root, 'old version') };
    const resuming = server.resume(old);
    const { hooks, docs } = await service(0);
    hooks.onDidIndex(38);
    await resuming;
    assert.deepEqual(docs, world.sample);
  });

  it('renames the served set in the header and leaves its threads where they are', async () => {
    const { server, service, sets, state } = world.open();
    const serving = server.serve(await folderDocs('guide'));
    (await service(0)).hooks.onDidIndex(1);
    await serving;
    const [set] = sets.list;
    assert.ok(set);
    await server.rename(set, 'Handbook');
    assert.equal(sets.list[0]?.docs.label, 'Handbook');
    assert.equal(state.local?.label, 'Handbook');
    assert.equal(state.local.threadName, 'guide');
    assert.equal(state.remembered?.label, 'Handbook');
  });

  it('deletes what was fetched for a set that is removed, and stops serving it', async () => {
    const { server, service, sets, state } = world.open();
    const serving = server.serve(siteAt('https://docs.example.com'));
    const played = await service(0);
    played.hooks.onDidRefresh(whole);
    await serving;
    const [set] = sets.list;
    assert.ok(set);
    await server.remove(set);
    assert.equal(played.isRunning, false);
    assert.equal(state.local, undefined);
    assert.deepEqual([sets.list, await world.ownFolders()], [[], []]);
  });

  it('never deletes a folder of the reader', async () => {
    const { server, service, sets } = world.open();
    const guide = await folderDocs('guide');
    const serving = server.serve(guide);
    (await service(0)).hooks.onDidIndex(1);
    await serving;
    const [set] = sets.list;
    assert.ok(set);
    await server.remove(set);
    assert.equal(await isThere(guide.docs.folder), true);
    assert.deepEqual(sets.list, []);
  });

  it('keeps the name that another window gave to a set while it was read again', async () => {
    const { server, service, sets, state } = world.open();
    const first = server.serve(await folderDocs('guide'));
    (await service(0)).hooks.onDidIndex(1);
    await first;
    const [set] = sets.list;
    assert.ok(set);
    const again = server.serve({ kind: 'set', set, isRefresh: true });
    const { hooks } = await service(1);
    await world.open(2).server.rename(set, 'Handbook');
    hooks.onDidIndex(1);
    await again;
    assert.equal(sets.list[0]?.docs.label, 'Handbook');
    assert.equal(state.local?.label, 'Handbook');
  });

  it('does not delete the pages that another window serves again after a reload', async () => {
    const one = world.open(1);
    const serving = one.server.serve(siteAt('https://docs.example.com'));
    (await one.service(0)).hooks.onDidRefresh(whole);
    await serving;
    await one.server.stop();
    const [set] = one.sets.list;
    assert.ok(set);
    const other = world.open(2);
    const resuming = other.server.resume(set.docs);
    (await other.service(0)).hooks.onDidIndex(200);
    await resuming;
    await one.server.remove(set);
    assert.equal(await isThere(set.docs.folder), true);
  });

  // Shows faults.md I9.
  it('deletes the pages of a removed set only after the other window that serves them', async () => {
    const one = world.open(1);
    const serving = one.server.serve(siteAt('https://docs.example.com'));
    (await one.service(0)).hooks.onDidRefresh(whole);
    await serving;
    const [set] = one.sets.list;
    assert.ok(set);
    const other = world.open(2);
    await other.server.remove(set);
    assert.deepEqual(other.sets.list, []);
    assert.equal(await isThere(set.docs.folder), true);

    world.kill(1);
    world.clock.sleep(Date.now() - world.clock.now() + 2 * 24 * 60 * 60 * 1000);
    const next = other.server.serve(await folderDocs('guide'));
    (await other.service(0)).hooks.onDidIndex(1);
    await next;
    assert.equal(await isThere(set.docs.folder), false);
  });

  it('keeps what it remembers when the window closes during a start', async () => {
    const { server, service, state } = world.open();
    const guide = await folderDocs('guide');
    const serving = server.serve(guide);
    const played = await service(0);
    server.dispose();
    assert.equal(await serving, false);
    assert.equal(played.isRunning, false);
    assert.deepEqual(state.remembered, guide.docs);
  });
});

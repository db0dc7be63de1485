import assert from 'node:assert/strict';
import { Emitter } from '../../../src/common/event';
import { ActiveSite } from '../../../src/site/activeSite';
import { CHOSEN_SITE, chosenSite, readKeptSites } from '../../../src/site/keptSite';
import { SeenSecrets } from '../../../src/site/keyStore';
import { settingDefaults, type SettingTypes } from '../../../src/site/settingsSchema';
import { KeptSites } from '../../../src/site/sites';
import { FakeClock } from '../../fakes/fakeClock';
import { MemoryKeyStore } from '../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';

const acme = { baseUrl: 'https://api.example.com', domain: 'acme' };
const other = { baseUrl: 'https://docs.example.net/v', domain: 'other' };
const local = { url: 'http://127.0.0.1:4567', domain: 'sample', key: 'local_dsc_abc' };

/** Windows over one global state, each with a workspace of its own. */
function machine(settingsSite: Partial<Pick<SettingTypes, 'baseUrl' | 'domain'>> = {}) {
  const memento = new MemoryMemento();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const keys = new MemoryKeyStore();
  const values = { ...settingDefaults, ...settingsSite };
  let ids = 0;
  const openWindow = (workspace = new MemoryMemento()) => {
    const hasSettingsSite = values.baseUrl !== '' && values.domain !== '';
    const changes: string[] = [];
    const active = new ActiveSite({
      settings: { values, onDidChange: new Emitter<void>().event },
      keys,
      secrets: new SeenSecrets(),
      kept: () => readKeptSites(memento),
      chosen: chosenSite(memento, workspace, hasSettingsSite),
    });
    active.onDidChange(() => changes.push(active.view.label));
    const sites = new KeptSites({
      memento,
      workspace,
      keys,
      active,
      clock,
      log,
      clearSettings: () => Promise.resolve(void Object.assign(values, { baseUrl: '', domain: '' })),
      stopLocal: () => {
        if (active.local) active.useLocal(undefined);
        return Promise.resolve();
      },
      newId: () => `id-${++ids}`,
    });
    return { active, sites, workspace, changes };
  };
  return { memento, clock, log, keys, openWindow };
}

describe('KeptSites', () => {
  it('keeps sites for later windows and lists the one that was used last first', async () => {
    const { clock, openWindow, log } = machine();
    const { sites } = openWindow();
    const { id } = await sites.add({ ...acme, label: ' Acme docs ', fp: 'user-1' });
    await clock.advance(1000);
    await sites.add(other);
    assert.deepEqual(
      openWindow().sites.list.map(({ domain }) => domain),
      ['other', 'acme'],
    );
    await clock.advance(1000);
    await sites.use(id);
    const [first] = openWindow().sites.list;
    assert.equal(first?.domain, 'acme');
    assert.equal(first.label, 'Acme docs');
    assert.equal(first.fp, 'user-1');
    log.assertNoErrors();
  });

  it('keeps one site once, with the name and fp that it already has', async () => {
    const { openWindow } = machine();
    const { sites } = openWindow();
    const { id } = await sites.add({ ...acme, label: 'Acme docs', fp: 'user-1' });
    const again = await sites.add(acme);
    assert.equal(again.id, id);
    assert.equal(again.label, 'Acme docs');
    assert.equal(again.fp, 'user-1');
    assert.equal((await sites.add({ ...acme, label: 'Handbook' })).label, 'Handbook');
    assert.equal(sites.list.length, 1);
    await sites.add({ ...acme, domain: 'acme-2' });
    assert.equal(sites.list.length, 2, 'one origin can have several sites');
  });

  it('keeps where each site runs, also for the site of the settings', async () => {
    const { openWindow } = machine({ ...acme });
    const { sites, active } = openWindow();
    const airGapped = { type: 'airGapped', isAssistantOn: true } as const;
    await sites.setDeployment(acme, airGapped);
    assert.equal(active.askSettings.unavailable, 'assistant-air-gapped');
    assert.equal(openWindow().active.askSettings.unavailable, 'assistant-air-gapped');
    const { id } = await sites.add(other);
    await sites.use(id);
    assert.equal(active.askSettings.unavailable, undefined);
    await sites.setDeployment(other, { type: 'clientHosted', isAssistantOn: false });
    assert.equal(active.askSettings.unavailable, 'assistant-switched-off');
    await sites.add({ ...other, label: 'Other docs' });
    assert.equal(active.askSettings.unavailable, 'assistant-switched-off', 'a set-up lost it');
    await sites.setDeployment(acme, { type: 'cloud', isAssistantOn: true });
    await sites.useSettings();
    assert.equal(active.askSettings.unavailable, undefined);
  });

  it('reads a site whose deployment is unreadable as one of the cloud', async () => {
    const { memento, openWindow } = machine();
    const { sites } = openWindow();
    const { id } = await sites.add(acme);
    for (const deployment of ['airGapped', { type: 'moon', isAssistantOn: true }, 7]) {
      await memento.update(`site:${id}`, { ...sites.get(id), deployment });
      assert.equal(sites.get(id)?.deployment, undefined);
      assert.equal(sites.get(id)?.domain, 'acme');
    }
  });

  it('refuses to keep a URL that is not a checked base URL', async () => {
    const { sites } = machine().openWindow();
    for (const baseUrl of [
      'http://api.example.com',
      'https://user:secret@api.example.com',
      'https://api.example.com/?key=1',
      'javascript:alert(1)',
      'API.EXAMPLE.COM',
      'https://api.example.com/',
    ]) {
      await assert.rejects(sites.add({ baseUrl, domain: 'acme' }), baseUrl);
    }
    await assert.rejects(sites.add({ ...acme, domain: 'acme/../admin' }));
    assert.deepEqual(sites.list, []);
  });

  it('asks the chosen site in this workspace only, and after a reload', async () => {
    const { openWindow } = machine({ ...acme });
    const first = openWindow();
    const second = openWindow();
    const { id } = await first.sites.add(other);
    await first.sites.use(id);
    assert.equal(first.active.askSettings.baseUrl, other.baseUrl);
    assert.equal(first.active.threadSite.id, 'https://docs.example.net other');
    assert.equal(second.active.askSettings.assistantDomain, 'acme');
    assert.equal(openWindow(first.workspace).active.askSettings.assistantDomain, 'other');
    assert.equal(openWindow(second.workspace).active.askSettings.assistantDomain, 'acme');
  });

  // Shows faults.md O1.
  it('loses nothing when two windows change different sites, or the same one', async () => {
    const { openWindow } = machine();
    const first = openWindow();
    const second = openWindow();
    const { id } = await first.sites.add(acme);
    const { id: otherId } = await second.sites.add(other);
    await Promise.all([
      first.sites.rename(id, 'Acme docs'),
      second.sites.rename(otherId, 'Other docs'),
      second.sites.use(otherId),
      first.sites.use(id),
    ]);
    await second.sites.use(id);
    assert.deepEqual(first.sites.list.map(({ label }) => label).sort(), [
      'Acme docs',
      'Other docs',
    ]);
    assert.equal(first.active.view.label, 'Acme docs · api.example.com');
    assert.equal(second.active.view.label, 'Acme docs · api.example.com');
  });

  // Shows faults.md O2.
  it('continues to ask a site that another window removed, but cannot choose it again', async () => {
    const { openWindow } = machine();
    const first = openWindow();
    const second = openWindow();
    const { id } = await first.sites.add(acme);
    await second.sites.use(id);
    await first.sites.remove(acme);
    assert.equal(second.active.askSettings.assistantDomain, 'acme');
    assert.equal(await second.sites.use(id), undefined);
    await second.sites.rename(id, 'Back again');
    assert.deepEqual(first.sites.list, [], 'a change must not bring a removed site back');
    assert.equal(openWindow(second.workspace).active.view.isConfigured, false);
  });

  it('follows the settings in a workspace that chose the site of the settings', async () => {
    const { openWindow } = machine({ ...acme });
    const { sites, workspace, active } = openWindow();
    const { id } = await sites.add({ ...acme, label: 'Acme docs', fp: 'user-1' });
    await sites.use((await sites.add(other)).id);
    await sites.use(id);
    assert.equal(workspace.get(CHOSEN_SITE), undefined);
    assert.equal(active.view.label, 'Acme docs · api.example.com');
    assert.equal(active.askSettings.fp, 'user-1');
    await sites.use((await sites.add(other)).id);
    await sites.useSettings();
    assert.equal(active.askSettings.assistantDomain, 'acme');
  });

  it('asks the last used site if none is chosen, and stays with it', async () => {
    const { clock, openWindow } = machine();
    const { sites } = openWindow();
    const { id } = await sites.add(acme);
    await sites.use(id);
    const later = openWindow();
    assert.equal(later.active.askSettings.assistantDomain, 'acme');
    await clock.advance(1000);
    await sites.use((await sites.add(other)).id);
    assert.equal(openWindow().active.askSettings.assistantDomain, 'other');
    assert.equal(openWindow(later.workspace).active.askSettings.assistantDomain, 'acme');
  });

  it('stops the local docs service when a hosted site is chosen, without a stop in between', async () => {
    const { openWindow } = machine({ ...acme });
    const { sites, active, changes } = openWindow();
    const { id } = await sites.add(other);
    active.useLocal(local);
    changes.length = 0;
    await sites.use(id);
    assert.equal(active.local, undefined);
    assert.deepEqual(
      changes.filter((label) => label.includes('acme')),
      [],
      'the site of the settings was asked for a moment',
    );
    assert.equal(active.askSettings.assistantDomain, 'other');
  });

  it('stays with the site of the settings after a reload, and stops the local docs service', async () => {
    const { openWindow } = machine({ ...acme });
    const { sites, active, workspace } = openWindow();
    await sites.use((await sites.add(other)).id);
    active.useLocal(local);
    await sites.useSettings();
    assert.equal(active.local, undefined);
    assert.equal(openWindow(workspace).active.askSettings.assistantDomain, 'acme');
  });

  it('renames a site, whose threads and key stay', async () => {
    const { openWindow } = machine();
    const { sites, active } = openWindow();
    const { id } = await sites.add(acme);
    await sites.use(id);
    const { threadSite, origin } = active;
    await sites.rename(id, '  Handbook ');
    assert.equal(active.view.label, 'Handbook · api.example.com');
    assert.equal(active.threadSite.id, threadSite.id);
    assert.equal(active.origin, origin);
    await sites.rename(id, ' ');
    assert.equal(active.view.label, 'acme · api.example.com');
  });

  // Shows faults.md O5.
  it('removes a site with its key, unless another site has the same origin', async () => {
    const { openWindow, keys } = machine();
    const { sites, active } = openWindow();
    await keys.save('assistant', 'https://api.example.com', 'acme_dsc_1');
    await keys.save('admin', 'https://api.example.com', 'acme_admin');
    const { id } = await sites.add(acme);
    await sites.add({ ...acme, domain: 'acme-2' });
    await sites.use(id);
    await sites.remove(acme);
    assert.equal(active.view.isConfigured, false, 'the removed site is still asked');
    assert.equal(await keys.read('assistant', 'https://api.example.com'), 'acme_dsc_1');
    await sites.remove({ ...acme, domain: 'acme-2' });
    assert.equal(await keys.read('assistant', 'https://api.example.com'), undefined);
    assert.equal(await keys.read('admin', 'https://api.example.com'), 'acme_admin');
  });

  it('keeps a key that the site of the settings shares', async () => {
    const { openWindow, keys } = machine({ ...acme });
    const { sites } = openWindow();
    await keys.save('assistant', 'https://api.example.com', 'acme_dsc_1');
    await sites.add({ ...acme, domain: 'acme-2' });
    await sites.remove({ ...acme, domain: 'acme-2' });
    assert.equal(await keys.read('assistant', 'https://api.example.com'), 'acme_dsc_1');
  });

  it('removes a site from the settings too, kept or not', async () => {
    for (const isKept of [true, false]) {
      const { openWindow, keys } = machine({ ...acme });
      const { sites, active } = openWindow();
      await keys.save('assistant', 'https://api.example.com', 'acme_dsc_1');
      if (isKept) await sites.add(acme);
      await sites.remove(acme);
      assert.equal(active.view.isConfigured, false);
      assert.equal(await keys.read('assistant', 'https://api.example.com'), undefined);
    }
  });

  // Shows faults.md O3.
  it('ignores unreadable sites, keeps them stored and logs it once', async () => {
    const { openWindow, memento, log } = machine();
    const { sites } = openWindow();
    const { id } = await sites.add(acme);
    const good = memento.get<object>(`site:${id}`);
    const bad = {
      'site:newer': { ...good, id: 'newer', schemaVersion: 2 },
      'site:http': { ...good, id: 'http', baseUrl: 'http://api.example.com' },
      'site:path': { ...good, id: 'path', domain: 'acme/../admin' },
      'site:moved': { ...good, id: 'another' },
      'site:text': 'acme',
      'site:null': null,
    };
    for (const [key, value] of Object.entries(bad)) await memento.update(key, value);
    await memento.update('site:odd', {
      ...good,
      id: 'odd',
      domain: 'odd',
      label: 7,
      usedAt: 'now',
    });
    assert.deepEqual(sites.list.map((site) => site.domain).sort(), ['acme', 'odd']);
    assert.equal(sites.list.length, 2);
    for (const [key, value] of Object.entries(bad)) assert.deepEqual(memento.get(key), value);
    const lines = log.messages('warn').filter((line) => line.includes('could not be read'));
    assert.equal(lines.length, Object.keys(bad).length);
  });
});

import assert from 'node:assert/strict';
import { Emitter } from '../../../src/common/event';
import { ActiveSite } from '../../../src/site/activeSite';
import { readKeptSites } from '../../../src/site/keptSite';
import { SeenSecrets } from '../../../src/site/keyStore';
import type { Recommendation } from '../../../src/site/recommendedSites';
import { settingDefaults } from '../../../src/site/settingsSchema';
import { KeptSites } from '../../../src/site/sites';
import { showSiteSwitch, type KeptDocs } from '../../../src/site/siteSwitch';
import { assertNoTrace } from '../../builders/canary';
import { FakeClock } from '../../fakes/fakeClock';
import { MemoryKeyStore } from '../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';
import { ScriptedUi } from '../../fakes/scriptedUi';

const acme = { baseUrl: 'https://api.example.com', domain: 'acme' };
const globex = { baseUrl: 'https://api.globex.example', domain: 'globex' };
const guide: KeptDocs = {
  id: 'set-1',
  icon: 'folder',
  label: 'Guide',
  description: '3 pages',
  detail: '/docs/guide',
};
const recommended: Recommendation = {
  kind: 'hosted',
  id: 'https://api.initech.example initech',
  label: 'Initech',
  host: 'api.initech.example',
  address: 'https://api.initech.example',
  site: { baseUrl: 'https://api.initech.example', domain: 'initech' },
  packages: [],
  versions: [],
};

/** Opens a window whose settings name one site, and that keeps another one. */
async function openSwitch() {
  const ui = new ScriptedUi();
  const memento = new MemoryMemento();
  const keys = new MemoryKeyStore();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const values = { ...settingDefaults, ...acme };
  let ids = 0;
  const active = new ActiveSite({
    settings: { values, onDidChange: new Emitter<void>().event },
    keys,
    secrets: new SeenSecrets(),
    kept: () => readKeptSites(memento),
  });
  const sites = new KeptSites({
    memento,
    workspace: new MemoryMemento(),
    keys,
    active,
    clock,
    stopLocal: () => {
      active.useLocal(undefined);
      return Promise.resolve();
    },
    clearSettings: () => {
      Object.assign(values, { baseUrl: '', domain: '' });
      return Promise.resolve();
    },
    newId: () => `id-${++ids}`,
    log,
  });
  await sites.add(globex);
  const served: string[] = [];
  const accepted: Recommendation[] = [];
  const run = (): Promise<boolean> =>
    showSiteSwitch({
      ui,
      sites,
      active,
      docs: () => [guide],
      serveDocs: (id) => Promise.resolve(served.push(id) > 0),
      recommended: () => [recommended],
      accept: (recommendation) => Promise.resolve(accepted.push(recommendation) > 0),
    });
  return { ui, active, sites, keys, memento, log, served, accepted, run };
}

describe('showSiteSwitch', () => {
  it('lists hosted sites, kept docs, recommended sites and the ways to add more', async () => {
    const { ui, run } = await openSwitch();
    assert.equal(await run(), false);
    const rows = (ui.lists[0] ?? []).map((row) =>
      row.isSeparator ? `— ${row.label}` : `${row.label} | ${row.description} | ${row.detail}`,
    );
    assert.deepEqual(rows.slice(0, 7), [
      '— docs sites',
      'globex |  | https://api.globex.example',
      'acme | in use · default, from your settings | https://api.example.com',
      '— docs on this machine',
      'Guide | 3 pages | /docs/guide',
      '— recommended by this workspace',
      'Initech | api.initech.example | https://api.initech.example',
    ]);
    assert.deepEqual(
      rows.slice(7).map((row) => row.split(' | ')[0]),
      ['— add', 'Set Up Docs Site…', 'Choose Docs…', 'Manage Docs Sites…'],
    );
  });

  it('switches to the chosen site, and back to the site of the settings', async () => {
    const { ui, active, run } = await openSwitch();
    ui.answer('globex');
    assert.equal(await run(), true);
    assert.equal(active.askSettings.assistantDomain, 'globex');
    ui.answer('acme');
    assert.equal(await run(), true);
    assert.equal(active.askSettings.assistantDomain, 'acme');
  });

  it('offers kept docs, a recommendation and the commands that add a site', async () => {
    const { ui, served, accepted, run } = await openSwitch();
    ui.answer('Guide');
    assert.equal(await run(), true);
    assert.deepEqual(served, ['set-1']);
    ui.answer('Initech');
    assert.equal(await run(), true);
    assert.deepEqual(accepted, [recommended]);
    ui.answer('Set Up Docs Site…');
    assert.equal(await run(), false);
    ui.answer('Choose Docs…');
    assert.equal(await run(), false);
    assert.deepEqual(ui.ran, [['docsAssistant.setUpSite'], ['docsAssistant.chooseDocs']]);
  });

  it('renames a site by its button and by the keyboard, and keeps one of the settings', async () => {
    const { ui, active, sites, run } = await openSwitch();
    ui.answer('rename: acme', 'Acme docs', undefined);
    await run();
    assert.equal(sites.find(acme)?.label, 'Acme docs');
    assert.equal(active.view.label, 'Acme docs · api.example.com');
    ui.answer('Manage Docs Sites…', 'Acme docs', 'Rename…', '', undefined);
    await run();
    assert.equal(active.view.label, 'acme · api.example.com');
    assert.equal(sites.list.length, 2);
  });

  it('removes a site and its key after a question, and nothing when it is dismissed', async () => {
    const { ui, sites, keys, active, run } = await openSwitch();
    await keys.save('assistant', 'https://api.globex.example', 'globex_dsc_1');
    await keys.save('assistant', 'https://api.example.com', 'acme_dsc_1');
    ui.answer('remove: globex', undefined, undefined);
    await run();
    assert.equal(sites.list.length, 1);
    assert.match(ui.details[0] ?? '', /deletes the assistant key for api\.globex\.example/);
    ui.answer('Manage Docs Sites…', 'globex', 'Remove…', 'Remove', undefined);
    await run();
    assert.deepEqual(sites.list, []);
    assert.equal(await keys.read('assistant', 'https://api.globex.example'), undefined);
    ui.answer('remove: acme', 'Remove', undefined);
    await run();
    assert.equal(active.view.isConfigured, false, 'the site of the settings is still asked');
    assert.equal(await keys.read('assistant', 'https://api.example.com'), undefined);
  });

  it('says that a key stays if another site uses it', async () => {
    const { ui, sites, run } = await openSwitch();
    await sites.add({ ...globex, domain: 'globex-2' });
    ui.answer('remove: globex', undefined, undefined);
    await run();
    assert.match(ui.details[0] ?? '', /stays because another docs site uses it/);
  });

  it('puts no key into a list, a question, the stored state or the log', async () => {
    const { ui, sites, keys, memento, log, run } = await openSwitch();
    const canaries = ['globex_dsc_CANARY0123456789', 'globex_CANARYadmin0123456789'] as const;
    await keys.save('assistant', 'https://api.globex.example', canaries[0]);
    await keys.save('admin', 'https://api.globex.example', canaries[1]);
    ui.answer('globex');
    await run();
    ui.answer('rename: globex', 'Globex docs', 'remove: Globex docs', 'Remove', undefined);
    await run();
    assert.equal(sites.find(globex), undefined);
    const seen = [ui.lists, ui.shown, ui.details, ui.prompts, [...memento.values], log.lines];
    for (const canary of canaries) assertNoTrace(canary, seen);
  });

  it('marks docs of a local service in use instead of the hosted site', async () => {
    const { ui, active, run } = await openSwitch();
    active.useLocal({ url: 'http://127.0.0.1:4567', domain: 'guide', key: 'local_dsc_abc' });
    await run();
    const inUse = (ui.lists[0] ?? []).filter(
      (row) => !row.isSeparator && row.description?.includes('in use'),
    );
    assert.deepEqual(inUse, []);
  });
});

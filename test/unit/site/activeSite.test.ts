import assert from 'node:assert/strict';
import { Emitter } from '../../../src/common/event';
import type { KeyStore } from '../../../src/common/ports';
import { ActiveSite } from '../../../src/site/activeSite';
import type { SiteDeployment } from '../../../src/site/featureAvailability';
import type { HostedSite } from '../../../src/site/keptSite';
import { SeenSecrets } from '../../../src/site/keyStore';
import { settingDefaults } from '../../../src/site/settingsSchema';
import { siteView } from '../../../src/site/siteView';
import { workspaceSites } from '../../../src/site/workspaceSites';
import { MemoryMemento } from '../../fakes/memoryMemento';

const local = { url: 'http://127.0.0.1:4567', domain: 'sample', key: 'local_dsc_abc' };
const acme = { baseUrl: 'https://api.example.com/x', domain: 'acme' };
const configured = { ...settingDefaults, ...acme };

function aSite(
  values = configured,
  deployment?: SiteDeployment,
  workspace = new MemoryMemento(),
  others: readonly HostedSite[] = [],
) {
  const changed = new Emitter<void>();
  const stored: string[] = [];
  const keys: KeyStore = {
    read: (purpose, origin) => Promise.resolve(`${purpose} key of ${origin}`),
    save: (purpose, origin) => Promise.resolve(void stored.push(`${purpose} ${origin}`)),
    forget: () => Promise.resolve(),
  };
  const secrets = new SeenSecrets();
  const site = new ActiveSite({
    settings: { values, onDidChange: changed.event },
    keys,
    secrets,
    workspaceSites: workspaceSites(workspace),
    kept: () => [...(deployment ? [{ ...acme, deployment }] : []), ...others],
  });
  return { site, changed, stored, secrets };
}

describe('ActiveSite', () => {
  it('asks the site of the settings', () => {
    const { site } = aSite();
    assert.equal(site.askSettings.baseUrl, 'https://api.example.com/x');
    assert.equal(site.askSettings.assistantDomain, 'acme');
    assert.equal(site.origin, 'https://api.example.com');
    assert.deepEqual(siteView(site), {
      isConfigured: true,
      label: 'acme · api.example.com',
      isLocal: false,
      filter: {},
      answersWith: undefined,
      unavailable: undefined,
      hasPackages: undefined,
      packages: undefined,
    });
  });

  it('is not configured while the domain or the base URL is missing', () => {
    for (const missing of ['domain', 'baseUrl'] as const) {
      const { site } = aSite({ ...configured, [missing]: '' });
      assert.equal(site.view.isConfigured, false);
      assert.equal(site.origin, undefined);
    }
  });

  it('keeps the threads of local docs under the name they were added with', () => {
    const { site } = aSite();
    site.useLocal({ ...local, label: 'guide', threadName: 'guide' });
    const { id } = site.threadSite;
    site.useLocal({ ...local, label: 'Handbook', threadName: 'guide' });
    assert.equal(site.threadSite.id, id);
    assert.match(site.threadSite.label, /^Handbook/);
  });

  it('asks a chosen site although the site of the settings has no assistant', () => {
    const { site } = aSite(configured, { type: 'airGapped', isAssistantOn: true });
    assert.equal(site.view.isConfigured, false);
    site.useHosted({ baseUrl: 'https://docs.example.net', domain: 'other', fp: 'user-1' });
    assert.equal(site.view.label, 'other · docs.example.net');
    assert.equal(site.askSettings.fp, 'user-1');
    site.useLocal(local);
    assert.equal(site.askSettings.fp, 'anonymous', 'the fp of another site was sent');
    site.useLocal(undefined);
    site.useHosted(undefined);
    assert.equal(site.view.isConfigured, false);
  });

  it('prefers a local service while there is one', () => {
    const { site } = aSite();
    site.useLocal(local);
    assert.equal(site.askSettings.baseUrl, local.url);
    assert.equal(site.view.isLocal, true);
    site.useLocal(undefined);
    assert.equal(site.view.label, 'acme · api.example.com');
  });

  it('reports what writes the replies of the local service only', () => {
    const { site } = aSite();
    const answersWith = { kind: 'vscode', label: 'GPT-5 mini' } as const;
    site.useLocal({ ...local, answersWith });
    assert.deepEqual(site.view.answersWith, answersWith);
    site.useLocal(undefined);
    assert.equal(site.view.answersWith, undefined);
  });

  it('gives the local key to the local service alone, and never stores it', async () => {
    const { site, stored, secrets } = aSite();
    site.useLocal(local);
    assert.equal(await site.read('assistant', 'http://127.0.0.1:4567'), 'local_dsc_abc');
    assert.equal(
      await site.read('assistant', 'https://api.example.com'),
      'assistant key of https://api.example.com',
    );
    assert.equal(
      await site.read('assistant', 'http://127.0.0.1:4568'),
      'assistant key of http://127.0.0.1:4568',
    );
    assert.notEqual(await site.read('admin', 'http://127.0.0.1:4567'), 'local_dsc_abc');
    assert.deepEqual(stored, []);
    assert.deepEqual(secrets.values, ['local_dsc_abc']);
  });

  it('gives the local admin key to the local service alone, and never stores it', async () => {
    const { site, stored, secrets } = aSite();
    site.useLocal({ ...local, adminKey: 'local_admin_abc' });
    assert.equal(await site.read('admin', 'http://127.0.0.1:4567'), 'local_admin_abc');
    assert.equal(await site.read('assistant', 'http://127.0.0.1:4567'), 'local_dsc_abc');
    for (const origin of ['https://api.example.com', 'http://127.0.0.1:4568'])
      assert.equal(await site.read('admin', origin), `admin key of ${origin}`);
    assert.deepEqual(stored, []);
    assert.deepEqual(secrets.values, ['local_dsc_abc', 'local_admin_abc']);
    site.useLocal(undefined);
    assert.notEqual(await site.read('admin', 'http://127.0.0.1:4567'), 'local_admin_abc');
  });

  it('has no site to ask if the deployment is air-gapped, and says why', () => {
    const { site } = aSite(configured, { type: 'airGapped', isAssistantOn: true });
    assert.equal(site.askSettings.baseUrl, undefined);
    assert.equal(site.askSettings.unavailable, 'assistant-air-gapped');
    assert.equal(site.origin, undefined);
    assert.equal(site.view.isConfigured, false);
    assert.match(siteView(site).unavailable?.message ?? '', /choose docs on this machine/);
    assert.equal(site.view.label, 'acme · api.example.com', 'the site is not named');
    assert.equal(site.threadSite.id, aSite().site.threadSite.id, 'its threads are gone');
  });

  // Shows faults.md O15.
  it('keeps a chosen site that is air-gapped from being asked', () => {
    const { site } = aSite();
    const other = { baseUrl: 'https://docs.example.net', domain: 'other' };
    site.useHosted({ ...other, deployment: { type: 'airGapped', isAssistantOn: true } });
    assert.equal(site.askSettings.unavailable, 'assistant-air-gapped');
    assert.equal(site.origin, undefined);
    site.useHosted(undefined);
    assert.equal(site.askSettings.unavailable, undefined, 'another site has its deployment');
  });

  it('knows which site an export is of, by the form of its host or as the one that is asked', () => {
    const other = { baseUrl: 'https://docs.example.net', domain: 'Other' };
    const { site } = aSite(configured, undefined, undefined, [other]);
    assert.equal(site.siteOfExport('other.docs.example.net')?.domain, 'Other');
    for (const name of ['docs.acme.example', 'other.example', 'other', 'bundle-folder', '']) {
      assert.equal(site.siteOfExport(name)?.domain, 'acme', name);
    }
    site.useHosted(other);
    assert.equal(site.siteOfExport('docs.acme.example')?.domain, 'Other');
    assert.equal(site.siteOfExport('acme.docs.example.com')?.domain, 'acme');
  });

  it('still asks the local service of an air-gapped site', () => {
    const { site } = aSite(configured, { type: 'airGapped', isAssistantOn: true });
    site.useLocal(local);
    assert.equal(site.askSettings.baseUrl, local.url);
    assert.equal(site.askSettings.unavailable, undefined);
    assert.equal(siteView(site).unavailable, undefined);
  });

  it('has no site to ask if a client-hosted site has its assistant turned off', () => {
    const { site } = aSite(configured, { type: 'clientHosted', isAssistantOn: false });
    assert.equal(site.askSettings.unavailable, 'assistant-switched-off');
    assert.equal(
      aSite(configured, { type: 'cloud', isAssistantOn: false }).site.askSettings.unavailable,
      undefined,
      'the switch counts where the assistant is configurable',
    );
  });

  it('sends the fingerprint of the settings whatever the deployment is', () => {
    const known = { ...configured, fp: 'user-7' };
    for (const type of ['cloud', 'clientHosted', 'airGapped'] as const) {
      const { site } = aSite(known, { type, isAssistantOn: true });
      assert.equal(site.askSettings.fp, 'user-7', type);
    }
  });

  // Shows faults.md O13.
  it('filters each site by its own filter, in this workspace only', () => {
    const workspace = new MemoryMemento();
    const { site, changed } = aSite(configured, undefined, workspace);
    let changes = 0;
    site.onDidChange(() => changes++);
    const ofSettings = { version: 'v2', groups: ['admin'] };
    site.setFilter(ofSettings);
    assert.equal(changes, 1);
    assert.deepEqual(site.askSettings.filter, ofSettings);
    assert.deepEqual(site.view.filter, ofSettings);

    site.useHosted({ baseUrl: 'https://docs.example.net', domain: 'other' });
    assert.deepEqual(site.askSettings.filter, {}, 'the filter of another site was sent');
    site.setFilter({ language: 'de' });
    site.useLocal({ ...local, label: 'guide' });
    assert.deepEqual(site.askSettings.filter, {});
    site.setFilter({ version: 'next' });
    site.useLocal({ ...local, url: 'http://127.0.0.1:4568', label: 'guide' });
    assert.deepEqual(site.filter, { version: 'next' }, 'a restart lost the filter');
    site.useLocal(undefined);
    assert.deepEqual(site.filter, { language: 'de' });
    site.useHosted(undefined);
    assert.deepEqual(site.filter, ofSettings);
    changed.fire();
    assert.deepEqual(aSite(configured, undefined, workspace).site.filter, ofSettings);
    assert.deepEqual(aSite(configured, undefined, new MemoryMemento()).site.filter, {});
    site.setFilter({});
    assert.equal('filter' in workspaceSites(workspace).read(site.threadSite.id), false);
  });

  describe('with an installed version', () => {
    const installed = (siteId: string, version: string, preselected: string | undefined) => ({
      siteId,
      installed: { name: 'next', version },
      versions: ['v14', 'v15', 'v16'],
      preselected,
    });
    const opened = (workspace = new MemoryMemento()) => {
      const { site } = aSite(configured, undefined, workspace);
      const { id } = site.threadSite;
      site.useInstalled(installed(id, '15.5.2', 'v15'));
      return { site, id, workspace };
    };

    it('asks for the docs of that version, and follows it', () => {
      const { site, id, workspace } = opened();
      assert.deepEqual(site.askSettings.filter, { version: 'v15' });
      assert.deepEqual(site.view.filter, { version: 'v15' });
      site.setFilter({ ...site.filter, language: 'de' });
      assert.deepEqual(workspaceSites(workspace).read(id).filter, { language: 'de' });
      site.useInstalled(installed(id, '16.0.0', 'v16'));
      assert.deepEqual(site.filter, { language: 'de', version: 'v16' });
      site.useInstalled(installed(id, '17.0.0', undefined));
      assert.deepEqual(site.filter, { language: 'de' });
    });

    it('keeps a version that the reader chose, also after a restart', () => {
      const { site, id, workspace } = opened();
      site.setFilter({ version: 'v14' });
      site.useInstalled(installed(id, '16.0.0', 'v16'));
      assert.deepEqual(site.filter, { version: 'v14' });
      assert.deepEqual(opened(workspace).site.filter, { version: 'v14' });
    });

    it('keeps all versions if the reader chose them, until the installed one is chosen', () => {
      const { site, id, workspace } = opened();
      site.setFilter({});
      assert.deepEqual(site.filter, {});
      const again = opened(workspace).site;
      assert.deepEqual(again.filter, {});
      again.setFilter({ language: 'de' });
      assert.deepEqual(again.filter, { language: 'de' });
      again.setFilter({ version: 'v15' });
      again.useInstalled(installed(id, '16.0.0', 'v16'));
      assert.deepEqual(again.filter, { version: 'v16' });
    });

    it('filters no other site by it', () => {
      const { site } = opened();
      site.useHosted({ baseUrl: 'https://docs.example.net', domain: 'other' });
      assert.deepEqual(site.filter, {});
      assert.equal(site.installed, undefined);
    });

    it('fires an event only if something changed', () => {
      const { site, id } = opened();
      let changes = 0;
      site.onDidChange(() => changes++);
      site.useInstalled(installed(id, '15.5.2', 'v15'));
      assert.equal(changes, 0);
      site.useInstalled(undefined);
      assert.equal(changes, 1);
      assert.deepEqual(site.filter, {});
    });
  });

  it('fires an event when settings change and when a local service starts or stops', () => {
    const { site, changed } = aSite();
    let changes = 0;
    site.onDidChange(() => changes++);
    changed.fire();
    site.useLocal(local);
    site.useLocal(undefined);
    assert.equal(changes, 3);
  });

  it('says that it asks installed packages, and those of which folder', () => {
    const { site } = aSite();
    const docs = { kind: 'installed', installedFolder: '/work/shop', packages: 43 } as const;
    assert.equal(site.view.hasPackages, undefined);
    assert.equal(site.askSettings.hasPackages, undefined, 'no hosted site learns of packages');
    site.useLocal({ ...local, label: 'Installed Packages', docs });
    assert.equal(site.view.label, 'Installed Packages · shop');
    assert.deepEqual([site.view.hasPackages, site.askSettings.hasPackages], [true, true]);
  });

  it('offers installed packages while no site is set up', () => {
    const { site } = aSite({ ...configured, domain: '' });
    let changes = 0;
    site.onDidChange(() => changes++);
    assert.equal(site.view.packages, undefined);
    site.notePackages(43);
    site.notePackages(43);
    assert.deepEqual([site.view.packages, changes], [43, 1]);
    const other = aSite().site;
    other.notePackages(43);
    assert.equal(other.view.packages, undefined);
  });
});

import assert from 'node:assert/strict';
import { Emitter } from '../../../src/common/event';
import { ActiveSite } from '../../../src/site/activeSite';
import { readKeptSites } from '../../../src/site/keptSite';
import { SecretKeyStore, SeenSecrets } from '../../../src/site/keyStore';
import { parseSetUpLink } from '../../../src/site/setUpLink';
import { copySetUpLink, SetUpLinks } from '../../../src/site/setUpLinks';
import { settingDefaults } from '../../../src/site/settingsSchema';
import { KeptSites } from '../../../src/site/sites';
import { assertNoTrace } from '../../builders/canary';
import { FakeClock, settled } from '../../fakes/fakeClock';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';
import { ScriptedUi } from '../../fakes/scriptedUi';

const key = 'acme_dsc_canary0123456789abcdef';
const oldKey = 'acme_dsc_former0123456789abcdef';
const adminKey = 'acme_admin0123456789abcdefghij';
const origin = 'https://api.example.com';
const query = `base=${origin}/x&site=acme&key=${key}`;

/** Opens a window that asks no site, or the given one. */
function openWindow(current?: { readonly baseUrl: string; readonly domain: string }) {
  const ui = new ScriptedUi();
  const memento = new MemoryMemento();
  const log = new RecordingLog();
  const secrets = new Map<string, string>();
  const seen = new SeenSecrets();
  const keys = new SecretKeyStore(
    {
      get: (name) => Promise.resolve(secrets.get(name)),
      store: (name, secret) => Promise.resolve(void secrets.set(name, secret)),
      delete: (name) => Promise.resolve(void secrets.delete(name)),
    },
    seen,
  );
  const values = { ...settingDefaults, ...current };
  const site = new ActiveSite({
    settings: { values, onDidChange: new Emitter<void>().event },
    keys,
    secrets: seen,
    kept: () => readKeptSites(memento),
  });
  let ids = 0;
  const sites = new KeptSites({
    memento,
    workspace: new MemoryMemento(),
    keys,
    active: site,
    clock: new FakeClock(),
    log,
    stopLocal: () => Promise.resolve(),
    clearSettings: () => Promise.resolve(),
    newId: () => `id-${++ids}`,
  });
  const calls: string[] = [];
  const ports = {
    ui,
    site,
    sites,
    keys,
    log,
    useSite: async (next: { readonly baseUrl: string; readonly domain: string }) => {
      calls.push(`use ${next.domain} at ${next.baseUrl}`);
      await sites.use((await sites.add(next)).id);
    },
    askForKey: (of: string) => {
      calls.push(`ask for the key of ${of}`);
      return Promise.resolve(true);
    },
    focusComposer: () => {
      calls.push('focus');
      return Promise.resolve();
    },
  };
  return { ...ports, ports, links: new SetUpLinks(ports), calls, secrets, memento };
}

describe('following a set-up link', () => {
  // Shows faults.md S1.
  it('says who gets what, and sets up nothing before the reader confirms', async () => {
    const { links, ui, calls, secrets } = openWindow();
    await links.follow(query);
    assert.deepEqual(ui.texts('confirm'), ['Set up the docs site “acme” at api.example.com?']);
    assert.match(ui.details[0] ?? '', /attach, go to https:\/\/api\.example\.com\/x\./);
    assert.match(ui.details[0] ?? '', /has an assistant key.*for https:\/\/api\.example\.com\./);
    assert.deepEqual([calls, secrets.size], [[], 0]);
  });

  it('saves the key for that origin and asks the site', async () => {
    const { links, ui, calls, secrets, site } = openWindow();
    ui.answer('Set Up', 'Ask');
    await links.follow(query);
    await settled();
    assert.deepEqual([...secrets], [[`key:assistant:${origin}`, key]]);
    assert.deepEqual(calls, [`use acme at ${origin}/x`, 'focus']);
    assert.equal(site.hosted?.domain, 'acme');
  });

  it('asks for the key if neither the link nor secret storage has one', async () => {
    const { links, ui, calls, keys } = openWindow();
    const without = `base=${origin}&site=acme`;
    ui.answer('Set Up');
    await links.follow(without);
    assert.deepEqual(calls, [`use acme at ${origin}`, `ask for the key of ${origin}`]);
    assert.match(ui.details[0] ?? '', /You enter the assistant key in the next step/);
    await keys.save('assistant', origin, key);
    calls.length = 0;
    ui.answer(undefined, 'Set Up');
    await links.follow(without);
    assert.match(
      ui.details[1] ?? '',
      /The key that is saved for https:\/\/api\.example\.com is used/,
    );
  });

  it('says what it replaces: a key, and the site that is asked', async () => {
    const { links, ui, keys, secrets } = openWindow({ baseUrl: origin, domain: 'globex' });
    await keys.save('assistant', origin, oldKey);
    await links.follow(query);
    assert.match(
      ui.details[0] ?? '',
      /It replaces the key that is saved for https:\/\/api\.example/,
    );
    assert.match(ui.details[0] ?? '', /It replaces globex · api\.example\.com as the site/);
    assert.deepEqual([...secrets.values()], [oldKey], 'refused, and yet replaced');
  });

  it('warns of a host that looks like one that the reader uses', async () => {
    const { links, ui } = openWindow({ baseUrl: 'https://api.example.com', domain: 'acme' });
    await links.follow('base=https://api.examp1e.com&site=acme');
    assert.match(ui.details[0] ?? '', /api\.examp1e\.com looks like api\.example\.com/);
    await links.follow('base=https://\u0430pi.example.com&site=acme');
    assert.match(ui.texts('confirm')[1] ?? '', /at xn--pi-6kc\.example\.com\?/);
    assert.match(ui.details[1] ?? '', /xn--pi-6kc\.example\.com looks like api\.example\.com/);
  });

  it('keeps a long URL from hiding the rest of the dialog', async () => {
    const { links, ui } = openWindow();
    await links.follow(`base=${origin}/${'x'.repeat(900)}&site=acme`);
    assert.ok((ui.details[0] ?? '').length < 600);
  });

  // Shows faults.md S13.
  it('shows the end of a long host, which says whose it is', async () => {
    const { links, ui } = openWindow();
    const host = `${'docs.example.com.'.repeat(14)}evil.example`;
    await links.follow(`base=https://${host}:8443/${'x'.repeat(500)}&site=acme&key=${key}`);
    assert.match(ui.texts('confirm')[0] ?? '', /at ….{20,80}\.evil\.example:8443\?$/);
    const [where = '', kept = ''] = (ui.details[0] ?? '').split('\n\n');
    assert.match(where, /go to https:\/\/….{20,80}\.evil\.example:8443\/x+…\.$/);
    assert.match(kept, /for https:\/\/….{20,80}\.evil\.example:8443\.$/);
    assert.ok((ui.details[0] ?? '').length < 600);
  });

  // Shows faults.md S8.
  it('puts the former key back if the site can’t be saved', async () => {
    for (const former of [undefined, oldKey]) {
      const { ports, ui, keys, secrets } = openWindow();
      if (former !== undefined) await keys.save('assistant', origin, former);
      const links = new SetUpLinks({ ...ports, useSite: () => Promise.reject(new Error('disk')) });
      ui.answer('Set Up');
      await assert.rejects(links.follow(query), /disk/);
      assert.deepEqual([...secrets.values()], former === undefined ? [] : [former]);
    }
  });

  it('leaves a saved key alone if the link has none, whether or not the site can be saved', async () => {
    const { ports, ui, calls, keys, secrets } = openWindow();
    await keys.save('assistant', origin, oldKey);
    const failing = new SetUpLinks({ ...ports, useSite: () => Promise.reject(new Error('disk')) });
    ui.answer('Set Up');
    await assert.rejects(failing.follow(`base=${origin}&site=acme`), /disk/);
    assert.deepEqual([...secrets.values()], [oldKey]);
    ui.answer('Set Up');
    await new SetUpLinks(ports).follow(`base=${origin}&site=acme`);
    assert.deepEqual(calls, [`use acme at ${origin}`], 'a key was asked for');
    assert.deepEqual([...secrets.values()], [oldKey]);
  });

  it('says that a site or its key is known already', async () => {
    const { links, ui, keys, sites } = openWindow({ baseUrl: `${origin}/x`, domain: 'acme' });
    await keys.save('assistant', origin, key);
    await links.follow(query);
    assert.match(ui.details[0] ?? '', /You already ask this site\./);
    assert.doesNotMatch(ui.details[0] ?? '', /replaces the key/);
    await sites.add({ baseUrl: origin, domain: 'globex' });
    await links.follow(`base=${origin}&site=globex`);
    assert.match(ui.details[1] ?? '', /You already have this site\. It replaces acme/);
  });

  // Shows faults.md S7.
  it('asks about two links one after the other, also if the first fails', async () => {
    const { ports, ui, calls } = openWindow();
    let failFirst = (_: Error): void => undefined;
    const links = new SetUpLinks({
      ...ports,
      useSite: (next) =>
        next.domain === 'first'
          ? new Promise((_, reject) => (failFirst = reject))
          : ports.useSite(next),
    });
    ui.answer('Set Up', 'Set Up');
    const first = links.follow(`base=${origin}&site=first&key=${key}`);
    const second = links.follow(`base=${origin}&site=second&key=${key}`);
    await settled();
    assert.equal(ui.texts('confirm').length, 1);
    failFirst(new Error('disk'));
    await assert.rejects(first);
    await second;
    assert.equal(ui.texts('confirm').length, 2);
    assert.deepEqual(calls, [`use second at ${origin}`]);
  });

  it('doesn’t let a page fill the window with dialogs', async () => {
    const { ports, ui } = openWindow();
    const links = new SetUpLinks({ ...ports, ui: waitingUi(ui) });
    for (let count = 0; count < 20; count++) void links.follow(query);
    await settled();
    assert.equal(ui.texts('confirm').length, 1);
    assert.equal(ui.texts('warn').length, 17);
  });

  // Shows faults.md S2.
  it('refuses an admin key and every other bad link without a dialog', async () => {
    const { links, ui, log, calls, secrets } = openWindow();
    await links.follow(`base=${origin}&site=acme&key=${adminKey}`);
    await links.follow('base=file:///etc&site=acme');
    assert.deepEqual(ui.texts('confirm'), []);
    assert.match(ui.texts('warn')[0] ?? '', /contains an admin key/);
    assert.deepEqual([calls, secrets.size], [[], 0]);
    assertNoTrace(adminKey, [ui.shown, log.lines]);
  });

  it('shows and logs the key nowhere', async () => {
    const { links, ui, log, memento, keys } = openWindow();
    ui.answer('Set Up', 'Ask');
    await links.follow(query);
    await keys.save('assistant', origin, oldKey);
    ui.answer('Set Up');
    await links.follow(query);
    await settled();
    const stored = memento.keys().map((name) => [name, memento.get(name)]);
    for (const secret of [key, oldKey]) {
      assertNoTrace(secret, [ui.shown, ui.details, log.lines, stored]);
    }
  });
});

/** Returns a user interface in which the reader leaves every dialog open. */
function waitingUi(ui: ScriptedUi): Pick<ScriptedUi, 'translate' | 'confirm' | 'inform' | 'warn'> {
  return {
    translate: ui.translate,
    inform: (...args) => ui.inform(...args),
    warn: (...args) => ui.warn(...args),
    confirm: (...args) => {
      void ui.confirm(...args);
      return new Promise(() => undefined);
    },
  };
}

describe('Copy Set-Up Link', () => {
  const site = { baseUrl: `${origin}/x`, domain: 'acme' };
  const extension = { scheme: 'vscode', id: 'docs-assistant.docs-assistant' };

  /** Copies the link and gives what it sets up. */
  async function copied(window: ReturnType<typeof openWindow>) {
    const texts: string[] = [];
    const copy = (text: string): Promise<void> => Promise.resolve(void texts.push(text));
    await copySetUpLink({ ...window.ports, extension, copy });
    const [link] = texts;
    return link === undefined
      ? undefined
      : parseSetUpLink(decodeURIComponent(link.slice(link.indexOf('?') + 1)));
  }

  it('includes the key only if the reader wants that', async () => {
    const window = openWindow(site);
    await window.keys.save('assistant', origin, key);
    window.ui.answer('With the Assistant Key');
    assert.deepEqual(await copied(window), { ...site, origin, key });
    window.ui.answer('Without the Key');
    assert.deepEqual(await copied(window), { ...site, origin });
    assert.equal(await copied(window), undefined, 'canceled');
    assertNoTrace(key, [window.ui.shown, window.log.lines]);
  });

  // Shows faults.md S9.
  it('never includes a key of another kind', async () => {
    const window = openWindow(site);
    for (const other of [adminKey, 'acme_us_0123456789', 'nonsense']) {
      await window.keys.save('assistant', origin, other);
      assert.deepEqual(await copied(window), { ...site, origin });
    }
    assert.deepEqual(window.ui.texts('choose'), []);
  });

  it('says that docs on this machine have no set-up link', async () => {
    const window = openWindow();
    await assert.rejects(copied(window), { code: 'not-configured' });
    window.site.useLocal({
      url: 'http://127.0.0.1:1',
      domain: 'docs',
      key: 'local_dsc_0123456789',
    });
    assert.equal(await copied(window), undefined);
    assert.match(window.ui.texts('inform')[0] ?? '', /Docs on this machine have no set-up link/);
  });
});

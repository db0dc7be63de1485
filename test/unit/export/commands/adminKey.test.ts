import assert from 'node:assert/strict';
import { commands } from '../../../../src/common/contributions';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import { adminKeyRemark, AdminKeys } from '../../../../src/export/commands/adminKey';
import { AdminOrigins } from '../../../../src/export/commands/storedSites';
import { MemoryKeyStore } from '../../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const canary = 'qed_CANARY0123456789abcdef';
const first = 'https://api.example.com';
const second = 'https://api.example.org';

function someKeys(configured = `${first}/prefix`) {
  const keys = new MemoryKeyStore();
  const memento = new MemoryMemento();
  const origins = new AdminOrigins(memento);
  const ui = new ScriptedUi();
  const log = new RecordingLog();
  const saved: string[] = [];
  const state = { apiUrl: configured, isLocalRunning: false };
  const adminKeys = new AdminKeys({
    keys,
    origins,
    apiUrl: () => state.apiUrl,
    saveApiUrl: (apiUrl) => {
      state.apiUrl = apiUrl;
      return Promise.resolve();
    },
    isLocalRunning: () => state.isLocalRunning,
    onDidSave: (origin) => saved.push(origin),
    ui,
    log,
  });
  /** Everything but the key store that the key could have got into. */
  const everywhere = () =>
    JSON.stringify([ui.shown, ui.remarks, ui.ran, [...memento.values], log.text()]);
  return { keys, memento, origins, ui, log, saved, state, adminKeys, everywhere };
}

describe('Set Admin Key', () => {
  it('saves the key for the origin of the configured API, only in the key store', async () => {
    const { keys, ui, saved, adminKeys, everywhere } = someKeys();
    ui.answer(` Bearer ${canary}\n`);
    assert.equal(await adminKeys.set(), true);
    assert.equal(await keys.read('admin', first), canary);
    assert.equal(await keys.read('assistant', first), undefined);
    assert.deepEqual(saved, [first]);
    assert.ok(!everywhere().includes('CANARY'));
  });

  it('asks in a password input that names the URL', async () => {
    const { ui, adminKeys } = someKeys();
    await adminKeys.set();
    assert.equal(ui.prompts[0]?.isSecret, true);
    assert.match(ui.prompts[0].prompt, /https:\/\/api\.example\.com\./);
  });

  it('names both origins when the API has moved, and keeps the old key', async () => {
    const { keys, ui, state, adminKeys, everywhere } = someKeys();
    ui.answer(canary);
    await adminKeys.set();
    state.apiUrl = second;
    ui.answer('qed_other0123456789');
    assert.equal(await adminKeys.ensure(second), true);
    assert.equal(
      ui.prompts[1]?.prompt,
      `The export API is now at ${second}. The admin key for ${first} is not sent there. Enter the admin key for ${second}.`,
    );
    assert.equal(await keys.read('admin', first), canary);
    assert.equal(await keys.read('admin', second), 'qed_other0123456789');
    assert.ok(!everywhere().includes('CANARY'));
  });

  it('asks nothing if a key is already saved', async () => {
    const { keys, ui, adminKeys } = someKeys();
    await keys.save('admin', first, canary);
    assert.equal(await adminKeys.ensure(first), true);
    assert.deepEqual(ui.shown, []);
  });

  it('says that a new key replaces the saved one', async () => {
    const { keys, ui, adminKeys } = someKeys();
    await keys.save('admin', first, canary);
    ui.answer('qed_new0123456789');
    await adminKeys.set();
    assert.match(ui.prompts[0]?.prompt ?? '', /replaces the saved key/);
    assert.equal(await keys.read('admin', first), 'qed_new0123456789');
  });

  it('saves nothing when the user cancels', async () => {
    const { keys, memento, saved, adminKeys } = someKeys();
    assert.equal(await adminKeys.set(), false);
    assert.equal(await keys.read('admin', first), undefined);
    assert.deepEqual([memento.keys(), saved], [[], []]);
  });

  it('asks for the URL first if none is set, and saves it', async () => {
    const { keys, ui, state, adminKeys } = someKeys('');
    ui.answer('Enter the URL of the export API…', 'http://api.example.org', second, canary);
    assert.equal(await adminKeys.set(), true);
    assert.equal(state.apiUrl, second);
    assert.equal(ui.remarks.length, 1);
    assert.equal(await keys.read('admin', second), canary);
  });

  it('offers the local docs service instead, which needs no key', async () => {
    const { ui, state, adminKeys } = someKeys('');
    ui.answer('Start Local Docs Service');
    ui.onCommand = () => {
      state.isLocalRunning = true;
    };
    assert.equal(await adminKeys.set(), false);
    assert.deepEqual(ui.ran, [[commands.startLocalService]]);
    assert.equal(ui.prompts.length, 0);
  });

  it('says that the local docs service makes its own key if nothing else is set up', async () => {
    const { ui, state, adminKeys } = someKeys('');
    state.isLocalRunning = true;
    assert.equal(await adminKeys.set(), false);
    assert.match(ui.texts('inform')[0] ?? '', /creates its own admin key/);
  });

  it('notes no origin if secret storage fails', async () => {
    const { keys, memento, ui, adminKeys, everywhere } = someKeys();
    keys.failure = new DocsAssistantError('secret-store-failed');
    ui.answer(canary);
    await assert.rejects(adminKeys.set(), keys.failure);
    assert.deepEqual(memento.keys(), []);
    assert.ok(!everywhere().includes('CANARY'));
  });
});

describe('Remove Admin Key', () => {
  it('asks before it removes the only key', async () => {
    const { keys, origins, ui, adminKeys } = someKeys();
    ui.answer(canary);
    await adminKeys.set();
    await adminKeys.remove();
    assert.equal(await keys.read('admin', first), canary);
    ui.answer('Remove');
    await adminKeys.remove();
    assert.equal(await keys.read('admin', first), undefined);
    assert.deepEqual(origins.list, []);
    const asked = ui.texts('confirm');
    assert.equal(asked.length, 2);
    assert.ok(asked.every((text) => text.includes('api.example.com')));
  });

  it('asks which of several keys to remove', async () => {
    const { keys, ui, origins, adminKeys } = someKeys();
    for (const origin of [first, second]) {
      await keys.save('admin', origin, canary);
      await origins.add(origin);
    }
    ui.answer(second, 'Remove');
    await adminKeys.remove();
    assert.equal(await keys.read('admin', first), canary);
    assert.equal(await keys.read('admin', second), undefined);
  });

  it('finds a key of the configured API even if its origin was not noted', async () => {
    const { keys, ui, adminKeys } = someKeys();
    await keys.save('admin', first, canary);
    ui.answer('Remove');
    await adminKeys.remove();
    assert.equal(await keys.read('admin', first), undefined);
  });

  it('says that there is no key, also if it was removed elsewhere', async () => {
    const { ui, origins, adminKeys } = someKeys();
    await origins.add(second);
    await adminKeys.remove();
    assert.deepEqual(ui.texts(), ['No admin key is saved.']);
    assert.deepEqual(origins.list, []);
  });
});

describe('adminKeyRemark', () => {
  for (const [text, words] of [
    ['', /Enter a value/],
    ['qed_dsc_0123456789abcdef', /assistant key.*not export/],
    ['Bearer qed_dsc_0123456789abcdef', /assistant key.*not export/],
    ['qed_us_0123456789abcdef', /another kind/],
    ['0123456789abcdef', /looks like <prefix>_<letters and digits>/],
    ['qed_0123 456', /spaces or line breaks/],
    ['qed_0123\r\nX-Evil: 1', /spaces or line breaks/],
    ['qed_schlüssel', /ASCII letters/],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} and does not repeat it`, () => {
      const remark = adminKeyRemark(text, plainTranslate);
      assert.equal(remark?.kind, 'error');
      assert.match(remark.text, words);
      assert.ok(text === '' || !remark.text.includes(text));
    });
  }

  it('accepts an admin key, even with text pasted around it', () => {
    for (const text of [canary, ` "${canary}" `, `bearer ${canary}`]) {
      assert.equal(adminKeyRemark(text, plainTranslate), undefined);
    }
  });
});

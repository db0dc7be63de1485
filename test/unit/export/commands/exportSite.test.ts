import assert from 'node:assert/strict';
import { AdminKeys } from '../../../../src/export/commands/adminKey';
import { ExportSite } from '../../../../src/export/commands/exportSite';
import { ExportProgress } from '../../../../src/export/commands/jobNotifications';
import { AdminOrigins, RecentSites } from '../../../../src/export/commands/storedSites';
import { ExportError } from '../../../../src/export/exportErrors';
import { LOCAL_API } from '../../../../src/export/job/record';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { MemoryKeyStore } from '../../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const api = 'https://api.example.com/prefix';
const origin = 'https://api.example.com';
const key = 'qed_0123456789abcdef';
const local = { url: 'http://127.0.0.1:4711', domain: 'sample', adminKey: 'local_abc' };
const domain = 'docs.example.com';

interface Situation {
  readonly apiUrl?: string;
  readonly exportDomain?: string;
  readonly hasKey?: boolean;
  readonly isLocalRunning?: boolean;
  readonly isTrusted?: boolean;
  readonly views?: ReturnType<typeof aView>[];
}

async function aCommand(situation: Situation = {}) {
  const keys = new MemoryKeyStore();
  if (situation.hasKey !== false) await keys.save('admin', origin, key);
  const exports = new FakeExports(...(situation.views ?? []));
  exports.onStart = (target) => Promise.resolve(aView({ id: 'new', ...target }));
  const ui = new ScriptedUi();
  const log = new RecordingLog();
  const clock = new FakeClock();
  const memento = new MemoryMemento();
  const state = {
    apiUrl: situation.apiUrl ?? api,
    exportDomain: situation.exportDomain ?? '',
    isLocalRunning: situation.isLocalRunning ?? false,
  };
  const adminKeys = new AdminKeys({
    keys,
    origins: new AdminOrigins(memento),
    apiUrl: () => state.apiUrl,
    saveApiUrl: (apiUrl) => {
      state.apiUrl = apiUrl;
      return Promise.resolve();
    },
    isLocalRunning: () => state.isLocalRunning,
    onDidSave: () => undefined,
    ui,
    log,
  });
  const recent = new RecentSites(memento);
  const site = new ExportSite({
    exports,
    adminKeys,
    progress: new ExportProgress({
      exports,
      ui,
      clock,
      isClosing: () => false,
      inBackground: (task) => void task,
    }),
    recent,
    settings: () => state,
    assistantDomain: () => 'acme',
    local: () => (state.isLocalRunning ? local : undefined),
    isTrusted: () => situation.isTrusted ?? true,
    ui,
    log,
    clock,
  });
  return { keys, exports, ui, log, recent, state, site };
}

const withOptions = 'With a version label, or only some paths…';

const choices = (ui: ScriptedUi) => ui.shown.find(({ kind }) => kind === 'choose')?.options;

describe('Export Static Site', () => {
  // Shows faults.md E10.
  it('does nothing before the workspace is trusted', async () => {
    const { exports, ui, site } = await aCommand({ isTrusted: false });
    await assert.rejects(
      site.run(undefined),
      (error) => error instanceof ExportError && error.code === 'workspace-not-trusted',
    );
    assert.deepEqual([exports.calls, ui.shown], [[], []]);
  });

  it('can run again while the notification of a failure is still open', async () => {
    const { exports, ui, site } = await aCommand({ exportDomain: domain });
    exports.onStart = () => Promise.reject(new ExportError('export-forbidden'));
    ui.fail = () => new Promise(() => undefined);
    void site.run({ exportDomain: domain });
    await settled();
    void site.run({ exportDomain: domain });
    await settled();
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`, `start ${api} ${domain}`]);
  });

  it('starts an earlier export again at its own API, whatever the settings say', async () => {
    const { exports, keys, ui, site } = await aCommand();
    const elsewhere = 'https://old.example.com/base';
    await keys.save('admin', 'https://old.example.com', key);
    await site.startAgain(aView({ apiUrl: elsewhere, outcome: 'failed' }).record);
    assert.deepEqual(exports.calls, [`start ${elsewhere} ${domain}`]);
    assert.deepEqual(ui.texts('choose'), []);
  });

  it('starts nothing again before the workspace is trusted', async () => {
    const { exports, site } = await aCommand({ isTrusted: false });
    await assert.rejects(site.startAgain({ apiUrl: api, exportDomain: domain }), {
      code: 'workspace-not-trusted',
    });
    assert.deepEqual(exports.calls, []);
  });

  it('offers the configured site, recent sites and another site', async () => {
    const { exports, ui, recent, site } = await aCommand({ exportDomain: domain });
    await recent.add({ apiUrl: api, exportDomain: domain });
    await recent.add({ apiUrl: api, exportDomain: 'old.example.com' });
    await recent.add({ apiUrl: 'https://elsewhere.example', exportDomain: 'x.example.com' });
    ui.answer(domain);
    await site.run(undefined);
    assert.deepEqual(choices(ui), [domain, 'old.example.com', 'Another site…', withOptions]);
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
    assert.deepEqual(recent.at(api), [domain, 'old.example.com']);
  });

  it('keeps a recent site at each API that has exported it', async () => {
    const { recent } = await aCommand();
    const elsewhere = 'https://elsewhere.example';
    for (const apiUrl of [api, elsewhere, api]) await recent.add({ apiUrl, exportDomain: domain });
    assert.deepEqual([recent.at(api), recent.at(elsewhere)], [[domain], [domain]]);
  });

  it('offers the local docs service’s site beside those of the API', async () => {
    const { exports, ui, site } = await aCommand({ exportDomain: domain, isLocalRunning: true });
    ui.answer('sample');
    await site.run(undefined);
    assert.deepEqual(choices(ui), [domain, 'sample', 'Another site…', withOptions]);
    assert.deepEqual(exports.calls, [`start ${LOCAL_API} sample`]);
  });

  it('offers the docs platform by its URL when only the local service is set up', async () => {
    const { exports, ui, site } = await aCommand({ apiUrl: '', isLocalRunning: true });
    ui.answer('A site on the docs platform…', api, domain);
    await site.run(undefined);
    assert.deepEqual(choices(ui), ['sample', 'A site on the docs platform…', withOptions]);
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
  });

  it('asks for the host name directly if no site is known', async () => {
    const { exports, ui, site } = await aCommand();
    ui.answer('docs example', 'https://docs.example.com/start');
    await site.run(undefined);
    assert.deepEqual(
      ui.remarks.map(({ kind, text }) => [kind, text.includes('docs.example.com is sent')]),
      [
        ['error', false],
        ['hint', true],
      ],
    );
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
  });

  it('warns about the assistant’s domain, but accepts it', async () => {
    const { exports, ui, site } = await aCommand();
    ui.answer('acme');
    await site.run(undefined);
    assert.match(ui.remarks[0]?.text ?? '', /assistant’s domain/);
    assert.deepEqual(exports.calls, [`start ${api} acme`]);
  });

  it('starts with a version label and paths if the user enters them', async () => {
    const { exports, ui, site } = await aCommand({ exportDomain: domain });
    ui.answer(withOptions, ' v2 ', 'guides/, https://docs.example.com/api?x=1', domain);
    await site.run(undefined);
    assert.deepEqual(exports.calls, [`start ${api} ${domain} v2 /api /guides`]);
    assert.deepEqual(ui.shown.filter(({ kind }) => kind === 'choose').at(-1)?.options, [
      domain,
      'Another site…',
    ]);
    assert.deepEqual(ui.texts('warn'), []);
  });

  it('sends no option that was left empty', async () => {
    const { exports, ui, site } = await aCommand({ exportDomain: domain });
    exports.onStart = (target) => {
      assert.deepEqual([target.label, target.paths], [undefined, undefined]);
      return Promise.resolve(aView({ id: 'new', ...target }));
    };
    ui.answer(withOptions, '', ' ', domain);
    await site.run(undefined);
    assert.equal(exports.list.length, 1);
  });

  for (const [at, answers] of [
    ['the label', [withOptions]],
    ['the paths', [withOptions, 'v2']],
    ['the site', [withOptions, 'v2', '/guides']],
  ] as const) {
    it(`starts nothing when the user cancels the options at ${at}`, async () => {
      const { exports, ui, site } = await aCommand({ exportDomain: domain });
      ui.answer(...answers, undefined, undefined);
      await site.run(undefined);
      assert.deepEqual(exports.calls, []);
    });
  }

  it('says which options the service does not accept, and that it exports the whole site', async () => {
    const { exports, ui, site } = await aCommand();
    exports.onStart = (target) =>
      Promise.resolve(aView({ id: 'new', ...target, leftOut: ['label', 'paths'] }));
    await site.run({ exportDomain: domain, label: 'v2', paths: ['/guides'] });
    assert.deepEqual(exports.calls, [`start ${api} ${domain} v2 /guides`]);
    assert.deepEqual(ui.texts('warn'), [
      'api.example.com takes neither version labels nor paths, so the whole site is exported.',
    ]);
  });

  it('starts an export again with the version label and the paths that it had', async () => {
    const { exports, site } = await aCommand();
    const options = { label: 'v2', paths: ['/guides'] };
    await site.startAgain(aView({ apiUrl: api, outcome: 'completed', ...options }).record);
    assert.deepEqual(exports.calls, [`start ${api} ${domain} v2 /guides`]);
  });

  it('asks for the URL and the key if nothing is set up, then goes on', async () => {
    const { keys, exports, ui, state, site } = await aCommand({ apiUrl: '', hasKey: false });
    ui.answer('Enter the URL of the export API…', api, domain, key);
    await site.run(undefined);
    assert.equal(state.apiUrl, api);
    assert.equal(await keys.read('admin', origin), key);
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
  });

  it('exports from the local docs service if the user starts it instead', async () => {
    const { exports, ui, state, site } = await aCommand({ apiUrl: '', hasKey: false });
    ui.answer('Start Local Docs Service');
    ui.onCommand = () => {
      state.isLocalRunning = true;
    };
    await site.run(undefined);
    assert.deepEqual(exports.calls, [`start ${LOCAL_API} sample`]);
  });

  for (const [at, answers] of [
    ['the set-up', []],
    ['the address', ['Enter the URL of the export API…']],
    ['the site', ['Enter the URL of the export API…', api]],
    ['the key', ['Enter the URL of the export API…', api, domain]],
  ] as const) {
    it(`starts nothing when the user cancels at ${at}`, async () => {
      const { exports, ui, site } = await aCommand({ apiUrl: '', hasKey: false });
      ui.answer(...answers);
      await site.run(undefined);
      assert.deepEqual(exports.calls, []);
    });
  }

  it('offers to watch a running job of the same site', async () => {
    const running = aView({ apiUrl: api }, { watch: { name: 'idle' } });
    const { exports, ui, site } = await aCommand({ exportDomain: domain, views: [running] });
    ui.answer(domain, 'Watch the running export');
    await site.run(undefined);
    assert.deepEqual(exports.calls, ['watch e1']);
    await settled();
    assert.equal(ui.progresses[0]?.isOpen, true);
  });

  it('starts another job if the user wants one', async () => {
    const { exports, ui, site } = await aCommand({ views: [aView({ apiUrl: api })] });
    ui.answer('Start another export');
    await site.run({ exportDomain: domain });
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
  });

  it('does not ask about jobs of another site or API, or about jobs that ended', async () => {
    const { exports, ui, site } = await aCommand({
      views: [
        aView({ id: '1', apiUrl: api, exportDomain: 'other.example.com' }),
        aView({ id: '2', apiUrl: LOCAL_API }),
        aView({ id: '3', apiUrl: api, outcome: 'completed' }),
      ],
    });
    await site.run({ exportDomain: domain });
    assert.equal(choices(ui), undefined);
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
  });

  // Shows faults.md E12.
  it('starts one job when it is run twice at once', async () => {
    const { exports, site } = await aCommand();
    await Promise.all([site.run({ exportDomain: domain }), site.run({ exportDomain: domain })]);
    assert.deepEqual(exports.calls, [`start ${api} ${domain}`]);
  });

  it('starts with another key if the first is rejected', async () => {
    const { keys, exports, ui, site } = await aCommand();
    exports.onStart = async (target) => {
      if ((await keys.read('admin', origin)) === key) throw new ExportError('admin-key-rejected');
      return aView({ id: 'new', ...target });
    };
    ui.answer('Set Admin Key…', 'qed_better0123456789');
    await site.run({ exportDomain: domain });
    assert.equal(exports.calls.length, 2);
    assert.equal(exports.list.length, 1);
  });

  it('does not repeat a start that may have succeeded', async () => {
    const { exports, ui, recent, site } = await aCommand();
    exports.onStart = () => Promise.reject(new ExportError('start-unclear', { host: 'h' }));
    await site.run({ exportDomain: domain });
    assert.equal(exports.calls.length, 1);
    assert.match(ui.texts('fail')[0] ?? '', /may have started/);
    assert.equal(ui.prompts.length, 0);
    assert.deepEqual(recent.at(api), []);
  });

  it('refuses an invalid site from a caller', async () => {
    const { exports, site } = await aCommand();
    await assert.rejects(
      site.run({ exportDomain: 'a b' }),
      (error) => error instanceof ExportError && error.code === 'bad-export-domain',
    );
    assert.deepEqual(exports.calls, []);
  });

  it('never shows or logs the key', async () => {
    const { keys, exports, ui, log, site } = await aCommand({ hasKey: false });
    exports.onStart = () => Promise.reject(new ExportError('admin-key-rejected'));
    ui.answer('qed_CANARY0123456789');
    await site.run({ exportDomain: domain });
    assert.equal(await keys.read('admin', origin), 'qed_CANARY0123456789');
    assert.ok(!JSON.stringify([ui.shown, ui.progresses, log.lines]).includes('CANARY'));
  });
});

import assert from 'node:assert/strict';
import { exportCommands } from '../../../../src/common/contributions';
import { exportHandlers } from '../../../../src/export/commands/jobCommands';
import {
  needsLocalService,
  watchAgainAtLocal,
  watchAgainWithKey,
} from '../../../../src/export/job/endpoints';
import { LOCAL_API } from '../../../../src/export/job/record';
import { FakeClock } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const idle = { watch: { name: 'idle' } } as const;
const node = { kind: 'export', id: 'e1' };

function someHandlers(...views: ReturnType<typeof aView>[]) {
  const exports = new FakeExports(...views);
  const ui = new ScriptedUi();
  const did: string[] = [];
  const note = (what: string) => {
    did.push(what);
    return Promise.resolve();
  };
  const handlers = exportHandlers({
    exports,
    sites: { forget: (folder) => note(`forget ${folder}`) },
    reports: { forget: (folder) => void note(`forget report of ${folder}`) },
    adminKeys: {
      set: async (origin) => {
        await note(`set ${origin ?? 'configured'}`);
        return true;
      },
      remove: () => note('remove'),
    },
    site: {
      run: () => note('export'),
      startAgain: ({ apiUrl, exportDomain, label, paths = [] }) => {
        const options = [label, ...paths].filter(Boolean);
        return note([`start again ${exportDomain} at ${apiUrl}`, ...options].join(' '));
      },
    },
    progress: { follow: (id) => note(`follow ${id}`) },
    ui,
    clock: new FakeClock(),
    inBackground: (task) => void task,
  });
  return { exports, ui, did, handlers };
}

describe('exportHandlers', () => {
  it('watch a stopped job again, and follow it', async () => {
    const { exports, did, handlers } = someHandlers(aView({}, idle));
    await handlers[exportCommands.watchExport]?.(node);
    assert.deepEqual([exports.calls, did], [['watch e1'], ['follow e1']]);
  });

  it('only follow a job that is already watched', async () => {
    const { exports, did, handlers } = someHandlers(aView());
    await handlers[exportCommands.watchExport]?.();
    assert.deepEqual([exports.calls, did], [[], ['follow e1']]);
  });

  it('do not watch a job that has ended', async () => {
    const { exports, ui, handlers } = someHandlers(aView({ outcome: 'completed' }, idle));
    await handlers[exportCommands.watchExport]?.();
    assert.deepEqual(exports.calls, []);
    assert.deepEqual(ui.texts(), ['No export is running.']);
  });

  it('start a failed or missing job again, at its own API', async () => {
    const failed = aView({ outcome: 'failed', apiUrl: 'https://old.example.com' }, idle);
    const { did, handlers } = someHandlers(failed, aView({ id: 'e2' }));
    await handlers[exportCommands.startAgain]?.();
    assert.deepEqual(did, ['start again docs.example.com at https://old.example.com']);
    const gone = aView({ outcome: 'unwatchable', errorCode: 'unknown-job' }, idle);
    const other = someHandlers(gone);
    await other.handlers[exportCommands.startAgain]?.(node);
    assert.deepEqual(other.did, ['start again docs.example.com at https://api.example.com']);
  });

  it('start a completed job again, with its version and paths', async () => {
    const options = { label: 'v2', paths: ['/guides'] };
    const done = aView({ outcome: 'completed', ...options }, idle);
    const { did, handlers } = someHandlers(done, aView({ id: 'e2' }));
    await handlers[exportCommands.startAgain]?.();
    assert.deepEqual(did, ['start again docs.example.com at https://api.example.com v2 /guides']);
  });

  it('do not start a job again that may still run', async () => {
    const rejected = { outcome: 'unwatchable', errorCode: 'admin-key-rejected' } as const;
    const { did, ui, handlers } = someHandlers(aView(), aView({ id: 'e2', ...rejected }, idle));
    await handlers[exportCommands.startAgain]?.();
    assert.deepEqual(did, []);
    assert.deepEqual(ui.texts(), ['No export has ended.']);
  });

  it('export a site of the tree again, at its own API', async () => {
    const { did, handlers } = someHandlers(aView({ label: 'v1' }, idle));
    const group = {
      kind: 'group',
      apiUrl: 'https://old.example.com',
      exportDomain: 'a.example.com',
    };
    await handlers[exportCommands.exportSite]?.(group);
    await handlers[exportCommands.exportSite]?.();
    assert.deepEqual(did, ['start again a.example.com at https://old.example.com', 'export']);
  });

  it('stop watching the watched job', async () => {
    const { exports, handlers } = someHandlers(aView(), aView({ id: 'e2' }, idle));
    await handlers[exportCommands.stopWatching]?.();
    assert.deepEqual(exports.calls, ['stopWatching e1']);
  });

  it('say that there is nothing to stop or to remove', async () => {
    const stopping = someHandlers(aView({}, idle));
    await stopping.handlers[exportCommands.stopWatching]?.();
    assert.deepEqual(stopping.exports.calls, []);
    assert.deepEqual(stopping.ui.texts(), ['No export is being watched.']);
    const removing = someHandlers();
    await removing.handlers[exportCommands.removeExport]?.();
    assert.deepEqual([removing.exports.calls, removing.did], [[], []]);
    assert.deepEqual(removing.ui.texts(), ['The list of exports is empty.']);
  });

  it('ask before a running job leaves the list', async () => {
    const { exports, ui, handlers } = someHandlers(aView());
    await handlers[exportCommands.removeExport]?.(node);
    assert.deepEqual(exports.calls, []);
    assert.match(
      ui.texts('confirm')[0] ?? '',
      /still running at api\.example\.com.*job keeps running/,
    );
    ui.answer('Remove');
    await handlers[exportCommands.removeExport]?.(node);
    assert.deepEqual(exports.calls, ['forget e1']);
  });

  it('remove an ended job or an opened bundle without asking', async () => {
    const { exports, ui, did, handlers } = someHandlers(aView({ outcome: 'failed' }, idle));
    await handlers[exportCommands.removeExport]?.(node);
    await handlers[exportCommands.removeExport]?.({ kind: 'site', folder: '/y' });
    assert.deepEqual([exports.calls, did[0], ui.shown], [['forget e1'], 'forget /y', []]);
  });

  it('clear the Problems panel of a bundle that is removed from the list', async () => {
    const { did, handlers } = someHandlers(aView({ outcome: 'completed', siteFolder: '/x' }, idle));
    await handlers[exportCommands.removeExport]?.(node);
    await handlers[exportCommands.removeExport]?.({ kind: 'site', folder: '/y' });
    assert.deepEqual(did, ['forget report of /x', 'forget /y', 'forget report of /y']);
  });

  it('set the key for the export’s API, else for the configured API', async () => {
    const { did, handlers } = someHandlers(aView({ apiUrl: 'https://old.example.com/p' }));
    await handlers[exportCommands.setAdminKey]?.(node);
    await handlers[exportCommands.setAdminKey]?.();
    assert.deepEqual(did, ['set https://old.example.com', 'set configured']);
  });
});

describe('watchAgainWithKey', () => {
  it('watches only the jobs again that waited for that key', async () => {
    const waiting = { outcome: 'unwatchable', errorCode: 'admin-key-rejected' } as const;
    const exports = new FakeExports(
      aView({ id: 'e1', ...waiting }, idle),
      aView({ id: 'e2', ...waiting, apiUrl: 'https://api.example.org' }, idle),
      aView({ id: 'e3', ...waiting, errorCode: 'export-forbidden' }, idle),
      aView({ id: 'e4', ...waiting, apiUrl: LOCAL_API }, idle),
      aView({ id: 'e5', outcome: 'running' }, idle),
      aView(
        { id: 'e6', ...waiting, errorCode: 'no-admin-key', apiUrl: 'https://api.example.com/p' },
        idle,
      ),
    );
    await watchAgainWithKey(exports, 'https://api.example.com');
    assert.deepEqual(exports.calls, ['watch e1', 'watch e6']);
  });
});

describe('watchAgainAtLocal', () => {
  it('asks immediately about jobs that waited for the local docs service', async () => {
    const error = { code: 'local-service-stopped', message: '', actions: [] };
    const waiting = { watch: { name: 'waiting', error, until: 0 } } as const;
    const exports = new FakeExports(
      aView({ id: 'e1', apiUrl: LOCAL_API }, waiting),
      aView({ id: 'e2', apiUrl: LOCAL_API }),
      aView({ id: 'e3' }, waiting),
    );
    await watchAgainAtLocal(exports);
    assert.deepEqual(exports.calls, ['watch e1']);
  });
});

describe('needsLocalService', () => {
  it('is true only while a job runs there', () => {
    const needs = (...views: ReturnType<typeof aView>[]): boolean =>
      needsLocalService(new FakeExports(...views));
    assert.equal(needs(aView(), aView({ id: 'e2', apiUrl: LOCAL_API })), true);
    assert.equal(needs(aView(), aView({ id: 'e2', apiUrl: LOCAL_API, outcome: 'failed' })), false);
    assert.equal(needs(), false);
  });
});

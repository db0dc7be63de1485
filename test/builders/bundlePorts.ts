import { silentLog } from '../../src/common/ports';
import type { BundlePorts } from '../../src/export/commands/bundleCommands';
import { FakeClock } from '../fakes/fakeClock';
import { FakeExports } from '../fakes/fakeExports';
import { MemoryMemento } from '../fakes/memoryMemento';
import type { ScriptedUi } from '../fakes/scriptedUi';

/** Returns what the bundle commands need, with one site in the list and without a network. */
export function bundlePorts(siteFolder: string, ui: ScriptedUi): BundlePorts {
  return {
    exports: new FakeExports(),
    sites: {
      list: [{ folder: siteFolder, label: 'docs.acme.com' }],
      add: () => Promise.resolve(),
    },
    memento: new MemoryMemento(),
    ui,
    timeouts: () => ({ headersTimeoutMs: 1000, idleTimeoutMs: 1000 }),
    fetch: () => Promise.reject(new Error('no network')),
    clock: new FakeClock(),
    random: () => 0.5,
    newId: () => 'id',
    log: silentLog,
  };
}

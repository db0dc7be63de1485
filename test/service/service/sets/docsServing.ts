/** A window that serves docs, with real folders and a service that a test plays. */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LocalSite } from '../../../../src/common/localSite';
import type { ToService } from '../../../../src/service/server/parentChannel';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import type { ServiceHooks, ServiceProcess } from '../../../../src/service/sets/docsRun';
import { DocsServer } from '../../../../src/service/sets/docsServer';
import { DocsSets } from '../../../../src/service/sets/docsSets';
import { OwnFolders } from '../../../../src/service/sets/ownFolders';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

/** A service process that tells what the test says. */
export class PlayedService implements ServiceProcess {
  readonly sent: ToService[] = [];
  docs: LocalDocs | undefined;
  isRunning = false;
  readonly hooks: ServiceHooks;
  readonly #port: number;

  constructor(hooks: ServiceHooks, port: number) {
    this.hooks = hooks;
    this.#port = port;
  }

  start(docs: LocalDocs): ReturnType<ServiceProcess['start']> {
    this.docs = docs;
    this.isRunning = true;
    return Promise.resolve({
      url: `http://127.0.0.1:${this.#port}`,
      domain: 'local',
      key: 'key',
      adminKey: 'admin',
      label: docs.label,
      docsFolder: docs.folder,
    });
  }

  send(message: ToService): void {
    this.sent.push(message);
  }

  dispose(): void {
    this.isRunning = false;
  }
}

/** Opens windows over one storage folder and one global state, as VS Code does. */
export async function docsServing() {
  const root = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-sets-'));
  const own = path.join(root, 'own');
  const memento = new MemoryMemento();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const sample: LocalDocs = {
    kind: 'folder',
    folder: path.join(root, 'sample'),
    label: 'Sample Docs',
  };
  await mkdir(sample.folder);
  let ids = 0;
  let port = 4000;
  const living = new Set<number>();
  const open = (processId = 1) => {
    living.add(processId);
    const newId = (): string => `id-${++ids}`;
    const sets = new DocsSets({ memento, clock, newId, log });
    const isAlive = (id: number): boolean => living.has(id);
    const folders = new OwnFolders({ root: own, clock, newId, log, processId, isAlive });
    const ui = new ScriptedUi();
    const services: PlayedService[] = [];
    /** Number of services that ran when each service was made. */
    const besides: number[] = [];
    const state: { local: LocalSite | undefined; remembered: LocalDocs | undefined } = {
      local: undefined,
      remembered: undefined,
    };
    /** Unpacks nothing but a page, or fails with this. */
    const unpacking: { error?: Error; archives: string[] } = { archives: [] };
    const server = new DocsServer({
      ui,
      sets,
      folders,
      clock,
      log,
      sample,
      site: {
        get local() {
          return state.local;
        },
        useLocal: (site) => (state.local = site),
      },
      makeProcess: (hooks) => {
        const service = new PlayedService(hooks, port++);
        besides.push(services.filter(({ isRunning }) => isRunning).length);
        services.push(service);
        return service;
      },
      unpack: async (archive, target, _report, signal) => {
        signal.throwIfAborted();
        unpacking.archives.push(archive);
        if (unpacking.error) throw unpacking.error;
        await mkdir(target, { recursive: true });
        await writeFile(path.join(target, 'index.html'), '<h1>Page</h1>');
        return target;
      },
      errorText: (error) => (error instanceof Error ? `unpacking: ${error.message}` : ''),
      remember: (docs) => {
        state.remembered = docs;
        return Promise.resolve();
      },
    });
    /** Resolves with the n-th service once it listens. */
    const service = async (index = services.length): Promise<PlayedService> => {
      while (!services[index]?.isRunning || state.local === undefined) await aMoment();
      await aMoment();
      return services[index];
    };
    return { server, sets, folders, ui, services, besides, service, state, unpacking };
  };
  const aFolder = async (name: string): Promise<string> => {
    const folder = path.join(root, name);
    await mkdir(folder, { recursive: true });
    return folder;
  };
  return {
    root,
    own,
    memento,
    clock,
    log,
    sample,
    open,
    aFolder,
    /** Plays the end of a window's process. */
    kill: (processId: number) => living.delete(processId),
    /** Names of the folders that the extension made. */
    ownFolders: () => readdir(own).catch((): string[] => []),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

export async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

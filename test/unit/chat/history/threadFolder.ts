import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ThreadFiles, type ThreadFilesPorts } from '../../../../src/chat/history/threadFiles';
import { systemClock } from '../../../../src/common/clock';
import { RecordingLog } from '../../../fakes/recordingLog';

const folders: string[] = [];
const stores: ThreadFiles[] = [];

/** Returns a folder on disk. */
async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docs-assistant-threads-'));
  folders.push(folder);
  return folder;
}

/** Returns a folder for threads, and windows that share it. */
async function aThreadFolder() {
  const folder = path.join(await aFolder(), 'threads');
  const log = new RecordingLog();
  const forgotten: string[] = [];
  const open = (ports: Partial<ThreadFilesPorts> = {}): ThreadFiles => {
    let current: string | undefined;
    const store = new ThreadFiles({
      folder,
      current: {
        read: () => current,
        write: (id) => {
          current = id;
          return Promise.resolve();
        },
      },
      limitBytes: () => Number.POSITIVE_INFINITY,
      clock: systemClock,
      newId: randomUUID,
      log,
      onDidForget: (id) => void forgotten.push(id),
      ...ports,
    });
    stores.push(store);
    return store;
  };
  return { folder, log, forgotten, open };
}

/** Returns the paths of all files below a folder, relative to it, in order. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Gives the tests of a suite folders, which are removed after each test. */
export function useThreadFolders() {
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.settled();
    for (const folder of folders.splice(0))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return { aFolder, aThreadFolder };
}

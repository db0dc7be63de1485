/** Builds a worker of the export for the tests of a suite, because a thread runs no TypeScript. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';

interface BuiltWorker {
  /** Folder that is removed after the suite. */
  readonly folder: string;
  readonly script: string;
  /** Writes another worker. @returns its path. */
  readonly workerThat: (does: string) => Promise<string>;
}

/** @param source the worker, relative to the repository. */
export function useBuiltWorker(source: string): BuiltWorker {
  const built = {
    folder: '',
    script: '',
    workerThat: async (does: string): Promise<string> => {
      const file = path.join(built.folder, 'other.mjs');
      await writeFile(file, does);
      return file;
    },
  };
  before(async () => {
    built.folder = await mkdtemp(path.join(os.tmpdir(), 'built-worker-'));
    built.script = path.join(built.folder, 'worker.mjs');
    await esbuild.build({
      entryPoints: [source],
      outfile: built.script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
  });
  after(() => rm(built.folder, { recursive: true, force: true }));
  return built;
}

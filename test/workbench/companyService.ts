/** Starts the built service of a company over the sample docs, as docs/service.md says. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface RunningService {
  /** URL without a slash at its end. */
  readonly url: string;
  newKey(...options: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** The bundled test is in out/test/workbench/suite/ui. */
const root = path.resolve(__dirname, '../../../../..');
const program = path.join(root, 'dist/service/service.js');

export async function startCompanyService(): Promise<RunningService> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-company-'));
  const manifest = path.join(root, 'src/service/deploy/service.yaml');
  const args = [program, '--config', manifest, '--data', data, '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    // Read to the end, because the service ends if its log has no reader.
    child.stdout.on('data', (piece) => {
      text += String(piece);
      const listening = /Listening on (http:\/\/[\d.:]+)/.exec(text)?.[1];
      if (listening !== undefined) resolve(listening);
    });
    void ended.then(() => reject(new Error(`The service didn't start: ${text}`)));
  });
  while (!(await fetch(`${url}/readyz`)).ok) await new Promise((next) => setTimeout(next, 100));
  return {
    url,
    newKey: async (...options) => {
      const create = [program, '--data', data, 'keys', 'create', ...options];
      return (await promisify(execFile)(process.execPath, create)).stdout.trim();
    },
    stop: async () => {
      child.kill();
      await ended;
      await rm(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

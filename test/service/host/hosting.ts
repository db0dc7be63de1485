/** Runs `docs-assistant host` in this process or in one of its own, with bundles from an object store. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import type { ObjectStore } from '../../fakes/objectStore';
import { program } from '../cli/running';

/** Returns an archive of files by their paths. */
export function bundleOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const items = Object.entries(files).map(([name, content]) => ({ name, content }));
  return gzipSync(aTar(items), { level: 1 });
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>` +
  `<body><h1>${title}</h1>${body}</body></html>\n`;

/** Returns a site whose files name their version, also in the names of scripts and in the policy that they need. */
export function versionedSite(version: string): Readonly<Record<string, string>> {
  const script = `app-${createHash('md5').update(version).digest('hex').slice(0, 7)}a.js`;
  const body =
    `<p>version=${version}</p><p>${'text '.repeat(400)}</p>` +
    `<script>/* version=${version} */</script><script src="/assets/${script}"></script>`;
  return {
    'index.html': page(`Home version=${version}`, body),
    'guide.html': page(`Guide version=${version}`, body),
    [`only-${version}.html`]: page(`Only version=${version}`, body),
    '404.html': page(`Not found version=${version}`, body),
    [`assets/${script}`]: `document.title = 'version=${version}';\n${'// filler\n'.repeat(200)}`,
  };
}

/** A folder with the files of a deployment. */
export class DeploymentFiles {
  private constructor(readonly folder: string) {}

  static async create(): Promise<DeploymentFiles> {
    return new DeploymentFiles(await realpath(await mkdtemp(path.join(os.tmpdir(), 'docs-host-'))));
  }

  get values(): string {
    return path.join(this.folder, 'values.yaml');
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  /** Replaces the values file in one step, as a ConfigMap mount does. */
  async write(text: string): Promise<void> {
    const next = path.join(this.folder, '.next.yaml');
    await writeFile(next, text);
    await rename(next, this.values);
  }

  /** Writes values with a link. */
  set(url: string, version?: string): Promise<void> {
    const pin = version === undefined ? '' : `  version: ${version}\n`;
    return this.write(`staticExport:\n  enabled: true\n  bundleUrl: '${url}'\n${pin}`);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An event of a host's log. */
export interface ToldEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A host as a process of its own. */
export class HostProcess {
  readonly events: ToldEvent[] = [];
  /** All that it has printed. */
  output = '';
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly #waiting = new Set<() => void>();
  #rest = '';

  constructor(readonly child: ChildProcess) {
    const take = (text: string): void => {
      this.output += text;
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      take(text);
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.events.push(JSON.parse(line) as ToldEvent);
      for (const check of [...this.#waiting]) check();
    });
    child.stderr?.setEncoding('utf8').on('data', take);
    this.ended = once(child, 'close').then(([code, signal]) => {
      for (const check of [...this.#waiting]) check();
      return (code ?? signal) as number | NodeJS.Signals | null;
    });
  }

  /** Resolves with the first event, from an index on, that meets a condition. */
  async until(is: (event: ToldEvent) => boolean, from = 0): Promise<ToldEvent> {
    for (;;) {
      const found = this.events.slice(from).find(is);
      if (found) return found;
      assert.ok(this.child.exitCode === null && this.child.signalCode === null, this.output);
      await new Promise<void>((resolve) => {
        const check = (): void => {
          this.#waiting.delete(check);
          resolve();
        };
        this.#waiting.add(check);
      });
    }
  }

  /** Resolves with the origin of the server. */
  async origin(): Promise<string> {
    const { url } = await this.until(({ event }) => event === 'listening');
    return String(url).replace(/\/$/, '');
  }

  /** Sends a signal, and waits until the process has ended. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Starts `docs-assistant host` as a process on a free port. */
export function startHostProcess(
  files: DeploymentFiles,
  args: readonly string[] = [],
  { shell }: { readonly shell?: string } = {},
): HostProcess {
  const own = ['host', '--values', files.values, '--data', files.data, '--port', '0', '--json'];
  const command = [program, ...own, ...args];
  const child =
    shell === undefined
      ? spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('bash', ['-c', `${shell}; exec "$@"`, 'bash', process.execPath, ...command], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
  return new HostProcess(child);
}

/** Puts a bundle into the store, and returns a link to it. Each has its own path. */
export function publish(store: ObjectStore, content: Buffer, name: string): string {
  store.content = content;
  return store.presign({ path: `/bundles/${name}.tar.gz` }).url;
}

import path from 'node:path';
import type { Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import type { Log, NewId } from '../../common/ports';
import { startPreview } from './previewServer';

/** A preview that runs in this window. */
export interface RunningPreview {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly siteFolder: string;
}

interface PreviewPorts {
  readonly newId: NewId;
  readonly log: Log;
}

interface Running extends RunningPreview {
  readonly basePath: string;
  readonly allowHost: (host: string) => void;
  readonly stop: () => Promise<void>;
}

/** The previews of this window: one server per site folder, closed with the window. */
export class Previews implements Disposable {
  readonly #ports: PreviewPorts;
  readonly #changed = new Emitter<void>();
  readonly #running = new Map<string, Running>();
  /** Last start of each folder. Starts of the same folder run one after another. */
  readonly #starts = new Map<string, Promise<RunningPreview>>();
  #isDisposed = false;

  readonly onDidChange = this.#changed.event;

  constructor(ports: PreviewPorts) {
    this.#ports = ports;
  }

  get list(): readonly RunningPreview[] {
    return [...this.#running.values()];
  }

  /**
   * Returns the running preview of a folder, or starts one.
   * @param basePath path that the site is made for, such as `/docs`, if a check has found one. A running
   * preview with another base path is replaced.
   * @throws {ExportError} the errors of `startPreview`.
   */
  async start(siteFolder: string, label: string, basePath = ''): Promise<RunningPreview> {
    const previous = this.#starts.get(siteFolder)?.catch(() => undefined) ?? Promise.resolve();
    const start = previous.then(() => this.#runningOrNew(siteFolder, label, basePath));
    this.#starts.set(siteFolder, start);
    try {
      return await start;
    } finally {
      if (this.#starts.get(siteFolder) === start) this.#starts.delete(siteFolder);
    }
  }

  /** Allows requests to the host from which VS Code forwards the preview's port. */
  allowHost(id: string, host: string): void {
    this.#running.get(id)?.allowHost(host);
  }

  async stop(id: string): Promise<void> {
    const preview = this.#running.get(id);
    if (!preview) return;
    this.#running.delete(id);
    this.#changed.fire();
    await preview.stop();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const { stop } of this.#running.values()) void stop();
    this.#running.clear();
    this.#changed.dispose();
  }

  async #runningOrNew(
    siteFolder: string,
    label: string,
    basePath: string,
  ): Promise<RunningPreview> {
    const running = [...this.#running.values()].find((each) => each.siteFolder === siteFolder);
    if (running?.basePath === basePath) return running;
    if (running) await this.stop(running.id);
    const { newId, log } = this.#ports;
    const server = await startPreview({ root: siteFolder, basePath, log });
    const { url } = server;
    const stop = (): Promise<void> => server.stop();
    const allowHost = (host: string): void => server.allowHost(host);
    const preview = { id: newId(), url, label, siteFolder, basePath, allowHost, stop };
    if (this.#isDisposed) {
      await stop();
      return preview;
    }
    this.#running.set(preview.id, preview);
    void server.whenStopped.then(() => {
      if (this.#running.delete(preview.id)) this.#changed.fire();
    });
    log.info(`A preview of ${path.basename(siteFolder)} runs at ${url}`);
    this.#changed.fire();
    return preview;
  }
}

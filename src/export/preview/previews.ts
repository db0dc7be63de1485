import path from 'node:path';
import { Emitter } from '../../common/event';
import type { Disposable } from '../../common/disposable';
import type { Log, NewId } from '../../common/ports';
import { startPreview } from '../../staticExport/previewServer';
import type { RunningPreview, RunningPreviews } from './openedSites';

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
export class Previews implements RunningPreviews, Disposable {
  readonly #ports: PreviewPorts;
  readonly #changed = new Emitter<void>();
  readonly #running = new Map<string, Running>();
  /** The last start of each folder: one follows the other. */
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
   * The preview of a folder: the one that runs, else a new one.
   * @param basePath path that the site is made for, such as `/docs`, where a check has found one. A
   * preview that runs for another makes way.
   * @throws {ExportError} as `startPreview`.
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

  /** Lets a preview answer to the host that VS Code forwards its port from. */
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
    const server = await startPreview({
      root: siteFolder,
      basePath,
      log,
      newId,
    });
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

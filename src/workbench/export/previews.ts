import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../common/event';
import type { Disposable } from '../../common/disposable';
import type { Log, NewId } from '../../common/ports';
import { startPreview } from '../../staticExport/previewServer';
import type { RunningPreview, RunningPreviews } from './openedSites';

interface PreviewPorts {
  readonly newId: NewId;
  readonly log: Log;
}

const SIMPLE_BROWSER = 'vscode.simple-browser';

/** The previews of this window: one server per site folder, closed with the window. */
export class Previews implements RunningPreviews, Disposable {
  readonly #ports: PreviewPorts;
  readonly #changed = new Emitter<void>();
  readonly #running = new Map<string, RunningPreview & { readonly stop: () => Promise<void> }>();
  readonly #starting = new Map<string, Promise<RunningPreview>>();

  readonly onDidChange = this.#changed.event;

  constructor(ports: PreviewPorts) {
    this.#ports = ports;
  }

  get list(): readonly RunningPreview[] {
    return [...this.#running.values()];
  }

  /** The preview of a folder: the one that runs, else a new one. */
  async start(siteFolder: string, label: string): Promise<RunningPreview> {
    const running = this.list.find((preview) => preview.siteFolder === siteFolder);
    if (running) return running;
    const starting =
      this.#starting.get(siteFolder) ??
      this.#start(siteFolder, label).finally(() => this.#starting.delete(siteFolder));
    this.#starting.set(siteFolder, starting);
    return starting;
  }

  /** Shows a preview inside VS Code where the Simple Browser is there, else outside. */
  async show({ url }: RunningPreview): Promise<void> {
    const address = await vscode.env.asExternalUri(vscode.Uri.parse(url));
    if (vscode.extensions.getExtension(SIMPLE_BROWSER)) {
      await vscode.commands.executeCommand('simpleBrowser.show', address.toString(true));
    } else {
      await vscode.env.openExternal(address);
    }
  }

  async openOutside({ url }: RunningPreview): Promise<void> {
    await vscode.env.openExternal(vscode.Uri.parse(url));
  }

  async stop(id: string): Promise<void> {
    const preview = this.#running.get(id);
    if (!preview) return;
    this.#running.delete(id);
    this.#changed.fire();
    await preview.stop();
  }

  dispose(): void {
    for (const { stop } of this.#running.values()) void stop();
    this.#running.clear();
    this.#changed.dispose();
  }

  async #start(siteFolder: string, label: string): Promise<RunningPreview> {
    const { newId, log } = this.#ports;
    const server = await startPreview({ root: siteFolder, log, newId });
    const { url } = server;
    const preview = { id: newId(), url, label, siteFolder, stop: () => server.stop() };
    this.#running.set(preview.id, preview);
    void server.whenStopped.then(() => {
      if (this.#running.delete(preview.id)) this.#changed.fire();
    });
    log.info(`A preview of ${path.basename(siteFolder)} runs at ${url}`);
    this.#changed.fire();
    return preview;
  }
}

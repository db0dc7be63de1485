import type * as vscode from 'vscode';
import type { Disposable } from '../../common/disposable';
import { DisposableStore } from '../../common/disposable';
import type { Clock, NewId } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { OutputLog } from '../outputLog';
import type { WorkbenchSettings } from '../settings';
import type { DocsFeature } from './docsFeature';

/** Services that the composition root gives to the local docs service. */
export interface LocalServicePorts {
  readonly extensionUri: vscode.Uri;
  /** The extension's storage folder, which all windows share. */
  readonly storageUri: vscode.Uri;
  readonly site: ActiveSite;
  readonly settings: Pick<WorkbenchSettings, 'docsFolder'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: OutputLog;
  /** Remembers what is served, so that a reloaded window serves it again. */
  readonly memento: vscode.Memento;
  /** Keeps the sets of docs, for all windows. */
  readonly globalState: vscode.Memento;
}

/** Key of the docs that this workspace answers from, in its memento. */
export const SERVED_DOCS = 'localService';

/**
 * The part of the local docs service that loads at the start. The rest loads with the first docs that
 * are chosen, or if this workspace answered from some before.
 */
export class LocalService implements Disposable {
  readonly #ports: LocalServicePorts;
  readonly #store = new DisposableStore();
  #feature: Promise<DocsFeature> | undefined;

  constructor(ports: LocalServicePorts) {
    this.#ports = ports;
  }

  /** Loads the feature once. After a failure, the next call tries again. */
  feature(): Promise<DocsFeature> {
    this.#feature ??= import('./docsFeature').then(
      ({ createDocsFeature }) => this.#store.add(createDocsFeature(this.#ports)),
      (error: unknown) => {
        this.#feature = undefined;
        throw error;
      },
    );
    return this.#feature;
  }

  /** Serves the docs again that were served when the window closed, if any. */
  async resume(): Promise<void> {
    if (this.#ports.site.local || this.#ports.memento.get(SERVED_DOCS) === undefined) return;
    await (await this.feature()).resume();
  }

  async stop(): Promise<void> {
    await (await this.feature()).stop();
  }

  dispose(): void {
    this.#store.dispose();
  }
}

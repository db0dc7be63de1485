import * as vscode from 'vscode';
import * as v from 'valibot';
import { DisposableStore, type Disposable } from '../common/disposable';
import type { Log } from '../common/ports';
import type { ActiveSite } from './activeSite';
import { commands, contextKeys } from './contributions';
import type { LocalDocs, LocalServiceProcess } from './localServiceProcess';
import { plainText, translate } from './notifications';

interface LocalServicePorts {
  readonly extensionUri: vscode.Uri;
  /** The extension's folder on this machine, of all windows. */
  readonly storageUri: vscode.Uri;
  readonly site: ActiveSite;
  readonly log: Log;
  /** Where the folder that is served is remembered, so that a reload serves it again. */
  readonly memento: vscode.Memento;
}

const SERVED_DOCS = 'localService';
const servedDocsSchema = v.object({ folder: v.string(), label: v.string() });

/** *Start* and *Stop Local Docs Service*: the one child process of this window and its site. */
export class LocalService implements Disposable {
  readonly #ports: LocalServicePorts;
  readonly #store = new DisposableStore();
  #process: LocalServiceProcess | undefined;
  #starting: AbortController | undefined;

  constructor(ports: LocalServicePorts) {
    this.#ports = ports;
  }

  /** Asks what to serve, starts the service over it and sends this window's questions there. */
  async start(): Promise<void> {
    const { chooseDocs } = await import('./chooseDocs');
    const docs = await chooseDocs(this.#ports.extensionUri);
    if (docs) await this.#serve(docs);
  }

  /** What this workspace served last and, if it does not run yet, {@link resume} serves again. */
  get servedDocs(): LocalDocs | undefined {
    const docs = v.safeParse(servedDocsSchema, this.#ports.memento.get(SERVED_DOCS));
    return docs.success ? docs.output : undefined;
  }

  /** Serves again what was served when the window closed. Says nothing if there was nothing. */
  async resume(): Promise<void> {
    if (this.#ports.site.local || this.#starting) return;
    const docs = this.servedDocs;
    if (docs) await this.#serve(docs);
  }

  async stop(): Promise<void> {
    this.#starting?.abort(new Error('Stopped'));
    this.#process?.stop();
    await this.#forget();
    void vscode.window.showInformationMessage(translate('The local docs service is stopped.'));
  }

  dispose(): void {
    const starting = this.#starting;
    // What was served stays remembered for the next window.
    this.#starting = undefined;
    starting?.abort(new Error('Closed'));
    this.#store.dispose();
  }

  async #serve(docs: LocalDocs): Promise<void> {
    // A second start replaces the first, even one that is still on its way.
    this.#starting?.abort(new Error('Started again'));
    const starting = new AbortController();
    this.#starting = starting;
    try {
      const service = await this.#loadProcess(docs);
      const site = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: plainText(translate('Starting the local docs service over {0}…', docs.label)),
          cancellable: true,
        },
        (_progress, token) => {
          const registration = token.onCancellationRequested(() => {
            starting.abort(new Error('Cancelled'));
          });
          return service.start(docs, starting.signal).finally(() => {
            registration.dispose();
          });
        },
      );
      this.#ports.site.useLocal(site);
      await this.#ports.memento.update(SERVED_DOCS, docs);
      await setRunning(true);
    } catch (error) {
      if (this.#starting !== starting) return;
      await this.#forget();
      if (starting.signal.aborted) return;
      await this.#sayFailure(docs, error instanceof Error ? error.message : String(error));
    }
  }

  /** The process and its libraries are loaded when the first service starts. */
  async #loadProcess(docs: LocalDocs): Promise<LocalServiceProcess> {
    this.#process?.dispose();
    const { LocalServiceProcess } = await import('./localServiceProcess');
    this.#process = this.#store.add(
      new LocalServiceProcess({
        script: vscode.Uri.joinPath(this.#ports.extensionUri, 'dist', 'localService.js').fsPath,
        stateFolder: vscode.Uri.joinPath(this.#ports.storageUri, 'localService').fsPath,
        log: this.#ports.log,
        onDidIndex: (pages) => {
          vscode.window.setStatusBarMessage(
            translate('Local docs service: {0} pages from {1}', pages, docs.label),
            5000,
          );
        },
        onDidCrash: (reason) => {
          void this.#forget();
          void this.#sayFailure(docs, reason);
        },
      }),
    );
    return this.#process;
  }

  async #forget(): Promise<void> {
    if (this.#ports.site.local) this.#ports.site.useLocal(undefined);
    await this.#ports.memento.update(SERVED_DOCS, undefined);
    await setRunning(false);
  }

  async #sayFailure(docs: LocalDocs, reason: string): Promise<void> {
    this.#ports.log.warn(`The local docs service ended: ${reason}`);
    const again = translate('Start Again');
    const openLog = translate('Open Log');
    const chosen = await vscode.window.showErrorMessage(
      plainText(translate('The local docs service over {0} ended: {1}', docs.label, reason)),
      again,
      openLog,
    );
    if (chosen === again) await this.#serve(docs);
    else if (chosen === openLog) await vscode.commands.executeCommand(commands.openLog);
  }
}

async function setRunning(isRunning: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', contextKeys.isLocalServiceRunning, isRunning);
}

import * as v from 'valibot';
import * as vscode from 'vscode';
import { commands, contextKeys } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import type { Log } from '../../common/ports';
import { untilAborted } from '../../common/clock';
import type { LocalServiceProcess } from '../../localService/server/localServiceProcess';
import { localDocsSchema, servedText, type LocalDocs } from '../../localService/server/servedDocs';
import type { ActiveSite } from '../../site/activeSite';
import { plainText, translate } from '../notifications';
import type { WorkbenchSettings } from '../settings';

interface LocalServicePorts {
  readonly extensionUri: vscode.Uri;
  /** The extension's storage folder, which all windows share. */
  readonly storageUri: vscode.Uri;
  readonly site: ActiveSite;
  readonly settings: Pick<WorkbenchSettings, 'docsFolder'>;
  readonly log: Log;
  /** Remembers what is served, so that a reloaded window serves it again. */
  readonly memento: vscode.Memento;
}

const SERVED_DOCS = 'localService';

/**
 * Runs *Start* and *Stop Local Docs Service*: the one child process of this window, and its site.
 */
export class LocalService implements Disposable {
  readonly #ports: LocalServicePorts;
  readonly #store = new DisposableStore();
  readonly #indexed = this.#store.add(new Emitter<number>());
  #process: LocalServiceProcess | undefined;
  #starting: AbortController | undefined;

  constructor(ports: LocalServicePorts) {
    this.#ports = ports;
  }

  /**
   * Starts the service over docs that the user chooses, and sends this window's questions there.
   * Ends with a message that tells how many pages are served.
   * @returns false if the user cancelled or the service failed, which has been shown then.
   */
  async start(): Promise<boolean> {
    const docs = await this.#choose();
    return docs !== undefined && (await this.#serveAndTell(docs));
  }

  /** The docs that this workspace served last. {@link resume} serves them again. */
  get servedDocs(): LocalDocs | undefined {
    const docs = v.safeParse(localDocsSchema, this.#ports.memento.get(SERVED_DOCS));
    return docs.success ? docs.output : undefined;
  }

  /** Serves the docs again that were served when the window closed, if any. Shows no message. */
  async resume(): Promise<void> {
    if (this.#ports.site.local || this.#starting) return;
    const docs = this.servedDocs;
    if (docs) await this.#serve(docs, vscode.ProgressLocation.Window);
  }

  async stop(): Promise<void> {
    this.#starting?.abort(new Error('Stopped'));
    this.#process?.stop();
    await this.#forget();
    void vscode.window.showInformationMessage(translate('The local docs service is stopped.'));
  }

  dispose(): void {
    const starting = this.#starting;
    // The docs stay remembered for the next window.
    this.#starting = undefined;
    starting?.abort(new Error('Closed'));
    this.#store.dispose();
  }

  async #choose(): Promise<LocalDocs | undefined> {
    const { extensionUri, settings } = this.#ports;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      ({ uri }) => uri.scheme === 'file',
    );
    const sample = translate('Sample Docs');
    const choices = [
      ...folders.map((folder) => {
        const docsFolder = settings.docsFolder(folder);
        const { path } = folder.uri;
        const label = docsFolder ? folder.name + docsFolder.path.slice(path.length) : folder.name;
        return {
          label: `$(folder) ${label}`,
          description: docsFolder
            ? translate('docs root of this workspace')
            : translate('folder of this workspace'),
          docs: { kind: 'folder' as const, folder: (docsFolder ?? folder.uri).fsPath, label },
        };
      }),
      {
        label: `$(folder-opened) ${translate('Choose a Folder…')}`,
        description: translate('Markdown or MDX on this machine'),
        docs: undefined,
      },
      {
        label: `$(book) ${sample}`,
        description: translate('docs of an imaginary product, to try things out'),
        docs: {
          kind: 'folder' as const,
          folder: vscode.Uri.joinPath(extensionUri, 'dist', 'sampleDocs').fsPath,
          label: sample,
        },
      },
    ];
    const chosen = await vscode.window.showQuickPick(choices, {
      title: translate('Start Local Docs Service'),
      placeHolder: translate('Choose the docs to answer from'),
    });
    return chosen && (chosen.docs ?? (await chooseFolder()));
  }

  /** Serves the docs and tells how many pages are served. */
  async #serveAndTell(docs: LocalDocs): Promise<boolean> {
    const pages = await this.#serve(docs, vscode.ProgressLocation.Notification);
    if (pages === undefined) return false;
    const text = plainText(servedText(pages, docs, translate));
    if (pages === 0) void vscode.window.showWarningMessage(text);
    else void vscode.window.showInformationMessage(text);
    return true;
  }

  /**
   * Starts the service and waits until it has read the docs. Questions go to it as soon as it
   * listens, so that a large folder does not hold them back.
   * @returns the number of pages, or undefined if it did not start.
   */
  async #serve(docs: LocalDocs, location: vscode.ProgressLocation): Promise<number | undefined> {
    // A second start replaces the first one, even if the first is still on its way.
    this.#starting?.abort(new Error('Started again'));
    const starting = new AbortController();
    this.#starting = starting;
    const title = translate('Starting the local docs service for {0}', docs.label);
    try {
      return await vscode.window.withProgress(
        { location, title: plainText(title), cancellable: true },
        async (progress, token) => {
          const registration = token.onCancellationRequested(() => {
            starting.abort(new Error('Cancelled'));
          });
          let indexed: Disposable | undefined;
          try {
            const service = await this.#makeProcess(docs);
            const pages = new Promise<number>((resolve) => {
              indexed = this.#indexed.event(resolve);
            });
            this.#ports.site.useLocal(await service.start(docs, starting.signal));
            await this.#ports.memento.update(SERVED_DOCS, docs);
            await setRunning(true);
            progress.report({ message: translate('reading pages…') });
            return await untilAborted(pages, starting.signal);
          } finally {
            registration.dispose();
            indexed?.dispose();
          }
        },
      );
    } catch (error) {
      if (this.#starting !== starting) return undefined;
      this.#process?.stop();
      await this.#forget();
      if (starting.signal.aborted) return undefined;
      await this.#showFailure(docs, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Makes the process for the docs. Its code is loaded when the first service starts. */
  async #makeProcess(docs: LocalDocs): Promise<LocalServiceProcess> {
    this.#process?.dispose();
    const { LocalServiceProcess } = await import('../../localService/server/localServiceProcess');
    this.#process = this.#store.add(
      new LocalServiceProcess({
        script: vscode.Uri.joinPath(this.#ports.extensionUri, 'dist', 'localService.js').fsPath,
        stateFolder: vscode.Uri.joinPath(this.#ports.storageUri, 'localService').fsPath,
        log: this.#ports.log,
        onDidIndex: (pages) => this.#indexed.fire(pages),
        onDidCrash: (reason) => {
          this.#starting?.abort(new Error(reason));
          void this.#forget();
          void this.#showFailure(docs, reason);
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

  async #showFailure(docs: LocalDocs, reason: string): Promise<void> {
    this.#ports.log.warn(`The local docs service stopped: ${reason}`);
    const again = translate('Start Again');
    const openLog = translate('Open Log');
    const chosen = await vscode.window.showErrorMessage(
      plainText(translate('The local docs service for {0} stopped: {1}', docs.label, reason)),
      again,
      openLog,
    );
    if (chosen === again) await this.#serveAndTell(docs);
    else if (chosen === openLog) await vscode.commands.executeCommand(commands.openLog);
  }
}

async function chooseFolder(): Promise<LocalDocs | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: translate('Serve This Folder'),
    })) ?? [];
  if (!folder) return undefined;
  if (folder.scheme !== 'file') {
    void vscode.window.showWarningMessage(
      translate('The local docs service can only read folders on this machine.'),
    );
    return undefined;
  }
  return {
    kind: 'folder',
    folder: folder.fsPath,
    label: folder.path.split('/').at(-1) ?? folder.fsPath,
  };
}

async function setRunning(isRunning: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', contextKeys.isLocalServiceRunning, isRunning);
}

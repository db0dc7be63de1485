/** Builds *Choose Docs…*, the kept sets and the local docs service. Loaded on first use. */
import * as vscode from 'vscode';
import { contextKeys } from '../../common/contributions';
import type { Disposable } from '../../common/disposable';
import { DisposableStore } from '../../common/disposable';
import { isProcessAlive } from '../../common/isProcessAlive';
import { exists } from '../../common/onDisk';
import type { Clock, Fetch, KeyStore, Log, NewId } from '../../common/ports';
import { importedPackages } from '../../chat/context/importedPackages';
import { OpenedSites } from '../../export/commands/storedSites';
import { describeExportError } from '../../export/exportErrors';
import { ExportMemento } from '../../export/job/record';
import { folderKind } from '../../docs/sources/folderKind';
import { modelServerPorts } from '../../service/sets/machineModels';
import type { ModelOffer } from '../../service/sets/modelOffer';
import { parseLocalDocs, type LocalDocs } from '../../service/server/servedDocs';
import {
  chooseDocs,
  chooseInstalled,
  confirmSite,
  type ChosenDocs,
  type KnownBundle,
} from '../../service/sets/chooseDocs';
import type { DocsPickContent, WorkspaceDocs } from '../../service/sets/docsPick';
import type { LocalSite } from '../../common/localSite';
import { DocsServer } from '../../service/sets/docsServer';
import { DocsSets, isSameDocs } from '../../service/sets/docsSets';
import { OwnFolders } from '../../service/sets/ownFolders';
import type { ActiveSite } from '../../site/activeSite';
import type { AnswersWith, OfferedWriter } from '../../shared/protocol';
import { setNumberLanguage, sizeText } from '../../shared/units';
import { translate } from '../notifications';
import type { WorkbenchSettings } from '../settings';
import { windowUi } from '../windowUi';
import { ModelHost } from './models';

/** Services that the local docs service uses. */
export interface DocsFeaturePorts {
  readonly extensionUri: vscode.Uri;
  /** The extension's storage folder, which all windows share. */
  readonly storageUri: vscode.Uri;
  readonly site: ActiveSite;
  readonly settings: Pick<WorkbenchSettings, 'docsFolder'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly fetch: Fetch;
  /** Ports of model servers on this machine, separated by commas. Undefined for the usual ones. */
  readonly modelPorts: string | undefined;
  /** Milliseconds between two pieces of a reply, for tests. The service's own if undefined. */
  readonly replyPace: string | undefined;
  /** Keys of model endpoints, each bound to its origin. */
  readonly keys: KeyStore;
  /** Tells which models of VS Code the reader has allowed. */
  readonly access: vscode.LanguageModelAccessInformation;
  /** Keeps the sets of docs, for all windows. */
  readonly globalState: vscode.Memento;
  /** Returns the stored docs that this workspace answered from last. */
  readonly remembered: () => unknown;
  readonly remember: (docs: LocalDocs | undefined) => Promise<void>;
}

/** The part of the local docs service that loads when it is needed. */
export interface DocsFeature extends Disposable {
  /**
   * Serves the docs that the reader chooses from a list.
   * @param argument the docs, if the caller knows them already.
   * @returns whether this window answers from docs that were chosen now.
   */
  choose(title: string, argument?: unknown): Promise<boolean>;
  /** Answers from the installed packages of this workspace. Resolves with whether this window does so now. */
  chooseInstalled(): Promise<boolean>;
  /** Returns the number of installed packages that can be asked about. Reads nothing in Restricted Mode. */
  countInstalled(): Promise<number>;
  /** Answers from a kept set. Resolves with whether this window does so now. */
  serveSet(id: string): Promise<boolean>;
  /** Fetches a public site after the reader has confirmed it, and answers from it. */
  chooseSite(url: string): Promise<boolean>;
  /** Lets the reader choose who writes the replies. */
  answerWith(): Promise<void>;
  /** Tells a service that no window started who writes its replies. */
  tellWriter(): Promise<void>;
  /** Offers the reader's models before the first question. Resolves when the question may be sent. */
  offerModels: ModelOffer['beforeQuestion'];
  /** Takes or refuses the open offer. */
  chooseOffered(writer: OfferedWriter): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export function createDocsFeature(ports: DocsFeaturePorts): DocsFeature {
  const { extensionUri, storageUri, globalState, clock, newId, log } = ports;
  setNumberLanguage(vscode.env.language);
  const store = new DisposableStore();
  const closing = new AbortController();
  store.add({ dispose: () => closing.abort() });
  const ui = windowUi(closing.signal);
  const sets = new DocsSets({ memento: globalState, clock, newId, log });
  const folders = new OwnFolders({
    root: vscode.Uri.joinPath(storageUri, 'docsSets').fsPath,
    clock,
    newId,
    log,
    isAlive: isProcessAlive,
    processId: process.pid,
  });
  const sample: LocalDocs = {
    kind: 'folder',
    folder: vscode.Uri.joinPath(extensionUri, 'dist', 'sampleDocs').fsPath,
    label: translate('Sample Docs'),
  };
  const modelPorts = modelServerPorts(ports.modelPorts);
  const models = store.add(new ModelHost({ ...ports, ui, modelPorts, memento: globalState }));
  const server = store.add(
    new DocsServer({
      ui,
      sets,
      folders,
      clock,
      log,
      sample,
      site: {
        get local() {
          return ports.site.local;
        },
        useLocal: (site) => useSite(ports, site, models.answersWith),
      },
      makeProcess: (hooks) =>
        models.makeProcess({
          paceMs: ports.replyPace === undefined ? undefined : Number(ports.replyPace),
          script: vscode.Uri.joinPath(extensionUri, 'dist', 'localService.js').fsPath,
          stateFolder: vscode.Uri.joinPath(storageUri, 'localService').fsPath,
          language: vscode.env.language,
          translate,
          log,
          ...hooks,
        }),
      unpack: async (archive, target, report, signal) => {
        const { unpackBundle } = await import('../../export/archive/unpack');
        const { siteRoot } = await unpackBundle({
          archive,
          target,
          newId,
          signal,
          onProgress: ({ files, totalFiles, bytes }) =>
            report({
              message: translate('{0} of {1} files, {2}', files, totalFiles, sizeText(bytes)),
            }),
        });
        return siteRoot;
      },
      importedNow: () =>
        vscode.window.visibleTextEditors.flatMap(({ document }) =>
          importedPackages(document.languageId, document.getText()).map(({ name }) => name),
        ),
      errorText: (error) => describeExportError(error, translate).message,
      remember: ports.remember,
    }),
  );
  const installed = async (): Promise<DocsPickContent['installed']> => {
    const choices = await installedHere(ports);
    const { served, facts } = server;
    return choices === 'needs-trust'
      ? choices
      : choices.map((choice) =>
          served && isSameDocs(served, choice.docs)
            ? { ...choice, pages: facts.pages, sizeBytes: facts.sizeBytes }
            : choice,
        );
  };
  const choosing = {
    installed,
    manageTrust: async () => {
      await vscode.commands.executeCommand('workbench.trust.manage');
    },
    ui,
    sets,
    clock,
    sample,
    workspace: () => workspaceDocs(ports),
    served: () => server.served,
    bundles: () => knownBundles(ports),
    folderKind,
    rename: (...args: Parameters<DocsServer['rename']>) => server.rename(...args),
    remove: (...args: Parameters<DocsServer['remove']>) => server.remove(...args),
  };
  const resume = async (): Promise<void> => {
    const docs = parseLocalDocs(ports.remembered());
    // Packages belong to the workspace, which may not be read until it is trusted.
    if (docs?.kind === 'installed' && !vscode.workspace.isTrusted) return;
    if (docs) await server.resume(docs);
  };
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void resume()));
  return {
    choose: async (title, argument) => {
      const chosen = given(argument) ?? (await chooseDocs(choosing, title));
      return chosen !== undefined && (await server.serve(chosen));
    },
    chooseInstalled: async () => {
      const chosen = await chooseInstalled(choosing);
      return chosen !== undefined && (await server.serve(chosen));
    },
    countInstalled: async () => {
      const choices = await installed();
      return choices === 'needs-trust' ? 0 : (choices[0]?.packages ?? 0);
    },
    serveSet: async (id) => {
      const set = sets.get(id);
      if (set) return server.serve({ kind: 'set', set, isRefresh: false });
      void ui.fail(translate('These docs are no longer kept on this machine.'));
      return false;
    },
    chooseSite: async (url) => {
      const chosen = await confirmSite(choosing, url);
      return chosen !== undefined && (await server.serve(chosen));
    },
    answerWith: () => models.choose(),
    tellWriter: () => models.tellWriter(),
    offerModels: (show, signal) => models.offer(show, signal),
    chooseOffered: (writer) => models.chooseOffered(writer),
    resume,
    stop: async () => {
      const wasServing = ports.site.local !== undefined;
      await server.stop();
      if (wasServing) void ui.inform(translate('The local docs service is stopped.'));
    },
    dispose: () => store.dispose(),
  };
}

/** Returns the docs that a caller of the command names, such as *Ask This Bundle*. */
function given(argument: unknown): ChosenDocs | undefined {
  const docs = parseLocalDocs(argument);
  // A site is fetched only after the reader has confirmed it, and packages are read only in a trusted workspace.
  return docs && docs.kind !== 'site' && docs.kind !== 'installed'
    ? { kind: 'docs', docs }
    : undefined;
}

function useSite(
  { site }: DocsFeaturePorts,
  next: LocalSite | undefined,
  answersWith: AnswersWith,
): void {
  site.useLocal(next && { answersWith, ...next });
  const isRunning = next !== undefined;
  void vscode.commands.executeCommand('setContext', contextKeys.isLocalServiceRunning, isRunning);
}

/** Returns the installed packages of the workspace's folders on this machine. */
async function installedHere({ log }: DocsFeaturePorts): Promise<DocsPickContent['installed']> {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  const roots = workspaceFolders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
  if (roots.length === 0) return [];
  if (!isTrusted) return 'needs-trust';
  const { installedChoices } = await import('../../service/sets/installedChoices');
  const active = vscode.window.activeTextEditor?.document.uri;
  const activeFile = active?.scheme === 'file' ? active.fsPath : undefined;
  return installedChoices({ roots, activeFile, label: translate('Installed Packages'), log });
}

function workspaceDocs({ settings }: DocsFeaturePorts): readonly WorkspaceDocs[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap((folder): WorkspaceDocs[] => {
    if (folder.uri.scheme !== 'file') return [];
    const root = settings.docsFolder(folder);
    const label = root ? folder.name + root.path.slice(folder.uri.path.length) : folder.name;
    return [
      {
        docs: { kind: 'folder', folder: (root ?? folder.uri).fsPath, label },
        isDocsRoot: root !== undefined,
      },
    ];
  });
}

/** Returns the bundles that static export knows and that are still on this machine. */
async function knownBundles(ports: DocsFeaturePorts): Promise<readonly KnownBundle[]> {
  const { globalState, clock, log } = ports;
  const records = await new ExportMemento({ memento: globalState, clock, log }).list();
  const known: KnownBundle[] = [];
  for (const { exportDomain: label, siteFolder, archive } of records) {
    if (siteFolder !== undefined && (await exists(siteFolder))) {
      known.push({ label, folder: siteFolder });
    } else if (archive && (await exists(archive.path))) {
      known.push({ label, archive: archive.path });
    }
  }
  for (const { folder, label } of new OpenedSites(globalState).list) {
    if (await exists(folder)) known.push({ label, folder });
  }
  return known;
}

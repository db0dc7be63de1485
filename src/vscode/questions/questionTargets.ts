/** Opens the docs that questions are asked about: a folder, a bundle, chosen docs or the live site. */
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../common/errorCode';
import { DocsAssistantError } from '../../common/errors';
import type { Clock, Log } from '../../common/ports';
import { activeTarget } from '../../docsTools/activeTarget';
import type { DocsTarget } from '../../docsTools/toolCall';
import { LocalServiceProcess } from '../../service/server/localServiceProcess';
import type { LocalDocs } from '../../service/server/servedDocs';
import { DocsRun } from '../../service/sets/docsRun';
import type { ActiveSite, AskSettings } from '../../site/activeSite';
import { translate } from '../notifications';
import type { WorkbenchSettings } from '../settings';

export interface QuestionTargetPorts {
  readonly extensionUri: vscode.Uri;
  readonly site: ActiveSite;
  readonly settings: Pick<WorkbenchSettings, 'docsFolder'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Docs that take questions. */
export interface OpenedDocs {
  readonly target: DocsTarget;
  /** Fires when changed pages are indexed and can be asked about. */
  readonly onDidChangePages?: vscode.Event<void>;
  /** Returns whether the docs are no longer served, because their service ended by itself. */
  readonly hasEnded?: () => boolean;
  /** Ends the service that was started for them, if one was. */
  readonly close: () => void;
}

/** Thrown if docs can't be asked. The message says why and what to do. */
export class DocsUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DocsUnavailable';
  }
}

/**
 * Returns the folder of docs that the questions of a file are about: the docs root of the workspace
 * folder if it is set, or else the folder that holds the file.
 * @throws {DocsUnavailable} for a folder that isn't on this machine.
 */
export function docsOfFile(
  uri: vscode.Uri,
  { settings }: Pick<QuestionTargetPorts, 'settings'>,
): LocalDocs {
  if (uri.scheme !== 'file') {
    throw new DocsUnavailable(
      translate('The local docs service can read only files and folders on this machine.'),
    );
  }
  const root = vscode.workspace.getWorkspaceFolder(uri);
  const folder = (root && settings.docsFolder(root)?.fsPath) ?? path.dirname(uri.fsPath);
  return { kind: 'folder', folder, label: path.basename(folder) };
}

/**
 * Serves docs on this machine for questions. Their replies are quotes, so that a run has the same
 * result each time and asks no model.
 * @throws {DocsUnavailable} with the service's own sentence, or the signal's reason.
 */
export async function openLocalDocs(
  docs: LocalDocs,
  ports: QuestionTargetPorts,
  signal: AbortSignal,
): Promise<OpenedDocs> {
  const { extensionUri, site, clock, log } = ports;
  const changed = new vscode.EventEmitter<void>();
  let hasEnded = false;
  const run: DocsRun = new DocsRun(
    {
      translate,
      clock,
      makeProcess: (hooks) =>
        new LocalServiceProcess({
          script: vscode.Uri.joinPath(extensionUri, 'dist', 'localService.js').fsPath,
          paceMs: 0,
          language: vscode.env.language,
          translate,
          log,
          ...hooks,
          onDidChangePages: () => changed.fire(),
        }),
      onDidChange: () => undefined,
      onDidCrash: (_run, reason) => {
        hasEnded = true;
        log.warn(`The docs of a run are no longer served: ${reason}`);
      },
    },
    docs,
  );
  const close = (): void => {
    run.dispose();
    changed.dispose();
  };
  try {
    await run.start(() => Promise.resolve(), signal);
  } catch (error) {
    close();
    signal.throwIfAborted();
    throw new DocsUnavailable(translate('{0} can’t be read: {1}', docs.label, messageOf(error)));
  }
  const { site: served } = run;
  if (!served) throw new Error('The local docs service has no site');
  if (run.facts.pages === 0) {
    close();
    throw new DocsUnavailable(
      translate(
        'No pages found in {0}. The local docs service reads Markdown, MDX and HTML.',
        docs.label,
      ),
    );
  }
  const { url, domain, key } = served;
  return {
    target: {
      settings: withoutFilter(site.askSettings, url, domain),
      label: docs.label,
      key,
      spendsCredit: false,
      local: { url, domain, key },
    },
    onDidChangePages: changed.event,
    hasEnded: () => hasEnded,
    close,
  };
}

/**
 * Returns the docs that this window answers from. Their service already runs.
 * @throws {DocsUnavailable} if none are chosen.
 */
export async function chosenDocs({ site }: Pick<QuestionTargetPorts, 'site'>): Promise<OpenedDocs> {
  const target = site.local ? await activeTarget(site) : undefined;
  const url = target?.settings.baseUrl;
  const domain = target?.settings.assistantDomain;
  if (!target || url === undefined || domain === undefined) {
    throw new DocsUnavailable(
      translate('No docs are chosen in this window. Run “Choose Docs…” first.'),
    );
  }
  const settings = withoutFilter(target.settings, url, domain);
  return { target: { ...target, settings }, close: () => undefined };
}

/**
 * Returns the hosted site of this window, even while the window answers from docs on this machine.
 * @throws {DocsUnavailable} if none is set up.
 * @throws {DocsAssistantError} `secret-store-failed`.
 */
export async function liveSite({ site }: Pick<QuestionTargetPorts, 'site'>): Promise<OpenedDocs> {
  const { hosted, askSettings } = site;
  if (!hosted) {
    throw new DocsUnavailable(translate('No docs site is set up. Run “Set Up Docs Site…” first.'));
  }
  if (askSettings.unavailable) throw new DocsAssistantError(askSettings.unavailable);
  const { baseUrl, domain, label, fp = askSettings.fp } = hosted;
  const { origin, host } = new URL(baseUrl);
  const key = await site.read('assistant', origin);
  if (key === undefined) throw new DocsAssistantError('not-signed-in', { host });
  return {
    target: {
      settings: { ...withoutFilter(askSettings, baseUrl, domain), fp },
      label: `${label ?? domain} · ${host}`,
      key,
      spendsCredit: true,
    },
    close: () => undefined,
  };
}

/** Returns settings for a run. Filters are in the file, so that it has the same result for everyone. */
function withoutFilter(
  { unavailable: _, ...settings }: AskSettings,
  baseUrl: string,
  assistantDomain: string,
): AskSettings {
  return { ...settings, baseUrl, assistantDomain, filter: {} };
}

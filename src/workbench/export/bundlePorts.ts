import type * as vscode from 'vscode';
import type { Clock, Fetch, Log, NewId } from '../../common/ports';
import type { RequestTimeouts } from '../../common/guardedRequest';
import type { ExportCommandId } from '../exportContributions';
import type { Exports, ExportView } from '../../staticExport/exports';
import type { CheckReports } from './checkReports';
import type { ExportUi } from './exportUi';
import type { OpenedSiteMemento } from './openedSiteMemento';
import type { Previews } from './previews';

/** What the commands about a bundle work with. */
export interface BundlePorts {
  readonly exports: Exports;
  readonly sites: OpenedSiteMemento;
  readonly previews: Previews;
  readonly reports: CheckReports;
  /**
   * The export that a command is about: the tree's node, or one that the person chooses.
   * @returns undefined if the person left, or was told that there is none.
   */
  readonly pickExport: (
    node: unknown,
    fits: (view: ExportView) => boolean,
    none: string,
  ) => Promise<ExportView | undefined>;
  /** A value in global state, such as the folder that was last downloaded to. */
  readonly memento: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly ui: ExportUi;
  /** Aborts when the window closes or the extension is switched off: what runs by then ends. */
  readonly lifetime: AbortSignal;
  /** Hours that a link in a values file must last at least. */
  readonly mustLastHours: () => number;
  readonly timeouts: () => RequestTimeouts;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** What a command runs, given what the tree or a caller handed to it. */
export type BundleHandler = (node?: unknown) => Promise<void>;

export type BundleHandlers = Readonly<Partial<Record<ExportCommandId, BundleHandler>>>;

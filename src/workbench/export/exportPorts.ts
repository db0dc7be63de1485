import type * as vscode from 'vscode';
import type { Disposable } from '../../common/disposable';
import type { Clock, Fetch, KeyStore, Log, NewId } from '../../common/ports';
import type { ActiveSite } from '../activeSite';
import type { ExportCommandId } from '../exportContributions';
import type { SeenSecrets } from '../keyStore';
import type { WorkbenchSettings } from '../settings';
import type { ExportNode } from './openedSites';

/** What the composition root hands to static export. */
export interface ExportFeaturePorts {
  readonly globalState: vscode.Memento;
  readonly globalStorageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly keys: KeyStore;
  /** Keys that passed through this window: kept out of what services say. */
  readonly seen: SeenSecrets;
  readonly site: ActiveSite;
  /** Serves again what this window served before; nothing if it served nothing. */
  readonly resumeLocalService: () => Promise<void>;
  readonly settings: WorkbenchSettings;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** All of static export that is loaded lazily. */
export interface ExportFeature extends Disposable {
  readonly tree: vscode.TreeDataProvider<ExportNode>;
  /** Countdowns run only while somebody can see them. */
  setTreeVisible(isVisible: boolean): void;
  /** Runs a command; what it throws is shown with its ways out. */
  run(command: ExportCommandId, args: readonly unknown[]): Promise<void>;
  /** Reads what is stored and goes on watching the jobs that run. Safe to call again. */
  restore(): Promise<void>;
}

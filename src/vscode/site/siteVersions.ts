/** Follows the installed version of the package that the asked site's docs are about. Loaded when it is needed. */
import * as vscode from 'vscode';
import { workspaceSettings } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Fetch, Log } from '../../common/ports';
import { InstalledVersions } from '../../docs/sources/installed/installedVersions';
import { searchableDocs } from '../../docsTools/localDocs';
import type { LocalSite } from '../../common/localSite';
import type { ActiveSite } from '../../site/activeSite';
import { parseRecommendations, recommendationOf } from '../../site/recommendedSites';
import { installedSiteVersion, versionFor } from '../../site/siteVersion';
import { configured } from './recommendations';

interface SiteVersionsPorts {
  readonly site: ActiveSite;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lockfiles, which package managers write when packages were installed. They aren't read. */
const lockfiles =
  '**/{package-lock.json,npm-shrinkwrap.json,pnpm-lock.yaml,yarn.lock,bun.lock,bun.lockb}';

/** A place in the workspace from which packages are found. */
interface CodePlace {
  /** Absolute path of a file or folder. */
  readonly from: string;
  /** Absolute path of the workspace folder. */
  readonly root: string;
}

/**
 * Tells the site which version of its package is installed for the file in the editor, if the workspace recommends
 * the site with the names of packages and is trusted.
 */
export class SiteVersions implements Disposable {
  readonly #ports: SiteVersionsPorts;
  readonly #store = new DisposableStore();
  /** Finders by workspace folder. */
  readonly #finders = new Map<string, InstalledVersions>();
  /** Versions of the docs of a local service, by its URL. */
  #offered: { readonly url: string; readonly versions: readonly string[] } | undefined;
  #isRunning = false;
  #isStale = false;

  constructor(ports: SiteVersionsPorts) {
    this.#ports = ports;
    const refresh = (): void => this.refresh();
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(lockfiles));
    this.#store.add(watcher.onDidChange(refresh));
    this.#store.add(watcher.onDidCreate(refresh));
    this.#store.add(watcher.onDidDelete(refresh));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(refresh));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(refresh));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(workspaceSettings.recommendedSites)) refresh();
      }),
    );
    this.#store.add(ports.site.onDidChange(refresh));
  }

  /** Looks up the version again, once for all calls that come while it is looked up. */
  refresh(): void {
    this.#isStale = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#update().finally(() => {
      this.#isRunning = false;
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #update(): Promise<void> {
    const { site, log } = this.#ports;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#look();
      } catch (error) {
        log.warn(`The installed version can’t be looked up: ${errorCodeOrName(error)}`);
        site.useInstalled(undefined);
      }
    }
  }

  async #look(): Promise<void> {
    const { site } = this.#ports;
    const siteId = site.threadSite.id;
    const { local } = site;
    const recommended = vscode.workspace.isTrusted
      ? recommendationOf(parseRecommendations(configured()).recommendations, site)
      : undefined;
    const place = recommended && placeOfCode(recommended.folder);
    const found =
      recommended && place
        ? await installedSiteVersion(recommended, {
            find: (name) => this.#finderIn(place.root).find(name, place.from),
            offered: () => this.#versionsOf(local),
          })
        : undefined;
    site.useInstalled(found && { siteId, ...found, preselected: versionFor(found) });
  }

  #finderIn(root: string): InstalledVersions {
    const known = this.#finders.get(root);
    if (known) return known;
    const { log } = this.#ports;
    const isTrusted = (): boolean => vscode.workspace.isTrusted;
    const finder = new InstalledVersions({ root, isTrusted, log });
    this.#finders.set(root, finder);
    return finder;
  }

  async #versionsOf(local: LocalSite | undefined): Promise<readonly string[]> {
    if (!local) return [];
    if (this.#offered?.url === local.url) return this.#offered.versions;
    const { signal } = new AbortController();
    const { versions } = await searchableDocs(this.#ports, local).filters(signal);
    // Pages that are still being read can have versions.
    if (versions.length > 0) this.#offered = { url: local.url, versions };
    return versions;
  }
}

/** Returns the file in the editor, or else the folder of that name, or else the first one. */
function placeOfCode(name: string | undefined): CodePlace | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const ofFile = uri?.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  if (uri && ofFile) return { from: uri.fsPath, root: ofFile.uri.fsPath };
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(
    (folder) => folder.uri.scheme === 'file',
  );
  const folder = folders.find((each) => each.name === name) ?? folders[0];
  return folder && { from: folder.uri.fsPath, root: folder.uri.fsPath };
}

/** Serves one set of docs at a time in this window. Uses `node:fs` to check whether folders exist. */
import { mkdir } from 'node:fs/promises';
import { messageOf } from '../../common/errorCode';
import { commands } from '../../common/contributions';
import type { Translate } from '../../common/errors';
import type { Disposable } from '../../common/disposable';
import { exists, isFolder } from '../../common/onDisk';
import type { LocalSite } from '../../common/localSite';
import type { Clock, Log } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { Report } from '../../docs/readingReport';
import { servedText, type LocalDocs } from '../server/servedDocs';
import type { ChosenDocs } from './chooseDocs';
import { DocsRun, type RunFacts, type ServiceHooks, type ServiceProcess } from './docsRun';
import { isSameDocs, type DocsSet, type DocsSets } from './docsSets';
import { offer, type WindowUi } from '../../common/windowUi';
import type { OwnFolders } from './ownFolders';

interface DocsServerPorts {
  readonly ui: WindowUi;
  readonly sets: DocsSets;
  readonly folders: OwnFolders;
  readonly clock: Clock;
  readonly log: Log;
  /** The sample docs of this version of the extension. They never become a kept set. */
  readonly sample: LocalDocs;
  readonly site: {
    readonly local: LocalSite | undefined;
    useLocal(site: LocalSite | undefined): void;
  };
  readonly makeProcess: (hooks: ServiceHooks) => ServiceProcess;
  /**
   * Unpacks a bundle into a folder that doesn't exist yet. If it fails, it removes the folder.
   * @returns the absolute path of the site's root in the folder.
   */
  readonly unpack: (
    archive: string,
    target: string,
    report: Report,
    signal: AbortSignal,
  ) => Promise<string>;
  /** Returns the message for an error of `unpack`. */
  readonly errorText: (error: unknown) => string;
  /** Returns the packages that the code in the editors imports. */
  readonly importedNow?: () => readonly string[];
  /** Stores the docs that this workspace answers from, so that a reloaded window serves them again. */
  readonly remember: (docs: LocalDocs | undefined) => Promise<void>;
}

/** The docs to serve, and the steps before that. */
interface Target {
  readonly docs: LocalDocs;
  readonly set?: DocsSet | undefined;
  /** Archive to unpack first. */
  readonly archive?: string | undefined;
  /** Whether to replace a service that already serves the docs. */
  readonly isAgain?: boolean;
}

interface Attempt {
  readonly setId: string | undefined;
  readonly controller: AbortController;
  /** Resolves when the attempt has ended and, if it failed, was undone. */
  readonly done: Promise<unknown>;
}

/** The folder of the docs to serve no longer exists. */
class DocsGone extends Error {
  override readonly name = 'DocsGone';
}

/**
 * The local docs service of this window, and the site of its docs. New docs replace the old ones once they
 * are complete. If the reader cancels or an error occurs, the service keeps serving the old docs and deletes
 * everything of the new ones.
 */
export class DocsServer implements Disposable {
  readonly #ports: DocsServerPorts;
  #current: DocsRun | undefined;
  #attempt: Attempt | undefined;
  #isDisposed = false;

  constructor(ports: DocsServerPorts) {
    this.#ports = ports;
  }

  /** Docs that this window answers from, or undefined if its service doesn't run. */
  get served(): LocalDocs | undefined {
    return this.#current?.docs;
  }

  /** Facts about the served docs. */
  get facts(): RunFacts {
    return this.#current?.facts ?? {};
  }

  /** Whether a service runs or starts. */
  get isBusy(): boolean {
    return this.#current !== undefined || this.#attempt !== undefined;
  }

  /**
   * Serves the docs that the reader chose, then shows how many pages they have.
   * @returns false if the reader canceled, or if the docs can't be served. A message shows such an error.
   */
  async serve(chosen: ChosenDocs): Promise<boolean> {
    const { sets } = this.#ports;
    switch (chosen.kind) {
      case 'set': {
        const set = sets.get(chosen.set.id) ?? chosen.set;
        if (chosen.isRefresh) return this.#refresh(set);
        return this.#serve({ docs: set.docs, set });
      }
      case 'docs':
        return this.#serve({ docs: chosen.docs });
      case 'archive': {
        const { archive } = chosen;
        return this.#serve({ docs: { kind: 'bundle', folder: '', label: chosen.label }, archive });
      }
      case 'site': {
        const { url, label } = chosen.address;
        return this.#serve({ docs: { kind: 'site', url, folder: '', label } });
      }
    }
  }

  /**
   * Serves the docs again that the window served when it closed. Shows a message only if this fails, and
   * requests nothing from a site.
   */
  async resume(docs: LocalDocs): Promise<void> {
    if (this.isBusy) return;
    const { sample } = this.#ports;
    // An update of the extension moves the sample docs to another folder.
    const isSample = docs.label === sample.label && !(await isFolder(docs.folder));
    await this.#serve({ docs: isSample ? sample : docs }, { isResumed: true });
  }

  /** Stops the service, or cancels its start. */
  async stop(): Promise<void> {
    this.#attempt?.controller.abort(new Error('Stopped'));
    await this.#attempt?.done;
    const current = this.#current;
    this.#current = undefined;
    this.#ports.site.useLocal(undefined);
    await this.#ports.remember(undefined);
    if (current) await this.#end(current);
  }

  async rename(set: DocsSet, label: string): Promise<void> {
    const { sets, remember } = this.#ports;
    const rename = (docs: LocalDocs): LocalDocs => ({ ...docs, label });
    await sets.change(set.id, (stored) => ({ ...stored, docs: rename(stored.docs) }));
    const current = this.#current;
    if (current?.setId !== set.id) return;
    current.docs = rename(current.docs);
    this.#useSiteOf(current);
    await remember(current.docs);
  }

  /** Removes a set, and deletes the pages that were fetched or unpacked for it. */
  async remove(set: DocsSet): Promise<void> {
    if ([this.#attempt, this.#current].some((each) => each?.setId === set.id)) await this.stop();
    await this.#drop(set);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#attempt?.controller.abort(new Error('Closed'));
    if (this.#current) void this.#end(this.#current);
  }

  async #refresh(set: DocsSet): Promise<boolean> {
    const { docs, archive } = set;
    if (docs.kind === 'bundle' && archive !== undefined && (await exists(archive))) {
      return this.#serve({ docs, set, archive, isAgain: true });
    }
    if (docs.kind !== 'site') return this.#serve({ docs, set, isAgain: true });
    const isServed = this.#current?.setId === set.id;
    // If the pages are missing, starting the service already fetches them.
    const isFetched = await isFolder(docs.folder);
    if (!isServed && !(await this.#serve({ docs, set }, { isSilent: isFetched }))) return false;
    return !isFetched || this.#fetchAgain();
  }

  /** Fetches the served site again and waits for the end of the fetch. */
  async #fetchAgain(): Promise<boolean> {
    const { ui } = this.#ports;
    const { translate: t } = ui;
    const current = this.#current;
    if (!current) return false;
    const { label } = current.docs;
    try {
      const isDone = await ui.progress(t('Fetching {0} again', label), async (report, signal) => {
        current.report = report;
        await current.fetchAgain(signal);
        return true;
      });
      if (isDone) this.#tellServed(current);
    } catch (error) {
      // The service still has the pages of the last fetch, so it keeps running.
      void ui.fail(t('{0} couldn’t be fetched again: {1}', label, messageOf(error)));
    }
    return this.#current === current;
  }

  /** Cancels an earlier attempt, waits for its end, and serves the docs. */
  async #serve(
    { docs, set: known, ...work }: Target,
    options: { readonly isResumed?: boolean; readonly isSilent?: boolean } = {},
  ): Promise<boolean> {
    const earlier = this.#attempt;
    earlier?.controller.abort(new Error('Replaced'));
    const set = known ?? this.#ports.sets.find(docs);
    const target = { ...work, docs: set?.docs ?? docs, set };
    const controller = new AbortController();
    const serve = async (): Promise<boolean> => {
      await earlier?.done;
      const current = this.#current;
      if (controller.signal.aborted) return false;
      if (current && target.isAgain !== true && isSameDocs(current.docs, target.docs)) {
        this.#useSiteOf(current);
        return true;
      }
      return this.#run(target, controller.signal, options);
    };
    const run = serve();
    const attempt = { setId: set?.id, controller, done: run.catch(() => undefined) };
    this.#attempt = attempt;
    try {
      return await run;
    } finally {
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  async #run(
    target: Target,
    replaced: AbortSignal,
    { isResumed = false, isSilent = false }: { isResumed?: boolean; isSilent?: boolean },
  ): Promise<boolean> {
    const { ui, site } = this.#ports;
    const { translate: t } = ui;
    const before = { current: this.#current, site: site.local };
    const run = this.#newRun(target);
    const { label } = run.docs;
    try {
      const isWhole = await ui.progress(
        progressTitle(target, label, t),
        async (report, canceled) => {
          const signal = AbortSignal.any([canceled, replaced]);
          run.report = report;
          await this.#prepare(run, target, isResumed, signal);
          await this.#start(run, signal);
          return true;
        },
        { quiet: isResumed },
      );
      if (!isWhole) {
        await this.#undo(run, before);
        return false;
      }
      await this.#keep(run, target);
    } catch (error) {
      await this.#undo(run, before);
      if (!replaced.aborted) this.#showFailure(error, target, label, run);
      return false;
    }
    if (!isResumed && !isSilent) this.#tellServed(run);
    return true;
  }

  #newRun({ docs, set }: Target): DocsRun {
    const { clock, importedNow, makeProcess, sets, ui } = this.#ports;
    const named = set || !this.#isKept(docs) ? docs : sets.named(docs);
    return new DocsRun(
      {
        clock,
        makeProcess,
        importedNow,
        translate: ui.translate,
        onDidChange: (run) => this.#noteChange(run),
        onDidCrash: (run, reason) => this.#crashed(run, reason),
      },
      named,
      set,
    );
  }

  /** Makes sure that the folder of the docs exists. Unpacks or creates a folder of the extension. */
  async #prepare(
    run: DocsRun,
    { set, archive }: Target,
    isResumed: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { folders, ui, unpack } = this.#ports;
    const { translate: t } = ui;
    const { docs } = run;
    const beside = docs.kind === 'installed' ? docs.beside : undefined;
    const isThere =
      docs.folder !== '' &&
      (await isFolder(docs.folder)) &&
      (beside === undefined || (await isFolder(beside.folder)));
    const source = archive ?? (isThere || docs.kind !== 'bundle' ? undefined : set?.archive);
    if (source !== undefined && (archive !== undefined || (await exists(source)))) {
      await this.#createFolder(run);
      const folder = folders.pathOf(run.ownFolder ?? '', 'site');
      run.docs = { ...docs, folder: await unpack(source, folder, run.report, signal) };
    } else if (isThere) {
      // The pages of a kept set that is asked beside the packages are in use, too.
      const own = (beside ? this.#ports.sets.find(beside) : set)?.ownFolder;
      if (own !== undefined) await folders.use(own);
      run.ownFolder = own;
    } else if (docs.kind !== 'site') {
      throw new DocsGone(t('The folder of {0} no longer exists.', docs.label));
    } else if (isResumed) {
      throw new DocsGone(t('The pages of {0} are no longer on this machine.', docs.label));
    } else {
      run.isFetch = true;
      await this.#createFolder(run);
      const folder = folders.pathOf(run.ownFolder ?? '', 'pages');
      await mkdir(folder, { recursive: true });
      run.docs = { ...docs, folder };
    }
  }

  async #createFolder(run: DocsRun): Promise<void> {
    run.ownFolder = await this.#ports.folders.create();
    run.isNewFolder = true;
  }

  async #start(run: DocsRun, signal: AbortSignal): Promise<void> {
    await run.start(async () => {
      this.#useSiteOf(run);
      // The first fetch of a set must be complete before the workspace stores it.
      if (!run.isFetch) await this.#ports.remember(run.docs);
    }, signal);
  }

  #noteChange(run: DocsRun): void {
    if (this.#current !== run) return;
    this.#useSiteOf(run);
    if (run.setId === undefined) return;
    const { packages: _packages, ...facts } = run.facts;
    void this.#ports.sets.change(run.setId, (set) => ({ ...set, ...facts }));
  }

  /** Stores the set, and ends the service of the previous docs. */
  async #keep(run: DocsRun, { set, archive }: Target): Promise<void> {
    const { sets, folders, remember } = this.#ports;
    const { ownFolder, facts } = run;
    const previous = this.#current;
    this.#current = run;
    if (previous) await this.#end(previous);
    const { packages: _packages, ...counts } = facts;
    const more = withoutUndefined({ ...counts, ownFolder, archive });
    const change = (stored: DocsSet): DocsSet => ({
      ...stored,
      ...more,
      docs: { ...run.docs, label: stored.docs.label },
      usedAt: this.#ports.clock.now(),
    });
    if (this.#isKept(run.docs)) {
      const kept = (set && (await sets.change(set.id, change))) ?? (await sets.add(run.docs, more));
      run.setId = kept.id;
      run.docs = kept.docs;
      run.threadName = kept.threadName ?? kept.docs.label;
      // A refreshed bundle was unpacked into a new folder.
      const old = set?.ownFolder;
      if (old !== undefined && old !== kept.ownFolder) await folders.remove(old);
      for (const surplus of sets.surplus) await this.#drop(surplus);
    }
    this.#useSiteOf(run);
    await remember(run.docs);
    await folders.sweep(sets.list.flatMap(({ ownFolder: name }) => name ?? []));
  }

  /** Undoes a run that failed or was canceled. */
  async #undo(
    run: DocsRun,
    before: { readonly current: DocsRun | undefined; readonly site: LocalSite | undefined },
  ): Promise<void> {
    const { folders, site, remember } = this.#ports;
    const { ownFolder, isNewFolder } = run;
    if (this.#current === run) this.#current = undefined;
    await this.#end(run);
    if (ownFolder !== undefined && isNewFolder) await folders.remove(ownFolder);
    // A window that closes must not change the stored docs, which the next window serves.
    if (this.#isDisposed) return;
    // The site of the previous service is only restored if this service has not crashed in the meantime.
    if (run.site) site.useLocal(before.current === this.#current ? before.site : undefined);
    await remember(this.#current?.docs);
  }

  /** Ends the process of a run, and releases its folder. */
  async #end(run: DocsRun): Promise<void> {
    run.dispose();
    const { ownFolder } = run;
    if (ownFolder !== undefined) await this.#ports.folders.release(ownFolder);
  }

  async #drop({ id, ownFolder }: DocsSet): Promise<void> {
    await this.#ports.sets.remove(id);
    if (ownFolder !== undefined) await this.#ports.folders.remove(ownFolder);
  }

  #crashed(run: DocsRun, reason: string): void {
    if (this.#current !== run) return;
    const { site, remember } = this.#ports;
    this.#current = undefined;
    // Questions may already go to the service of the next docs.
    if (site.local?.url === run.url) {
      site.useLocal(undefined);
      void remember(undefined);
    }
    void this.#end(run);
    const { docs } = run;
    this.#showFailure(new Error(reason), { docs }, docs.label, run);
  }

  #useSiteOf({ site }: DocsRun): void {
    if (site) this.#ports.site.useLocal(site);
  }

  #tellServed({ docs, facts, notes }: DocsRun): void {
    const { ui } = this.#ports;
    const { pages = 0, packages = 0 } = facts;
    const text = [servedText(facts, docs, ui.translate), ...notes].join(' ');
    if (pages + packages === 0 || notes.length > 0) void ui.warn(text);
    else void ui.inform(text);
  }

  #showFailure(error: unknown, target: Target, label: string, { isFetch, url }: DocsRun): void {
    const { ui, log, errorText } = this.#ports;
    const { translate: t } = ui;
    if (error instanceof DocsGone) {
      const steps = { [t('Choose Docs…')]: () => ui.runCommand(commands.chooseDocs) };
      offer(ui, error.message, steps, 'warn');
      return;
    }
    const isUnpacking = target.archive !== undefined && url === undefined;
    const reason = isUnpacking ? errorText(error) : messageOf(error);
    log.warn(`The local docs service stopped: ${reason}`);
    const again = isFetch || isUnpacking ? t('Try Again') : t('Start Again');
    const text = isUnpacking
      ? reason
      : isFetch
        ? t('Can’t fetch {0}: {1}', label, reason)
        : t('The local docs service for {0} stopped: {1}', label, reason);
    const steps = {
      [again]: () => this.#serve(target).then(() => undefined),
      [t('Open Log')]: () => ui.runCommand(commands.openLog),
    };
    offer(ui, text, steps, 'fail');
  }

  /** Returns whether docs become a kept set. The sample and the packages of a workspace are always on offer. */
  #isKept(docs: LocalDocs): boolean {
    return docs.kind !== 'installed' && !isSameDocs(docs, this.#ports.sample);
  }
}

/** Returns the title of the progress notification. */
function progressTitle({ docs, archive }: Target, label: string, t: Translate): string {
  if (archive !== undefined) return t('Opening {0}', label);
  return docs.folder === ''
    ? t('Fetching {0}', label)
    : t('Starting the local docs service for {0}', label);
}

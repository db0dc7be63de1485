/** The run profiles of docs questions: a folder, chosen docs, a bundle, and the live site. */
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { DocsAssistantError } from '../../common/errors';
import type { OpenedSite } from '../../export/commands/storedSites';
import type { LocalDocs } from '../../service/server/servedDocs';
import { countStatuses } from '../../questions/questionRun';
import { creditsOf } from '../../questions/runQuestions';
import { showError } from '../errorActions';
import type { ExportEntry } from '../export/exportEntry';
import { modals, plainText, say, translate } from '../notifications';
import type { TestedQuestion } from './questionFiles';
import {
  type GroupResult,
  type QuestionGroup,
  type QuestionRunPorts,
  QuestionRuns,
} from './questionRuns';
import {
  chosenDocs,
  docsOfFile,
  DocsUnavailable,
  liveSite,
  openLocalDocs,
  type OpenedDocs,
  type QuestionTargetPorts,
} from './questionTargets';

export interface QuestionProfilePorts extends QuestionRunPorts, QuestionTargetPorts {
  readonly exports: Pick<ExportEntry, 'feature'>;
  /** Serves the docs on this machine again that this workspace answered from last, if any. */
  readonly resumeDocs: () => Promise<void>;
}

/** Registers the run profiles and answers their requests. */
export class QuestionProfiles implements Disposable {
  readonly #ports: QuestionProfilePorts;
  readonly #store = new DisposableStore();
  readonly #runs: QuestionRuns;
  /** Continuous runs that go on. */
  readonly #watching = new Set<AbortController>();
  readonly #folder: vscode.TestRunProfile;

  constructor(ports: QuestionProfilePorts) {
    this.#ports = ports;
    this.#runs = this.#store.add(new QuestionRuns(ports));
    const add = (
      label: string,
      run: (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>,
      { isDefault = false, isContinuous = false } = {},
    ): vscode.TestRunProfile => {
      const kind = vscode.TestRunProfileKind.Run;
      return this.#store.add(
        ports.controller.createRunProfile(label, kind, run, isDefault, undefined, isContinuous),
      );
    };
    this.#folder = add(
      translate('Docs in This Workspace'),
      (request, token) =>
        request.continuous === true ? this.#watch(request, token) : this.runOnFolder(request),
      { isDefault: true, isContinuous: true },
    );
    add(translate('Chosen Docs'), (request) => this.#runOnChosen(request));
    add(translate('Bundle…'), (request) => this.#runOnBundle(request));
    add(translate('Live Site'), (request) => this.#runOnSite(request));
  }

  /** Runs each question on the folder of docs that it belongs to. */
  async runOnFolder(request: vscode.TestRunRequest): Promise<void> {
    const groups = this.#folderGroups(this.#runs.requested(request));
    await this.#runs.run(request, translate('Docs in This Workspace'), groups);
  }

  /**
   * Runs the questions on a bundle that the reader chooses and on the folder of docs, and shows
   * which answers were lost and gained.
   * @param items to compare. All by default.
   */
  async compareWithBundle(items?: readonly vscode.TestItem[]): Promise<void> {
    const request = new vscode.TestRunRequest(items, undefined, this.#folder);
    const questions = this.#runs.requested(request);
    if (questions.length === 0) {
      say(
        translate('There are no docs questions yet. Add one to a file named docs-questions.yaml.'),
      );
      return;
    }
    const bundle = await this.#chooseBundle(translate('Compare Questions With a Bundle'));
    if (!bundle) return;
    const groups = this.#folderGroups(questions);
    const name = translate('Compared With {0}', bundle.label);
    const other = this.#bundleGroup(bundle, questions);
    await this.#runs.inRun(request, name, groups, async (test, signal) => {
      const before = await this.#runs.openAndAsk(other, { test, showsResults: false }, signal);
      // A canceled run says nothing about the bundle as a whole.
      if (!before || signal.aborted) return;
      await this.#note(bundle, before);
      for (const group of groups) {
        const compared = { ...group, baseline: before.run };
        await this.#runs.openAndAsk(compared, { test, showsResults: true }, signal);
      }
    });
  }

  dispose(): void {
    for (const controller of this.#watching) controller.abort();
    this.#store.dispose();
  }

  async #runOnChosen(request: vscode.TestRunRequest): Promise<void> {
    const questions = this.#runs.requested(request);
    await this.#ports.resumeDocs();
    const { local } = this.#ports.site;
    const label = local?.label ?? translate('Chosen Docs');
    const group: QuestionGroup = {
      place: { kind: 'chosen', id: local?.threadName ?? label },
      label,
      questions,
      open: () => chosenDocs(this.#ports),
    };
    await this.#runs.run(request, label, [group]);
  }

  async #runOnBundle(request: vscode.TestRunRequest): Promise<void> {
    const questions = this.#runs.requested(request);
    if (questions.length === 0) return;
    const bundle = await this.#chooseBundle(translate('Ask the Questions About a Bundle'));
    if (!bundle) return;
    const group = this.#bundleGroup(bundle, questions);
    await this.#runs.run(request, bundle.label, [group], (_, result) => this.#note(bundle, result));
  }

  /** Runs the questions on the live site, each time after the reader has accepted the cost. */
  async #runOnSite(request: vscode.TestRunRequest): Promise<void> {
    const questions = this.#runs.requested(request);
    if (questions.length === 0) return;
    let open: OpenedDocs;
    try {
      open = await liveSite(this.#ports);
    } catch (error) {
      if (error instanceof DocsUnavailable) {
        void vscode.window.showWarningMessage(plainText(error.message));
      } else if (error instanceof DocsAssistantError) void showError(error, this.#ports.log);
      else throw error;
      return;
    }
    const { target } = open;
    const { baseUrl = '', assistantDomain = '' } = target.settings;
    if (!(await mayAsk(target.label, creditsOf(questions, target)))) return;
    const group: QuestionGroup = {
      place: { kind: 'site', id: `${new URL(baseUrl).origin} ${assistantDomain}` },
      label: target.label,
      questions,
      open: () => Promise.resolve(open),
    };
    await this.#runs.run(request, target.label, [group]);
  }

  /** Runs the questions now and after each change of their docs or files, until it is turned off. */
  async #watch(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const folders = this.#folderGroups(this.#runs.requested(request));
    const controller = new AbortController();
    this.#watching.add(controller);
    const canceled = token.onCancellationRequested(() => controller.abort());
    try {
      await Promise.all(
        folders.map(({ place }) => this.#watchFolder(request, place.id, controller.signal)),
      );
    } finally {
      canceled.dispose();
      this.#watching.delete(controller);
    }
  }

  async #watchFolder(
    request: vscode.TestRunRequest,
    folder: string,
    signal: AbortSignal,
  ): Promise<void> {
    const groupNow = (): QuestionGroup | undefined =>
      this.#folderGroups(this.#runs.requested(request)).find(({ place }) => place.id === folder);
    const name = translate('Docs in This Workspace');
    const store = new DisposableStore();
    let open: OpenedDocs | undefined;
    try {
      const changes = store.add(new Changes(signal));
      store.add(
        this.#ports.files.onDidChange(() => {
          changes.note();
        }),
      );
      while (!signal.aborted) {
        const group = groupNow();
        // A service that ended by itself starts again with the next change.
        if (open?.hasEnded?.() === true) {
          open.close();
          open = undefined;
        }
        if (group) {
          await this.#runs.inRun(request, name, [group], async (test, canceled) => {
            const ending = AbortSignal.any([signal, canceled]);
            try {
              open ??= await this.#openWatched(group, ending, changes);
              await this.#runs.askOpen(group, open, { test, showsResults: true }, ending);
            } catch (error) {
              if (!ending.aborted) this.#runs.fail(group, error, test);
              open?.close();
              open = undefined;
            }
          });
        }
        await changes.next();
      }
    } finally {
      open?.close();
      store.dispose();
    }
  }

  async #openWatched(
    group: QuestionGroup,
    signal: AbortSignal,
    changes: Changes,
  ): Promise<OpenedDocs> {
    const open = await group.open(signal);
    open.onDidChangePages?.(() => {
      changes.note();
    });
    return open;
  }

  /** Returns the questions grouped by the folder of docs that they belong to. */
  #folderGroups(questions: readonly TestedQuestion[]): QuestionGroup[] {
    const groups = new Map<string, { docs: LocalDocs | DocsUnavailable; all: TestedQuestion[] }>();
    for (const tested of questions) {
      const docs = this.#docsOf(tested);
      const key = docs instanceof DocsUnavailable ? tested.uri.toString() : docs.folder;
      const group = groups.get(key) ?? { docs, all: [] };
      group.all.push(tested);
      groups.set(key, group);
    }
    return [...groups].map(([id, { docs, all }]) => ({
      place: { kind: 'folder', id },
      label: docs instanceof DocsUnavailable ? translate('Docs') : docs.label,
      questions: all,
      open: (signal) =>
        docs instanceof DocsUnavailable ? Promise.reject(docs) : this.#open(docs, signal),
    }));
  }

  #docsOf({ uri }: TestedQuestion): LocalDocs | DocsUnavailable {
    try {
      return docsOfFile(uri, this.#ports);
    } catch (error) {
      if (error instanceof DocsUnavailable) return error;
      throw error;
    }
  }

  #bundleGroup({ folder, label }: OpenedSite, questions: readonly TestedQuestion[]): QuestionGroup {
    const docs: LocalDocs = { kind: 'bundle', folder, label };
    return {
      place: { kind: 'bundle', id: folder },
      label,
      questions,
      open: (signal) => this.#open(docs, signal),
    };
  }

  #open(docs: LocalDocs, signal: AbortSignal): Promise<OpenedDocs> {
    return openLocalDocs(docs, this.#ports, signal);
  }

  async #chooseBundle(title: string): Promise<OpenedSite | undefined> {
    try {
      return await (await this.#ports.exports.feature()).chooseBundle(title);
    } catch (error) {
      await showError(error, this.#ports.log);
      return undefined;
    }
  }

  async #note({ folder }: OpenedSite, { run, gained, lost, against }: GroupResult): Promise<void> {
    const { pass, fail, error, skipped } = countStatuses(run.results);
    const { exports } = await this.#ports.exports.feature();
    await exports.noteResult(folder, 'questions', {
      passed: pass,
      failed: fail,
      skipped: skipped + error,
      gained: against === undefined ? undefined : gained,
      lost: against === undefined ? undefined : lost,
      against,
    });
  }
}

/** Changes that aren't handled yet. Several changes in quick succession count as one. */
class Changes implements Disposable {
  readonly #stop: () => void;
  readonly #signal: AbortSignal;
  #isPending = false;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.#stop = () => this.#wake();
    signal.addEventListener('abort', this.#stop);
  }

  note(): void {
    this.#isPending = true;
    this.#wake();
  }

  /** Resolves at the next change, or when the signal aborts. */
  async next(): Promise<void> {
    while (!this.#isPending && !this.#signal.aborted) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#isPending = false;
  }

  dispose(): void {
    this.#signal.removeEventListener('abort', this.#stop);
  }
}

async function mayAsk(site: string, credits: number): Promise<boolean> {
  return modals.confirm(
    credits === 1
      ? translate('Ask {0} 1 question?', site)
      : translate('Ask {0} {1} questions?', site, credits),
    translate('Ask'),
    credits === 1
      ? translate('This costs 1 credit of your organization.')
      : translate('This costs {0} credits of your organization.', credits),
  );
}

/** Runs docs questions as tests of VS Code's Test Explorer. */
import * as vscode from 'vscode';
import type { Disposable } from '../../common/disposable';
import { describeError } from '../../common/describeError';
import { DocsAssistantError } from '../../common/errors';
import type { Clock, Fetch, Log, NewId } from '../../common/ports';
import { compareRuns } from '../../questions/compareRuns';
import {
  countStatuses,
  RUN_VERSION,
  type QuestionResult,
  type QuestionRun,
} from '../../questions/questionRun';
import { pageDifference, questionResultLines, resultMarkdown } from '../../questions/resultText';
import type { RunHistory, RunPlace } from '../../questions/runHistory';
import { runQuestions, type AskedQuestion } from '../../questions/runQuestions';
import { translate } from '../notifications';
import { questionRange, type QuestionFiles, type TestedQuestion } from './questionFiles';
import { DocsUnavailable, type OpenedDocs } from './questionTargets';

export interface QuestionRunPorts {
  readonly controller: vscode.TestController;
  readonly files: QuestionFiles;
  readonly history: RunHistory;
  /** Secrets that this window has seen. They are removed from every question. */
  readonly secrets: { readonly values: readonly string[] };
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Questions that are asked about the same docs. */
export interface QuestionGroup {
  readonly place: RunPlace;
  /** Name of the docs for people. */
  readonly label: string;
  readonly questions: readonly TestedQuestion[];
  /** @throws {DocsUnavailable} or {DocsAssistantError} if the docs can't be asked. */
  readonly open: (signal: AbortSignal) => Promise<OpenedDocs>;
  /** Run that this one is compared with first. The last one against a bundle by default. */
  readonly baseline?: QuestionRun;
}

export interface GroupResult {
  readonly run: QuestionRun;
  /** Numbers of questions that changed, and the name of the run that they are compared with. */
  readonly gained: number;
  readonly lost: number;
  readonly against?: string;
}

/** Run of the Test Explorer that gets the results of a group. */
interface Teller {
  readonly test: vscode.TestRun;
  /**
   * Whether the results are shown at the items. The other side of a comparison only writes output.
   */
  readonly showsResults: boolean;
}

/** Asks groups of questions, one after the other, and shows the results at their items. */
export class QuestionRuns implements Disposable {
  readonly #ports: QuestionRunPorts;
  /** Runs that go on. They end with the window. */
  readonly #running = new Set<AbortController>();

  constructor(ports: QuestionRunPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the questions of a request, in the order of their files. If the request names a file,
   * this includes questions that were added later.
   */
  requested({ include, exclude }: vscode.TestRunRequest): readonly TestedQuestion[] {
    const named = (items: readonly vscode.TestItem[]): ((tested: TestedQuestion) => boolean) => {
      const ids = new Set(items.map(({ id }) => id));
      return ({ item }) =>
        ids.has(item.id) || (item.parent !== undefined && ids.has(item.parent.id));
    };
    const isWanted = include ? named(include) : () => true;
    const isUnwanted = named(exclude ?? []);
    return this.#ports.files.list.filter((tested) => isWanted(tested) && !isUnwanted(tested));
  }

  /** Runs groups in one run of the Test Explorer, until all have ended or the run is canceled. */
  async run(
    request: vscode.TestRunRequest,
    name: string,
    groups: readonly QuestionGroup[],
    onDidEnd?: (group: QuestionGroup, result: GroupResult) => Promise<void>,
  ): Promise<void> {
    await this.inRun(request, name, groups, async (test, signal) => {
      for (const group of groups) {
        const result = await this.openAndAsk(group, { test, showsResults: true }, signal);
        // A canceled run says nothing about the docs as a whole.
        if (result && !signal.aborted) await onDidEnd?.(group, result);
      }
    });
  }

  /** Runs work in a run of the Test Explorer that ends with it. */
  async inRun(
    request: vscode.TestRunRequest,
    name: string,
    groups: readonly QuestionGroup[],
    work: (test: vscode.TestRun, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const test = this.#ports.controller.createTestRun(request, name);
    const controller = new AbortController();
    this.#running.add(controller);
    const canceled = test.token.onCancellationRequested(() => controller.abort());
    for (const { item } of groups.flatMap(({ questions }) => questions)) test.enqueued(item);
    try {
      await work(test, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted)
        this.#ports.log.error('A run of docs questions failed', error);
    } finally {
      canceled.dispose();
      this.#running.delete(controller);
      test.end();
    }
  }

  fail(group: QuestionGroup, error: unknown, test: vscode.TestRun): void {
    const { log } = this.#ports;
    const isKnown = error instanceof DocsUnavailable || error instanceof DocsAssistantError;
    if (!isKnown) log.error('The docs of a run could not be opened', error);
    const text =
      error instanceof DocsUnavailable ? error.message : describeError(error, translate).message;
    print(test, [text]);
    for (const tested of group.questions) test.errored(tested.item, messageAt(tested, text));
  }

  dispose(): void {
    for (const controller of this.#running) controller.abort();
  }

  /**
   * Opens the docs of a group and asks its questions.
   * @returns undefined if the docs can't be asked. Every item of the group shows the error then.
   */
  async openAndAsk(
    group: QuestionGroup,
    teller: Teller,
    signal: AbortSignal,
  ): Promise<GroupResult | undefined> {
    let open: OpenedDocs | undefined;
    try {
      print(teller.test, [translate('Opening {0}…', group.label)]);
      open = await group.open(signal);
      return await this.askOpen(group, open, teller, signal);
    } catch (error) {
      if (signal.aborted) for (const { item } of group.questions) teller.test.skipped(item);
      else this.fail(group, error, teller.test);
      return undefined;
    } finally {
      open?.close();
    }
  }

  /** Asks the questions of a group about docs that are open. */
  async askOpen(
    group: QuestionGroup,
    { target }: OpenedDocs,
    { test, showsResults }: Teller,
    signal: AbortSignal,
  ): Promise<GroupResult> {
    const { clock, history, secrets } = this.#ports;
    const tested = new Map<AskedQuestion, TestedQuestion>();
    for (const each of group.questions) tested.set(askedOf(each), each);
    const startedAt = clock.now();
    const results: QuestionResult[] = [];
    const open = new Set(tested.values());
    print(test, ['', translate('Asking {0}', target.label), '']);
    try {
      const answered = runQuestions(
        [...tested.keys()],
        target,
        {
          ...this.#ports,
          t: translate,
          knownSecrets: () => secrets.values,
          fileOf: decodedPage,
        },
        {
          signal,
          onStart: (asked) => {
            const started = tested.get(asked);
            if (started && showsResults) test.started(started.item);
          },
          onWait: (until) => {
            const seconds = Math.max(1, Math.ceil((until - clock.now()) / 1000));
            print(test, [translate('The service asks you to wait {0} s.', seconds)]);
          },
        },
      );
      for await (const { asked, result } of answered) {
        const each = tested.get(asked);
        if (!each) continue;
        open.delete(each);
        results.push(result);
        print(test, questionResultLines(result, translate), showsResults ? each : undefined);
        if (showsResults) show(each, result, target.label, test);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      // The questions that were answered before keep their results.
      for (const { item } of open) test.skipped(item);
    }
    const run: QuestionRun = {
      version: RUN_VERSION,
      target: { label: target.label, local: target.local !== undefined },
      startedAt: new Date(startedAt).toISOString(),
      durationMs: clock.now() - startedAt,
      results,
    };
    const compared = this.#compare(group, run, { test, showsResults });
    print(test, ['', summaryOf(compared)]);
    await history.note(group.place, run);
    return compared;
  }

  /**
   * Compares a run with the last run on a bundle and with the last run on the same docs, and shows
   * the changes at the items.
   */
  #compare(group: QuestionGroup, run: QuestionRun, { test, showsResults }: Teller): GroupResult {
    const { history } = this.#ports;
    const bundle = group.baseline ?? history.lastBundle(group.place);
    const last = history.last(group.place);
    const items = new Map(group.questions.map((each) => [resultKey(askedOf(each)), each]));
    const told = new Set<TestedQuestion>();
    const tell = (before: QuestionRun, isBundle: boolean): { gained: number; lost: number } => {
      const { gained, lost } = compareRuns(before, run);
      for (const [changes, isLost] of [
        [lost, true],
        [gained, false],
      ] as const) {
        for (const result of changes) {
          const each = items.get(resultKey({ file: result.file, question: result }));
          if (!each || told.has(each) || !showsResults) continue;
          told.add(each);
          showChange(each, { isLost, bundle: isBundle ? before.target.label : undefined }, test);
        }
      }
      return { gained: gained.length, lost: lost.length };
    };
    if (showsResults) for (const { item } of group.questions) item.description = '';
    const sinceBundle = bundle && { ...tell(bundle, true), against: bundle.target.label };
    const sinceLast = last && { ...tell(last, false), against: translate('the last run') };
    return { run, gained: 0, lost: 0, ...(sinceBundle ?? sinceLast) };
  }
}

const askedQuestions = new WeakMap<TestedQuestion, AskedQuestion>();

/** Returns the question for the run. It is the same object each time. */
function askedOf(tested: TestedQuestion): AskedQuestion {
  const known = askedQuestions.get(tested);
  if (known) return known;
  const file = vscode.workspace.asRelativePath(tested.uri, true);
  const asked = { question: tested.question, file };
  askedQuestions.set(tested, asked);
  return asked;
}

function resultKey({
  question,
  file = '',
}: {
  readonly question: { readonly id: string };
  readonly file?: string | undefined;
}): string {
  return `${file}\n${question.id}`;
}

function show(
  tested: TestedQuestion,
  result: QuestionResult,
  docs: string,
  test: vscode.TestRun,
): void {
  const { item, question } = tested;
  const { status, durationMs } = result;
  switch (status) {
    case 'pass':
      test.passed(item, durationMs);
      return;
    case 'skipped':
      test.skipped(item);
      return;
    case 'error':
    case 'fail': {
      const text = new vscode.MarkdownString(resultMarkdown(result, docs, translate));
      const messages = [messageAt(tested, text)];
      const pages = pageDifference(question, result);
      if (pages) {
        const title = translate('Choose the pages that must be among the first sources');
        const difference = vscode.TestMessage.diff(title, pages.expected, pages.actual);
        difference.location = locationOf(tested);
        messages.push(difference);
      }
      if (status === 'fail') test.failed(item, messages, durationMs);
      else test.errored(item, messages, durationMs);
    }
  }
}

/** Shows at an item that its question lost or gained its answer. */
function showChange(
  tested: TestedQuestion,
  { isLost, bundle }: { readonly isLost: boolean; readonly bundle?: string },
  test: vscode.TestRun,
): void {
  const { item } = tested;
  if (!isLost) {
    item.description =
      bundle === undefined
        ? translate('gained since the last run')
        : translate('gained since {0}', bundle);
    return;
  }
  item.description =
    bundle === undefined
      ? translate('lost since the last run')
      : translate('lost since {0}', bundle);
  const text =
    bundle === undefined
      ? translate('Lost: the last run found the answer.')
      : translate('Lost since the last bundle: {0} had the answer.', bundle);
  // Messages of the same item add up in a run.
  test.failed(item, messageAt(tested, text));
}

function messageAt(
  tested: TestedQuestion,
  text: string | vscode.MarkdownString,
): vscode.TestMessage {
  const message = new vscode.TestMessage(text);
  message.location = locationOf(tested);
  return message;
}

function locationOf({ uri, question }: TestedQuestion): vscode.Location {
  return new vscode.Location(uri, questionRange(question).start);
}

/** Prints lines to the output of a run, which is a terminal. */
function print(test: vscode.TestRun, lines: readonly string[], tested?: TestedQuestion): void {
  const text = lines.map((line) => `${line}\r\n`).join('');
  // With a location, VS Code would write the lines into the editor too, below the message of a failure.
  if (tested) test.appendOutput(text, undefined, tested.item);
  else test.appendOutput(text);
}

function summaryOf({ run, gained, lost, against }: GroupResult): string {
  const { pass, fail, error, skipped } = countStatuses(run.results);
  const counts = translate(
    '{0} passed, {1} failed, {2} errors, {3} not asked',
    ...[pass, fail, error, skipped],
  );
  return against === undefined
    ? counts
    : `${counts}. ${translate('Since {0}: {1} lost, {2} gained.', against, lost, gained)}`;
}

/** Returns the name of a page for people, from its percent-encoded path and fragment. */
function decodedPage(page: string): string {
  // The local docs service names the beginning of a page so.
  const path = page.replace(/#_top$/, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

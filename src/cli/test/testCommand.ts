/** `docs-assistant test`: asks the questions of files and checks the replies. Uses Node's own `fetch`. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { DocsAssistantError, type Translate } from '../../common/errors';
import type { DocsTarget } from '../../docsTools/docsTools';
import { compareRuns, type RunComparison } from '../../questions/compareRuns';
import { type QuestionResult, type QuestionRun, RUN_VERSION } from '../../questions/questionRun';
import { githubAnnotations } from '../../questions/report/githubAnnotations';
import { junitReport } from '../../questions/report/junitReport';
import {
  type AskedQuestion,
  creditsOf,
  runQuestions,
  type RunPorts,
  skippedResult,
} from '../../questions/runQuestions';
import { plainLine } from '../../shared/characters';
import { errorCodes, type ErrorCode } from '../../shared/errorInfo';
import { durationText } from '../../shared/units';
import { CliError, exitCodes, type CliContext } from '../context';
import { keysOf, openDocsTarget, type OpenedTarget, type TargetOptions } from '../docsTarget';
import { askFailure, reportFailure } from '../failure';
import { ReportFiles } from '../reportFile';
import { stderrLog } from '../stderrLog';
import { StatusLine } from '../terminal/statusLine';
import { lookOf } from '../terminal/style';
import { type FileProblem, readEarlierRun, readQuestionFiles } from './questionFiles';
import { ResultPrinter } from './resultPrinter';

/** Options of the command, as the parser of arguments returns them. */
export interface TestOptions extends TargetOptions {
  readonly junit?: string;
  /** File, or `-` for stdout. */
  readonly json?: string;
  readonly github?: boolean;
  readonly before?: string;
  readonly docsBefore?: string;
  readonly failOn?: 'failed' | 'lost';
  readonly maxCredits?: number;
  /** Milliseconds. */
  readonly maxWait?: number;
  readonly parallel?: number;
  readonly replies?: boolean;
}

/**
 * Runs the questions of files.
 * @returns the exit code. Failures have been reported then.
 */
export async function runTest(
  files: readonly string[],
  options: TestOptions,
  context: CliContext,
): Promise<number> {
  const status = new StatusLine(context.stderr, context.env);
  let reports: ReportFiles | undefined;
  try {
    reports = new ReportFiles(context);
    return await new TestRun(options, context, status, reports).run(files);
  } catch (error) {
    status.clear();
    return await reportFailure(error, context);
  } finally {
    await reports?.release();
  }
}

class TestRun {
  readonly #options: TestOptions;
  readonly #context: CliContext;
  readonly #status: StatusLine;
  readonly #reports: ReportFiles;

  constructor(options: TestOptions, context: CliContext, status: StatusLine, reports: ReportFiles) {
    this.#options = options;
    this.#context = context;
    this.#status = status;
    this.#reports = reports;
  }

  async run(files: readonly string[]): Promise<number> {
    const { before, docsBefore, failOn } = this.#options;
    const { signal, t } = this.#context;
    if (before !== undefined && docsBefore !== undefined) {
      throw new CliError(exitCodes.usage, t('Choose one: --before or --docs-before.'));
    }
    if (failOn === 'lost' && before === undefined && docsBefore === undefined) {
      throw new CliError(exitCodes.usage, t('--fail-on lost needs --before or --docs-before.'));
    }
    const { questions, problems } = await readQuestionFiles(files, this.#context);
    this.#printProblems(problems);
    if (problems.some(({ severity }) => severity === 'error')) {
      throw new CliError(
        exitCodes.usage,
        t('The questions have errors. Correct them, then try again.'),
      );
    }
    const earlier = before === undefined ? undefined : await readEarlierRun(before, this.#context);
    if (docsBefore !== undefined) {
      const { refuseMissingDocs } = await import('../localDocs');
      await refuseMissingDocs(docsBefore, this.#context);
    }
    const junit = await this.#reports.reserve(this.#options.junit);
    const json = await this.#reports.reserve(
      this.#options.json === '-' ? undefined : this.#options.json,
    );
    const run = await this.#runAt(this.#options, questions, true);
    const { run: other, failure } = await this.#runBefore(questions);
    const comparedWith = earlier ?? other;
    const comparison = comparedWith && compareRuns(comparedWith, run);
    this.#status.clear();
    this.#printer()?.summary(run, comparison);
    await junit?.write(junitReport(run));
    const results = withComparison(run, comparison);
    await json?.write(`${JSON.stringify(results, null, 2)}\n`);
    if (this.#options.json === '-') this.#context.stdout.json(results, 2);
    if (this.#options.github === true) this.#annotate(run.results);
    // The results from before an interruption are printed and saved by now.
    signal.throwIfAborted();
    if (failure) throw failure.error;
    return exitCodeOf(run, comparison, failOn, t);
  }

  /**
   * Asks the docs before. A failure is returned, because the results of the other docs are saved first:
   * their questions can have cost credits.
   */
  async #runBefore(
    questions: readonly AskedQuestion[],
  ): Promise<{ readonly run?: QuestionRun; readonly failure?: { readonly error: unknown } }> {
    const { docsBefore } = this.#options;
    if (docsBefore === undefined || this.#context.signal.aborted) return {};
    const { site: _site, baseUrl: _baseUrl, ...options } = this.#options;
    try {
      return { run: await this.#runAt({ ...options, docs: docsBefore }, questions, false) };
    } catch (error) {
      return { failure: { error } };
    }
  }

  /** Asks the docs that the options name. @param isShown whether each result is printed. */
  async #runAt(
    options: TestOptions,
    questions: readonly AskedQuestion[],
    isShown: boolean,
  ): Promise<QuestionRun> {
    const { stderr, signal } = this.#context;
    const opened = await openDocsTarget(options, {
      ...this.#context,
      log: stderrLog(options.verbose === true ? stderr : undefined),
      onProgress: (sentence) => this.#status.show(sentence),
      onNotice: (sentence) => this.#tell(sentence),
    });
    try {
      this.#tellCredits(questions, opened.target);
      const startedAt = systemClock.now();
      const results = await this.#results(questions, opened, isShown ? this.#printer() : undefined);
      const { label, local } = opened.target;
      return {
        version: RUN_VERSION,
        target: { label, local: local !== undefined },
        startedAt: new Date(startedAt).toISOString(),
        durationMs: systemClock.now() - startedAt,
        results,
      };
    } finally {
      // A local service that stops in the middle of an answer would only print another error.
      if (signal.aborted) this.#status.clear();
      await opened.close();
    }
  }

  #tellCredits(questions: readonly AskedQuestion[], target: DocsTarget): void {
    const { t } = this.#context;
    const { maxCredits = Infinity } = this.#options;
    const credits = creditsOf(questions, target);
    if (credits === 0) return;
    if (credits > maxCredits) {
      throw new CliError(
        exitCodes.usage,
        t(
          'The questions can cost {0} credits, but --max-credits allows {1}. Raise --max-credits, or ask fewer questions.',
          credits,
          maxCredits,
        ),
      );
    }
    this.#tell(t('Asking {0}. This can cost up to {1} credits.', target.label, credits));
  }

  /** Returns the results in the order of the questions. They are printed in this order too. */
  async #results(
    questions: readonly AskedQuestion[],
    { target }: OpenedTarget,
    printer: ResultPrinter | undefined,
  ): Promise<QuestionResult[]> {
    const { stderr, signal, t, env } = this.#context;
    const { maxWait, parallel, verbose } = this.#options;
    const ports: RunPorts = {
      clock: systemClock,
      newId: randomUUID,
      t,
      fetch: (url, init) => globalThis.fetch(url, init),
      log: stderrLog(verbose === true ? stderr : undefined),
      knownSecrets: () => keysOf(env),
      errorText: (error) => askFailure(error, t).message,
    };
    const done = new Map<AskedQuestion, QuestionResult>();
    let printed = 0;
    const progress = (): void =>
      this.#status.show(t('{0} of {1} questions asked…', done.size, questions.length));
    const printReady = (): void => {
      for (let next = questions[printed]; next; next = questions[printed]) {
        const result = done.get(next);
        if (!result) return;
        printed += 1;
        this.#status.clear();
        printer?.result(result);
      }
    };
    try {
      progress();
      const run = runQuestions(questions, target, ports, {
        signal,
        atOnce: parallel,
        maxWaitMs: maxWait,
        onWait: (until) => this.#tellWait(until),
      });
      for await (const { asked, result } of run) {
        done.set(asked, result);
        printReady();
        progress();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      for (const asked of questions) {
        if (!done.has(asked)) done.set(asked, await this.#interruptedResult(asked));
      }
      printReady();
    }
    return questions.flatMap((asked) => done.get(asked) ?? []);
  }

  async #interruptedResult(asked: AskedQuestion): Promise<QuestionResult> {
    const { env, t } = this.#context;
    const reason = t('Not asked. The run was interrupted.');
    return skippedResult(asked, { code: 'interrupted', reason }, keysOf(env));
  }

  #tellWait(until: number): void {
    const { t } = this.#context;
    const wait = durationText(Math.max(1000, until - systemClock.now()), t);
    this.#tell(t('Too many requests. Waiting {0} before the next question.', wait));
  }

  #printProblems(problems: readonly FileProblem[]): void {
    const { t } = this.#context;
    for (const { file, range, severity, message } of problems) {
      const kind = severity === 'error' ? t('error') : t('warning');
      this.#tell(`${file}:${range.line}:${range.column}: ${kind}: ${message}`);
    }
  }

  #annotate(results: readonly QuestionResult[]): void {
    const { stdout, stderr, cwd, env, t } = this.#context;
    // GitHub reads both streams. With `--json -`, only the object may be on stdout.
    const stream = this.#options.json === '-' ? stderr : stdout;
    const top = env['GITHUB_WORKSPACE'];
    const pathOf = (file: string): string => {
      const relative = top ? path.relative(top, path.resolve(cwd, file)) : file;
      return (relative.startsWith('..') ? file : relative).split(path.sep).join('/');
    };
    for (const line of githubAnnotations(results, t, pathOf)) stream.ciCommand(line);
  }

  #printer(): ResultPrinter | undefined {
    const { stdout, env, t } = this.#context;
    if (this.#options.json === '-') return undefined;
    const { style } = lookOf(stdout, env);
    return new ResultPrinter(stdout, { style, t, hasReplies: this.#options.replies === true });
  }

  #tell(sentence: string): void {
    this.#status.clear();
    this.#context.stderr.line(plainLine(sentence));
  }
}

/** Returns the JSON form of a run. The comparison with another run lists the IDs of questions. */
function withComparison(run: QuestionRun, comparison: RunComparison | undefined): object {
  if (!comparison) return run;
  const names = (results: readonly QuestionResult[]): readonly object[] =>
    results.map(({ file, id }) => ({ file, id }));
  const { lost, gained, unclear, added, removed } = comparison;
  return {
    ...run,
    comparison: {
      lost: names(lost),
      gained: names(gained),
      unclear: names(unclear),
      added: names(added),
      removed: names(removed),
    },
  };
}

/** Returns 12 for a question that failed, and otherwise the code of the first error. */
function exitCodeOf(
  { results }: QuestionRun,
  comparison: RunComparison | undefined,
  failOn: TestOptions['failOn'],
  t: Translate,
): number {
  const failed =
    failOn === 'lost'
      ? (comparison?.lost.length ?? 0)
      : results.filter(({ status }) => status === 'fail').length;
  if (failed > 0) return exitCodes.checkFailed;
  const broken = results.find(({ status }) => status === 'error' || status === 'skipped');
  if (!broken) return exitCodes.ok;
  const code = errorCodes.find((each) => each === broken.errorCode);
  if (code) return askFailure(new DocsAssistantError(code satisfies ErrorCode), t).exitCode;
  return broken.errorCode === 'too-many-questions' ? exitCodes.rateLimit : exitCodes.incomplete;
}

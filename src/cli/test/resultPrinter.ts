import type { Translate } from '../../common/errors';
import type { RunComparison } from '../../questions/compareRuns';
import {
  countStatuses,
  type QuestionResult,
  type QuestionRun,
  type QuestionStatus,
} from '../../questions/questionRun';
import { plainLine, visibleText } from '../../shared/characters';
import { durationText } from '../../shared/units';
import type { Output } from '../output';
import type { Style } from '../terminal/style';

/**
 * Prints results for people, in the order of the questions files. No reply can print a line that CI
 * would run as a workflow command.
 */
export class ResultPrinter {
  readonly #stream: Output;
  readonly #style: Style;
  readonly #t: Translate;
  readonly #hasReplies: boolean;

  constructor(
    stream: Output,
    { style, t, hasReplies }: { style: Style; t: Translate; hasReplies: boolean },
  ) {
    this.#stream = stream;
    this.#style = style;
    this.#t = t;
    this.#hasReplies = hasReplies;
  }

  result(result: QuestionResult): void {
    const { name, id, status, file, line, reasons, durationMs } = result;
    const shown = plainLine(visibleText(name === '' ? id : name));
    const place = file === undefined ? '' : `  ${file}:${line ?? 1}`;
    const suffix = status === 'pass' ? `  ${durationText(durationMs, this.#t)}` : place;
    this.#line(`${this.#mark(status)} ${shown}${this.#style.dim(suffix)}`);
    for (const reason of reasons) this.#line(`      - ${plainLine(visibleText(reason))}`);
    if (this.#hasReplies && status !== 'pass') this.#reply(result);
  }

  #reply({ reply, sources }: QuestionResult): void {
    for (const line of (reply ?? '').split('\n')) this.#line(`      | ${visibleText(line)}`);
    for (const [index, { url }] of sources.entries()) {
      this.#line(`      ${index + 1}. ${plainLine(visibleText(url))}`);
    }
  }

  /** Prints how many questions passed, and what changed since an earlier run. */
  summary({ results, durationMs }: QuestionRun, comparison: RunComparison | undefined): void {
    const t = this.#t;
    const { pass, fail, error, skipped } = countStatuses(results);
    this.#line('');
    this.#line(
      this.#style.bold(
        t('{0} passed, {1} failed, {2} had an error, {3} not asked', pass, fail, error, skipped),
      ) + this.#style.dim(`  ${durationText(durationMs, t)}`),
    );
    if (!comparison) return;
    const { lost, gained, unclear, added, removed } = comparison;
    this.#list(t('Lost: {0}', lost.length), lost);
    this.#list(t('Gained: {0}', gained.length), gained);
    if (unclear.length > 0) this.#list(t('Not comparable: {0}', unclear.length), unclear);
    if (added.length > 0) this.#list(t('New: {0}', added.length), added);
    if (removed.length > 0) this.#list(t('No longer asked: {0}', removed.length), removed);
  }

  #list(title: string, results: readonly QuestionResult[]): void {
    this.#line(this.#style.bold(title));
    for (const { name, id } of results) {
      this.#line(`  - ${plainLine(visibleText(name === '' ? id : name))}`);
    }
  }

  #mark(status: QuestionStatus): string {
    const { bold, dim } = this.#style;
    switch (status) {
      case 'pass':
        return dim('pass ');
      case 'fail':
        return bold('FAIL ');
      case 'error':
        return bold('ERROR');
      case 'skipped':
        return dim('skip ');
    }
  }

  #line(line: string): void {
    this.#stream.styled(`${line.trimEnd()}\n`);
  }
}

/** Texts about the results that an export keeps: of Check Bundle, its comparison and the questions. */
import { joined } from '../../common/text/strings';
import type { Translate } from '../../common/errors';
import { counted, numberText } from '../../shared/units';
import type { ExportRecord } from '../job/record';
import {
  isStale,
  type CheckResult,
  type DiffResult,
  type ExportResults,
  type QuestionsResult,
  type ResultKind,
} from '../job/results';

/** `stale`: the export's archive is no longer the one that the result is about. */
export type ResultState = 'good' | 'trouble' | 'stale';

/** A result as the tree shows it. All texts are translated. */
export interface ResultLine {
  readonly kind: ResultKind;
  readonly state: ResultState;
  /** Time of the result, in ms since the epoch. */
  readonly at: number;
  /** All counts that matter. */
  readonly text: string;
  /** The one thing to know, for the line of the export. */
  readonly short: string;
}

/** Returns the results of an export: check, comparison, questions. */
export function resultLines(record: ExportRecord, t: Translate): readonly ResultLine[] {
  const { check, diff, questions }: ExportResults = record.results ?? {};
  const lines: ResultLine[] = [];
  const add = (
    kind: ResultKind,
    result: { readonly at: number; readonly sha256?: string },
    isTrouble: boolean,
    [text, short]: readonly [text: string, short: string],
  ): void => {
    const stale = isStale(result, record);
    lines.push({
      kind,
      state: stale ? 'stale' : isTrouble ? 'trouble' : 'good',
      at: result.at,
      text: stale ? t('{0} (outdated)', text) : text,
      short: stale ? t('{0} (outdated)', short) : short,
    });
  };
  if (check) {
    const isTrouble = check.pages === 0 || check.broken > 0 || check.outsideFetches > 0;
    add('check', check, isTrouble, checkTexts(check, t));
  }
  if (diff) add('diff', diff, diff.brokenLinks > 0, diffTexts(diff, t));
  if (questions) {
    add('questions', questions, questions.failed > 0, questionTexts(questions, t));
  }
  return lines;
}

function checkTexts(
  { pages, broken, outsideFetches }: CheckResult,
  t: Translate,
): [text: string, short: string] {
  if (pages === 0) return [t('no pages'), t('no pages')];
  const wrong = listed([
    some(broken, t('1 broken link'), (count) => t('{0} broken links', count)),
    some(outsideFetches, t('1 resource from another host'), (count) =>
      t('{0} resources from other hosts', count),
    ),
  ]);
  if (wrong !== '') return [wrong, wrong];
  const counted = some(pages, t('1 page'), (count) => t('{0} pages', count));
  return [listed([t('self-contained'), counted]), t('self-contained')];
}

function diffTexts(
  { against, added, removed, moved, changed, brokenLinks, mendedLinks }: DiffResult,
  t: Translate,
): [text: string, short: string] {
  const total = added + removed + moved + changed;
  const pages = listed([
    some(added, t('1 page added'), (count) => t('{0} pages added', count)),
    some(removed, t('1 page removed'), (count) => t('{0} pages removed', count)),
    some(moved, t('1 page moved'), (count) => t('{0} pages moved', count)),
    some(changed, t('1 page changed'), (count) => t('{0} pages changed', count)),
  ]);
  const broke = some(brokenLinks, t('1 link broke'), (count) => t('{0} links broke', count));
  const mended = some(mendedLinks, t('1 link mended'), (count) => t('{0} links mended', count));
  const found = listed([pages === '' ? t('no page differs') : pages, broke, mended]);
  const short =
    some(total, t('1 page differs'), (count) => t('{0} pages differ', count)) ??
    t('no page differs');
  return [t('{0}, compared with {1}', found, against), broke ?? short];
}

function questionTexts(
  { passed, failed, skipped = 0, gained = 0, lost = 0, against }: QuestionsResult,
  t: Translate,
): [text: string, short: string] {
  const short = t(
    '{0} of {1} questions passed',
    numberText(passed),
    numberText(passed + failed + skipped),
  );
  const found = listed([
    short,
    some(skipped, t('1 not run'), (count) => t('{0} not run', count)),
    some(lost, t('1 lost'), (count) => t('{0} lost', count)),
    some(gained, t('1 gained'), (count) => t('{0} gained', count)),
  ]);
  return [against === undefined ? found : t('{0}, compared with {1}', found, against), short];
}

/** Returns a count with its noun, or undefined for none. */
function some(count: number, one: string, many: (count: string) => string): string | undefined {
  return count === 0 ? undefined : counted(count, one, many);
}

function listed(parts: readonly (string | undefined)[]): string {
  return joined(parts, ', ');
}

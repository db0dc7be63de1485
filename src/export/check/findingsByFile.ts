import { plainTranslate, type Translate } from '../../common/errors';
import { compareText } from '../../common/text/strings';
import { numberText } from '../../shared/units';
import { failsAirGapped, kindNames, noteText, oneLine, reasonText, type Quote } from './report';
import type { BrokenLink, BundleReport, OutsideFetch, ReportNote } from './reportTypes';

/** Finding for the Problems panel. Lines and columns count from 1. */
interface Finding {
  readonly line: number;
  readonly column: number;
  readonly endColumn?: number;
  /** One line of plain text. */
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'information';
}

const MAX_IN_MESSAGE = 200;

/**
 * Returns the findings by file, relative to the site's root, in order. Broken links are errors, outside
 * fetches are warnings, or errors for an air-gapped site, and unreadable files are information.
 *
 * @param most number of findings after which one more says how many there are.
 */
export function findingsByFile(
  report: BundleReport,
  translate: Translate = plainTranslate,
  most = Infinity,
): ReadonlyMap<string, readonly Finding[]> {
  // Each list is sorted by file, so none of the first findings of all is beyond its list's first.
  const first = Math.max(most, 1);
  const sorted = allFindings(
    {
      ...report,
      broken: report.broken.slice(0, first),
      outsideFetches: report.outsideFetches.slice(0, first),
    },
    translate,
  );
  const total = report.brokenCount + report.outsideFetchCount + report.notes.filter(hasLine).length;
  if (total <= most) return sorted;
  const shown = new Map<string, readonly Finding[]>();
  let room = most;
  for (const [file, findings] of sorted) {
    const here = findings.slice(0, room);
    room -= here.length;
    if (room > 0) {
      shown.set(file, here);
      continue;
    }
    const message = translate(
      '{0} of {1} findings in this bundle are listed here. The check report and its JSON have more.',
      numberText(most),
      numberText(total),
    );
    shown.set(file, [...here, { line: 1, column: 1, message, severity: 'information' }]);
    break;
  }
  return shown;
}

function allFindings(
  report: BundleReport,
  translate: Translate,
): ReadonlyMap<string, readonly Finding[]> {
  const quote: Quote = (text) => `“${shortened(oneLine(text))}”`;
  const byFile = new Map<string, Finding[]>();
  const add = (file: string, finding: Finding): void => {
    const known = byFile.get(file);
    if (known) known.push(finding);
    else byFile.set(file, [finding]);
  };
  for (const link of report.broken) {
    const reason = reasonText(link, translate, quote);
    const message = translate('Broken link {0}: {1}', quote(link.address), reason);
    add(link.file, { ...spanOf(link), message, severity: 'error' });
  }
  for (const fetched of report.outsideFetches) {
    const message = translate(
      'Loaded from another host ({0}): {1}',
      translate(kindNames[fetched.kind]),
      shortened(oneLine(fetched.address)),
    );
    const severity = failsAirGapped(report) ? 'error' : 'warning';
    add(fetched.file, { ...spanOf(fetched), message, severity });
  }
  for (const note of report.notes) {
    if (!hasLine(note)) continue;
    const message = noteText(note, translate, quote);
    add(note.file, {
      line: note.line,
      column: note.column ?? 1,
      message,
      severity: 'information',
    });
  }
  for (const findings of byFile.values()) {
    findings.sort((a, b) => a.line - b.line || a.column - b.column);
  }
  return new Map([...byFile].sort(([a], [b]) => compareText(a, b)));
}

function hasLine(note: ReportNote): note is ReportNote & { file: string; line: number } {
  return note.file !== undefined && note.line !== undefined;
}

function spanOf({
  line,
  column,
  endColumn,
}: BrokenLink | OutsideFetch): Pick<Finding, 'line' | 'column' | 'endColumn'> {
  return { line, column, endColumn };
}

function shortened(text: string): string {
  return text.length > MAX_IN_MESSAGE ? `${text.slice(0, MAX_IN_MESSAGE)}…` : text;
}

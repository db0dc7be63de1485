import { plainTranslate, type Translate } from '../../common/errors';
import { isSelfContained, type BundleReport } from './reportTypes';

/** Something for the Problems panel; lines and columns count from 1. */
export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly endColumn?: number;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'information';
}

/** The report as a document for people. Text of the bundle is escaped: none of it is Markdown. */
export function reportMarkdown(
  report: BundleReport,
  translate: Translate = plainTranslate,
): string {
  return translate(isSelfContained(report) ? 'Self-contained' : 'Not self-contained');
}

/** The whole report, indented, with a line end. */
export function reportJson(report: BundleReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** What is wrong, by file relative to the site's root. */
export function findingsByFile(
  _report: BundleReport,
  _translate: Translate = plainTranslate,
): ReadonlyMap<string, readonly Finding[]> {
  return new Map();
}

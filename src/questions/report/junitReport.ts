import { countStatuses, type QuestionResult, type QuestionRun } from '../questionRun';
import { withoutUndefined } from '../../common/withoutUndefined';

/** Name of the suite of questions whose file has no name. */
const NO_FILE = 'questions';

/**
 * Returns a run as JUnit XML, which GitLab, Jenkins, Azure DevOps and others read: a suite for each
 * file, and a case for each question with its reply as output.
 */
export function junitReport(run: QuestionRun): string {
  const files = new Map<string, QuestionResult[]>();
  for (const result of run.results) {
    const { file = NO_FILE } = result;
    const group = files.get(file);
    if (group) group.push(result);
    else files.set(file, [result]);
  }
  const attributes = withoutUndefined({
    name: run.target.label,
    ...totals(run.results),
    time: seconds(run.durationMs),
    timestamp: run.startedAt === '' ? undefined : run.startedAt,
  });
  const suites = [...files].map(([file, results]) => suite(file, results));
  const root = element('testsuites', attributes, `\n${suites.join('')}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function suite(file: string, results: readonly QuestionResult[]): string {
  const duration = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const attributes = { name: file, ...totals(results), time: seconds(duration) };
  const cases = results.map((result) => testCase(file, result)).join('');
  return `  ${element('testsuite', attributes, `\n${cases}  `)}\n`;
}

function totals(results: readonly QuestionResult[]): Readonly<Record<string, number>> {
  const { fail, error, skipped } = countStatuses(results);
  return { tests: results.length, failures: fail, errors: error, skipped };
}

function testCase(file: string, result: QuestionResult): string {
  const { id, name, status, line, durationMs, reasons, errorCode = status } = result;
  const attributes = withoutUndefined({
    name: name === '' ? id : name,
    classname: file,
    file: result.file === undefined ? undefined : file,
    line,
    time: seconds(durationMs),
  });
  const message = reasons[0] ?? '';
  const details = reasons.join('\n');
  const outcome = {
    pass: [],
    fail: [element('failure', { message, type: 'fail' }, escaped(details))],
    error: [element('error', { message, type: errorCode }, escaped(details))],
    skipped: [element('skipped', { message: details })],
  }[status];
  const output = outputOf(result);
  const parts = [
    ...outcome,
    ...(output === '' ? [] : [element('system-out', {}, escaped(output))]),
  ].map((part) => `      ${part}\n`);
  const content = parts.length === 0 ? undefined : `\n${parts.join('')}    `;
  return `    ${element('testcase', attributes, content)}\n`;
}

/** Returns the question, its reply and its sources as text, or nothing if it wasn't answered. */
function outputOf({ question, reply, sources }: QuestionResult): string {
  if (reply === undefined && sources.length === 0) return '';
  const listed = sources.map(({ title, url }, index) => `${index + 1}. ${title} ${url}`);
  return [question, reply ?? '', listed.join('\n')].filter((part) => part !== '').join('\n\n');
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content?: string,
): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
  return content === undefined ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** Characters that XML 1.0 can't have, and those that control a terminal or turn text around. */
const unwanted = /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(unwanted, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

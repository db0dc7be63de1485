/** The report of *Check Setup* as a Markdown document that people copy into tickets. */
import type { Translate } from '../../common/errors';
import { plainSentence } from '../../common/text/safeText';
import type { CheckedLine, Remedy } from './setupCheck';

/** Facts about where the extension runs. */
export interface SetupEnvironment {
  readonly extensionVersion: string;
  readonly editor: string;
  readonly platform: string;
  /** Kind of the remote window, such as `ssh-remote`, if it is one. */
  readonly remote?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

/** The report, and the lines of its text that have remedies. */
export interface SetupReport {
  readonly text: string;
  readonly remedies: readonly { readonly line: number; readonly remedies: readonly Remedy[] }[];
}

const MAX_TEXT_LENGTH = 800;

/**
 * Returns the report. It holds nothing secret: known secrets, everything that looks like one, the
 * queries of links and user names in URLs are replaced.
 *
 * @param secrets keys that this window has seen.
 */
export function setupReport(
  lines: readonly CheckedLine[],
  environment: SetupEnvironment,
  secrets: readonly string[],
  t: Translate,
): SetupReport {
  const count = (state: CheckedLine['state']): number =>
    lines.filter((line) => line.state === state).length;
  const rows = [
    `# ${t('Setup check: {0} failed, {1} passed, {2} skipped', count('failed'), count('passed'), count('skipped'))}`,
    '',
    environmentLine(environment),
    '',
  ];
  const remedies: { line: number; remedies: readonly Remedy[] }[] = [];
  for (const line of lines) {
    if (line.remedies && line.remedies.length > 0) {
      remedies.push({ line: rows.length, remedies: line.remedies });
    }
    const said = [line.text, line.advice ?? ''].filter((text) => text !== '').join(' ');
    const text = escaped(plainSentence(said, secrets, MAX_TEXT_LENGTH));
    rows.push(`- ${stateText(line.state, t)}: **${line.title}**. ${text}`);
  }
  return { text: `${rows.join('\n')}\n`, remedies };
}

/** Returns the versions, the platform and the time on one line. */
export function environmentLine(environment: SetupEnvironment): string {
  const { extensionVersion, editor, platform, remote, checkedAt } = environment;
  const time = `${new Date(checkedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const place = [editor, platform, ...(remote === undefined ? [] : [remote]), time].join(', ');
  return `Docs Assistant ${extensionVersion}, ${place}`;
}

function stateText(state: CheckedLine['state'], t: Translate): string {
  switch (state) {
    case 'passed':
      return `✓ ${t('Passed')}`;
    case 'failed':
      return `✗ ${t('Failed')}`;
    case 'skipped':
      return `○ ${t('Skipped')}`;
  }
}

/** Returns text of a service as Markdown that shows it as it is. */
function escaped(text: string): string {
  return text.replace(/[\\`*[\]<>]/g, '\\$&');
}

/** The data of *Report Issue…*: versions and the end of the log, which may end up in a public issue. */
import { redact } from '../../common/http/redact';
import { longestRun } from '../../shared/codeSpan';
import { environmentLine, type SetupEnvironment } from './setupReport';

/** Most characters of the log. The reporter puts the issue into a URL, which can't be much longer. */
const MAX_LOG_LENGTH = 5000;

/** Texts that must not get into an issue. */
interface Private {
  /** Keys that this window has seen. */
  readonly secrets: readonly string[];
  /** Home folder, which contains the user's name. */
  readonly home: string;
}

/**
 * Returns the data as Markdown in English, for the people who read the issue.
 * @param logged lines of the log, oldest first. They are redacted again, because a key can be known
 * only after a line with it was written.
 */
export async function issueReport(
  environment: SetupEnvironment,
  logged: readonly string[],
  { secrets, home }: Private,
): Promise<string> {
  const { redactSecrets } = await import('../../common/secretScan/scanText');
  const known = redact(logged.join('\n'), secrets);
  const { text } = await redactSecrets(known, { known: secrets });
  const log = lastLines(withoutHome(text, home)) || 'The log is empty.';
  const fence = '`'.repeat(Math.max(3, longestRun(log) + 1));
  return [environmentLine(environment), '', fence, log, fence].join('\n');
}

/** Returns the text with `~` for the home folder, also as URLs and JSON write it on Windows. */
function withoutHome(text: string, home: string): string {
  if (home.length < 3) return text;
  const forms = [home, home.replaceAll('\\', '/'), home.replaceAll('\\', '\\\\')];
  return forms.reduce((result, form) => result.replaceAll(form, '~'), text);
}

/** Returns the end of the text from the start of a line. */
function lastLines(text: string): string {
  if (text.length <= MAX_LOG_LENGTH) return text;
  const end = text.slice(-MAX_LOG_LENGTH);
  return `…\n${end.slice(end.indexOf('\n') + 1)}`;
}

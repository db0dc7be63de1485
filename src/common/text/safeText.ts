import { plainLine, withoutDirectionMarks } from '../../shared/characters';
import { redact, REDACTED, SHORTEST_SECRET, usableSecrets, overlap } from '../http/redact';
import { cutText } from './strings';

/**
 * Returns untrusted text as one harmless line: redacted, without control and direction characters,
 * and cut.
 * @param maxLength characters (code points) of the result.
 */
export function plainSentence(
  text: string,
  secrets: readonly string[] = [],
  maxLength = 500,
): string {
  // Cut before the patterns run, so that a hostile text cannot make them slow.
  const line = plainLine(withoutCutSecret(text.slice(0, 20 * maxLength), secrets));
  const characters = Array.from(redact(line, secrets).toWellFormed());
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Returns the text without the start of a secret at its end, which a cut may have left. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  const cut = Math.max(0, ...usableSecrets(secrets).map((secret) => overlap(text, secret)));
  return cut < SHORTEST_SECRET ? text : `${text.slice(0, -cut)}${REDACTED}`;
}

/** Returns the text without Markdown links, with a space between the text and the URL of each. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Most characters of a notification. URLs from services can have any length. */
const MAX_NOTIFICATION_LENGTH = 2_000;

/** Returns untrusted text for a notification, without links, controls and direction marks. */
export function notificationText(text: string): string {
  const cut = cutText(text, MAX_NOTIFICATION_LENGTH);
  const seen = withoutDirectionMarks(withoutEscapes(cut));
  return withoutLinks(cut === text ? seen : `${seen}…`);
}

/**
 * Returns the text with its lines, and a space for each other control character, such as those of
 * ANSI sequences.
 */
export function withoutEscapes(text: string): string {
  // eslint-disable-next-line no-control-regex -- escape sequences must not reach a terminal
  return text.replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, ' ');
}

/** Returns a text for labels that VS Code shows as it is. It would turn `$(name)` into an icon. */
export function plain(text: string): string {
  return text.replaceAll('$(', '$ (');
}

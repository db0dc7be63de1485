import { sendableText } from '../../shared/characters';

/** Escape sequences in a terminal's buffer that move the cursor or color the text. */
const escapeSequence =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-?]*[ -/]*[@-~]?|[@-_])/g;

/**
 * Returns a terminal's text without escape sequences and trailing spaces. If the text is over the
 * limit, only the last whole lines are kept, because errors are at the end.
 * @param limitBytes limit in bytes of UTF-8.
 */
export function terminalText(text: string, limitBytes: number): string {
  const plain = sendableText(text.replace(escapeSequence, ''))
    .replace(/\r\n?/g, '\n')
    // eslint-disable-next-line no-control-regex -- control characters are what is dropped
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f]/g, '');
  const all = plain.split('\n').map((line) => line.trimEnd());
  const isFilled = (line: string): boolean => line !== '';
  const lines = all.slice(Math.max(all.findIndex(isFilled), 0), all.findLastIndex(isFilled) + 1);
  let left = limitBytes;
  let first = lines.length;
  while (first > 0) {
    left -= byteLength(lines[first - 1] ?? '') + 1;
    if (left < -1) break;
    first--;
  }
  return lines.slice(first).join('\n');
}

/** Returns the length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Helpers that write YAML with comments, in the layout that people would write by hand. */
import { quoted } from '../values/deploymentText';

/** Returns a text with spaces before each line that isn't empty. */
export function indented(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces));
}

/** Returns `key: |` and the script below it. A script of one line stays on the key's line. */
export function scriptEntry(key: string, script: string): string {
  return script.includes('\n')
    ? `${key}: |\n${indented(script, 2)}`
    : `${key}: ${plainOrQuoted(script)}`;
}

/** Returns a scalar without quotes where every version of YAML reads it as the same text. */
export function plainOrQuoted(value: string): string {
  const isWord = /^[A-Za-z./][\w./@ +-]*[\w./]$/.test(value);
  return isWord && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value) ? value : quoted(value);
}

/** Returns a map of texts, one on a line. */
export function textMap(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}: ${plainOrQuoted(value)}`)
    .join('\n');
}

/** Returns lines as comments. */
export function comment(text: string): string {
  return text.replace(/^/gm, '# ').replace(/ +$/gm, '');
}

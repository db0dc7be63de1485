/** Text that the workflows of all CI services share: the comment at the top, and YAML in the layout that people would write by hand. */
import { quoted } from '../values/deploymentText';
import type { WorkflowOptions } from './workflowOptions';

/** Returns what a workflow does and what to do before its first run, about the admin key first. */
export function introduction(
  { exportDomain, packageSpec }: WorkflowOptions,
  keyStep: string,
  otherSteps: readonly string[],
): string {
  const packageStep = packageSpec.startsWith('./')
    ? `Commit the package file ${packageSpec.slice(2)}.`
    : `Make sure that ${packageSpec} is your own package. Anyone can register a name that is free.`;
  return `Releases the docs of ${exportDomain}: export, check, comparison with the last release, questions.
Written by Docs Assistant. This file is yours to change.

Before the first run:
${[keyStep, packageStep, ...otherSteps].map((step) => `- ${step}`).join('\n')}`;
}

/** Returns a paragraph about the link in a pull or merge request, if the workflow opens one. */
export function linkNote({ link }: WorkflowOptions, request: 'pull' | 'merge'): string {
  return link?.kind === 'values'
    ? `\n\nThe ${request} request contains the bundle link. Everyone who can read this repository can download
the bundle with it until it expires. A secret store keeps the link out of the repository.`
    : '';
}

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

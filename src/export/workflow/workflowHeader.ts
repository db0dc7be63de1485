/** Sentences that both workflows have in the comment at their top. */
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

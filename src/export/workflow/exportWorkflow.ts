/** The files of a generated CI workflow: what *Add Export Workflow…* and the command line write. */
import { githubWorkflow } from './githubWorkflow';
import { gitlabPipeline } from './gitlabPipeline';
import type { CiService, WorkflowOptions } from './workflowOptions';

/** Default file of a workflow, relative to the repository's top. */
export const workflowFiles: Readonly<Record<CiService, string>> = {
  github: '.github/workflows/docs-release.yml',
  gitlab: '.gitlab/docs-release.yml',
};

/** Returns the YAML of a workflow. */
export function exportWorkflow(options: WorkflowOptions): string {
  return options.service === 'github' ? githubWorkflow(options) : gitlabPipeline(options);
}

/**
 * Returns the lines that include a file in `.gitlab-ci.yml`, the only file that GitLab reads. GitLab
 * doesn't find paths that start with `./`.
 * @param file path relative to the repository's top, as it was typed.
 */
export function gitlabInclude(file: string): string {
  const plain = file.replaceAll('\\', '/').replace(/^(?:\.?\/+)+/, '');
  return `include:\n  - local: ${JSON.stringify(`/${plain}`)}\n`;
}

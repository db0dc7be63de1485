/** Options of generated CI workflows, and the hostile texts that must stay texts in them. */
import {
  type CiService,
  readWorkflowOptions,
  type WorkflowInput,
  type WorkflowOptions,
} from '../../src/export/workflow/workflowOptions';

/** Returns checked options. @throws {Error} for inputs that are refused. */
export function workflowOptions(
  service: CiService,
  input: Partial<WorkflowInput> = {},
): WorkflowOptions {
  const read = readWorkflowOptions(service, {
    exportDomain: 'docs.acme.com',
    apiUrl: 'https://api.docs-platform.example.com/platform',
    packageSpec: './tools/docs-assistant.tgz',
    ...input,
  });
  if (read.ok) return read.options;
  throw new Error(`${read.field}: ${read.message}`);
}

/** Inputs of every form that a workflow can have. */
export const workflowForms: readonly (readonly [what: string, input: Partial<WorkflowInput>])[] = [
  ['without anything else', {}],
  ['on each push', { branch: 'release/2.x' }],
  ['with questions', { questions: 'docs/docs-questions.yaml', cron: '23 4 * * 1' }],
  ['with a values file', { values: 'deploy/values.yaml', questions: 'docs-questions.yaml' }],
  ['with a secret store', { storeCommand: 'vault kv put -mount=secret docs bundleUrl=-' }],
  ['with a package of a registry', { packageSpec: '@acme/docs-assistant@1.2.3-rc.1' }],
];

/** Paths that a person can have, and that YAML, GitHub, GitLab or a shell would read as something else. */
export const hostilePaths: readonly string[] = [
  'docs/it\'s "quoted".yaml',
  'docs/$(touch pwned).yaml',
  'docs/`touch pwned`.yaml',
  'docs/${{ secrets.DOCS_ASSISTANT_ADMIN_KEY }}.yaml',
  'docs/$CI_JOB_TOKEN.yaml',
  'docs/a: b #c.yaml',
  '*docs&x;y|z.yaml',
  'no',
  '1.10',
  '{a}, [b]',
  'docs/ü\u{1F4E6}.yaml',
  'docs/100%.yaml',
  '~/../x.yaml'.slice(2).replace('..', 'dots'),
  '!tag',
];

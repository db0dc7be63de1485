/**
 * Writes the workflow for GitHub Actions.
 *
 * The job that exports can only read the repository. The job that proposes the link can write it, but
 * never has the bundle, whose pages come from elsewhere. Each job passes the admin key only to the step
 * that needs it.
 */
import { quoted } from '../values/deploymentText';
import type { WorkflowOptions } from './workflowOptions';
import {
  checkScript,
  commitScript,
  compareScript,
  exportScript,
  installScript,
  KEY_SECRET,
  LINK_BRANCH,
  LINK_TITLE,
  linkScript,
  questionsScript,
  RELEASE_FOLDER,
  scriptVariables,
  setValuesScript,
  storeScript,
} from './workflowScripts';
import { comment, indented, introduction, linkNote, scriptEntry, textMap } from './workflowText';

/** Actions that the workflow uses, each at the commit of a release, with the release's tag. */
export const pinnedActions = {
  'actions/checkout': { commit: 'de0fac2e4500dabe0009e67214ff5f5447ce83dd', tag: 'v6.0.2' },
  'actions/setup-node': { commit: '53b83947a5a98c8d113130e565377fae1a50d02f', tag: 'v6.3.0' },
  'actions/cache/restore': { commit: '668228422ae6a00e4ad889ee87cd7109ec5666a7', tag: 'v5.0.4' },
  'actions/cache/save': { commit: '668228422ae6a00e4ad889ee87cd7109ec5666a7', tag: 'v5.0.4' },
  'actions/upload-artifact': { commit: '043fb46d1a93c77aae656e7c1c64a875d1fc6a0a', tag: 'v7.0.1' },
} as const;

const STATE_KEY =
  'docs-release-state-${{ github.ref_name }}-${{ github.run_id }}-${{ github.run_attempt }}';

/** Returns the workflow's YAML. */
export function githubWorkflow(options: WorkflowOptions): string {
  const parts = [
    comment(headerText(options)),
    `name: Docs release

on:
${indented(triggerText(options), 2)}
  workflow_dispatch:

# Each job asks for the permissions that it needs.
permissions: {}

# A second run waits for the first, so that they never start two exports.
concurrency:
  group: docs-release-\${{ github.ref }}
  cancel-in-progress: false

defaults:
  run:
    shell: bash

env:
${indented(textMap(environment(options)), 2)}

jobs:
${indented(releaseJob(options), 2)}`,
    ...(options.link ? [indented(linkJob(options), 2)] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function headerText(options: WorkflowOptions): string {
  const { link, trigger } = options;
  const keyStep = `Add the secret ${KEY_SECRET}, an admin key of the docs platform, under
  Settings > Secrets and variables > Actions.`;
  const otherSteps = [
    ...(link?.kind === 'values'
      ? [
          'Turn on “Allow GitHub Actions to create and approve pull requests” under\n  Settings > Actions > General.',
        ]
      : []),
    ...(link?.kind === 'store'
      ? ['Add the steps that install and log in to the secret store to the job “link”.']
      : []),
  ];
  return `${introduction(options, keyStep, otherSteps)}

The last release is the newest successful run of this workflow on the same branch, as long as GitHub
keeps its artifact. It may not be the one that is deployed.${linkNote(options, 'pull')}${
    trigger.kind === 'schedule' ? '\n\nGitHub runs schedules on the default branch only.' : ''
  }`;
}

function triggerText({ link, trigger }: WorkflowOptions): string {
  if (trigger.kind === 'schedule') return `schedule:\n  - cron: '${trigger.cron}' # UTC`;
  const push = `push:\n  branches: [${JSON.stringify(trigger.branch)}]`;
  if (link?.kind !== 'values') return push;
  const file = quoted(link.file.replace(/[*?+[\]!\\]/g, '\\$&'));
  return `${push}\n  # The merge of a new link would start the next release, which has a new link.\n  paths-ignore: [${file}]`;
}

function environment(options: WorkflowOptions): Record<string, string> {
  return Object.fromEntries(
    scriptVariables(options).map(([name, value]) => [name, withoutExpressions(value)]),
  );
}

/** Escapes a text for GitHub: `${{` becomes an expression whose value is `${{`. */
function withoutExpressions(text: string): string {
  return text.replaceAll('${{', "${{ '${{' }}");
}

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly minutes?: number;
  readonly uses?: keyof typeof pinnedActions;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  /** Comment above the step. */
  readonly note?: string;
}

function stepText(step: Step): string {
  const action = step.uses && pinnedActions[step.uses];
  const lines = [
    `name: ${step.name}`,
    ...(step.id === undefined ? [] : [`id: ${step.id}`]),
    ...(step.if === undefined ? [] : [`if: ${step.if}`]),
    ...(step.minutes === undefined ? [] : [`timeout-minutes: ${step.minutes}`]),
    ...(step.uses && action ? [`uses: ${step.uses}@${action.commit} # ${action.tag}`] : []),
    ...mapText('with', step.with),
    ...mapText('env', step.env),
    ...(step.run === undefined ? [] : [scriptEntry('run', step.run)]),
  ];
  const note = step.note === undefined ? '' : `${comment(step.note)}\n`;
  return `${note}- ${indented(lines.join('\n'), 2).trimStart()}`;
}

/** Returns a map. Its values are constants of this file and already valid YAML. */
function mapText(key: string, values: Readonly<Record<string, string>> | undefined): string[] {
  if (!values) return [];
  const lines = Object.entries(values).map(([name, value]) =>
    value.includes('\n') ? `${name}: |\n${indented(value, 2)}` : `${name}: ${value}`,
  );
  return [`${key}:\n${indented(lines.join('\n'), 2)}`];
}

const SECRET_KEY = { [KEY_SECRET]: `\${{ secrets.${KEY_SECRET} }}` };
const TOKEN = { GH_TOKEN: '${{ github.token }}', GH_REPO: '${{ github.repository }}' };

/** Runs after a failed check too, so that one run shows everything. */
const AFTER_EXPORT = "${{ !cancelled() && steps.export.outcome == 'success' }}";

const checkOut: Step = {
  name: 'Check out the repository',
  uses: 'actions/checkout',
  with: { 'persist-credentials': 'false' },
};

const setUpNode: Step = {
  name: 'Set up Node',
  uses: 'actions/setup-node',
  with: { 'node-version': '22', 'package-manager-cache': 'false' },
};

const install: Step = { name: 'Install docs-assistant', minutes: 5, run: installScript };

const keyCheck: Step = {
  name: 'Look for the admin key',
  env: SECRET_KEY,
  run: `\
if [ -z "$${KEY_SECRET}" ]; then
  echo "::error::The secret ${KEY_SECRET} is missing. Add it under Settings > Secrets and variables > Actions."
  exit 4
fi`,
};

/** Finds the newest successful run of this workflow file on this branch. */
const lastReleaseScript = `\
file="\${GITHUB_WORKFLOW_REF%%@refs/*}"
run=$(gh run list --workflow "\${file##*/}" --branch "$GITHUB_REF_NAME" --status success \\
  --limit 1 --json databaseId --jq '.[0].databaseId // empty')
if [ -z "$run" ]; then
  echo "No earlier run of this workflow succeeded on $GITHUB_REF_NAME."
elif ! gh run download "$run" --name docs-bundle --dir ${RELEASE_FOLDER}/last; then
  rm -rf ${RELEASE_FOLDER}/last
  echo "::warning::The bundle of run $run can't be downloaded, so nothing is compared."
fi`;

/** GitHub shows at most 1 MiB per step. */
const SUMMARY_BYTES = 900_000;

function releaseJob({ questions }: WorkflowOptions): string {
  const steps: Step[] = [
    keyCheck,
    checkOut,
    setUpNode,
    install,
    {
      name: 'Restore the job of an interrupted run',
      uses: 'actions/cache/restore',
      with: {
        path: `${RELEASE_FOLDER}/state`,
        key: STATE_KEY,
        'restore-keys': 'docs-release-state-${{ github.ref_name }}-',
      },
    },
    { name: 'Export', id: 'export', minutes: 120, env: SECRET_KEY, run: exportScript },
    {
      note: 'The state has the ID of the job, and neither the key nor the link.',
      name: 'Keep the job',
      if: "${{ always() && steps.export.outcome != 'skipped' }}",
      uses: 'actions/cache/save',
      with: { path: `${RELEASE_FOLDER}/state`, key: STATE_KEY },
    },
    { name: 'Check', minutes: 15, run: checkScript },
    {
      name: 'Get the last release',
      if: AFTER_EXPORT,
      minutes: 15,
      env: TOKEN,
      run: lastReleaseScript,
    },
    {
      name: 'Compare with the last release',
      if: AFTER_EXPORT,
      minutes: 15,
      run: `${compareScript}\nhead -c ${SUMMARY_BYTES} ${RELEASE_FOLDER}/changes.md >> "$GITHUB_STEP_SUMMARY"`,
    },
    ...(questions === undefined
      ? []
      : [
          {
            name: 'Ask the questions',
            if: AFTER_EXPORT,
            minutes: 20,
            run: questionsScript(' --github'),
          },
        ]),
    {
      name: 'Save the reports',
      if: AFTER_EXPORT,
      uses: 'actions/upload-artifact',
      with: {
        name: 'docs-reports',
        path: ['check.md', 'changes.md', 'redirects.json', 'questions.xml', 'questions.json']
          .map((file) => `${RELEASE_FOLDER}/${file}`)
          .join('\n'),
        'if-no-files-found': 'ignore',
        'retention-days': '90',
      },
    },
    {
      note: 'Only a run without failures gets here, and becomes the last release of the next run.',
      name: 'Save the bundle',
      uses: 'actions/upload-artifact',
      with: {
        name: 'docs-bundle',
        path: ['bundle.tar.gz', 'questions.json']
          .map((file) => `${RELEASE_FOLDER}/${file}`)
          .join('\n'),
        'if-no-files-found': 'error',
        'compression-level': '0',
        'retention-days': '90',
      },
    },
  ];
  return `release:
  name: Export, check and compare
  runs-on: ubuntu-24.04
  timeout-minutes: 180
  permissions:
    contents: read
    actions: read # for the bundle of the last release
  steps:
${indented(steps.map(stepText).join('\n\n'), 4)}`;
}

/**
 * Tells GitHub to replace the link, and its signature alone, in everything that is printed later. GitHub
 * decodes `%25` in a command, so an unescaped link would be masked as a different text.
 */
const maskScript = `\
link=$(cat "$link_file")
link=\${link//'%'/%25}
printf '::add-mask::%s\\n' "$link" "\${link#*\\?}"`;

const pullRequestScript = `\
git config user.name 'github-actions[bot]'
git config user.email '41898282+github-actions[bot]@users.noreply.github.com'
${commitScript}
gh auth setup-git
git push --quiet --force origin HEAD:refs/heads/${LINK_BRANCH}
open=$(gh pr list --head ${LINK_BRANCH} --base "$GITHUB_REF_NAME" --state open \\
  --json isCrossRepository --jq 'map(select(.isCrossRepository | not)) | length')
if [ "$open" = 0 ]; then
  gh pr create --head ${LINK_BRANCH} --base "$GITHUB_REF_NAME" \\
    --title "${LINK_TITLE}" \\
    --body "The release is checked in $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID."
fi`;

function linkJob({ link }: WorkflowOptions): string {
  const isPullRequest = link?.kind === 'values';
  const steps: Step[] = [
    checkOut,
    setUpNode,
    install,
    {
      name: 'Restore the job of this run',
      uses: 'actions/cache/restore',
      with: {
        path: `${RELEASE_FOLDER}/state`,
        key: STATE_KEY,
        // A failed job of this run can be run again, as another attempt.
        'restore-keys': 'docs-release-state-${{ github.ref_name }}-${{ github.run_id }}-',
        'fail-on-cache-miss': 'true',
      },
    },
    {
      name: isPullRequest ? 'Propose the link' : 'Store the link',
      minutes: 15,
      env: isPullRequest ? { ...SECRET_KEY, ...TOKEN } : SECRET_KEY,
      run: [
        linkScript,
        maskScript,
        ...(isPullRequest ? [setValuesScript, pullRequestScript] : [storeScript]),
      ].join('\n'),
    },
  ];
  return `link:
  name: ${isPullRequest ? 'Propose the bundle link' : 'Store the bundle link'}
  needs: release
  runs-on: ubuntu-24.04
  timeout-minutes: 30
  permissions:
${
  isPullRequest
    ? '    contents: write # for the branch\n    pull-requests: write'
    : '    contents: read\n    # Add “id-token: write” if your secret store takes GitHub’s identity.'
}
  steps:
${indented(steps.map(stepText).join('\n\n'), 4)}`;
}

/**
 * Writes the pipeline for GitLab CI. It sets nothing for other jobs, so that it can be a project's
 * whole `.gitlab-ci.yml` as well as one of the files that it includes.
 */
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
import { comment, indented, introduction, linkNote, plainOrQuoted } from './workflowText';
import { quoted } from '../values/deploymentText';

/** Variable of a schedule that starts the release, so that other schedules don't. */
const SCHEDULE_VARIABLE = 'DOCS_RELEASE';

/** Name of the variable with a token that can push. GitLab's job token can't push. */
const PUSH_TOKEN = 'DOCS_RELEASE_TOKEN';

/** Returns the pipeline's YAML. */
export function gitlabPipeline(options: WorkflowOptions): string {
  return `${[
    comment(headerText(options)),
    sharedText(options),
    releaseJob(options),
    ...(options.link ? [linkJob(options)] : []),
  ].join('\n\n')}\n`;
}

function headerText(options: WorkflowOptions): string {
  const { link, trigger } = options;
  const keyStep = `Add the variable ${KEY_SECRET}, an admin key of the docs platform, under
  Settings > CI/CD > Variables, as masked and protected.`;
  const otherSteps = [
    ...(trigger.kind === 'schedule'
      ? [
          `Add a schedule under Build > Pipeline schedules: ${trigger.cron} (UTC), with the variable
  ${SCHEDULE_VARIABLE} = true.`,
        ]
      : []),
    ...(link?.kind === 'values'
      ? [
          `Add the variable ${PUSH_TOKEN}, a project access token with the scope write_repository,
  as masked and protected.`,
        ]
      : []),
    ...(link?.kind === 'store'
      ? ['Add the commands that install and log in to the secret store to the job “docs-link”.']
      : []),
  ];
  return `${introduction(options, keyStep, otherSteps)}

The last release is the bundle of the newest successful run on the same branch, from the cache. Runners
without a shared cache each have their own, and then nothing is compared in the first run of each. It
may not be the bundle that is deployed.

GitLab can't mask a value that a job makes. The link never is on a command line or in the log.${linkNote(options, 'merge')}`;
}

function sharedText(options: WorkflowOptions): string {
  return `.docs-release:
  # A moving tag. Pin it to a digest if your project pins its images.
  image: node:22-bookworm
  # A second run waits for the first, so that they never start two exports.
  resource_group: docs-release
  interruptible: false
  variables:
${indented(scriptVariables(options).map(variableText).join('\n'), 4)}
  rules:
${indented(rulesOf(options), 4)}
  before_script:
    - ${installScript}`;
}

/** Returns a variable with `expand: false`, so that GitLab doesn't replace `$NAME` in its value. */
function variableText([name, value]: [string, string]): string {
  return value.includes('$')
    ? `${name}:\n  value: ${quoted(value)}\n  expand: false`
    : `${name}: ${plainOrQuoted(value)}`;
}

/** Matches the messages of the commits with which GitLab merges the request of a new link. */
const LINK_MESSAGE = `/^(Merge branch '${LINK_BRANCH.replaceAll('/', '\\/')}'|${LINK_TITLE})/`;

function rulesOf({ link, trigger }: WorkflowOptions): string {
  const skipped =
    trigger.kind === 'push' && link?.kind === 'values'
      ? `# The merge of a new link would start the next release, which has a new link.
- if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_MESSAGE =~ ${LINK_MESSAGE}
  when: never\n`
      : '';
  const own =
    trigger.kind === 'push'
      ? `- if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == "${trigger.branch}"`
      : `- if: $CI_PIPELINE_SOURCE == "schedule" && $${SCHEDULE_VARIABLE} == "true"`;
  return `${skipped}${own}\n# Started by hand under Build > Pipelines > New pipeline.\n- if: $CI_PIPELINE_SOURCE == "web" && $${SCHEDULE_VARIABLE} == "true"`;
}

/** The key contains the branch, because each branch has its own releases. */
const STATE_CACHE = `\
- key: docs-release-state-$CI_COMMIT_REF_SLUG
  paths:
    - ${RELEASE_FOLDER}/state/
  when: always`;

const LAST_CACHE = `\
- key: docs-release-last-$CI_COMMIT_REF_SLUG
  paths:
    - ${RELEASE_FOLDER}/last/
  when: on_success`;

const keyCheckScript = `\
if [ -z "\${${KEY_SECRET}:-}" ]; then
  echo "The variable ${KEY_SECRET} is missing. Add it under Settings > CI/CD > Variables."
  exit 4
fi`;

/** Writes every report, and fails at the end if a step failed. */
function reportsScript(questions: string | undefined): string {
  const steps = [
    checkScript,
    compareScript,
    ...(questions === undefined ? [] : [questionsScript()]),
  ];
  const runs = steps.map((step) => `(\n${indented(step, 2)}\n) || failed=$?`);
  return ['failed=0', ...runs, '[ "$failed" = 0 ] || exit "$failed"'].join('\n');
}

const keepReleaseScript = `\
mkdir -p ${RELEASE_FOLDER}/last
cp ${RELEASE_FOLDER}/bundle.tar.gz ${RELEASE_FOLDER}/last/
if [ -f ${RELEASE_FOLDER}/questions.json ]; then
  cp ${RELEASE_FOLDER}/questions.json ${RELEASE_FOLDER}/last/
fi`;

function releaseJob({ questions }: WorkflowOptions): string {
  const files = ['bundle.tar.gz', 'check.md', 'changes.md', 'redirects.json', 'questions.json'];
  return `docs-release:
  extends: .docs-release
  timeout: 3 hours
  script:
${indented(scriptItems([keyCheckScript, exportScript, reportsScript(questions), keepReleaseScript]), 4)}
  cache:
    # The state has the ID of the job, and neither the key nor the link. It is kept after a failure too.
${indented(STATE_CACHE, 4)}
    # Only a run without failures becomes the last release of the next run.
${indented(LAST_CACHE, 4)}
  artifacts:
    when: always
    access: developer
    expire_in: 90 days
    paths:
${files.map((file) => `      - ${RELEASE_FOLDER}/${file}`).join('\n')}${
    questions === undefined ? '' : `\n    reports:\n      junit: ${RELEASE_FOLDER}/questions.xml`
  }`;
}

function scriptItems(scripts: readonly string[]): string {
  return scripts.map((script) => `- |\n${indented(script, 2)}`).join('\n');
}

/** Pushes with the token from the environment. The token is never in a command line or a URL. */
const mergeRequestScript = `\
git config user.name 'Docs release'
git config user.email "docs-release@noreply.$CI_SERVER_HOST"
${commitScript}
git -c credential.helper= \\
  -c credential.helper='!f() { echo username=docs-release; echo "password=$${PUSH_TOKEN}"; }; f' \\
  push --quiet --force \\
  -o merge_request.create -o merge_request.target="$CI_COMMIT_REF_NAME" \\
  -o merge_request.title='${LINK_TITLE}' -o merge_request.remove_source_branch \\
  "$CI_SERVER_URL/$CI_PROJECT_PATH.git" HEAD:refs/heads/${LINK_BRANCH}`;

function linkJob({ link }: WorkflowOptions): string {
  const scripts = link?.kind === 'values' ? [setValuesScript, mergeRequestScript] : [storeScript];
  return `docs-link:
  extends: .docs-release
  needs:
    - job: docs-release
      artifacts: false
  timeout: 30 minutes
  script:
${indented(scriptItems([[linkScript, ...scripts].join('\n')]), 4)}
  cache:
${indented(STATE_CACHE, 4)}
      policy: pull`;
}

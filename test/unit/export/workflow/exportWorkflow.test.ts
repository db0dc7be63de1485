import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import {
  exportWorkflow,
  gitlabInclude,
  workflowFiles,
} from '../../../../src/export/workflow/exportWorkflow';
import { pinnedActions } from '../../../../src/export/workflow/githubWorkflow';
import { ciServices } from '../../../../src/export/workflow/workflowOptions';
import { loadGithubParser } from '../../../builders/githubParser';
import { hostilePaths, workflowForms, workflowOptions } from '../../../builders/workflows';

interface Step {
  readonly name: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly 'timeout-minutes': number;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly concurrency: object;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
type GitlabVariable = string | { readonly value: string; readonly expand: boolean };
interface GitlabJob {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, GitlabVariable>>;
  readonly before_script: readonly string[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
}
type Pipeline = Readonly<Record<string, GitlabJob>>;

let parser: Awaited<ReturnType<typeof loadGithubParser>>;

/** Returns what GitHub's own parser says against a workflow. */
async function githubProblems(content: string): Promise<string[]> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = parser;
  const { context, value } = parseWorkflow(
    { name: 'docs-release.yml', content },
    new NoOperationTraceWriter(),
  );
  if (!value) return context.errors.getErrors().map(({ message }) => message);
  const template = await convertWorkflowTemplate(context, value);
  return [
    ...context.errors.getErrors().map(({ message }) => message),
    ...(template.errors ?? []).map(({ Message }) => Message),
  ];
}

const gitlabSchema = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
  JSON.parse(readFileSync('test/fixtures/schemas/gitlab-ci.json', 'utf8')) as object,
);

function gitlabProblems(content: string): string[] {
  return gitlabSchema(parse(content))
    ? []
    : (gitlabSchema.errors ?? []).map(
        ({ instancePath, message = '' }) => `${instancePath} ${message}`,
      );
}

const github = (input = {}): Workflow =>
  parse(exportWorkflow(workflowOptions('github', input))) as Workflow;
const gitlab = (input = {}): Pipeline =>
  parse(exportWorkflow(workflowOptions('gitlab', input))) as Pipeline;
const scriptsOf = ({ jobs }: Workflow): string[] =>
  Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

describe('the generated workflow', () => {
  before(async () => {
    parser = await loadGithubParser();
  });

  for (const [what, input] of workflowForms) {
    it(`is one that GitHub's own parser accepts, ${what}`, async () => {
      assert.deepEqual(await githubProblems(exportWorkflow(workflowOptions('github', input))), []);
    });

    it(`is one that GitLab's schema accepts, ${what}`, () => {
      assert.deepEqual(gitlabProblems(exportWorkflow(workflowOptions('gitlab', input))), []);
    });
  }

  it('is refused by both validators when it is spoiled', async () => {
    const [forGithub, forGitlab] = ciServices.map((service) =>
      exportWorkflow(workflowOptions(service)),
    );
    const spoiled = String(forGithub).replace('runs-on:', 'run-on:');
    assert.notDeepEqual(await githubProblems(spoiled), []);
    assert.notDeepEqual(
      await githubProblems(String(forGithub).replace('secrets.DOCS', 'secret.DOCS')),
      [],
    );
    assert.notDeepEqual(
      gitlabProblems(String(forGitlab).replace('when: always', 'when: often')),
      [],
    );
  });

  // Shows faults.md L25.
  it('never runs user input as code: scripts are the same for every input', () => {
    const plain = { questions: 'q.yaml', values: 'v.yaml' };
    const expected = {
      github: scriptsOf(github(plain)),
      gitlab: gitlab(plain)['docs-release']?.script,
    };
    for (const hostile of hostilePaths) {
      const input = {
        questions: hostile,
        values: `${hostile}/v`,
        exportDomain: 'other.example.com',
      };
      assert.deepEqual(scriptsOf(github(input)), expected.github, hostile);
      assert.deepEqual(gitlab(input)['docs-release']?.script, expected.gitlab, hostile);
    }
    for (const script of [...expected.github, ...(expected.gitlab ?? [])]) {
      assert.doesNotMatch(script, /\$\{\{/, 'no expression is put into a script');
    }
  });

  it('keeps every path unchanged through YAML and the expansion of the service', async () => {
    for (const hostile of hostilePaths) {
      const text = exportWorkflow(workflowOptions('github', { questions: hostile }));
      assert.deepEqual(await githubProblems(text), [], hostile);
      const { DOCS_QUESTIONS = '' } = (parse(text) as Workflow).env;
      // GitHub replaces an expression that is a text by that text.
      assert.equal(DOCS_QUESTIONS.replaceAll("${{ '${{' }}", '${{'), hostile);
      assert.doesNotMatch(DOCS_QUESTIONS, /\$\{\{ (?!'\$\{\{' \}\})/);

      const pipeline = exportWorkflow(workflowOptions('gitlab', { questions: hostile }));
      assert.deepEqual(gitlabProblems(pipeline), [], hostile);
      const variable = (parse(pipeline) as Pipeline)['.docs-release']?.variables['DOCS_QUESTIONS'];
      if (hostile.includes('$')) assert.deepEqual(variable, { value: hostile, expand: false });
      else assert.equal(variable, hostile);
    }
  });

  it('pins every action to a commit, with its tag beside it', () => {
    const text = exportWorkflow(workflowOptions('github', { values: 'values.yaml' }));
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    assert.ok(uses.length >= 8);
    for (const line of uses)
      assert.match(line, /uses: actions\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    assert.equal(
      new Set(Object.values(pinnedActions).map(({ commit }) => commit)).size,
      4,
      'both parts of actions/cache are of one commit',
    );
  });

  it('gives each job only the permissions it needs, and the admin key only to single steps', () => {
    const { permissions, jobs, concurrency, env } = github({ values: 'values.yaml' });
    assert.deepEqual(permissions, {});
    assert.deepEqual(jobs['release']?.permissions, { contents: 'read', actions: 'read' });
    assert.deepEqual(jobs['link']?.permissions, { contents: 'write', 'pull-requests': 'write' });
    assert.deepEqual(github({ storeCommand: 'store' }).jobs['link']?.permissions, {
      contents: 'read',
    });
    assert.deepEqual(concurrency, {
      group: 'docs-release-${{ github.ref }}',
      'cancel-in-progress': false,
    });
    assert.ok(Object.values(jobs).every((job) => job['timeout-minutes'] <= 180));
    assert.ok(!JSON.stringify(env).includes('secrets.'));
    const withKey = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter((step) => JSON.stringify(step).includes('secrets.')).map(({ name }) => name),
    );
    assert.deepEqual(withKey, ['Look for the admin key', 'Export', 'Propose the link']);
    const checkouts = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    );
    for (const step of checkouts) assert.equal(step.with?.['persist-credentials'], false);
  });

  it('masks the link before anything can print it', () => {
    for (const input of [{ values: 'values.yaml' }, { storeCommand: 'store' }]) {
      const script = github(input).jobs['link']?.steps.at(-1)?.run ?? '';
      const [getting, masking, using] = ['export link', '::add-mask::', 'link_file"\n'].map(
        (part) => script.indexOf(part),
      );
      assert.ok(Number(getting) < Number(masking));
      assert.ok(script.lastIndexOf('link_file"') > Number(masking), String(using));
    }
  });

  it('writes the schedule for GitHub, and says how to make one at GitLab', () => {
    assert.deepEqual(github({ cron: ' 5  6 * * MON' }).on, {
      schedule: [{ cron: '5 6 * * MON' }],
      workflow_dispatch: null,
    });
    assert.deepEqual(github({ branch: 'main' }).on, {
      push: { branches: ['main'] },
      workflow_dispatch: null,
    });
    assert.match(
      exportWorkflow(workflowOptions('gitlab', { cron: '5 6 * * 1' })),
      /5 6 \* \* 1 \(UTC\)/,
    );
  });

  it('says to commit a package file, and to own a package that a registry has', () => {
    for (const service of ciServices) {
      assert.match(
        exportWorkflow(workflowOptions(service)),
        /^# - Commit the package file tools\/docs-assistant\.tgz\.$/m,
      );
      const named = exportWorkflow(workflowOptions(service, { packageSpec: '@acme/docs@1.2.3' }));
      assert.match(named, /^# - Make sure that @acme\/docs@1\.2\.3 is your own package\. /m);
    }
  });

  // Shows faults.md L29.
  it('starts no release when its own new link is merged', async () => {
    const merged = { branch: 'main', values: 'deploy/[a] *+?!.yaml' };
    assert.deepEqual(github(merged).on, {
      push: { branches: ['main'], 'paths-ignore': ['deploy/\\[a\\] \\*\\+\\?\\!.yaml'] },
      workflow_dispatch: null,
    });
    assert.deepEqual(await githubProblems(exportWorkflow(workflowOptions('github', merged))), []);

    const pipeline = exportWorkflow(workflowOptions('gitlab', merged));
    assert.deepEqual(gitlabProblems(pipeline), []);
    const [rule] = gitlab(merged)['.docs-release']?.rules ?? [];
    assert.equal(rule?.when, 'never');
    const [, pattern = ''] = /=~ \/(.*)\/$/.exec(rule.if) ?? [];
    const messages: [string, boolean][] = [
      ["Merge branch 'docs-assistant/bundle-link' into 'main'\n\nUpdate", true],
      ['Update the docs bundle link', true],
      ["Merge branch 'guides' into 'main'", false],
      ['Say how to update the docs bundle link', false],
    ];
    for (const [message, isOwn] of messages) {
      assert.equal(new RegExp(pattern).test(message), isOwn, message);
    }
    for (const other of [{ branch: 'main' }, { values: 'values.yaml' }]) {
      assert.ok(!gitlab(other)['.docs-release']?.rules.some(({ when }) => when === 'never'));
    }
  });

  it('does not change other jobs of a GitLab project', () => {
    const names = Object.keys(gitlab({ values: 'values.yaml' }));
    assert.deepEqual(names, ['.docs-release', 'docs-release', 'docs-link']);
    assert.deepEqual(parse(gitlabInclude(workflowFiles.gitlab)), {
      include: [{ local: '/.gitlab/docs-release.yml' }],
    });
    for (const typed of ['./ci/docs.yml', '.\\ci\\docs.yml', 'ci/docs.yml']) {
      assert.deepEqual(parse(gitlabInclude(typed)), { include: [{ local: '/ci/docs.yml' }] });
    }
  });
});

/**
 * Runs a workflow of GitHub Actions as its runner does: each job in a clone of its own, each script with
 * `bash --noprofile --norc -eo pipefail`, and the few actions that our workflows use as copies between
 * folders. Conditions and expressions that it doesn't know are an error.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { exists } from '../../../src/common/onDisk';
import { writeNpmOnce } from './npmOnce';

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Job {
  readonly needs?: string;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

type Outcome = 'success' | 'failure' | 'skipped';

/** One run of a workflow. */
export interface WorkflowRun {
  readonly id: number;
  readonly outcome: 'success' | 'failure';
  /** Outcome of each step, by the name of its job and its own. */
  readonly steps: Readonly<Record<string, Outcome>>;
  /** Everything that the steps printed, as the runner gets it. */
  readonly log: string;
  /** The log without the lines of masks, and with what they mask replaced, as people see it. */
  readonly shownLog: string;
  readonly summary: string;
}

export interface RunOptions {
  readonly secrets?: Readonly<Record<string, string>>;
  /** Values that replace those of the workflow, such as the URL of a test's own service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called before each script, with the folder that it runs in. */
  readonly beforeStep?: (name: string, workspace: string) => Promise<void>;
  /** Called when a script has started. */
  readonly onStep?: (name: string, kill: () => void) => void;
}

const REPOSITORY = 'acme/docs';
export const GITHUB_TOKEN = 'ghs_Canary9Rt4Kx2Wm7';

/** A place with the repository, the caches and the artifacts of all runs. */
export class GithubRunner {
  readonly #root: string;
  readonly #remote: string;
  readonly #file: string;
  readonly #workflow: Workflow;
  #runs = 0;

  private constructor(root: string, remote: string, file: string, text: string) {
    this.#root = root;
    this.#remote = remote;
    this.#file = file;
    this.#workflow = parse(text) as Workflow;
  }

  /**
   * @param root folder for everything.
   * @param remote bare repository with the branch `main`.
   * @param installed folder for what npm installed, which runners of the same package share.
   */
  static async make(
    root: string,
    remote: string,
    text: string,
    installed: string,
  ): Promise<GithubRunner> {
    const bin = path.join(root, 'bin');
    await writeNpmOnce(bin, installed);
    await writeFile(path.join(bin, 'gh'), ghStub);
    await chmod(path.join(bin, 'gh'), 0o755);
    return new GithubRunner(root, remote, 'docs-release.yml', text);
  }

  /** Returns the folder of an artifact of a run. */
  artifact(runId: number, name: string): string {
    return path.join(this.#root, 'artifacts', String(runId), name);
  }

  /** Folder with everything that outlives a run: caches, artifacts, and what `gh` was asked for. */
  get kept(): readonly string[] {
    return ['artifacts', 'caches', 'pulls'].map((name) => path.join(this.#root, name));
  }

  async run(options: RunOptions = {}): Promise<WorkflowRun> {
    const id = ++this.#runs;
    const steps: Record<string, Outcome> = {};
    const summary = path.join(this.#root, `summary-${id}.md`);
    await writeFile(summary, '');
    let log = '';
    const failed = new Set<string>();
    for (const [name, job] of Object.entries(this.#workflow.jobs)) {
      if (job.needs !== undefined && failed.has(job.needs)) {
        failed.add(name);
        continue;
      }
      const folder = path.join(this.#root, 'runs', String(id), name);
      const running = new RunningJob({
        folder,
        id,
        summary,
        options,
        root: this.#root,
        remote: this.#remote,
        file: this.#file,
        env: this.#workflow.env,
      });
      const ran = await running.run(job);
      log += ran.log;
      for (const [step, outcome] of Object.entries(ran.outcomes))
        steps[`${name}: ${step}`] = outcome;
      if (ran.isFailed) failed.add(name);
    }
    const outcome = failed.size === 0 ? 'success' : 'failure';
    if (outcome === 'success') {
      await writeFile(path.join(this.#root, 'last-success'), String(id));
    }
    const masks = [...log.matchAll(/^::add-mask::(.+)$/gm)].map(([, value = '']) =>
      decodedMask(value),
    );
    const shownLog = masks.reduce(
      (text, value) => text.replaceAll(value, '***'),
      log.replace(/^::add-mask::.*\n/gm, ''),
    );
    return { id, outcome, steps, log, shownLog, summary: await readFile(summary, 'utf8') };
  }
}

/** Returns the text of a mask as GitHub's runner reads it. */
export function decodedMask(data: string): string {
  return data.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

interface JobPlace {
  readonly root: string;
  readonly folder: string;
  readonly remote: string;
  readonly file: string;
  readonly id: number;
  readonly summary: string;
  readonly env: Readonly<Record<string, string>>;
  readonly options: RunOptions;
}

class RunningJob {
  readonly #place: JobPlace;
  readonly #outcomes: Record<string, Outcome> = {};
  readonly #byId: Record<string, Outcome> = {};
  #isFailed = false;
  #log = '';

  constructor(place: JobPlace) {
    this.#place = place;
  }

  async run({ steps }: Job): Promise<{
    readonly outcomes: Readonly<Record<string, Outcome>>;
    readonly isFailed: boolean;
    readonly log: string;
  }> {
    await mkdir(this.#temp, { recursive: true });
    await mkdir(this.#workspace, { recursive: true });
    for (const step of steps) {
      let outcome: Outcome = 'skipped';
      if (this.#isDue(step.if)) {
        const isDone = step.run === undefined ? await this.#use(step) : await this.#script(step);
        outcome = isDone ? 'success' : 'failure';
        if (!isDone) this.#isFailed = true;
      }
      this.#outcomes[step.name] = outcome;
      if (step.id !== undefined) this.#byId[step.id] = outcome;
    }
    await rm(this.#temp, { recursive: true, force: true, maxRetries: 5 });
    return { outcomes: this.#outcomes, isFailed: this.#isFailed, log: this.#log };
  }

  get #workspace(): string {
    return path.join(this.#place.folder, 'workspace');
  }

  get #temp(): string {
    return path.join(this.#place.folder, 'temp');
  }

  #isDue(condition: string | undefined): boolean {
    const exported = this.#byId['export'];
    switch (condition) {
      case undefined:
        return !this.#isFailed;
      case "${{ !cancelled() && steps.export.outcome == 'success' }}":
        return exported === 'success';
      case "${{ always() && steps.export.outcome != 'skipped' }}":
        return exported !== undefined && exported !== 'skipped';
      default:
        throw new Error(`The runner does not know the condition ${condition}.`);
    }
  }

  /** Replaces expressions. */
  #resolved(text: string): string {
    const { id, options } = this.#place;
    const known: Readonly<Record<string, string>> = {
      'github.token': GITHUB_TOKEN,
      'github.repository': REPOSITORY,
      'github.ref_name': 'main',
      'github.run_id': String(id),
      'github.run_attempt': '1',
      "'${{'": '${{',
    };
    return text.replace(/\$\{\{ (.+?) \}\}/g, (_all, expression: string) => {
      const secret = /^secrets\.(\w+)$/.exec(expression)?.[1];
      // A secret that doesn't exist is an empty text, as in a fork.
      if (secret !== undefined) return options.secrets?.[secret] ?? '';
      const value = known[expression];
      if (value === undefined) throw new Error(`The runner does not know ${expression}.`);
      return value;
    });
  }

  async #use({ uses = '', with: inputs = {} }: Step): Promise<boolean> {
    const input = (name: string): string => this.#resolved(String(inputs[name] ?? ''));
    const [action] = uses.split('@');
    const kept = path.join(this.#workspace, input('path'));
    switch (action) {
      case 'actions/checkout':
        return this.#spawn('git', ['clone', '--quiet', this.#place.remote, this.#workspace], {});
      case 'actions/setup-node':
        return true;
      case 'actions/cache/save':
        if (await exists(kept)) await cp(kept, this.#cache(input('key')), { recursive: true });
        return true;
      case 'actions/cache/restore': {
        const found = await this.#newestCache([input('key'), input('restore-keys')]);
        if (found !== undefined) await cp(found, kept, { recursive: true });
        return found !== undefined || input('fail-on-cache-miss') !== 'true';
      }
      case 'actions/upload-artifact':
        return this.#upload(
          input('name'),
          input('path').trim().split('\n'),
          input('if-no-files-found'),
        );
      default:
        throw new Error(`The runner does not know the action ${uses}.`);
    }
  }

  #cache(key: string): string {
    return path.join(this.#place.root, 'caches', key);
  }

  async #newestCache(prefixes: readonly string[]): Promise<string | undefined> {
    const keys = await readdir(path.join(this.#place.root, 'caches')).catch(() => []);
    for (const prefix of prefixes.filter(Boolean)) {
      const newest = keys
        .filter((key) => key.startsWith(prefix))
        .sort()
        .at(-1);
      if (newest !== undefined) return this.#cache(newest);
    }
    return undefined;
  }

  /** Puts files below the folder that they have in common, as the action does. */
  async #upload(name: string, files: readonly string[], ifNone: string): Promise<boolean> {
    let isAny = false;
    for (const file of files) {
      const from = path.join(this.#workspace, file);
      if (!(await exists(from))) continue;
      isAny = true;
      const target = path.join(this.#place.root, 'artifacts', String(this.#place.id), name);
      await cp(from, path.join(target, path.basename(file)));
    }
    return isAny || ifNone === 'ignore';
  }

  async #script(step: Step): Promise<boolean> {
    const file = path.join(this.#temp, 'script.sh');
    await writeFile(file, step.run ?? '');
    const env = Object.fromEntries(
      Object.entries({ ...this.#place.env, ...this.#place.options.env, ...step.env }).map(
        ([name, value]) => [name, this.#resolved(value)],
      ),
    );
    await this.#place.options.beforeStep?.(step.name, this.#workspace);
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', file];
    return this.#spawn('bash', args, env, step.name);
  }

  async #spawn(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    step?: string,
  ): Promise<boolean> {
    const { root, id, summary, file, options } = this.#place;
    const tools = path.join(this.#place.folder, 'tools');
    const child = spawn(command, args, {
      cwd: this.#workspace,
      // A group of its own, so that a test can kill everything that the script has started.
      detached: true,
      env: {
        PATH: [path.join(root, 'bin'), path.join(tools, 'bin'), process.env['PATH']].join(':'),
        HOME: path.join(root, 'home'),
        TMPDIR: this.#temp,
        CI: 'true',
        DOCS_ASSISTANT_LANGUAGE: 'en',
        GIT_CONFIG_NOSYSTEM: '1',
        GITHUB_ACTIONS: 'true',
        GITHUB_REF_NAME: 'main',
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_RUN_ID: String(id),
        GITHUB_SERVER_URL: 'https://github.example.com',
        GITHUB_STEP_SUMMARY: summary,
        // Names of branches can have the sign that separates them here.
        GITHUB_WORKFLOW_REF: `${REPOSITORY}/.github/workflows/${file}@refs/heads/main@next`,
        STUB_ROOT: root,
        npm_config_prefix: tools,
        npm_config_offline: 'true',
        npm_config_cache: path.join(root, 'npm'),
        npm_config_update_notifier: 'false',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const add = (text: string): void => void (this.#log += text);
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    const closed = once(child, 'close') as Promise<[number | null]>;
    if (step !== undefined) {
      options.onStep?.(step, () => process.kill(-(child.pid ?? 0), 'SIGKILL'));
    }
    const [code] = await closed;
    return code === 0;
  }
}

/** The part of GitHub's command line that the workflow uses, over the folders of the runner. */
const ghStub = `#!/usr/bin/env bash
set -eu
: "\${GH_TOKEN:?gh needs a token}"
: "\${GH_REPO:?gh needs a repository}"
option() {
  local name=$1; shift
  while [ $# -gt 0 ]; do [ "$1" = "$name" ] && { echo "$2"; return; }; shift; done
  echo "the stub needs $name" >&2; exit 2
}
pulls="$STUB_ROOT/pulls"
case "$1 $2" in
  'run list')
    [ "$(option --workflow "$@")" = docs-release.yml ]
    [ "$(option --branch "$@")" = main ]
    [ "$(option --status "$@")" = success ]
    if [ -f "$STUB_ROOT/last-success" ]; then cat "$STUB_ROOT/last-success"; fi ;;
  'run download')
    from="$STUB_ROOT/artifacts/$3/$(option --name "$@")"
    [ -d "$from" ] || { echo 'no valid artifacts found to download' >&2; exit 1; }
    mkdir -p "$(option --dir "$@")"
    cp -r "$from/." "$(option --dir "$@")" ;;
  'auth setup-git') ;;
  'pr list') if [ -f "$pulls/$(option --head "$@" | tr / _)" ]; then echo 1; else echo 0; fi ;;
  'pr create')
    mkdir -p "$pulls"
    printf '%s\\n' "$@" > "$pulls/$(option --head "$@" | tr / _)" ;;
  *) echo "the stub does not know: gh $*" >&2; exit 2 ;;
esac
`;

/** Options of a CI workflow for exports, and the checks of what people enter for it. */
import { parseApiAddress } from '../../common/http/address';
import { hasControlsOrSeparators } from '../../shared/characters';
import { parseExportDomain } from '../commands/settings';

export const ciServices = ['github', 'gitlab'] as const;

/** Service that runs the workflow. */
export type CiService = (typeof ciServices)[number];

/** Event that starts the workflow. */
type WorkflowTrigger =
  | { readonly kind: 'push'; readonly branch: string }
  /** `cron` has five fields, in UTC. GitLab keeps schedules in its project settings. */
  | { readonly kind: 'schedule'; readonly cron: string };

/** Way in which the workflow passes on the bundle link. */
type LinkUse =
  /** Puts the link into a values file, and proposes the change in a pull or merge request. */
  | { readonly kind: 'values'; readonly file: string }
  /** Hands the link to a command of the secret store, which reads it from stdin. */
  | { readonly kind: 'store'; readonly command: string };

/** Checked options of a workflow. Paths are relative to the repository's top. */
export interface WorkflowOptions {
  readonly service: CiService;
  readonly exportDomain: string;
  readonly apiUrl: string;
  readonly trigger: WorkflowTrigger;
  /** Argument of `npm install`: a package file in the repository, or a name with an exact version. */
  readonly packageSpec: string;
  /** Questions file that the docs must answer. */
  readonly questions?: string;
  readonly link?: LinkUse;
}

/** Options as people enter them. */
export type WorkflowInput = Readonly<
  Record<'exportDomain' | 'apiUrl' | 'packageSpec', string> &
    Partial<Record<'branch' | 'cron' | 'questions' | 'values' | 'storeCommand', string>>
>;

/** Sentences about inputs, in one place so that all of them can be translated. */
const sentences = {
  path: 'Enter a path inside the repository, such as {0}.',
  package:
    'Enter a package file in the repository, such as ./tools/docs-assistant.tgz, or a name with an exact version, such as docs-assistant@1.2.3.',
  branch: 'Enter the name of a branch, such as main.',
  cron: 'Enter a schedule of five fields, such as “23 4 * * 1” for Mondays at 4:23 UTC.',
  command: 'Enter a command on one line that reads the link from stdin.',
  link: 'Choose a values file or a secret store, not both.',
  trigger: 'Choose a branch or a schedule, not both.',
} as const;

/** Reason why an input is invalid. `message` is untranslated English, with `{0}` for `detail`. */
export interface InputRefusal {
  readonly ok: false;
  readonly message:
    | (typeof sentences)[keyof typeof sentences]
    | Extract<
        ReturnType<typeof parseApiAddress> | ReturnType<typeof parseExportDomain>,
        { readonly ok: false }
      >['message'];
  readonly detail?: string | undefined;
}

type Checked = { readonly ok: true; readonly value: string } | InputRefusal;

/** Maximum length of a path, a command and everything else that is entered. */
const MAX_LENGTH = 1000;

/** Checks a path inside the repository. @returns the path with forward slashes and without `./`. */
export function checkRepositoryPath(text: string, example: string): Checked {
  const value = text
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/+)+/, '');
  const isInside =
    value !== '' &&
    value.length <= MAX_LENGTH &&
    !hasControlsOrSeparators(value) &&
    !/^(?:\/|[A-Za-z]:|-|~)/.test(value) &&
    value.split('/').every((name) => !['', '.', '..', '.git'].includes(name));
  return isInside ? { ok: true, value } : { ok: false, message: sentences.path, detail: example };
}

/**
 * Checks the argument of `npm install`. The version must be exact, because a range would run whatever
 * is published next, in a job that has the admin key.
 * @returns a package file as `./path`, which npm can't mistake for a repository on GitHub.
 */
export function checkPackage(text: string): Checked {
  const trimmed = text.trim();
  if (/^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(trimmed)) {
    return { ok: true, value: trimmed };
  }
  const file = checkRepositoryPath(trimmed, '');
  return file.ok && /\.(?:tgz|tar\.gz)$/.test(file.value)
    ? { ok: true, value: `./${file.value}` }
    : { ok: false, message: sentences.package };
}

/** Checks the name of a branch. Git allows more names, but a workflow would need to escape them. */
export function checkBranch(text: string): Checked {
  const value = text.trim();
  return value.length <= 200 && /^\w[\w./-]*$/.test(value) && !value.includes('..')
    ? { ok: true, value }
    : { ok: false, message: sentences.branch };
}

export function checkCron(text: string): Checked {
  const value = text.trim().replace(/\s+/g, ' ');
  return /^[\d*,/-]+ [\d*,/-]+ [\d*,/-]+ [\dA-Za-z*,/-]+ [\dA-Za-z*,/-]+$/.test(value)
    ? { ok: true, value }
    : { ok: false, message: sentences.cron };
}

export function checkStoreCommand(text: string): Checked {
  const value = text.trim();
  return value !== '' && value.length <= MAX_LENGTH && !hasControlsOrSeparators(value)
    ? { ok: true, value }
    : { ok: false, message: sentences.command };
}

/** Checks all inputs. @returns the options, or the first refusal with the input's name. */
export function readWorkflowOptions(
  service: CiService,
  input: WorkflowInput,
):
  | { readonly ok: true; readonly options: WorkflowOptions }
  | (InputRefusal & { readonly field: keyof WorkflowInput }) {
  const domain = parseExportDomain(input.exportDomain);
  if (!domain.ok) return { field: 'exportDomain', ...domain };
  const api = parseApiAddress(input.apiUrl, 'export');
  if (!api.ok) return { field: 'apiUrl', ...api };
  if (input.branch !== undefined && input.cron !== undefined) {
    return { ok: false, field: 'cron', message: sentences.trigger };
  }
  if (input.values !== undefined && input.storeCommand !== undefined) {
    return { ok: false, field: 'storeCommand', message: sentences.link };
  }
  const checks = {
    packageSpec: checkPackage,
    branch: checkBranch,
    cron: checkCron,
    questions: (text: string) => checkRepositoryPath(text, 'docs-questions.yaml'),
    values: (text: string) => checkRepositoryPath(text, 'deploy/values.yaml'),
    storeCommand: checkStoreCommand,
  } as const;
  const values: Partial<Record<keyof typeof checks, string>> = {};
  for (const [field, check] of Object.entries(checks) as [
    keyof typeof checks,
    (text: string) => Checked,
  ][]) {
    const text = input[field];
    if (text === undefined) continue;
    const checked = check(text);
    if (!checked.ok) return { field, ...checked };
    values[field] = checked.value;
  }
  const { packageSpec = '', branch, cron, questions, values: file, storeCommand } = values;
  const link: LinkUse | undefined =
    file !== undefined
      ? { kind: 'values', file }
      : storeCommand !== undefined
        ? { kind: 'store', command: storeCommand }
        : undefined;
  return {
    ok: true,
    options: {
      service,
      exportDomain: domain.exportDomain,
      apiUrl: api.baseUrl,
      packageSpec,
      trigger:
        branch === undefined ? { kind: 'schedule', cron: cron ?? DAILY } : { kind: 'push', branch },
      questions,
      link,
    },
  };
}

/** Every day at a minute at which CI services are less busy than at full hours. */
export const DAILY = '23 4 * * *';

/** Mondays at the time of {@link DAILY}. */
export const WEEKLY = '23 4 * * 1';

/** Commands of secret stores that take a value from stdin, by the name of the store. */
export const storeCommands = {
  'HashiCorp Vault': 'vault kv put -mount=secret docs/bundle-link bundleUrl=-',
  'AWS Secrets Manager':
    'aws secretsmanager put-secret-value --secret-id docs/bundle-link --secret-string file:///dev/stdin',
  'Google Secret Manager': 'gcloud secrets versions add docs-bundle-link --data-file=-',
  'Azure Key Vault':
    'az keyvault secret set --vault-name VAULT --name docs-bundle-link --file /dev/stdin --output none',
} as const;

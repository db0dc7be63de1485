/** `docs-assistant export workflow`: *Add Export Workflow…* on the command line. Uses `node:fs`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exists, makeFolder } from '../../common/onDisk';
import { writeError } from '../../export/exportErrors';
import { exportWorkflow, gitlabInclude, workflowFiles } from '../../export/workflow/exportWorkflow';
import {
  ciServices,
  readWorkflowOptions,
  type WorkflowInput,
  type WorkflowOptions,
} from '../../export/workflow/workflowOptions';
import { systemErrorCode } from '../../common/errorCode';
import { runReported } from '../commandReporter';
import { CliError, type CliContext, exitCodes } from '../context';
import { shownPath } from '../places';
import { namedApiUrl } from './exportTarget';

/** Options of the command, as the parser of arguments returns them. */
export interface WorkflowCommandOptions {
  readonly for: string;
  readonly package: string;
  readonly domain?: string;
  readonly apiUrl?: string;
  readonly branch?: string;
  readonly schedule?: string;
  readonly questions?: string;
  readonly values?: string;
  readonly storeCommand?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes the workflow. @returns the exit code. Failures have been reported then. */
export async function runWorkflow(
  options: WorkflowCommandOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, t } = context;
  return runReported(context, options, async (reporter) => {
    const checked = checkedOptions(options, context);
    const { output } = options;
    const top = await repositoryTop(cwd);
    const file =
      output === undefined
        ? path.join(top, workflowFiles[checked.service])
        : path.resolve(cwd, output);
    const shown = shownPath(file, cwd);
    const isWritten = await writeWorkflow(file, exportWorkflow(checked), options.force === true);
    if (!isWritten) {
      throw new CliError(
        exitCodes.file,
        t('{0} already exists. Add --force to replace it.', shown),
      );
    }
    reporter.tell(
      { event: 'workflow', file },
      t('Wrote {0}. Its first lines list what to set up before the first run.', shown),
      ...(checked.service === 'gitlab' && path.basename(file) !== '.gitlab-ci.yml'
        ? [
            t('To run it, include it in .gitlab-ci.yml:'),
            ...gitlabInclude(path.relative(top, file)).trimEnd().split('\n'),
          ]
        : []),
    );
    return exitCodes.ok;
  });
}

/** Returns the nearest folder at or above another one that git knows as the top of a repository, otherwise this one. */
async function repositoryTop(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    if (await exists(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return folder;
  }
}

/** Options of the command line, by the input that each one provides. */
const flags = {
  exportDomain: '--domain',
  apiUrl: '--api-url',
  packageSpec: '--package',
  branch: '--branch',
  cron: '--schedule',
  questions: '--questions',
  values: '--values',
  storeCommand: '--store-command',
} as const satisfies Readonly<Record<keyof WorkflowInput, string>>;

function checkedOptions(options: WorkflowCommandOptions, { env, t }: CliContext): WorkflowOptions {
  const service = ciServices.find((known) => known === options.for);
  if (service === undefined) {
    throw new CliError(exitCodes.usage, t('Set --for to github or gitlab.'));
  }
  const { branch, schedule, questions, values, storeCommand } = options;
  const read = readWorkflowOptions(service, {
    exportDomain: options.domain ?? env['DOCS_ASSISTANT_DOMAIN'] ?? '',
    apiUrl: namedApiUrl(options, { env, t }),
    packageSpec: options.package,
    branch,
    cron: schedule,
    questions,
    values,
    storeCommand,
  });
  if (read.ok) return read.options;
  throw new CliError(
    exitCodes.usage,
    `${flags[read.field]}: ${t(read.message, read.detail ?? '')}`,
  );
}

/**
 * @returns whether the file was written. An existing file stays unless it `isForced`.
 * @throws {ExportError} `not-writable`, `disk-full`.
 */
async function writeWorkflow(file: string, text: string, isForced: boolean): Promise<boolean> {
  try {
    await makeFolder(path.dirname(file));
    await writeFile(file, text, { flag: isForced ? 'w' : 'wx' });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST' && (await exists(file))) return false;
    throw writeError(error, file);
  }
}

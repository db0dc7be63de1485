/**
 * The program `docs-assistant`. Each group of commands has a file with its names, options and help.
 * The code of a command loads only when it runs.
 */
import { Command, CommanderError } from 'commander';
import type { Translate } from '../common/errors';
import { CliError, exitCodes, type CliContext } from './context';
import { hasKey, hasPresignedLink, withoutPublicKey } from './keyArguments';
import { type AddCommand, addHelp, configure, exitCodesText } from './parser';

/**
 * Runs the command that the arguments name.
 * @returns the exit code. Failures have been reported then.
 */
export async function runCommand(
  args: readonly string[],
  context: CliContext,
  commands: readonly AddCommand[],
): Promise<number> {
  const { stdout, stderr, t } = context;
  if (withoutPublicKey(args).some(hasKey)) {
    stderr.line(
      t(
        'An argument looks like a key. Other users of this machine can see arguments, and shells keep them in their history. Put the key into an environment variable: DOCS_ASSISTANT_KEY, DOCS_ASSISTANT_MODEL_KEY or DOCS_ASSISTANT_ADMIN_KEY.',
      ),
    );
    return exitCodes.usage;
  }
  if (args.some(hasPresignedLink)) {
    stderr.line(
      t(
        'An argument looks like a presigned link. Other users of this machine can see arguments, and shells keep them in their history. Put the link into a file instead, as “export link --output” does.',
      ),
    );
    return exitCodes.usage;
  }
  let exitCode: number = exitCodes.ok;
  try {
    if (args[0] === '--version' || args[0] === '-V') {
      const { readVersion } = await import('./version');
      stdout.line(await readVersion(context.distFolder));
      return exitCodes.ok;
    }
    const program = createProgram(context, commands, (code) => (exitCode = code));
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    }
    const { reportFailure } = await import('./failure');
    return reportFailure(error, context);
  }
}

/** Builds the parser. @param onExit called with the exit code of the command that ran. */
function createProgram(
  context: CliContext,
  commands: readonly AddCommand[],
  onExit: (exitCode: number) => void,
): Command {
  const { t } = context;
  const program = new Command('docs-assistant');
  program
    .description(
      t('Ask the docs from the terminal, serve docs and tools on this machine, and export sites.'),
    )
    .usage(t('<command> [options]'))
    .addHelpText('after', () => overviewText(t));
  configure(program, context);
  // This option is only for the help. The version was printed before parsing, because it is read
  // from a file.
  program.option('-V, --version', t('print the version'));
  for (const add of [...commands, addHelp]) add(program, context, onExit);
  program.hook('preAction', (_program, command) => refuseMissing(command, t));
  return program;
}

/** Options that may be blank, because the environment can provide their values, as in CI. */
const fromEnvironment: readonly string[] = ['site', 'base-url', 'api-url', 'domain'];
/** Options for which `-` is stdin or stdout, behind the names of their commands. */
const acceptDash: readonly string[] = ['test json', 'set link-file'];
/** Arguments and options whose commands have sentences of their own for a blank value. */
const checkedByCommand: readonly string[] = ['question', 'label'];

/**
 * Refuses blank values, which would mean the current folder for a path, or no choice at all. Also refuses an option
 * as the value of the option before it: `--markdown --json` would write a file named `--json`. Most commands would
 * write a file named `-` for what other programs print to stdout.
 * @throws {CliError} for the first missing value.
 */
function refuseMissing(command: Command, t: Translate): void {
  const some = (value: unknown, test: (text: string) => boolean): boolean =>
    Array.isArray(value)
      ? value.some((each) => some(each, test))
      : typeof value === 'string' && test(value);
  const isBlank = (text: string): boolean => text.trim() === '';
  const left = [...fromEnvironment, ...checkedByCommand];
  const argument = command.registeredArguments.find(
    (each, index) => !left.includes(each.name()) && some(command.processedArgs[index], isBlank),
  );
  if (argument) {
    throw new CliError(exitCodes.usage, t('The argument {0} is missing.', argument.name()));
  }
  const known = command.createHelp().visibleOptions(command);
  const isOption = (text: string): boolean =>
    known.some(({ short, long }) => text === short || text === long);
  const option = command.options.find((each) => {
    const value: unknown = command.getOptionValue(each.attributeName());
    return some(value, isOption) || (!left.includes(each.name()) && some(value, isBlank));
  });
  if (option) {
    throw new CliError(exitCodes.usage, t('The option {0} needs a value.', option.flags));
  }
  const dashed = command.options.find(
    (each) =>
      /<(?:file|folder)>/.test(each.flags) &&
      command.getOptionValue(each.attributeName()) === '-' &&
      !acceptDash.includes(`${command.name()} ${each.name()}`),
  );
  if (dashed) {
    throw new CliError(
      exitCodes.usage,
      t('The option {0} doesn’t accept “-”. Enter a path.', dashed.flags),
    );
  }
}

function overviewText(t: Translate): string {
  return `
${t('Environment:')}
  DOCS_ASSISTANT_KEY              ${t('assistant key of the site')}
  DOCS_ASSISTANT_MODEL_KEY        ${t('key of --model-endpoint')}
  DOCS_ASSISTANT_DOCS             ${t('default of --docs')}
  DOCS_ASSISTANT_SITE             ${t('default of --site')}
  DOCS_ASSISTANT_BASE_URL         ${t('default of --base-url')}
  DOCS_ASSISTANT_MODEL_ENDPOINT   ${t('default of --model-endpoint')}
  DOCS_ASSISTANT_MODEL            ${t('default of --model')}
  DOCS_ASSISTANT_EMBEDDING_MODEL  ${t('default of --embedding-model')}
  DOCS_ASSISTANT_MODEL_PORTS      ${t('ports of the model servers that “ask” looks for, or nothing')}
  DOCS_ASSISTANT_CACHE            ${t('cache folder for the pages of public sites')}
  DOCS_ASSISTANT_ADMIN_KEY        ${t('admin key of the export API')}
  DOCS_ASSISTANT_API_URL          ${t('default of --api-url')}
  DOCS_ASSISTANT_DOMAIN           ${t('default of --domain')}
  DOCS_ASSISTANT_STATE            ${t('folder for jobs that a later command can continue')}
  NO_COLOR, FORCE_COLOR           ${t('turn colors off or on')}

${exitCodesText(t)}`;
}

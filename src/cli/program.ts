/**
 * The commands of `docs-assistant` and their options. Only what the help needs is imported here:
 * each command's own code loads when it runs.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Translate } from '../common/errors';
import { modelFlags, type ServiceFlag, serviceFlags } from '../localService/server/serviceOptions';
import { exitCodes, type CliContext } from './context';
import { hasKey } from './keyArguments';
import type { TargetOptions } from './docsTarget';
import type { AskOptions } from './ask/askCommand';

/**
 * Runs the command that the arguments name.
 * @returns the exit code. Failures have been reported then.
 */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const { stderr, t } = context;
  if (args.some(hasKey)) {
    stderr.write(
      `${t('An argument looks like a key. Other users of this machine can see arguments, and shells keep them in a history. Put the key into an environment variable: DOCS_ASSISTANT_KEY, DOCS_ASSISTANT_MODEL_KEY or DOCS_ASSISTANT_ADMIN_KEY.')}\n`,
    );
    return exitCodes.usage;
  }
  if (args[0] === '--version' || args[0] === '-V') {
    const { readVersion } = await import('./version');
    context.stdout.write(`${await readVersion(context.distFolder)}\n`);
    return exitCodes.ok;
  }
  let exitCode: number = exitCodes.ok;
  const program = createProgram(context, (code) => (exitCode = code));
  try {
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
function createProgram(context: CliContext, onExit: (exitCode: number) => void): Command {
  const { t } = context;
  const program = new Command('docs-assistant');
  program
    .description(t('Ask the docs from the terminal, and serve docs and tools on this machine.'))
    .usage(t('<command> [options]'))
    .helpCommand(t('help [command]'), t('print the help of a command'))
    .addHelpText('after', () => overviewText(t));
  configure(program, context);
  // Only for the help: the version is read from a file, so it is printed before parsing.
  program.option('-V, --version', t('print the version'));
  addAsk(program, context, onExit);
  addServe(program, context, onExit);
  addMcp(program, context, onExit);
  return program;
}

/** Sends what the parser prints to the streams of the context, and makes it throw, not exit. */
function configure(command: Command, { stdout, stderr, t }: CliContext): void {
  command
    .exitOverride()
    .showHelpAfterError(t('Add --help to see the options.'))
    .helpOption('-h, --help', t('print this help'))
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(parserError(text, t)),
      getOutHelpWidth: () => Math.min(stdout.columns ?? 80, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 80, 100),
    })
    .configureHelp({ styleTitle: (title) => helpTitle(title, t) });
}

/** Returns an error of the parser in the user's language. Rare ones stay as the parser says them. */
function parserError(text: string, t: Translate): string {
  const [line = '', ...rest] = text.split('\n');
  const names = [...line.matchAll(/'([^']*)'/g)].map(([, name = '']) => name);
  const [name = '', value = ''] = names;
  const sentence = /unknown option/.test(line)
    ? t('There is no option {0}.', name)
    : /unknown command/.test(line)
      ? t('There is no command {0}.', name)
      : /argument missing/.test(line)
        ? t('The option {0} needs a value.', name)
        : /missing required argument/.test(line)
          ? t('The argument {0} is missing.', name)
          : /argument '.*' is invalid/.test(line)
            ? t('{0} is no value for the option {1}.', value, name)
            : undefined;
  if (sentence === undefined) return text;
  // Behind an invalid value stands the sentence of its check, which is translated already.
  const reason = / is invalid\. (.*)$/.exec(line)?.[1];
  const more = rest.map((other) => {
    const similar = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(other)?.[1];
    return similar === undefined ? other : t('Did you mean {0}?', similar);
  });
  return [reason === undefined ? sentence : `${sentence} ${reason}`, ...more].join('\n');
}

/** Returns a title of the help in the user's language. */
function helpTitle(title: string, t: Translate): string {
  switch (title) {
    case 'Usage:':
      return t('Usage:');
    case 'Arguments:':
      return t('Arguments:');
    case 'Options:':
      return t('Options:');
    case 'Commands:':
      return t('Commands:');
    default:
      return title;
  }
}

function overviewText(t: Translate): string {
  return `
${t('Environment:')}
  DOCS_ASSISTANT_KEY             ${t('assistant key of the site')}
  DOCS_ASSISTANT_MODEL_KEY       ${t('key of --model-endpoint')}
  DOCS_ASSISTANT_DOCS            ${t('default of --docs')}
  DOCS_ASSISTANT_SITE            ${t('default of --site')}
  DOCS_ASSISTANT_BASE_URL        ${t('default of --base-url')}
  DOCS_ASSISTANT_MODEL_ENDPOINT  ${t('default of --model-endpoint')}
  DOCS_ASSISTANT_MODEL           ${t('default of --model')}
  DOCS_ASSISTANT_CACHE           ${t('folder for the pages of sites')}
  NO_COLOR, FORCE_COLOR          ${t('turn colors off or on')}

${exitCodesText(t)}`;
}

function exitCodesText(t: Translate): string {
  return `${t('Exit codes:')}
  0    ${t('done')}
  1    ${t('unexpected error')}
  2    ${t('wrong arguments')}
  3    ${t('not set up: no docs or no site named')}
  4    ${t('a key is missing, has the wrong form, or was rejected')}
  5    ${t('the site, the docs or a file doesn’t exist')}
  6    ${t('too many requests')}
  7    ${t('the service can’t be reached or failed')}
  8    ${t('the reply is incomplete')}
  9    ${t('the docs don’t answer the question')}
  130  ${t('interrupted')}`;
}

/** Adds the options that name whom to ask. */
export function addTargetOptions(command: Command, t: Translate): Command {
  command
    .option(
      '--docs <folder|bundle|url>',
      t(
        'answer from docs on this machine: a folder of Markdown, an exported site, or a public site',
      ),
    )
    .option('--site <domain>', t('ask a site of the docs platform'))
    .option('--base-url <url>', t('base URL of the docs platform'))
    .option('--filter-version <version>', t('answer from this version of the docs only'))
    .option('--filter-language <language>', t('answer from pages in this language only'))
    .option(
      '--filter-group <group>',
      t('answer from pages of this group only (repeatable)'),
      collected,
    );
  for (const flag of modelFlags(t)) command.addOption(optionOf(flag));
  return command
    .option(
      '--timeout <seconds>',
      t('time without data after which a reply times out (default: 60)'),
      wholeSeconds(t),
    )
    .option('--verbose', t('print requests and warnings on stderr'));
}

function addAsk(program: Command, context: CliContext, onExit: (code: number) => void): void {
  const { t } = context;
  const command = program
    .command('ask')
    .summary(t('ask the docs a question'))
    .description(
      t(
        'Asks the docs a question, and prints the reply with its sources as Markdown. On a terminal, the reply is formatted and appears while it is written.',
      ),
    )
    .argument('[question...]', t('question; - reads it from stdin'))
    .option(
      '--code <file[:first-last]>',
      t('attach a file or some of its lines, such as src/app.ts:10-20 (repeatable)'),
      collected,
    );
  configure(command, context);
  addTargetOptions(command, t)
    .option('--json', t('print one JSON object instead of Markdown'))
    .addHelpText('after', () => askHelp(t))
    .action(async (words: string[], options: AskOptions) => {
      const { runAsk } = await import('./ask/askCommand');
      onExit(await runAsk(words, options, context));
    });
}

function askHelp(t: Translate): string {
  return `
${t('Examples:')}
  docs-assistant ask "How do I rotate a key?" --docs ./docs
  docs-assistant ask "Why does this fail?" --code src/app.ts:10-20 --docs https://docs.example.com
  git diff | docs-assistant ask - --site acme --base-url https://docs-platform.example.com

${t('With --json, stdout has one object:')}
  version    1
  status     "complete", "incomplete", "no-answer" or "error"
  question   ${t('the question')}
  answer     ${t('the reply as Markdown, as far as it arrived')}
  sources    [{ "number": 1, "title": "…", "url": "…" }]
  unproven   ${t('statements that the cited pages don’t say, if the service found any')}
  redacted   ${t('names of secrets that were replaced before sending, if there were any')}
  target     { "label": "…", "local": true }
  error      ${t('only with "error" and "incomplete"')}: { "code": "…", "message": "…", "retryAt": "…" }

${exitCodesText(t)}`;
}

function addServe(program: Command, context: CliContext, onExit: (code: number) => void): void {
  const { t } = context;
  const command = program
    .command('serve')
    .summary(t('serve docs on this machine'))
    .description(
      t(
        'Serves the APIs of the docs platform over docs on this machine, for this machine only, until it is interrupted. The assistant key is taken from DOCS_ASSISTANT_KEY and the admin key from DOCS_ASSISTANT_ADMIN_KEY. Missing keys are made and printed.',
      ),
    )
    .option(
      '--docs <folder|bundle|url>',
      t('docs to serve: a folder of Markdown, an exported site, or a public site'),
    );
  configure(command, context);
  for (const flag of serviceFlags(t)) command.addOption(optionOf(flag));
  command
    .option('--json', t('print one JSON object per event, each on a line'))
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async () => {
      const { runServe } = await import('./serve/serveCommand');
      // The values by the names of the options, as the service knows them.
      const values = Object.fromEntries(
        command.options.map((option) => [
          option.name(),
          command.getOptionValue(option.attributeName()) as string | boolean | undefined,
        ]),
      );
      onExit(await runServe(values, context));
    });
}

function addMcp(program: Command, context: CliContext, onExit: (code: number) => void): void {
  const { t } = context;
  const command = program
    .command('mcp')
    .summary(t('serve the docs to agents (MCP)'))
    .description(
      t(
        'Serves three tools to agents over the Model Context Protocol: ask_docs, search_docs and read_docs_page. The pages of docs on this machine are resources. An MCP client starts this command and talks to it over stdin and stdout.',
      ),
    );
  configure(command, context);
  addTargetOptions(command, t)
    .addHelpText('after', () => mcpHelp(t))
    .action(async (options: TargetOptions) => {
      const { runMcp } = await import('./mcp/mcpCommand');
      onExit(await runMcp(options, context));
    });
}

function mcpHelp(t: Translate): string {
  return `
${t('A configuration that most clients read:')}
  {
    "mcpServers": {
      "docs-assistant": {
        "command": "docs-assistant",
        "args": ["mcp", "--docs", "/path/to/docs"]
      }
    }
  }

${exitCodesText(t)}`;
}

function optionOf({ name, value, description, default: byDefault }: ServiceFlag): Option {
  const option = new Option(`--${name}${value === undefined ? '' : ` ${value}`}`, description);
  return byDefault === undefined ? option : option.default(byDefault);
}

/** Collects the values of an option that can be repeated. */
function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Returns a parser of whole seconds between those of the setting with the same meaning. */
function wholeSeconds(t: Translate): (text: string) => NonNullable<TargetOptions['timeout']> {
  return (text) => {
    const seconds = Number(text);
    if (Number.isInteger(seconds) && seconds >= 5 && seconds <= 600) return seconds;
    throw new InvalidArgumentError(t('Enter whole seconds from 5 to 600.'));
  };
}

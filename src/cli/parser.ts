/** Parts of the argument parser that all commands of `docs-assistant` share. */
import { type Command, Help, InvalidArgumentError, Option } from 'commander';
import type { Translate } from '../common/errors';
import type { ServiceFlag } from '../service/server/serviceOptions';
import type { CliContext } from './context';

/**
 * Adds a command with its options and its help to the program or to a group of commands. The
 * command's own code loads only when it runs.
 * @param onExit called with the exit code after the command has run.
 */
export type AddCommand = (
  parent: Command,
  context: CliContext,
  onExit: (exitCode: number) => void,
) => void;

/**
 * Makes the parser print to the streams of the context, and throw instead of ending the process.
 */
export function configure(command: Command, { stdout, stderr, t }: CliContext): void {
  command
    .exitOverride()
    .showHelpAfterError(t('Add --help to see the options.'))
    .helpOption('-h, --help', t('print this help'))
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => stdout.text(text),
      writeErr: (text) => stderr.text(text),
      outputError: (text, write) => write(parserError(text, t)),
      getOutHelpWidth: () => Math.min(stdout.columns ?? 80, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 80, 100),
    })
    .configureHelp({
      styleTitle: (title) => helpTitle(title, t),
      optionDescription(option) {
        const text = Help.prototype.optionDescription.call(this, option);
        return option.mandatory ? t('{0} (required)', text) : text;
      },
    });
}

/**
 * Adds `help` to the program or to a group of commands. The parser's own one, and its `--help`, print the help of the
 * group for a name that it doesn't know.
 */
export const addHelp: AddCommand = (group, context) => {
  const { t } = context;
  const command = group
    .command('help')
    .description(t('print the help of a command'))
    .argument('[command...]');
  configure(command, context);
  command.action((names: readonly string[]) => {
    let named = group;
    for (const name of names) {
      if (named.commands.length === 0) break;
      named = commandOf(named, name);
    }
    named.help();
  });
  group.on('beforeHelp', () => {
    const [name] = group.args;
    if (name !== undefined && !name.startsWith('-')) commandOf(group, name);
  });
};

/**
 * Returns what adds a group of commands with its help.
 * @param texts summary and description of the group.
 * @param commands in the order of the help.
 */
export function groupOf(
  name: string,
  texts: (t: Translate) => { readonly summary: string; readonly description: string },
  commands: readonly AddCommand[],
): AddCommand {
  return (parent, context, onExit) => {
    const { summary, description } = texts(context.t);
    const group = parent.command(name).summary(summary).description(description);
    configure(group, context);
    for (const add of [...commands, addHelp]) add(group, context, onExit);
  };
}

/** Returns the command of a group. @throws the parser's error, which names an unknown command and those like it. */
function commandOf(group: Command, name: string): Command {
  const found = group.commands.find((each) => each.name() === name);
  return found ?? group.parse(['--', name], { from: 'user' });
}

/** Returns an error of the parser in the user's language. Rare errors stay in English. */
function parserError(text: string, t: Translate): string {
  const [line = '', ...rest] = text.split('\n');
  const names = [...line.matchAll(/'([^']*)'/g)].map(([, name = '']) => name);
  const [name = '', value = ''] = names;
  const [, most = '', count] = /Expected (\d+) arguments? but got (\d+)/.exec(line) ?? [];
  const sentence = /unknown option/.test(line)
    ? t('Unknown option {0}.', name)
    : /unknown command/.test(line)
      ? t('Unknown command {0}.', name)
      : /argument missing/.test(line)
        ? t('The option {0} needs a value.', name)
        : /missing required argument|required option .* not specified/.test(line)
          ? t('The argument {0} is missing.', name)
          : /argument '.*' is invalid/.test(line)
            ? t('“{0}” is not valid for the option {1}.', value, name)
            : count === undefined
              ? undefined
              : t('Too many arguments for {0}: {1} instead of {2}.', name, count, most);
  if (sentence === undefined) return text;
  // After “is invalid.” comes the sentence of our own check, which is already translated.
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
export function exitCodesText(t: Translate): string {
  return `${t('Exit codes:')}
  0    ${t('done')}
  1    ${t('unexpected error')}
  2    ${t('wrong arguments')}
  3    ${t('not set up: no docs or no site named')}
  4    ${t('a key is missing, has the wrong form, or was rejected')}
  5    ${t('the site, the docs, a job or a file doesn’t exist or can’t be used')}
  6    ${t('too many requests')}
  7    ${t('the service can’t be reached or failed')}
  8    ${t('the reply is incomplete')}
  9    ${t('the docs don’t answer the question')}
  10   ${t('the plan doesn’t include static export, or this network isn’t allowed')}
  11   ${t('the export job failed')}
  12   ${t('a check found a problem that --fail-on names, or a question failed')}
  13   ${t('a file can’t be written or edited')}
  14   ${t('the command timed out')}
  130  ${t('interrupted')}`;
}

/** Adds what the commands that print events share: `--json`, and the exit codes below their help. */
export function withEvents(command: Command, context: CliContext): Command {
  const { t } = context;
  configure(command, context);
  return command
    .option('--json', t('print each event as a JSON object on one line'))
    .addHelpText('after', () => `\n${exitCodesText(t)}`);
}

export function optionOf({ name, value, description, default: byDefault }: ServiceFlag): Option {
  const option = new Option(`--${name}${value === undefined ? '' : ` ${value}`}`, description);
  return byDefault === undefined ? option : option.default(byDefault);
}

/** Adds a value to the list of a repeatable option. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const LONGEST_MS = 24 * unitMs.h;

/** Returns a function that parses times such as `90s`, `30m` or `2h` into milliseconds. */
export function duration(t: Translate): (text: string) => number {
  return (text) => {
    const [, count, unit = 's'] = /^(\d{1,6})([smh]?)$/.exec(text.trim()) ?? [];
    const ms = Number(count) * unitMs[unit === '' ? 's' : (unit as keyof typeof unitMs)];
    if (ms > 0 && ms <= LONGEST_MS) return ms;
    throw new InvalidArgumentError(t('Enter a time such as 90s, 30m or 2h, up to 24h.'));
  };
}

/** Returns a function that parses whole seconds within these limits. */
export function wholeSeconds(t: Translate, least: number, most: number): (text: string) => number {
  return (text) => {
    const seconds = Number(text);
    if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return seconds;
    throw new InvalidArgumentError(
      t('Enter a whole number of seconds from {0} to {1}.', least, most),
    );
  };
}

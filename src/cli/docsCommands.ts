/** The commands that ask and serve docs: `ask`, `serve` and `mcp`. */
import type { Command } from 'commander';
import type { Translate } from '../common/errors';
import { modelFlags, serviceFlags } from '../localService/server/serviceOptions';
import type { AskOptions } from './ask/askCommand';
import type { TargetOptions } from './docsTarget';
import {
  type AddCommand,
  collected,
  configure,
  exitCodesText,
  optionOf,
  wholeSeconds,
} from './parser';

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
      wholeSeconds(t, 5, 600),
    )
    .option('--verbose', t('print requests and warnings on stderr'));
}

export const addAsk: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
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
};

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

export const addServe: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
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
};

export const addMcp: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
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
};

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

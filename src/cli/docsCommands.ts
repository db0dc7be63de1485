/** The commands that ask and serve docs: `ask` and `serve`. */
import type { Translate } from '../common/errors';
import { serviceFlags } from '../service/server/serviceOptions';
import type { AskOptions } from './ask/askCommand';
import {
  type AddCommand,
  collected,
  configure,
  exitCodesText,
  optionOf,
  withEvents,
} from './parser';
import { addInstalledOptions, addTargetOptions } from './targetOptions';

export const addAsk: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('ask')
    .summary(t('ask the docs a question'))
    .description(
      t(
        'Asks the docs a question, and prints the reply and its sources as Markdown. A terminal shows the reply formatted as it arrives.',
      ),
    )
    .argument('[question...]', t('question, or - to read it from stdin'))
    .option(
      '--code <file[:first-last]>',
      t('attach a file or some of its lines, such as src/app.ts:10-20 (repeatable)'),
      collected,
    );
  configure(command, context);
  addTargetOptions(addInstalledOptions(command, t), t)
    .option('--more', t('also print further passages of the found pages'))
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
  docs-assistant ask "How do I stream a reply?" --installed --code src/app.ts
  docs-assistant ask "What does the cache option do?" --package next
  git diff | docs-assistant ask - --site acme --base-url https://docs-platform.example.com

${t('With --json, stdout has one object:')}
  version    1
  status     "complete", "incomplete", "no-answer" or "error"
  question   ${t('the question')}
  answer     ${t('the part of the reply that arrived, as Markdown')}
  sources    [{ "number": 1, "title": "…", "url": "…" }]
  unproven   ${t('statements that the cited pages don’t support, if the service found any')}
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
        'Serves the APIs of the docs platform over docs on this machine. Only this machine can reach it. The assistant key comes from DOCS_ASSISTANT_KEY and the admin key from DOCS_ASSISTANT_ADMIN_KEY. If a key is missing, a new one is created and printed.',
      ),
    )
    .option(
      '--docs <folder|bundle|url>',
      t('docs to serve: a folder of Markdown, an exported site, or a public site'),
    )
    .option(
      '--installed [folder]',
      t('serve the docs of the packages that are installed for a folder (default: this one)'),
    );
  for (const flag of serviceFlags(t)) command.addOption(optionOf(flag));
  withEvents(command, context).action(async () => {
    const { runServe } = await import('./serve/serveCommand');
    // The service expects the values under the names of the options, not under commander's
    // attributes.
    const values = Object.fromEntries(
      command.options.map((option) => [
        option.name(),
        command.getOptionValue(option.attributeName()) as string | boolean | undefined,
      ]),
    );
    onExit(await runServe(values, context));
  });
};

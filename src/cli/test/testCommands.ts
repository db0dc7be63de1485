/** The command `test` and its options. */
import { InvalidArgumentError } from 'commander';
import type { Translate } from '../../common/errors';
import { type AddCommand, configure, duration, exitCodesText } from '../parser';
import { addTargetOptions } from '../targetOptions';
import type { TestOptions } from './testCommand';

/**
 * Most questions at once. With more, the hourly limit of a service would only be reached sooner.
 */
const MAX_PARALLEL = 16;

export const addTest: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('test')
    .summary(t('test the docs with questions'))
    .description(
      t(
        'Asks the questions of docs-questions.yaml, and checks the pages and words of the replies. A site of the docs platform can charge a credit for each question.',
      ),
    )
    .argument('[files...]', t('files with questions (default: docs-questions.yaml)'));
  configure(command, context);
  addTargetOptions(command, t)
    .option('--junit <file>', t('save the results as JUnit XML'))
    .option('--json <file>', t('save the results as JSON (- to print them)'))
    .option('--github', t('print annotations for GitHub Actions'))
    .option('--before <file>', t('compare with the results that --json saved earlier'))
    .option(
      '--docs-before <folder|bundle|url>',
      t('ask these docs too, and compare with their results'),
    )
    .option(
      '--fail-on <failed|lost>',
      t(
        'fail if any question fails, or only if a question fails that passed before (default: failed)',
      ),
      failOn(t),
    )
    .option(
      '--max-credits <count>',
      t('ask nothing if the questions can cost more credits than this'),
      count(t, 0, 1e6),
    )
    .option(
      '--max-wait <time>',
      t('how long to wait for a service that answers 429, such as 90s or 30m (default: 10m)'),
      duration(t),
    )
    .option(
      '--parallel <count>',
      t('number of questions to ask at once (default: 4)'),
      count(t, 1, MAX_PARALLEL),
    )
    .option('--replies', t('print the replies of questions that didn’t pass'))
    .addHelpText('after', () => testHelp(t))
    .action(async (files: string[], options: TestOptions) => {
      const { runTest } = await import('./testCommand');
      onExit(await runTest(files, options, context));
    });
};

function testHelp(t: Translate): string {
  return `
${t('Examples:')}
  docs-assistant test --docs ./docs
  docs-assistant test --docs bundle.tar.gz --docs-before last/bundle.tar.gz --fail-on lost
  docs-assistant test --site acme --base-url https://docs-platform.example.com --junit results.xml

${t('A questions file:')}
  questions:
    - How do I install it?
    - question: How do I rotate a key?
      pages: guides/keys
      contains: [both keys]
      excludes: [/v1/]

${exitCodesText(t)}`;
}

function failOn(t: Translate): (text: string) => TestOptions['failOn'] & string {
  return (text) => {
    if (text === 'failed' || text === 'lost') return text;
    throw new InvalidArgumentError(t('Enter failed or lost.'));
  };
}

function count(t: Translate, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(t('Enter a whole number from {0} to {1}.', least, most));
  };
}

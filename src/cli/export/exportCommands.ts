/** The group `export`: static exports of the docs platform. */
import type { Command } from 'commander';
import type { Translate } from '../../common/errors';
import { addFailOn } from '../bundle/bundleCommands';
import type { CliContext } from '../context';
import { type AddCommand, collected, duration, groupOf, withEvents } from '../parser';
import type { ExportDownloadOptions, LinkOptions, ExportRunOptions } from './exportRuns';
import type { ExportOptions, ExportStartOptions } from './exportTarget';
import type { WorkflowCommandOptions } from './workflowCommand';

const addRun: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('run')
    .summary(t('start, watch, download and check an export'))
    .description(
      t(
        'Exports a site, downloads its bundle and checks it. If the command is interrupted or killed, run it again to continue.',
      ),
    );
  addStartOptions(command, t);
  addFailOn(command, context, onExit);
  command.addHelpText('after', () => runHelp(t));
  addCommonOptions(command, context)
    .option(
      '-o, --output <file>',
      t('archive to write (default: named after the site and the day)'),
    )
    .option(
      '--link-file <file>',
      t('write a link to the bundle into a file that only you can read'),
    )
    .action(async (options: ExportRunOptions) => {
      const { runExport } = await import('./exportRuns');
      onExit(await runExport(options, context));
    });
};

const addStart: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('start')
    .summary(t('start an export'))
    .description(
      t('Starts an export, unless the same one is already running. Doesn’t wait until it ends.'),
    );
  addStartOptions(command, t);
  addCommonOptions(command, context).action(async (options: ExportStartOptions) => {
    const { runStart } = await import('./exportRuns');
    onExit(await runStart(options, context));
  });
};

const addWatch: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('watch')
    .summary(t('wait until an export ends'))
    .description(
      t('Watches an export until it ends. Stopping the command doesn’t stop the export.'),
    )
    .argument('[job]', t('ID of the job (default: the newest job started on this machine)'));
  addDomain(command, t);
  addCommonOptions(command, context).action(
    async (job: string | undefined, options: ExportOptions) => {
      const { runWatch } = await import('./exportRuns');
      onExit(await runWatch(job, options, context));
    },
  );
};

const addLink: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('link')
    .summary(t('get a link to the bundle of an export'))
    .description(
      t(
        'Gets a link to the bundle of a completed export, and writes it to a file that only you can read. Anyone with the link can read the bundle until the link expires.',
      ),
    )
    .argument('[job]', t('ID of the job (default: the newest job started on this machine)'));
  addDomain(command, t);
  addCommonOptions(command, context)
    .option('-o, --output <file>', t('file to write the link to'))
    .option('--print', t('print the link'))
    .action(async (job: string | undefined, options: LinkOptions) => {
      const { runLink } = await import('./exportRuns');
      onExit(await runLink(job, options, context));
    });
};

const addDownload: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('download')
    .summary(t('download the bundle of an export'))
    .description(
      t(
        'Downloads the bundle of a completed export. If the download is interrupted, run the command again to continue.',
      ),
    )
    .argument('[job]', t('ID of the job (default: the newest job started on this machine)'));
  addDomain(command, t);
  addCommonOptions(command, context)
    .option(
      '-o, --output <file>',
      t('archive to write (default: named after the site and the day)'),
    )
    .action(async (job: string | undefined, options: ExportDownloadOptions) => {
      const { runDownload } = await import('./exportRuns');
      onExit(await runDownload(job, options, context));
    });
};

const addWorkflow: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('workflow')
    .summary(t('write a CI workflow that exports a site'))
    .description(
      t(
        'Writes a workflow for GitHub Actions or GitLab CI. It exports the site, checks the bundle, compares it with the last release, asks questions, and provides the link for the deployment. Keys stay in the secrets of the CI service.',
      ),
    );
  addDomain(command, t);
  command
    .requiredOption('--for <service>', t('github or gitlab'))
    .requiredOption(
      '--package <package>',
      t(
        'npm package of docs-assistant: a file in the repository, or the name and exact version of a package that you own',
      ),
    )
    .option('--api-url <url>', t('URL of the export API'))
    .option('--branch <branch>', t('run on each push to a branch'))
    .option('--schedule <cron>', t('run at these times, in UTC (default: every day)'))
    .option('--questions <file>', t('questions file that the docs must answer'))
    .option(
      '--values <file>',
      t('open a pull or merge request that puts the link into this values file'),
    )
    .option(
      '--store-command <command>',
      t('command that reads the link from stdin and puts it into a secret store'),
    )
    .option(
      '-o, --output <file>',
      t('file to write (default: the place where the CI service expects it)'),
    )
    .option('--force', t('replace an existing file'));
  withEvents(command, context).action(async (options: WorkflowCommandOptions) => {
    const { runWorkflow } = await import('./workflowCommand');
    onExit(await runWorkflow(options, context));
  });
};

/** Adds `export` with its commands. */
export const addExport = groupOf(
  'export',
  (t) => ({
    summary: t('export a site as static files'),
    description: t(
      'Exports a site of the docs platform as static files. The admin key comes from DOCS_ASSISTANT_ADMIN_KEY and is sent only to the export API.',
    ),
  }),
  [addRun, addStart, addWatch, addLink, addDownload, addWorkflow],
);

function addStartOptions(command: Command, t: Translate): void {
  addDomain(command, t);
  command
    .option('--label <label>', t('version label of the export, if the service accepts labels'))
    .option(
      '--path <path>',
      t(
        'export only this path and the pages below it, such as /guides, if the service accepts paths (repeatable)',
      ),
      collected,
    )
    .option('--new', t('start a new export, even if the same one is running'));
}

function addDomain(command: Command, t: Translate): void {
  command.option('--domain <host>', t('host name of the site, such as docs.example.com'));
}

function addCommonOptions(command: Command, context: CliContext): Command {
  const { t } = context;
  command
    .option('--api-url <url>', t('URL of the export API'))
    .option(
      '--timeout <time>',
      t('time after which the command stops waiting, such as 90s, 30m or 2h (default: 2h)'),
      duration(t),
    );
  return withEvents(command, context).option(
    '--verbose',
    t('print requests and warnings on stderr'),
  );
}

function runHelp(t: Translate): string {
  return `
${t('Examples:')}
  docs-assistant export run --domain docs.acme.com --api-url https://api.docs-platform.example.com
  docs-assistant export run --domain docs.acme.com --output bundle.tar.gz --json

${t('Environment:')}
  DOCS_ASSISTANT_ADMIN_KEY  ${t('admin key of the export API')}
  DOCS_ASSISTANT_API_URL    ${t('default of --api-url')}
  DOCS_ASSISTANT_DOMAIN     ${t('default of --domain')}
  DOCS_ASSISTANT_STATE      ${t('folder for jobs that a later command can continue')}`;
}

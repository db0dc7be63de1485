/** The command `host`. */
import { type AddCommand, collected, withEvents } from '../parser';
import type { HostOptions } from './hostCommand';

export const addHost: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('host')
    .summary(t('host an exported site as its values file says'))
    .description(
      t(
        'Serves the bundle that staticExport.bundleUrl of a values file leads to, and takes over a new link or version without a dropped request. If that fails, the last good version stays.',
      ),
    )
    .requiredOption(
      '--values <file>',
      t('values file of the deployment (repeatable, later ones count)'),
      collected,
    )
    .option('--link-file <file>', t('file with the bundle link, such as a mounted secret'))
    .requiredOption('--data <folder>', t('folder for versions and counts, the only one written'))
    .option('--port <number>', t('port to listen on (default: 8080)'))
    .option('--address <address>', t('address to listen on (default: 127.0.0.1)'))
    .option('--base-path <path>', t('path under which the site is hosted, such as /docs'))
    .option('--redirects <file>', t('file of redirects that “bundle diff --redirects” wrote'))
    .option('--enhance', t('add search and answers to each page'))
    .option('--service <url>', t('docs service that answers questions of the site'))
    .option('--team-token-file <file>', t('file with the token that opens the counts'))
    .option('--no-counts', t('count no pages and no searches'))
    .option('--keep <number>', t('earlier versions to keep (default: 2)'))
    .option('--log-requests', t('log each request without addresses and queries'));
  withEvents(command, context).action(async (options: HostOptions) => {
    const { runHostCommand } = await import('./hostCommand');
    onExit(await runHostCommand(options, context));
  });
};

/** The group `bundle`: what can be done with a bundle on this machine. */
import { type AddCommand, configure, exitCodesText } from '../parser';
import type { CheckOptions } from './checkCommand';
import type { DiffOptions } from './diffCommand';
import type { HostingOptions } from './hostingCommand';
import type { OpenOptions } from './openCommand';
import type { PreviewOptions } from './previewCommand';

/** Adds `bundle` with its commands. */
export const addBundle: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const group = parent
    .command('bundle')
    .summary(t('unpack, check, compare and preview bundles of exports'))
    .description(t('Works with the bundle of a static export: an archive, or an unpacked folder.'))
    .helpCommand(t('help [command]'), t('print the help of a command'));
  configure(group, context);
  for (const add of commands) add(group, context, onExit);
};

const addOpen: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('open')
    .summary(t('unpack a bundle'))
    .description(
      t(
        'Unpacks a bundle into a new folder. Nothing is written outside of it, and an archive that is damaged or unsafe leaves nothing behind.',
      ),
    )
    .argument('<archive>', t('tar, tar.gz or zip archive'))
    .option('-o, --output <folder>', t('new folder (default: the name of the archive)'))
    .option('--json', t('print one JSON object per event, each on a line'));
  configure(command, context);
  command
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async (archive: string, options: OpenOptions) => {
      const { runOpen } = await import('./openCommand');
      onExit(await runOpen(archive, options, context));
    });
};

const addCheck: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('check')
    .summary(t('look for broken links in a bundle'))
    .description(
      t(
        'Checks whether the links of a bundle work as on a static host, and what its pages load from other hosts.',
      ),
    )
    .argument('<archive|folder>', t('bundle to check'));
  configure(command, context);
  addFailOn(command, context, onExit);
  command
    .option('--report <file>', t('save the report as JSON'))
    .option('--markdown <file>', t('save the report as Markdown'))
    .option('--json', t('print one JSON object per event, each on a line'))
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async (bundle: string, options: CheckOptions) => {
      const { runCheck } = await import('./checkCommand');
      onExit(await runCheck(bundle, options, context));
    });
};

/** Adds the option that says which findings of a check are a failure. */
export const addFailOn: AddCommand = (command, { t }) => {
  command.option(
    '--fail-on <kinds>',
    t(
      'findings that make the command fail, separated by commas: broken-links, broken-anchors, outside-fetches, no-pages, no-home-page, or none (default: broken-links,no-pages)',
    ),
  );
};

const addDiff: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('diff')
    .summary(t('compare two bundles'))
    .description(
      t(
        'Finds the pages that were added, removed, moved or changed between two bundles, the links that broke, and the old URLs that are lost, with redirects for them. A page counts as changed if its text did.',
      ),
    )
    .argument('<before>', t('older bundle: an archive or a folder'))
    .argument('<after>', t('newer bundle: an archive or a folder'));
  configure(command, context);
  command
    .option(
      '--fail-on <kinds>',
      t(
        'differences that make the command fail, separated by commas: added-pages, removed-pages, moved-pages, changed-pages, restyled-pages, added-assets, removed-assets, changed-assets, broken-links, lost-addresses, different-sites, or none (default: none)',
      ),
    )
    .option('--report <file>', t('save the comparison as JSON'))
    .option('--markdown <file>', t('save the comparison as Markdown'))
    .option('--redirects <file>', t('save redirects for the lost URLs as JSON'))
    .option('--json', t('print one JSON object per event, each on a line'))
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { runDiff } = await import('./diffCommand');
      onExit(await runDiff(before, after, options, context));
    });
};

const addPreview: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('preview')
    .summary(t('serve a bundle for a browser on this machine'))
    .description(
      t(
        'Serves a bundle as a static host would, on a free port of 127.0.0.1, until it is interrupted.',
      ),
    )
    .argument('<archive|folder>', t('bundle to serve'))
    .option('--base-path <path>', t('path that the site is made for, such as /docs'))
    .option('--json', t('print one JSON object per event, each on a line'));
  configure(command, context);
  command
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async (bundle: string, options: PreviewOptions) => {
      const { runPreview } = await import('./previewCommand');
      onExit(await runPreview(bundle, options, context));
    });
};

const addHosting: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('hosting')
    .summary(t('write the configuration of a server for a bundle'))
    .description(
      t(
        'Writes configurations that serve a bundle: addresses without .html, the 404 page, redirects, caching, compression, and a Content-Security-Policy of what the pages use.',
      ),
    )
    .argument('<archive|folder>', t('bundle to serve'))
    .requiredOption(
      '--for <servers>',
      t('nginx, caddy, apache, netlify, cloudflare or cloudfront, separated by commas'),
    )
    .requiredOption('-o, --output <folder>', t('folder for the files'))
    .option('--redirects <file>', t('redirects that bundle diff --redirects has written'))
    .option('--root <folder>', t('folder of the bundle on the server (default: /srv/docs)'))
    .option('--host <name>', t('host name of the site (default: docs.example.com)'))
    .option('--listen <address>', t('address and port behind a proxy, such as 127.0.0.1:8080'))
    .option('--force', t('replace files that differ'))
    .option('--json', t('print one JSON object per event, each on a line'));
  configure(command, context);
  command
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async (bundle: string, options: HostingOptions) => {
      const { runHosting } = await import('./hostingCommand');
      onExit(await runHosting(bundle, options, context));
    });
};

/** Commands of the group, in the order of the help. */
const commands: readonly AddCommand[] = [addOpen, addCheck, addDiff, addPreview, addHosting];

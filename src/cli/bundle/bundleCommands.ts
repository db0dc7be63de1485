/** The group `bundle`: commands for a bundle on this machine. */
import { type AddCommand, groupOf, withEvents } from '../parser';
import type { CheckCommandOptions } from './checkCommand';
import type { DiffOptions } from './diffCommand';
import type { EnhanceCommandOptions } from './enhanceCommand';
import type { HostingOptions } from './hostingCommand';
import type { OpenOptions } from './openCommand';
import type { PreviewOptions } from './previewCommand';

const addOpen: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('open')
    .summary(t('unpack a bundle'))
    .description(
      t(
        'Unpacks a bundle into a new folder, and writes nothing outside of it. If the archive is damaged or unsafe, nothing is left behind.',
      ),
    )
    .argument('<archive>', t('tar, tar.gz or zip archive'))
    .option('-o, --output <folder>', t('new folder (default: the name of the archive)'));
  withEvents(command, context).action(async (archive: string, options: OpenOptions) => {
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
        'Finds links in a bundle that would be broken on a static host, and lists what the pages load from other hosts.',
      ),
    )
    .argument('<archive|folder>', t('bundle to check'));
  addFailOn(command, context, onExit);
  command
    .option('--report <file>', t('save the report as JSON'))
    .option('--markdown <file>', t('save the report as Markdown'));
  withEvents(command, context).action(async (bundle: string, options: CheckCommandOptions) => {
    const { runCheck } = await import('./checkCommand');
    onExit(await runCheck(bundle, options, context));
  });
};

/** Adds the options that say which findings make the command fail. */
export const addFailOn: AddCommand = (command, { t }) => {
  command.option(
    '--fail-on <kinds>',
    t(
      'findings that make the command fail, separated by commas: broken-links, broken-anchors, outside-fetches, no-pages, no-home-page, or none (default: broken-links,no-pages)',
    ),
  );
  command.option('--air-gapped', t('fail on everything that the pages load from other hosts'));
};

const addDiff: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('diff')
    .summary(t('compare two bundles'))
    .description(
      t(
        'Finds pages that were added, removed, moved or changed between two bundles. Also finds links that broke, and suggests redirects for old URLs that no longer work. A page counts as changed only if its text changed.',
      ),
    )
    .argument('<before>', t('older bundle: an archive or a folder'))
    .argument('<after>', t('newer bundle: an archive or a folder'))
    .option(
      '--fail-on <kinds>',
      t(
        'differences that make the command fail, separated by commas: added-pages, removed-pages, moved-pages, changed-pages, restyled-pages, added-assets, removed-assets, changed-assets, broken-links, lost-addresses, different-sites, or none (default: none)',
      ),
    )
    .option('--report <file>', t('save the comparison as JSON'))
    .option('--markdown <file>', t('save the comparison as Markdown'))
    .option('--redirects <file>', t('save redirects for the lost URLs as JSON'));
  withEvents(command, context).action(
    async (before: string, after: string, options: DiffOptions) => {
      const { runDiff } = await import('./diffCommand');
      onExit(await runDiff(before, after, options, context));
    },
  );
};

const addPreview: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('preview')
    .summary(t('serve a bundle for a browser on this machine'))
    .description(
      t(
        'Serves a bundle as a static host would, on a free port of 127.0.0.1. Press Ctrl+C to stop it.',
      ),
    )
    .argument('<archive|folder>', t('bundle to serve'))
    .option('--base-path <path>', t('path under which the site is hosted, such as /docs'));
  withEvents(command, context).action(async (bundle: string, options: PreviewOptions) => {
    const { runPreview } = await import('./previewCommand');
    onExit(await runPreview(bundle, options, context));
  });
};

const addHosting: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('hosting')
    .summary(t('write server configurations for a bundle'))
    .description(
      t(
        'Writes server configurations for a bundle: URLs without .html, the 404 page, redirects, caching, compression, and a Content-Security-Policy that allows only what the pages use.',
      ),
    )
    .argument('<archive|folder>', t('bundle to serve'))
    .requiredOption(
      '--for <servers>',
      t('nginx, caddy, apache, netlify, cloudflare or cloudfront, separated by commas'),
    )
    .requiredOption('-o, --output <folder>', t('folder for the files'))
    .option('--redirects <file>', t('file of redirects that “bundle diff --redirects” wrote'))
    .option('--root <folder>', t('folder of the bundle on the server (default: /srv/docs)'))
    .option('--host <name>', t('host name of the site (default: docs.example.com)'))
    .option('--listen <address>', t('address and port behind a proxy, such as 127.0.0.1:8080'))
    .option('--force', t('replace existing files that differ'));
  withEvents(command, context).action(async (bundle: string, options: HostingOptions) => {
    const { runHosting } = await import('./hostingCommand');
    onExit(await runHosting(bundle, options, context));
  });
};

const addEnhance: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('enhance')
    .summary(t('add search and answers to a bundle'))
    .description(
      t(
        'Adds a full-text search and answers to each page of a bundle. They work from files of the bundle alone, on any host. A run on the unpacked folder replaces what an earlier one added.',
      ),
    )
    .argument('<archive|folder>', t('bundle to enhance'))
    .option('-o, --output <folder>', t('new folder for an archive (default: its name)'))
    .option(
      '--service <url>',
      t('ask this docs service first, or a path of the site such as /service'),
    )
    .option('--site <domain>', t('domain of the site at --service'))
    .option('--key <key>', t('assistant key for --service, which readers can see'))
    .option('--remove', t('take search and answers out again'));
  withEvents(command, context).action(async (bundle: string, options: EnhanceCommandOptions) => {
    const { runEnhance } = await import('./enhanceCommand');
    onExit(await runEnhance(bundle, options, context));
  });
};

/** Adds `bundle` with its commands. */
export const addBundle = groupOf(
  'bundle',
  (t) => ({
    summary: t('unpack, check, compare, preview and enhance bundles of exports'),
    description: t('Works with the bundle of a static export: an archive, or an unpacked folder.'),
  }),
  [addOpen, addCheck, addDiff, addPreview, addEnhance, addHosting],
);

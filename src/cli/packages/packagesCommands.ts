/** The group `packages`: commands for packages on this machine. */
import { type AddCommand, groupOf, withEvents } from '../parser';
import type { PackageDiffOptions } from './packageDiff';

const addDiff: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('diff')
    .summary(t('compare two versions of a package'))
    .description(
      t(
        'Lists names of the API, pages and sections that were added, removed or deprecated between two versions of a package, and defaults and signatures that changed. Also lists where the code of a folder names them. Nothing is downloaded.',
      ),
    )
    .argument('<older>', t('older version: name@version, a folder, or a tarball'))
    .argument('<newer>', t('newer version: name@version, a folder, or a tarball'))
    .option(
      '--in <folder>',
      t('folder with the code, and with the installed versions (default: the current folder)'),
    )
    .option(
      '--fail-on <kinds>',
      t(
        'differences that make the command fail, separated by commas: removed-names, deprecated-names, changed-defaults, changed-signatures, removed-pages, used-removed-names, used-deprecated-names, used-changed-defaults, used-changed-signatures, or none (default: none)',
      ),
    )
    .option('--report <file>', t('save the comparison as JSON'))
    .option('--markdown <file>', t('save the comparison as Markdown'))
    .addHelpText(
      'after',
      () => `
${t('Examples:')}
  docs-assistant packages diff zod@3 zod@4 --in .
  docs-assistant packages diff next next-16.4.0.tgz --fail-on used-removed-names`,
    );
  withEvents(command, context).action(
    async (older: string, newer: string, options: PackageDiffOptions) => {
      const { runPackageDiff } = await import('./packageDiff');
      onExit(await runPackageDiff(older, newer, options, context));
    },
  );
};

/** Adds `packages` with its commands. */
export const addPackages = groupOf(
  'packages',
  (t) => ({
    summary: t('compare versions of packages'),
    description: t('Works with packages that are installed on this machine.'),
  }),
  [addDiff],
);

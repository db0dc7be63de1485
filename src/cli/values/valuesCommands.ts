/** The group `values`: commands for the configuration of a deployment. */
import { type AddCommand, groupOf, withEvents } from '../parser';
import type { SetOptions } from './setCommand';

const addSet: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('set')
    .summary(t('set the link of a bundle in a values file'))
    .description(
      t(
        'Sets staticExport.enabled, bundleUrl and, with --label, version in a values file. Everything else in the file stays as it is. With --as secret or external-secret, the values file doesn’t contain the link. A Kubernetes manifest contains it or refers to a secret store.',
      ),
    )
    .argument('<values.yaml>', t('values file to edit'))
    .option('--link-file <file>', t('file with the link, or - to read it from stdin'))
    .option(
      '--as <form>',
      t(
        'where to put the link: plain (values file), secret (manifest of a Kubernetes Secret) or external-secret (no file, only the secret store) (default: plain)',
      ),
    )
    .option('--secret <name>', t('name of the Secret (default: docs-bundle-link)'))
    .option(
      '--manifest <file>',
      t(
        'manifest to write (default: named after the values file, such as values.bundle-link.yaml)',
      ),
    )
    .option('--store <name>', t('secret store, such as vault or SecretStore/vault'))
    .option('--store-key <key>', t('key of the link in the secret store'))
    .option('--store-field <field>', t('field of the secret, if it has fields'))
    .option('--label <label>', t('version of the export to pin'));
  withEvents(command, context).action(async (file: string, options: SetOptions) => {
    const { runSet } = await import('./setCommand');
    onExit(await runSet(file, options, context));
  });
};

/** Adds `values` with its commands. */
export const addValues = groupOf(
  'values',
  (t) => ({
    summary: t('set the bundle of a deployment'),
    description: t('Edits the values file of a self-hosted deployment.'),
  }),
  [addSet],
);

/** The group `values`: the configuration of a deployment. */
import { type AddCommand, configure, exitCodesText } from '../parser';
import type { SetOptions } from './setCommand';

/** Adds `values` with its commands. */
export const addValues: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const group = parent
    .command('values')
    .summary(t('set the bundle of a deployment'))
    .description(t('Edits the values file of a self-hosted deployment.'))
    .helpCommand(t('help [command]'), t('print the help of a command'));
  configure(group, context);
  for (const add of commands) add(group, context, onExit);
};

const addSet: AddCommand = (parent, context, onExit) => {
  const { t } = context;
  const command = parent
    .command('set')
    .summary(t('set the link of a bundle in a values file'))
    .description(
      t(
        'Sets staticExport.enabled, bundleUrl and, with --label, version in a values file. Everything else in the file stays as it is.',
      ),
    )
    .argument('<values.yaml>', t('values file to edit'))
    .requiredOption('--link-file <file>', t('file with the link; - reads it from stdin'))
    .option('--label <label>', t('version of the export to pin'))
    .option('--json', t('print one JSON object per event, each on a line'));
  configure(command, context);
  command
    .addHelpText('after', () => `\n${exitCodesText(t)}`)
    .action(async (file: string, options: SetOptions) => {
      const { runSet } = await import('./setCommand');
      onExit(await runSet(file, options, context));
    });
};

/** Commands of the group, in the order of the help. */
const commands: readonly AddCommand[] = [addSet];

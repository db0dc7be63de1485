/**
 * Options of all commands that ask docs. The parser returns them as `TargetOptions` of
 * `docsTarget.ts`.
 */
import type { Command } from 'commander';
import type { Translate } from '../common/errors';
import { modelFlags } from '../service/server/serviceOptions';
import { collected, optionOf, wholeSeconds } from './parser';

/** Adds the options that name installed packages to ask. */
export function addInstalledOptions(command: Command, t: Translate): Command {
  return command
    .option(
      '--installed [folder]',
      t('answer from the packages that are installed for a folder (default: this one)'),
    )
    .option(
      '--package <name>',
      t('answer from this installed package alone, such as next or next@16'),
    );
}

/** Adds the options that name the docs to ask. */
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
    .option('--filter-version <version>', t('answer only from this version of the docs'))
    .option('--filter-language <language>', t('answer only from pages in this language'))
    .option(
      '--filter-group <group>',
      t('answer only from pages of this group (repeatable)'),
      collected,
    );
  for (const flag of modelFlags(t)) command.addOption(optionOf(flag));
  return command
    .option(
      '--timeout <seconds>',
      t('seconds without data before a reply times out (default: 60)'),
      wholeSeconds(t, 5, 600),
    )
    .option('--verbose', t('print requests and warnings on stderr'));
}

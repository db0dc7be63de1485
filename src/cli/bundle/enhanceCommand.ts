/** `docs-assistant bundle enhance`: search and answers for the pages of a bundle. Uses `node:fs`. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import type { Translate } from '../../common/errors';
import { silentLog } from '../../common/ports';
import { type BoxService, parseBoxService } from '../../enhance/boxService';
import { type Enhanced, enhanceSite, restoreSite } from '../../enhance/enhanceSite';
import { untaggedTexts } from '../../enhance/pageTag';
import { siteNameOf } from '../../export/archive/archiveFile';
import { sizeText } from '../../shared/units';
import { type CommandReporter, MAX_IN_EVENT, MAX_PRINTED, runReported } from '../commandReporter';
import { CliError, type CliContext, exitCodes } from '../context';
import { shownPath } from '../places';
import { openBundleFolder } from './bundleFolder';
import { unpackTo } from './openCommand';

/** Options of the command, as the parser of arguments returns them. */
export interface EnhanceCommandOptions {
  readonly output?: string;
  readonly service?: string;
  readonly site?: string;
  readonly key?: string;
  readonly remove?: boolean;
  readonly json?: boolean;
}

/** Enhances or restores a bundle. @returns the exit code. Failures have been reported then. */
export async function runEnhance(
  named: string,
  options: EnhanceCommandOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, distFolder, signal, t } = context;
  return runReported(context, options, async (reporter) => {
    const service = serviceOf(options, context);
    const root = await siteFolder(named, options, reporter, context);
    const shown = shownPath(root, cwd);
    const onProgress = ({ pages, totalPages }: { pages: number; totalPages: number }): void =>
      reporter.progress(
        'enhance',
        { event: 'enhancing', pages, totalPages },
        t('Working on {0}: {1} of {2} steps…', shown, pages, totalPages),
        { isBrief: true },
      );
    if (options.remove === true) {
      const pages = await restoreSite({ root, signal, onProgress });
      reporter.tell(
        { event: 'restored', folder: root, pages },
        pages === 0
          ? t('{0} has no search and answers of Docs Assistant.', shown)
          : pages === 1
            ? t('Took search and answers out of 1 page in {0}.', shown)
            : t('Took search and answers out of {0} pages in {1}.', pages, shown),
      );
      return exitCodes.ok;
    }
    const enhanced = await enhanceSite({
      root,
      signal,
      onProgress,
      scripts: path.join(distFolder, 'site'),
      service,
      clock: systemClock,
      log: silentLog,
    });
    tellEnhanced(enhanced, root, shown, reporter, t);
    return exitCodes.ok;
  });
}

/** Reads the docs service that the options name. The key can come from the environment. @throws {CliError} */
function serviceOf(
  { service, site, key, remove }: EnhanceCommandOptions,
  { env, t }: CliContext,
): BoxService | undefined {
  if (service === undefined) {
    if (site === undefined && key === undefined) return undefined;
    throw new CliError(exitCodes.usage, t('--site and --key need --service.'));
  }
  if (remove === true)
    throw new CliError(exitCodes.usage, t('--remove takes out everything. Leave out --service.'));
  const typed = { service, site, key: key ?? env['DOCS_ASSISTANT_KEY'] };
  const parsed = parseBoxService(typed, t);
  if (!parsed.ok) throw new CliError(exitCodes.usage, parsed.message);
  return parsed.value;
}

/** Returns the folder to change: the named one, or a new one with what an archive has. */
async function siteFolder(
  named: string,
  { output, remove }: EnhanceCommandOptions,
  reporter: CommandReporter,
  context: CliContext,
): Promise<string> {
  const { cwd, t } = context;
  const place = path.resolve(cwd, named);
  const isFile = (await stat(place).catch(() => undefined))?.isFile() ?? false;
  if (!isFile) {
    if (output !== undefined)
      throw new CliError(
        exitCodes.usage,
        t('--output is for archives. A folder is changed itself.'),
      );
    const { folder } = await openBundleFolder(named, reporter, context);
    return folder;
  }
  if (remove === true)
    throw new CliError(exitCodes.usage, t('--remove takes a folder. Archives are never changed.'));
  const target = path.resolve(cwd, output ?? siteNameOf(place));
  return (await unpackTo(target, place, reporter, context)).siteRoot;
}

function tellEnhanced(
  { indexed, sections, hidden, tagged, untagged, files, bytes }: Enhanced,
  folder: string,
  shown: string,
  reporter: CommandReporter,
  t: Translate,
): void {
  const noted = untaggedTexts(untagged, t);
  const left = noted.length - MAX_PRINTED;
  reporter.tell(
    {
      event: 'enhanced',
      folder,
      pages: indexed,
      sections,
      hidden,
      tagged,
      untagged: untagged.slice(0, MAX_IN_EVENT),
      files,
      sizeBytes: bytes,
    },
    ...noted.slice(0, MAX_PRINTED),
    ...(left > 0 ? [t('… and {0} more.', left)] : []),
    ...(hidden > 0 ? [t('Left out because they say noindex: {0}', hidden)] : []),
    t(
      'Added search and answers to {0}. Pages with the box: {1}. Searched pages: {2}, sections: {3}. Files: {4} ({5}).',
      shown,
      tagged,
      indexed,
      sections,
      files,
      sizeText(bytes),
    ),
  );
}

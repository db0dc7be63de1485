/** `docs-assistant bundle open`: unpacks the archive of a bundle. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { siteNameOf } from '../../export/archive/archiveFile';
import { unpackBundle } from '../../export/archive/unpack';
import { removeStaleUnpacking } from '../../export/archive/unpackTarget';
import { unpackedText } from '../../export/commands/texts';
import { CommandReporter } from '../commandReporter';
import { exitCodes, type CliContext } from '../context';
import { shownPath } from '../places';

/** Options of the command, as the parser of arguments returns them. */
export interface OpenOptions {
  readonly output?: string;
  readonly json?: boolean;
}

/** Unpacks the archive. @returns the exit code. Failures have been reported then. */
export async function runOpen(
  named: string,
  { output, json: isJson = false }: OpenOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, signal, t } = context;
  const reporter = new CommandReporter(context, { isJson, clock: systemClock });
  try {
    const archive = path.resolve(cwd, named);
    const target = path.resolve(cwd, output ?? siteNameOf(archive));
    const name = path.basename(archive);
    // A command that was killed may have left a partly unpacked folder behind.
    await removeStaleUnpacking(path.dirname(target), systemClock);
    const { files, bytes, siteRoot } = await unpackBundle({
      archive,
      target,
      newId: randomUUID,
      signal,
      onProgress: ({ files, totalFiles }) =>
        reporter.progress(
          'unpack',
          { event: 'unpacking', files, totalFiles },
          t('Unpacking {0}: {1} of {2} files…', name, files, totalFiles),
          { isBrief: true },
        ),
    });
    reporter.tell(
      { event: 'unpacked', folder: target, siteRoot, files, sizeBytes: bytes },
      unpackedText({ files, bytes }, shownPath(siteRoot, cwd), t),
    );
    return exitCodes.ok;
  } catch (error) {
    return await reporter.fail(error);
  }
}

/** `docs-assistant bundle open`: unpacks the archive of a bundle. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { siteNameOf } from '../../export/archive/archiveFile';
import { type UnpackedBundle, unpackBundle } from '../../export/archive/unpack';
import { removeStaleUnpacking } from '../../export/archive/unpackTarget';
import { unpackedText } from '../../export/commands/texts';
import { type CommandReporter, runReported } from '../commandReporter';
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
  options: OpenOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, t } = context;
  return runReported(context, options, async (reporter) => {
    const archive = path.resolve(cwd, named);
    const target = path.resolve(cwd, options.output ?? siteNameOf(archive));
    const { files, bytes, siteRoot } = await unpackTo(target, archive, reporter, context);
    reporter.tell(
      { event: 'unpacked', folder: target, siteRoot, files, sizeBytes: bytes },
      unpackedText({ files, bytes }, shownPath(siteRoot, cwd), t),
    );
    return exitCodes.ok;
  });
}

/** Unpacks an archive into a new folder, and tells its progress. @throws {ExportError} */
export async function unpackTo(
  target: string,
  archive: string,
  reporter: CommandReporter,
  { signal, t }: CliContext,
): Promise<UnpackedBundle> {
  // A command that was killed may have left a partly unpacked folder behind.
  await removeStaleUnpacking(path.dirname(target), systemClock);
  return unpackBundle({
    archive,
    target,
    newId: randomUUID,
    signal,
    onProgress: ({ files, totalFiles }) =>
      reporter.progress(
        'unpack',
        { event: 'unpacking', files, totalFiles },
        t('Unpacking {0}: {1} of {2} files…', path.basename(archive), files, totalFiles),
        { isBrief: true },
      ),
  });
}

/** `docs-assistant bundle preview`: serves a bundle for a browser until it is interrupted. */
import { once } from 'node:events';
import { startPreview } from '../../export/preview/previewServer';
import { runReported } from '../commandReporter';
import { type CliContext, exitCodes, Interrupted } from '../context';
import { stderrLog } from '../stderrLog';
import { openBundleFolder } from './bundleFolder';

/** Options of the command, as the parser of arguments returns them. */
export interface PreviewOptions {
  readonly basePath?: string;
  readonly json?: boolean;
}

/** Serves a bundle. @returns the exit code. Failures have been reported then. */
export async function runPreview(
  named: string,
  options: PreviewOptions,
  context: CliContext,
): Promise<number> {
  const { signal, stderr, t } = context;
  const log = stderrLog(stderr);
  return runReported(context, options, async (reporter, atEnd) => {
    const bundle = await openBundleFolder(named, reporter, context, log);
    atEnd(bundle.close);
    const preview = await startPreview({
      root: bundle.folder,
      log: { ...log, info: () => undefined, debug: () => undefined },
      basePath: options.basePath,
    });
    atEnd(() => preview.stop());
    const { url } = preview;
    reporter.tell(
      { event: 'listening', url },
      t('Serving {0} at {1}', bundle.label, url),
      t('Press Ctrl+C to stop.'),
    );
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), preview.whenStopped]);
    return signal.reason instanceof Interrupted ? signal.reason.exitCode : exitCodes.ok;
  });
}

/** `docs-assistant values set`: the link of a bundle in a values file. Uses `node:fs`. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { systemErrorCode } from '../../common/errorCode';
import { expiryInLink, parseBundleUrl } from '../../export/download/bundleLink';
import { setDeployment } from '../../export/values/deploymentValues';
import { durationText } from '../../shared/units';
import { CommandReporter } from '../commandReporter';
import { CliError, type CliContext, exitCodes } from '../context';
import { replaceKeepingMode } from '../privateFile';

/** Options of the command, as the parser of arguments returns them. */
export interface SetOptions {
  readonly linkFile: string;
  readonly label?: string;
  readonly json?: boolean;
}

/** Bytes of a file with a link. Links have up to 16 KiB. */
const MAX_LINK_BYTES = 64 * 1024;
/** Bytes of a values file. Those of charts have a few kilobytes. */
const MAX_VALUES_BYTES = 10 * 1024 * 1024;

/** Edits the file. @returns the exit code. Failures have been reported then. */
export async function runSet(
  named: string,
  { linkFile, label, json: isJson = false }: SetOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, t } = context;
  const reporter = new CommandReporter(context, { isJson, clock: systemClock });
  try {
    const version = label?.trim();
    if (version === '') throw new CliError(exitCodes.usage, t('--label needs a text.'));
    const bundleUrl = await readLink(linkFile, context);
    const file = path.resolve(cwd, named);
    const before = await readText(file, named, MAX_VALUES_BYTES, t);
    const deployment = version === undefined ? { bundleUrl } : { bundleUrl, version };
    const { edits, text } = setDeployment(before, deployment, path.basename(file));
    const changed = edits.length > 0;
    if (changed) await replaceKeepingMode(file, text);
    const expiresAt = expiryInLink(bundleUrl);
    const expiry = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) };
    const leftMs = expiresAt === undefined ? undefined : expiresAt - systemClock.now();
    reporter.tell(
      { event: 'values', file, changed, ...expiry },
      changed ? t('Set the bundle in {0}.', named) : t('{0} has this bundle already.', named),
      ...(leftMs === undefined
        ? []
        : leftMs > 0
          ? [t('The link expires in {0}.', durationText(leftMs, t))]
          : [t('The link has expired. Get a new one before you deploy.')]),
    );
    return exitCodes.ok;
  } catch (error) {
    return await reporter.fail(error);
  }
}

/** Returns the link of a file or of stdin, checked. It is never repeated in an error. */
async function readLink(named: string, context: CliContext): Promise<string> {
  const { cwd, t } = context;
  const text =
    named === '-'
      ? await readStdin(context)
      : await readText(path.resolve(cwd, named), named, MAX_LINK_BYTES, t);
  // A link on this machine is one of the local docs service, which is there to try things out.
  const link = parseBundleUrl(text, 'http://127.0.0.1/');
  if (link.ok) return link.url;
  throw new CliError(exitCodes.usage, t('The bundle link can’t be used: {0}', t(link.reason)));
}

async function readStdin({ stdin, t }: CliContext): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_LINK_BYTES) throw new CliError(exitCodes.usage, t('stdin has no link.'));
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readText(
  file: string,
  named: string,
  limit: number,
  t: CliContext['t'],
): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const code = systemErrorCode(error);
    throw new CliError(
      exitCodes.notFound,
      code === 'ENOENT' ? t('{0} doesn’t exist.', named) : t('{0} can’t be read.', named),
    );
  });
  if (bytes.length > limit) throw new CliError(exitCodes.usage, t('{0} is too large.', named));
  // Other bytes would be lost when the file is written.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new CliError(exitCodes.file, t('{0} isn’t text in UTF-8, so it was not changed.', named));
}

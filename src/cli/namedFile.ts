/** Reads the text files that arguments name, with `node:fs`. */
import { open } from 'node:fs/promises';
import { systemErrorCode } from '../common/errorCode';
import { sizeText } from '../shared/units';
import { CliError, exitCodes, type CliContext } from './context';

/**
 * Returns the text of a file. UTF-8 is assumed.
 *
 * @param name as the user wrote it, for messages.
 * @throws {CliError} if the file doesn't exist, is too large, or is not text.
 */
export async function readNamedFile(
  place: string,
  name: string,
  maxBytes: number,
  t: CliContext['t'],
): Promise<string> {
  const bytes = await readBytes(place, name, maxBytes, t);
  const text = new TextDecoder().decode(bytes);
  if (text.includes('\0')) throw new CliError(exitCodes.usage, t('{0} is not text.', name));
  return text;
}

async function readBytes(
  place: string,
  name: string,
  maxBytes: number,
  t: CliContext['t'],
): Promise<Uint8Array> {
  try {
    const handle = await open(place);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new CliError(exitCodes.notFound, t('{0} is not a file.', name));
      if (stats.size > maxBytes) {
        throw new CliError(
          exitCodes.usage,
          t('{0} is {1}. Files can be up to {2}.', name, sizeText(stats.size), sizeText(maxBytes)),
        );
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
    throw new CliError(
      exitCodes.notFound,
      isMissing ? t('{0} doesn’t exist.', name) : t('{0} can’t be read.', name),
    );
  }
}

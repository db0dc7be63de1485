/** Finds and reads the files that arguments name, with `node:fs`. */
import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../common/errorCode';
import { untilAborted } from '../common/clock';
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

/**
 * Returns the text of a file that must be UTF-8. In another encoding, a question would be asked with the
 * wrong letters.
 *
 * @param name as the user wrote it, for messages.
 * @throws {CliError} if the file doesn't exist, is too large, or is not UTF-8.
 */
export async function readUtf8File(
  place: string,
  name: string,
  maxBytes: number,
  t: CliContext['t'],
): Promise<string> {
  const bytes = await readBytes(place, name, maxBytes, t);
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes);
  throw new CliError(
    exitCodes.usage,
    t('{0} is not UTF-8. Save it with the encoding UTF-8.', name),
  );
}

async function readBytes(
  place: string,
  name: string,
  maxBytes: number,
  t: CliContext['t'],
): Promise<Uint8Array> {
  try {
    // Without the flag, opening a pipe waits for its writer. On Windows the flag is undefined, which adds nothing.
    const handle = await open(place, constants.O_RDONLY | constants.O_NONBLOCK);
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
    throw error instanceof CliError ? error : notFound(error, name, t);
  }
}

/**
 * Returns what a file or folder is.
 *
 * @param name as the user wrote it, for messages.
 * @throws {CliError} if it doesn't exist or can't be read.
 */
export function statNamed(place: string, name: string, t: CliContext['t']): Promise<Stats> {
  return stat(place).catch((error: unknown) => {
    throw notFound(error, name, t);
  });
}

/**
 * Returns the real path of a folder.
 * @throws {CliError} if it doesn't exist or can't be read, and for a file.
 */
export async function namedFolder(
  name: string,
  { cwd, t }: Pick<CliContext, 'cwd' | 't'>,
): Promise<string> {
  const place = path.resolve(cwd, name);
  const stats = await statNamed(place, name, t);
  if (stats.isDirectory()) return realpath(place);
  throw new CliError(exitCodes.usage, t('{0} is not a folder.', name));
}

/**
 * Returns the text of stdin, which `-` names.
 * @param tooLong sentence about a text with more bytes.
 * @throws {CliError} for a longer text, and the signal's reason. On a terminal, nothing else ends the input.
 */
export function readStdin(
  { stdin, signal }: Pick<CliContext, 'stdin' | 'signal'>,
  maxBytes: number,
  tooLong: string,
): Promise<string> {
  const read = async (): Promise<string> => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) throw new CliError(exitCodes.usage, tooLong);
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString('utf8');
  };
  return untilAborted(read(), signal);
}

function notFound(error: unknown, name: string, t: CliContext['t']): CliError {
  const isMissing = ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
  return new CliError(
    exitCodes.notFound,
    isMissing ? t('{0} doesn’t exist.', name) : t('{0} can’t be read.', name),
  );
}

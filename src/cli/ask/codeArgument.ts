/** Parses the values of `--code` and reads the lines that they name. */
import path from 'node:path';
import type { QuestionCode } from '../../docsTools/askStream';
import { sizeText } from '../../shared/units';
import { CliError, exitCodes, type CliContext } from '../context';
import { readNamedFile } from '../namedFile';

/** A file, or some of its lines, counted from 1. */
interface CodeArgument {
  readonly file: string;
  readonly firstLine?: number;
  readonly lastLine?: number;
}

/** Most bytes of UTF-8 in one attachment. The extension's setting has the same default. */
const MAX_CODE_BYTES = 100_000;
/** Most bytes of a file that lines are taken from. */
const MAX_FILE_BYTES = 20_000_000;

/**
 * Parses `FILE`, `FILE:10` or `FILE:10-20`. A colon without a line number belongs to the file's
 * name, such as the colon after a drive letter.
 * @throws {CliError} for lines that don't make a range.
 */
export function parseCodeArgument(text: string, t: CliContext['t']): CodeArgument {
  const [, file = '', first, last] = /^(.+?):(\d+)(?:-(\d+))?$/s.exec(text) ?? [];
  if (first === undefined) {
    if (text.trim() === '') throw new CliError(exitCodes.usage, t('--code needs a file.'));
    if (/:\d*-\d*$/.test(text)) throw badLines(text, t);
    return { file: text };
  }
  const firstLine = Number(first);
  const lastLine = last === undefined ? firstLine : Number(last);
  if (firstLine < 1 || lastLine < firstLine) throw badLines(text, t);
  return { file, firstLine, lastLine };
}

function badLines(text: string, t: CliContext['t']): CliError {
  return new CliError(
    exitCodes.usage,
    t(
      '“{0}” isn’t a range of lines. Write --code FILE:10-20, with the first line before the last.',
      text,
    ),
  );
}

/**
 * Reads the lines that an argument names.
 * @throws {CliError} for a file that doesn't exist, isn't text or is too large, and for lines after
 * its end.
 */
export async function readCode(
  argument: CodeArgument,
  { cwd, t }: Pick<CliContext, 'cwd' | 't'>,
): Promise<QuestionCode> {
  const { file, firstLine, lastLine } = argument;
  const place = path.resolve(cwd, file);
  const text = await readNamedFile(place, file, MAX_FILE_BYTES, t);
  const lines = text.split(/\r\n|\n|\r/);
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (firstLine !== undefined && firstLine > count) {
    throw new CliError(exitCodes.usage, t('{0} has only {1} lines.', file, count));
  }
  const chosen = firstLine === undefined ? text : lines.slice(firstLine - 1, lastLine).join('\n');
  const sizeBytes = Buffer.byteLength(chosen);
  if (sizeBytes > MAX_CODE_BYTES) {
    throw new CliError(
      exitCodes.usage,
      t(
        '{0} is {1}. Attachments can be up to {2}. Name some of its lines: --code {0}:10-20.',
        file,
        sizeText(sizeBytes),
        sizeText(MAX_CODE_BYTES),
      ),
    );
  }
  if (chosen.trim() === '')
    throw new CliError(exitCodes.usage, t('{0} has no text to attach.', file));
  // A path outside this folder would reveal details of this machine, so the service gets only the
  // name.
  const relative = path.relative(cwd, place);
  const isInside = !relative.startsWith('..') && !path.isAbsolute(relative);
  return { text: chosen, path: isInside ? relative : path.basename(place) };
}

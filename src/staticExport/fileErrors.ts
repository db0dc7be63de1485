import path from 'node:path';
import * as v from 'valibot';
import { ExportError } from './exportErrors';

const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const systemError = v.object({ code: v.pipe(v.string(), v.regex(/^E[A-Z0-9_]+$/)) });

/** The system's code of a failed file operation, such as `EACCES`; undefined for other errors. */
export function fileErrorCode(error: unknown): string | undefined {
  const parsed = v.safeParse(systemError, error);
  return parsed.success ? parsed.output.code : undefined;
}

/**
 * The error of an operation on a file beside `target`, as a person gets it: `disk-full`, or
 * `not-writable` with the folder and the system's code. What is no file error stays as it is.
 */
export function writeError(error: unknown, target: string): unknown {
  const causeCode = fileErrorCode(error);
  if (causeCode === undefined || error instanceof ExportError) return error;
  return noRoom.has(causeCode)
    ? new ExportError('disk-full', { path: path.basename(target), causeCode, cause: error })
    : new ExportError('not-writable', { path: path.dirname(target), causeCode, cause: error });
}

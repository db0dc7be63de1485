import * as v from 'valibot';
import { parsedJson } from '../../common/text/strings';
import { parsedAs } from '../../shared/schemas';

/** One form of a notebook cell's output, such as text or an error. */
interface NotebookOutput {
  readonly mime: string;
  readonly data: Uint8Array;
}

/** Media type under which VS Code keeps the errors of a cell. */
const ERROR_MIME = 'application/vnd.code.notebook.error';
/** Longest error that is parsed, in bytes. Nobody reads a longer traceback. */
const MAX_ERROR_BYTES = 1_000_000;
const MAX_ERRORS = 5;

const errorSchema = v.object({
  name: v.fallback(v.string(), ''),
  message: v.fallback(v.string(), ''),
  stack: v.fallback(v.string(), ''),
});

/**
 * Returns the errors in a cell's output as text: the traceback, or else the name and message of the
 * error. Returns an empty string if there are none.
 */
export function notebookErrors(outputs: readonly NotebookOutput[]): string {
  return outputs
    .filter(({ mime, data }) => mime === ERROR_MIME && data.length <= MAX_ERROR_BYTES)
    .slice(0, MAX_ERRORS)
    .map(({ data }) => errorText(data))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

function errorText(data: Uint8Array): string {
  const error = parsedAs(errorSchema, parsedJson(new TextDecoder().decode(data)));
  if (!error) return '';
  const { name, message, stack } = error;
  const said = [name, message].filter((part) => part !== '').join(': ');
  if (stack.trim() === '') return said;
  // Some kernels leave the message out of the traceback.
  return stack.includes(message) ? stack : `${stack}\n${said}`;
}

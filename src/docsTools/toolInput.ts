/** Checks what a model or a client sent as the input of a tool. */
import * as v from 'valibot';
import { describeIssue } from '../common/schemaIssues';
import { isJsonObject } from '../common/text/strings';
import { badInput } from './toolErrors';

/**
 * Returns the input as its schema describes it. Unknown fields are ignored. Null and empty text count as absent, because
 * models send them for options that they don't use. A number can be text.
 * @throws {DocsToolError} `bad-input`, with a sentence that names the field and never the value.
 */
export function parseInput<Input>(schema: v.GenericSchema<unknown, Input>, input: unknown): Input {
  if (!isJsonObject(input)) throw badInput('The input must be a JSON object.');
  const given = new Map(Object.entries(input));
  for (const [field, value] of given) if (value === null || value === '') given.delete(field);
  const parse = () => v.safeParse(schema, Object.fromEntries(given), { abortEarly: true });
  let result = parse();
  const [issue] = result.issues ?? [];
  if (issue?.expected === 'number' && /^\d{1,9}$/.test(String(issue.input))) {
    given.set(String(issue.path?.[0].key), Number(issue.input));
    result = parse();
  }
  if (result.success) return result.output;
  throw badInput(describeIssue(result.issues[0]));
}

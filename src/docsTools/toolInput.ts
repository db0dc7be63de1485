/** Checks what a model or a client sent as the input of a tool. */
import * as v from 'valibot';
import { describeIssue } from '../common/schemaIssues';
import { isJsonObject } from '../common/text/strings';
import { badInput } from './toolErrors';

/**
 * Returns the input as its schema describes it. Unknown fields are ignored, and null counts as absent,
 * because models send it for options that they don't use.
 * @throws {DocsToolError} `bad-input`, with a sentence that names the field and never the value.
 */
export function parseInput<Input>(schema: v.GenericSchema<unknown, Input>, input: unknown): Input {
  if (!isJsonObject(input)) throw badInput('The input must be a JSON object.');
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const result = v.safeParse(schema, given, { abortEarly: true });
  if (result.success) return result.output;
  throw badInput(describeIssue(result.issues[0]));
}

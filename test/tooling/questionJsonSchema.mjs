// @ts-check
import { toJsonSchema } from '@valibot/to-json-schema';

/**
 * @param {import('valibot').GenericSchema} schema of a questions file
 * @returns {string} the text of `docs-questions.schema.json`, which editors complete and check files with
 */
export function questionJsonSchema(schema) {
  const title = 'Questions that docs must answer';
  const { $schema, ...made } = toJsonSchema(schema);
  return `${JSON.stringify({ $schema, title, ...strict(made) }, null, 2)}\n`;
}

/**
 * Forbids unknown keys. The reader ignores them, but an editor should underline them, because most are
 * misspelled.
 *
 * @param {any} value
 * @returns {any}
 */
function strict(value) {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, strict(each)]));
  return copy.type === 'object' && copy.properties
    ? { ...copy, additionalProperties: false }
    : copy;
}

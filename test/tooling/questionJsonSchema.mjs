// @ts-check
import { toJsonSchema } from '@valibot/to-json-schema';

/**
 * @param {import('valibot').GenericSchema} schema of a questions file
 * @returns {string} the text of `docs-questions.schema.json`, which editors complete and check files with
 */
export const questionJsonSchema = (schema) =>
  jsonSchemaText(schema, 'Questions that docs must answer');

/**
 * @param {import('valibot').GenericSchema} schema of a manifest
 * @returns {string} the text of `service.schema.json`
 */
export const serviceJsonSchema = (schema) =>
  jsonSchemaText(schema, 'Sites of the Docs Assistant service');

/** @param {import('valibot').GenericSchema} schema @param {string} title */
function jsonSchemaText(schema, title) {
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

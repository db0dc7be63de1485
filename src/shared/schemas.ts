import * as v from 'valibot';

/** The output type of a schema, with every property and array readonly. */
export type Parsed<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;

type DeepReadonly<T> = unknown extends T ? T : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** Schema of a number of things: a whole number from 0. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Returns the schema of an optional field of stored data. An unreadable value counts as absent. */
export const extra = <Schema extends v.GenericSchema>(
  schema: Schema,
): v.SchemaWithFallback<v.OptionalSchema<Schema, undefined>, undefined> =>
  v.fallback(v.optional(schema), undefined);

/** Returns the value as its schema has it, or undefined if it doesn't match. */
export function parsedAs<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? parsed.output : undefined;
}

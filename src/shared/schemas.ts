import type * as v from 'valibot';

/** The output type of a schema, with every property and array readonly. */
export type Parsed<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;

type DeepReadonly<T> = unknown extends T ? T : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** The same type, with optional fields instead of fields that may be undefined. */
export type WithoutUndefined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Returns a copy without the fields that are undefined. */
export function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  // The type describes exactly what the line above does.
  return Object.fromEntries(fields) as WithoutUndefined<T>;
}

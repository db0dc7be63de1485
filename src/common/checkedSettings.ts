import * as v from 'valibot';
import { parseApiAddress } from './http/address';

/** Setting with an invalid value. Its default is used instead. */
export interface SettingProblem {
  /** Name of the setting in `package.json`. */
  readonly setting: string;
  /** Rejected value, as JSON. */
  readonly value: string;
}

/** Values of settings, and those that were replaced with their defaults. */
export interface CheckedSettings<Values> {
  readonly values: Values;
  readonly problems: readonly SettingProblem[];
}

/** Returns what is configured under a full name such as `docsAssistant.baseUrl`. */
export type ReadSetting = (setting: string) => unknown;

export const settingText = v.pipe(v.string(), v.trim(), v.maxLength(1000));

/** Returns the schema of an API's base URL in the form of {@link parseApiAddress}, or of an empty text. */
export const settingAddress = (api: Parameters<typeof parseApiAddress>[1]) =>
  v.pipe(
    settingText,
    v.check((value) => value === '' || parseApiAddress(value, api).ok),
    v.transform((value) => {
      const parsed = parseApiAddress(value, api);
      return parsed.ok ? parsed.baseUrl : '';
    }),
  );

export const settingNumber = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/**
 * Checks what the configuration holds. A value that does not fit is reported and replaced with its
 * default, so that one bad setting does not take the others down.
 *
 * @param names full names of the settings.
 */
export function checkSettings<Values extends object>(
  schemas: { readonly [Name in keyof Values]: v.GenericSchema<unknown, Values[Name]> },
  names: Readonly<Record<keyof Values, string>>,
  defaults: Values,
  read: ReadSetting,
): CheckedSettings<Values> {
  const values: { -readonly [Name in keyof Values]: Values[Name] } = { ...defaults };
  const problems: SettingProblem[] = [];
  for (const name of Object.keys(schemas) as (keyof Values)[]) {
    const value = read(names[name]) ?? defaults[name];
    const parsed = v.safeParse<v.GenericSchema<unknown, Values[keyof Values]>>(
      schemas[name],
      value,
    );
    if (parsed.success) values[name] = parsed.output;
    else problems.push({ setting: names[name], value: JSON.stringify(value) });
  }
  return { values, problems };
}

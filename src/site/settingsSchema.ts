import * as v from 'valibot';
import { isDomain, parseApiAddress } from '../common/http/address';
import { logLevels, settings, sourcePlaces, type SettingName } from '../common/contributions';

/** Setting with an invalid value. Its default is used instead. */
export interface SettingProblem {
  /** Name of the setting in `package.json`. */
  readonly setting: string;
  /** Rejected value, as JSON. */
  readonly value: string;
}

/** The defaults that `package.json` declares, which a unit test compares. */
export const settingDefaults: SettingTypes = {
  baseUrl: '',
  domain: '',
  fp: 'anonymous',
  retrievalPageSize: 5,
  docsRoot: '',
  maxSelectionSize: 100,
  openSourcesIn: 'auto',
  historySizeLimit: 200,
  timeoutSeconds: 60,
  logLevel: 'debug',
};

const text = v.pipe(v.string(), v.trim(), v.maxLength(1000));
const wholeNumber = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const schemas = {
  baseUrl: v.pipe(
    text,
    v.check((value) => value === '' || parseApiAddress(value, 'assistant').ok),
    v.transform((value) => {
      const parsed = parseApiAddress(value, 'assistant');
      return parsed.ok ? parsed.baseUrl : '';
    }),
  ),
  // One segment of the endpoint's path: `acme/../admin` must not become another endpoint.
  domain: v.pipe(
    text,
    v.check((value) => value === '' || isDomain(value)),
  ),
  fp: v.pipe(text, v.minLength(1), v.maxLength(200)),
  retrievalPageSize: wholeNumber(1, 50),
  docsRoot: text,
  /** Kilobytes (1000 bytes) of UTF-8. */
  maxSelectionSize: wholeNumber(1, 2000),
  openSourcesIn: v.picklist(sourcePlaces),
  /** Megabytes (1,000,000 bytes). */
  historySizeLimit: wholeNumber(10, 10_000),
  timeoutSeconds: wholeNumber(5, 600),
  logLevel: v.picklist(logLevels),
} as const satisfies Readonly<Record<SettingName, v.GenericSchema>>;

/** The checked value of each setting. */
export type SettingTypes = {
  readonly [Name in SettingName]: v.InferOutput<(typeof schemas)[Name]>;
};

/** The same schemas with types that a generic name can index. */
const schemaByName: {
  readonly [Name in SettingName]: v.GenericSchema<unknown, SettingTypes[Name]>;
} = schemas;

/**
 * Checks what the configuration holds. A value that does not fit is reported and replaced with its
 * default, so that one bad setting does not take the others down.
 *
 * @param read gives what is configured under a full name such as `docsAssistant.baseUrl`.
 */
export function parseSettings(read: (setting: string) => unknown): {
  readonly values: SettingTypes;
  readonly problems: readonly SettingProblem[];
} {
  const problems: SettingProblem[] = [];
  const checked = <T>(name: SettingName, schema: v.GenericSchema<unknown, T>, fallback: T): T => {
    const value = read(settings[name]) ?? fallback;
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    problems.push({ setting: settings[name], value: JSON.stringify(value) });
    return fallback;
  };
  const valueOf = <Name extends SettingName>(name: Name): SettingTypes[Name] =>
    checked<SettingTypes[Name]>(name, schemaByName[name], settingDefaults[name]);
  return {
    values: {
      baseUrl: valueOf('baseUrl'),
      domain: valueOf('domain') || domainInAddress(read(settings.baseUrl)),
      fp: valueOf('fp'),
      retrievalPageSize: valueOf('retrievalPageSize'),
      docsRoot: valueOf('docsRoot'),
      maxSelectionSize: valueOf('maxSelectionSize'),
      openSourcesIn: valueOf('openSourcesIn'),
      historySizeLimit: valueOf('historySizeLimit'),
      timeoutSeconds: valueOf('timeoutSeconds'),
      logLevel: valueOf('logLevel'),
    },
    problems,
  };
}

/** Returns the site in the URL of a message endpoint, if the settings name no site. */
function domainInAddress(baseUrl: unknown): string {
  const parsed = typeof baseUrl === 'string' ? parseApiAddress(baseUrl, 'assistant') : undefined;
  return parsed?.ok === true ? (parsed.domain ?? '') : '';
}

import * as v from 'valibot';
import {
  type CheckedSettings,
  checkSettings,
  type ReadSetting,
  settingAddress,
  settingNumber,
  settingText,
} from '../common/checkedSettings';
import { isDomain, parseApiAddress } from '../common/http/address';
import { logLevels, settings, sourcePlaces, type SettingName } from '../common/contributions';

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

const schemas = {
  baseUrl: settingAddress('assistant'),
  // One segment of the endpoint's path: `acme/../admin` must not become another endpoint.
  domain: v.pipe(
    settingText,
    v.check((value) => value === '' || isDomain(value)),
  ),
  fp: v.pipe(settingText, v.minLength(1), v.maxLength(200)),
  retrievalPageSize: settingNumber(1, 50),
  docsRoot: settingText,
  /** Kilobytes (1000 bytes) of UTF-8. */
  maxSelectionSize: settingNumber(1, 2000),
  openSourcesIn: v.picklist(sourcePlaces),
  /** Megabytes (1,000,000 bytes). */
  historySizeLimit: settingNumber(10, 10_000),
  timeoutSeconds: settingNumber(5, 600),
  logLevel: v.picklist(logLevels),
} as const satisfies Readonly<Record<SettingName, v.GenericSchema>>;

/** The checked value of each setting. */
export type SettingTypes = {
  readonly [Name in SettingName]: v.InferOutput<(typeof schemas)[Name]>;
};

/** Checks the settings, see {@link checkSettings}. */
export function parseSettings(read: ReadSetting): CheckedSettings<SettingTypes> {
  const { values, problems } = checkSettings(schemas, settings, settingDefaults, read);
  const domain = values.domain || domainInAddress(read(settings.baseUrl));
  return { values: { ...values, domain }, problems };
}

/** Returns the site in the URL of a message endpoint, if the settings name no site. */
function domainInAddress(baseUrl: unknown): string {
  const parsed = typeof baseUrl === 'string' ? parseApiAddress(baseUrl, 'assistant') : undefined;
  return parsed?.ok === true ? (parsed.domain ?? '') : '';
}

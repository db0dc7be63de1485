import * as v from 'valibot';
import {
  type CheckedSettings,
  checkSettings,
  type ReadSetting,
  settingAddress,
  settingNumber,
  settingText,
} from '../../common/checkedSettings';
import { exportSettings } from '../../common/contributions';
import { parseUrl } from '../../shared/links';

/** Defaults of `package.json`. A unit test compares both. */
export const exportSettingDefaults: ExportSettingTypes = {
  apiUrl: '',
  exportDomain: '',
  linkMustLastHours: 24,
};

const schemas = {
  apiUrl: settingAddress('export'),
  /** Bare host name, or empty. */
  exportDomain: v.pipe(
    settingText,
    v.check((value) => value === '' || parseExportDomain(value).ok),
    v.transform((value) => {
      const parsed = parseExportDomain(value);
      return parsed.ok ? parsed.exportDomain : '';
    }),
  ),
  /** Minimum number of hours that a link in a values file must remain valid. */
  linkMustLastHours: settingNumber(0, 8760),
} as const;

export type ExportSettingName = keyof typeof schemas;

/** Checked settings of static export. */
export type ExportSettingTypes = {
  readonly [Name in ExportSettingName]: v.InferOutput<(typeof schemas)[Name]>;
};

/** Checks the settings, see {@link checkSettings}. */
export function parseExportSettings(read: ReadSetting): CheckedSettings<ExportSettingTypes> {
  return checkSettings(schemas, exportSettings, exportSettingDefaults, read);
}

const sentences = {
  empty: 'Enter the site’s host name, such as docs.example.com.',
  'not-a-host': '“{0}” isn’t a host name. Enter a name such as docs.example.com.',
} as const;

/** Refusal of a text that is not a host name. `message` is English, with `{0}` for `detail`. */
interface DomainRefusal {
  readonly ok: false;
  readonly message: (typeof sentences)[keyof typeof sentences];
  readonly detail: string;
}

/** A host name. `isCleaned` tells whether other parts of the text, such as a path, were dropped. */
interface ExportDomain {
  readonly ok: true;
  readonly exportDomain: string;
  readonly isCleaned: boolean;
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^${label}(?:\\.${label})*$`);

/**
 * Finds the host name of a site in what the user typed or pasted. The export API needs it without
 * scheme, slash, path and port (field-notes.md § Static export).
 */
export function parseExportDomain(text: string): ExportDomain | DomainRefusal {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, message: sentences.empty, detail: '' };
  const refusal: DomainRefusal = {
    ok: false,
    message: sentences['not-a-host'],
    detail: trimmed.length <= 80 ? trimmed : `${trimmed.slice(0, 79)}…`,
  };
  const typed = trimmed.toLowerCase();
  // The URL parser would read a bare name of digits as an IP address.
  const found = isHostName(typed) ? typed : hostInAddress(trimmed);
  if (found === undefined || !isHostName(found)) return refusal;
  return { ok: true, exportDomain: found, isCleaned: found !== typed };
}

/**
 * Returns whether the text looks like the assistant's domain. That is an identifier, which the
 * export API does not know.
 */
export function looksLikeAssistantDomain(exportDomain: string, assistantDomain: string): boolean {
  return exportDomain === assistantDomain.toLowerCase() || !exportDomain.includes('.');
}

function isHostName(text: string): boolean {
  return text.length <= 253 && hostName.test(text);
}

function hostInAddress(text: string): string | undefined {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (/\s/.test(text) || (hasScheme && !/^https?:/i.test(text))) return undefined;
  const address = hasScheme ? text : `https://${text.replace(/^\/+/, '')}`;
  return parseUrl(address)?.hostname.replace(/\.$/, '');
}

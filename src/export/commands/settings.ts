import * as v from 'valibot';
import { exportSettings } from '../../common/contributions';
import { parseApiAddress } from '../../common/http/address';
import { parseUrl } from '../../shared/links';

/** A setting with an invalid value. Its default is used instead. */
export interface ExportSettingProblem {
  /** Full name, as in `package.json`. */
  readonly setting: string;
  /** Invalid value as JSON. */
  readonly value: string;
}

/** Defaults of `package.json`. A unit test compares both. */
export const exportSettingDefaults: ExportSettingTypes = {
  apiUrl: '',
  exportDomain: '',
  linkMustLastHours: 24,
};

const text = v.pipe(v.string(), v.trim(), v.maxLength(1000));

const schemas = {
  /** Base URL in the form of `parseApiAddress`, or empty. */
  apiUrl: v.pipe(
    text,
    v.check((value) => value === '' || parseApiAddress(value, 'export').ok),
    v.transform((value) => {
      const parsed = parseApiAddress(value, 'export');
      return parsed.ok ? parsed.baseUrl : '';
    }),
  ),
  /** Bare host name, or empty. */
  exportDomain: v.pipe(
    text,
    v.check((value) => value === '' || parseExportDomain(value).ok),
    v.transform((value) => {
      const parsed = parseExportDomain(value);
      return parsed.ok ? parsed.exportDomain : '';
    }),
  ),
  /** Minimum number of hours that a link in a values file must remain valid. */
  linkMustLastHours: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8760)),
} as const;

export type ExportSettingName = keyof typeof schemas;

/** Checked settings of static export. */
export type ExportSettingTypes = {
  readonly [Name in ExportSettingName]: v.InferOutput<(typeof schemas)[Name]>;
};

/** The same schemas with types that a generic name can index. */
const schemaByName: {
  readonly [Name in ExportSettingName]: v.GenericSchema<unknown, ExportSettingTypes[Name]>;
} = schemas;

/**
 * Reads and checks the settings. Replaces each invalid value with its default and reports it.
 *
 * @param read returns the configured value of a full name such as `docsAssistant.apiUrl`.
 */
export function parseExportSettings(read: (setting: string) => unknown): {
  readonly values: ExportSettingTypes;
  readonly problems: readonly ExportSettingProblem[];
} {
  const problems: ExportSettingProblem[] = [];
  const valueOf = <Name extends ExportSettingName>(name: Name): ExportSettingTypes[Name] => {
    const setting = exportSettings[name];
    const value = read(setting) ?? exportSettingDefaults[name];
    const parsed = v.safeParse<v.GenericSchema<unknown, ExportSettingTypes[Name]>>(
      schemaByName[name],
      value,
    );
    if (parsed.success) return parsed.output;
    problems.push({ setting, value: JSON.stringify(value) });
    return exportSettingDefaults[name];
  };
  return {
    values: {
      apiUrl: valueOf('apiUrl'),
      exportDomain: valueOf('exportDomain'),
      linkMustLastHours: valueOf('linkMustLastHours'),
    },
    problems,
  };
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

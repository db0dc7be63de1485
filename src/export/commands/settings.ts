import * as v from 'valibot';
import { parseApiAddress } from '../../common/address';
import { exportSettings } from '../exportContributions';
import { parseExportDomain } from './exportDomainInput';

/** What the settings of static export hold once they are checked; `deployment.ts` has the rest. */
export interface ExportSettingTypes {
  /** As `parseApiAddress` gives it; empty while none is set. */
  readonly apiUrl: string;
  /** A bare host name; empty while none is set. */
  readonly exportDomain: string;
  /** Hours that a link in a values file must last at least. */
  readonly linkMustLastHours: number;
}

export type ExportSettingName = keyof ExportSettingTypes;

/** A setting that holds what it cannot; its default is used instead. */
export interface ExportSettingProblem {
  readonly name: ExportSettingName;
  /** As `package.json` names it. */
  readonly setting: string;
  /** What it held, as JSON. */
  readonly value: string;
}

/** The defaults that `package.json` declares, which a unit test compares. */
export const exportSettingDefaults: ExportSettingTypes = {
  apiUrl: '',
  exportDomain: '',
  linkMustLastHours: 24,
};

const text = v.pipe(v.string(), v.trim(), v.maxLength(1000));

const schemas: {
  readonly [Name in ExportSettingName]: v.GenericSchema<unknown, ExportSettingTypes[Name]>;
} = {
  apiUrl: v.pipe(
    text,
    v.check((value) => value === '' || parseApiAddress(value, 'export').ok),
    v.transform((value) => {
      const parsed = parseApiAddress(value, 'export');
      return parsed.ok ? parsed.baseUrl : '';
    }),
  ),
  exportDomain: v.pipe(
    text,
    v.check((value) => value === '' || parseExportDomain(value).ok),
    v.transform((value) => {
      const parsed = parseExportDomain(value);
      return parsed.ok ? parsed.exportDomain : '';
    }),
  ),
  linkMustLastHours: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8760)),
};

/**
 * Checks what the configuration holds. A value that does not fit is reported and replaced with its
 * default, so that one bad setting does not take the others down.
 *
 * @param read gives what is configured under a full name such as `docsAssistant.apiUrl`.
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
      schemas[name],
      value,
    );
    if (parsed.success) return parsed.output;
    problems.push({ name, setting, value: JSON.stringify(value) });
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

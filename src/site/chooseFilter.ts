/** Asks for the version, the language and the groups that questions to a site are about. */
import { DocsAssistantError } from '../common/errors';
import type { PickRow, WindowUi } from '../common/windowUi';
import { withoutUndefined } from '../common/withoutUndefined';
import type { AskFilter } from '../shared/askFilter';
import type { ActiveSite, InstalledSiteVersion } from './activeSite';
import { nameWithVersion } from './siteVersion';

/** Values that the pages of a site have. A kind of value that isn't known is absent. */
export interface FilterValues {
  readonly versions?: readonly string[];
  readonly languages?: readonly string[];
  readonly groups?: readonly string[];
}

interface FilterPorts {
  readonly ui: WindowUi;
  /** The site that is asked now. */
  readonly site: {
    readonly view: Pick<ActiveSite['view'], 'isConfigured'>;
    readonly askSettings: Pick<ActiveSite['askSettings'], 'unavailable'>;
    readonly filter: AskFilter;
    /** Installed version, and the version of the docs that is preselected for it. */
    readonly installed?: Pick<InstalledSiteVersion, 'installed' | 'preselected'> | undefined;
    setFilter(filter: AskFilter): void;
  };
  /** Serves the docs on this machine again that this workspace answered from last, if any. */
  readonly resumeDocs: () => Promise<void>;
  /** Returns the values that the pages have, or undefined if the service doesn't tell them. */
  readonly offered: () => Promise<FilterValues | undefined>;
}

type Field = keyof AskFilter;

/** Maximum number of characters of an entered value. */
const MAX_LENGTH = 1000;

/**
 * Lets the reader change one part of the filter of the site that is asked now.
 * @returns whether the filter may have changed.
 * @throws {DocsAssistantError} `not-configured`, or the reason why the site has no assistant.
 */
export async function chooseFilter(ports: FilterPorts): Promise<boolean> {
  const { ui, site, resumeDocs, offered } = ports;
  const { translate: t } = ui;
  await resumeDocs();
  const { isConfigured } = site.view;
  if (!isConfigured) throw new DocsAssistantError(site.askSettings.unavailable ?? 'not-configured');
  const values = await offered();
  const rows = filterRows(ui, site, values);
  if (rows.length === 0) {
    await ui.inform(t('These docs have no versions, languages or groups to filter by.'));
    return false;
  }
  const picked = await ui.pick<Field | 'clear'>({
    title: t('Filter Docs'),
    placeholder: t('Choose what to search. The filter is for this site in this workspace.'),
    rows,
  });
  switch (picked?.value) {
    case undefined:
      return false;
    case 'clear':
      site.setFilter({});
      return true;
    case 'groups':
      return values?.groups
        ? toggleGroups(ui, site, values.groups)
        : enterField(ui, site, 'groups');
    case 'version':
      return pickField(ui, site, 'version', values?.versions);
    case 'language':
      return pickField(ui, site, 'language', values?.languages);
  }
}

/** Returns the parts of the filter that can be changed. Parts that no page has are left out. */
function filterRows(
  ui: WindowUi,
  site: FilterPorts['site'],
  values: FilterValues | undefined,
): readonly PickRow<Field | 'clear'>[] {
  const { translate: t } = ui;
  const { version, language, groups = [] } = site.filter;
  const isOffered = (offered: readonly string[] | undefined, isSet: boolean): boolean =>
    isSet || offered === undefined || offered.length > 0;
  const isFiltered = version !== undefined || language !== undefined || groups.length > 0;
  return [
    ...(isOffered(values?.versions, version !== undefined)
      ? [row('tag', t('Version'), versionText(ui, site), 'version' as const)]
      : []),
    ...(isOffered(values?.languages, language !== undefined)
      ? [row('globe', t('Language'), language ?? t('all languages'), 'language' as const)]
      : []),
    ...(isOffered(values?.groups, groups.length > 0)
      ? [row('organization', t('Groups'), groups.join(', ') || t('all groups'), 'groups' as const)]
      : []),
    ...(isFiltered ? [row('clear-all', t('Remove Filter'), '', 'clear' as const)] : []),
  ];
}

/** Returns the version that is searched, and the installed one that it is for. */
function versionText(
  { translate: t }: WindowUi,
  { filter, installed }: FilterPorts['site'],
): string {
  const { version } = filter;
  if (version === undefined) return t('all versions');
  return installed !== undefined && version === installed.preselected
    ? t('{0}, for the installed {1}', version, nameWithVersion(installed.installed))
    : version;
}

const row = <Value>(
  icon: string,
  label: string,
  description: string,
  value: Value,
): PickRow<Value> => ({ icon, label, description, value });

/** Lets the reader choose one of the values that the pages have, or all of them. Asks for one if the values aren't known. */
async function pickField(
  ui: WindowUi,
  site: FilterPorts['site'],
  field: 'version' | 'language',
  offered: readonly string[] | undefined,
): Promise<boolean> {
  if (!offered) return enterField(ui, site, field);
  const { translate: t } = ui;
  const current = site.filter[field];
  const { installed } = site;
  const valueRow = (value: string | undefined, label: string): PickRow<string | undefined> =>
    row(
      value === current ? 'check' : 'blank',
      label,
      field === 'version' && installed && value !== undefined && value === installed.preselected
        ? t('for the installed {0}', nameWithVersion(installed.installed))
        : '',
      value,
    );
  // A current value that no page has any more is listed too.
  const values = new Set([...offered, ...(current === undefined ? [] : [current])]);
  const picked = await ui.pick<string | undefined>({
    title: field === 'version' ? t('Version') : t('Language'),
    placeholder: t('Choose what to search'),
    rows: [
      valueRow(undefined, field === 'version' ? t('All Versions') : t('All Languages')),
      ...[...values].map((value) => valueRow(value, value)),
    ],
  });
  if (!picked) return false;
  site.setFilter(withoutUndefined({ ...site.filter, [field]: picked.value }));
  return true;
}

/** Lets the reader turn groups on and off until the list is closed. */
async function toggleGroups(
  ui: WindowUi,
  site: FilterPorts['site'],
  offered: readonly string[],
): Promise<boolean> {
  const { translate: t } = ui;
  for (let hasChanged = false; ; hasChanged = true) {
    const { groups: chosen = [], ...others } = site.filter;
    const picked = await ui.pick<string>({
      title: t('Groups'),
      placeholder: t('Choose groups to turn them on or off. Press Escape when you’re done.'),
      rows: [...new Set([...offered, ...chosen])].map((group) =>
        row(chosen.includes(group) ? 'check' : 'blank', group, '', group),
      ),
    });
    if (!picked) return hasChanged;
    const { value } = picked;
    const groups = chosen.includes(value)
      ? chosen.filter((group) => group !== value)
      : [...chosen, value];
    site.setFilter(groups.length === 0 ? others : { ...others, groups });
  }
}

/** Asks for a value that the service doesn't offer. An empty one removes this part of the filter. */
async function enterField(ui: WindowUi, site: FilterPorts['site'], field: Field): Promise<boolean> {
  const { translate: t } = ui;
  const { title, prompt } = {
    version: {
      title: t('Version'),
      prompt: t('Enter a version as the docs name it. Leave it empty to search all versions.'),
    },
    language: {
      title: t('Language'),
      prompt: t('Enter a language as the docs name it. Leave it empty to search all languages.'),
    },
    groups: {
      title: t('Groups'),
      prompt: t('Enter groups, separated by commas. Leave it empty to search all pages.'),
    },
  }[field];
  const current = site.filter[field];
  const entered = await ui.enter({
    title,
    prompt,
    value: typeof current === 'string' ? current : (current ?? []).join(', '),
    remarkOn: (value) =>
      value.length > MAX_LENGTH
        ? { kind: 'error', text: t('Enter up to {0} characters.', MAX_LENGTH) }
        : undefined,
  });
  if (entered === undefined) return false;
  const values = [...new Set(entered.split(',').map((value) => value.trim()))].filter(Boolean);
  const value = field === 'groups' ? values : entered.trim();
  site.setFilter(
    withoutUndefined({ ...site.filter, [field]: value.length === 0 ? undefined : value }),
  );
  return true;
}

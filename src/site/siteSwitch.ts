/** Asks which site this window asks: a kept one, kept docs, or one that the workspace recommends. */
import { commands } from '../common/contributions';
import type { Translate } from '../common/errors';
import { separated, type PickButton, type PickRow, type WindowUi } from '../common/windowUi';
import { cloudDeployment } from './featureAvailability';
import { deploymentNames } from './features';
import { isSameSite, MAX_LABEL_LENGTH, type HostedSite } from './keptSite';
import type { Recommendation } from './recommendedSites';
import type { KeptSites } from './sites';

/** Kept docs of the local docs service, as a row of the list. */
export interface KeptDocs {
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

interface SwitchPorts {
  readonly ui: WindowUi;
  readonly sites: Pick<
    KeptSites,
    'list' | 'find' | 'add' | 'use' | 'useSettings' | 'rename' | 'remove' | 'sharesKey'
  >;
  /** The site that is asked, and the one of the settings. */
  readonly active: {
    readonly local: object | undefined;
    readonly hosted: HostedSite | undefined;
    readonly settingsSite: HostedSite | undefined;
  };
  readonly docs: () => readonly KeptDocs[];
  /** Answers from kept docs. Resolves with false if they can't be served, which has been shown. */
  readonly serveDocs: (id: string) => Promise<boolean>;
  /** Returns what the workspace recommends and the reader doesn't have. */
  readonly recommended: () => readonly Recommendation[];
  /** Accepts a recommendation. Resolves with whether it is asked now. */
  readonly accept: (recommendation: Recommendation) => Promise<boolean>;
}

type SiteAction = 'rename' | 'remove';

type Choice =
  | { readonly kind: 'site'; readonly site: HostedSite }
  | { readonly kind: 'docs'; readonly id: string }
  | { readonly kind: 'recommended'; readonly recommendation: Recommendation }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'manage' };

/**
 * Shows the list of sites until the reader chooses one or cancels. Renaming and removing a site come
 * back to the list.
 * @returns whether another site may be asked now.
 */
export async function showSiteSwitch(ports: SwitchPorts): Promise<boolean> {
  const { ui, sites, serveDocs, accept } = ports;
  for (;;) {
    const picked = await ui.pick<Choice, SiteAction>({
      title: ui.translate('Switch Site'),
      placeholder: ui.translate('Choose the docs site or the docs to ask'),
      rows: switchRows(ports),
    });
    if (!picked) return false;
    const { value, button } = picked;
    switch (value.kind) {
      case 'site':
        if (button === undefined) return useSite(sites, value.site);
        await changeSite(ports, value.site, button);
        continue;
      case 'manage':
        if (!(await manage(ports))) return false;
        continue;
      case 'docs':
        return serveDocs(value.id);
      case 'recommended':
        return accept(value.recommendation);
      case 'command':
        await ui.runCommand(value.command);
        return false;
    }
  }
}

async function useSite(sites: SwitchPorts['sites'], site: HostedSite): Promise<boolean> {
  const kept = sites.find(site);
  if (kept) return (await sites.use(kept.id)) !== undefined;
  await sites.useSettings();
  return true;
}

/** Returns the rows in their order. A site of the settings that is kept shows once. */
function switchRows(ports: SwitchPorts): readonly PickRow<Choice, SiteAction>[] {
  const { ui, docs, recommended } = ports;
  const { translate: t } = ui;
  const sites = allSites(ports);
  return [
    ...separated(
      t('docs sites'),
      sites.map((site) => ({
        ...siteRow(site, ports),
        buttons: buttons(t),
        value: { kind: 'site' as const, site },
      })),
    ),
    ...separated(
      t('docs on this machine'),
      docs().map(({ id, ...row }) => ({ ...row, value: { kind: 'docs' as const, id } })),
    ),
    ...separated(
      t('recommended by this workspace'),
      recommended().map((recommendation) => ({
        icon: 'lightbulb',
        label: recommendation.label,
        description: recommendation.host,
        detail: recommendation.address,
        value: { kind: 'recommended' as const, recommendation },
      })),
    ),
    ...separated(t('add'), [
      command('add', t('Set Up Docs Site…'), t('a site of the docs platform'), commands.setUpSite),
      command(
        'library',
        t('Choose Docs…'),
        t('a folder, a bundle or a public site, without an account'),
        commands.chooseDocs,
      ),
      // Buttons of rows can't be reached by keyboard.
      ...(sites.length === 0
        ? []
        : [
            {
              icon: 'settings',
              label: t('Manage Docs Sites…'),
              description: t('rename or remove'),
              value: { kind: 'manage' as const },
            },
          ]),
    ]),
  ];
}

function command(
  icon: string,
  label: string,
  description: string,
  id: string,
): PickRow<Choice, SiteAction> {
  return { icon, label, description, value: { kind: 'command', command: id } };
}

/** Returns the kept sites, the one that was used last first, and the one of the settings. */
function allSites({ sites, active }: SwitchPorts): readonly HostedSite[] {
  const { settingsSite } = active;
  const kept = sites.list;
  const isKept = settingsSite && kept.some((site) => isSameSite(site, settingsSite));
  return settingsSite && !isKept ? [...kept, settingsSite] : kept;
}

/** Returns the texts of a site's row. */
function siteRow(
  site: HostedSite,
  { ui, active }: SwitchPorts,
): { readonly icon: string; label: string; description: string; detail: string } {
  const { translate: t } = ui;
  const { local, hosted, settingsSite } = active;
  const { type } = site.deployment ?? cloudDeployment;
  const isAsked = !local && hosted !== undefined && isSameSite(hosted, site);
  const isDefault = settingsSite !== undefined && isSameSite(settingsSite, site);
  return {
    icon: 'book',
    label: site.label ?? site.domain,
    description: [
      ...(isAsked ? [t('in use')] : []),
      ...(site.label === undefined ? [] : [site.domain]),
      ...(type === 'cloud' ? [] : [t(deploymentNames[type])]),
      ...(isDefault ? [t('default, from your settings')] : []),
    ].join(' · '),
    detail: site.baseUrl,
  };
}

function buttons(t: Translate): readonly PickButton<SiteAction>[] {
  return [
    { value: 'rename', icon: 'edit', tooltip: t('Rename…') },
    { value: 'remove', icon: 'trash', tooltip: t('Remove…') },
  ];
}

/**
 * Asks for a site and for what to do with it, for readers who use no mouse.
 * @returns false if the reader canceled.
 */
async function manage(ports: SwitchPorts): Promise<boolean> {
  const { ui } = ports;
  const { translate: t } = ui;
  const title = t('Manage Docs Sites');
  const picked = await ui.pick<HostedSite>({
    title,
    placeholder: t('Choose the docs site to rename or remove'),
    rows: allSites(ports).map((site) => ({ ...siteRow(site, ports), value: site })),
  });
  if (!picked) return false;
  const { value: site } = picked;
  const action = await ui.pick<SiteAction>({
    title,
    placeholder: site.label ?? site.domain,
    rows: buttons(t).map(({ icon, tooltip: label, value }) => ({ icon, label, value })),
  });
  if (!action) return false;
  await changeSite(ports, site, action.value);
  return true;
}

function changeSite(ports: SwitchPorts, site: HostedSite, action: SiteAction): Promise<void> {
  return action === 'rename' ? renameSite(ports, site) : removeSite(ports, site);
}

async function renameSite({ ui, sites }: SwitchPorts, site: HostedSite): Promise<void> {
  const { translate: t } = ui;
  const name = await ui.enter({
    title: t('Rename {0}', site.label ?? site.domain),
    prompt: t('Enter a name for this docs site. Leave it empty to show {0}.', site.domain),
    value: site.label ?? '',
    remarkOn: (value) =>
      value.trim().length > MAX_LABEL_LENGTH
        ? { kind: 'error', text: t('A name can have up to {0} characters.', MAX_LABEL_LENGTH) }
        : undefined,
  });
  if (name === undefined || name.trim() === (site.label ?? '')) return;
  // A site that only the settings name is kept with its name.
  const { id } = sites.find(site) ?? (await sites.add(site));
  await sites.rename(id, name);
}

async function removeSite({ ui, sites }: SwitchPorts, site: HostedSite): Promise<void> {
  const { translate: t } = ui;
  const { host } = new URL(site.baseUrl);
  const isConfirmed = await ui.confirm(
    t('Remove {0}?', site.label ?? site.domain),
    t('Remove'),
    sites.sharesKey(site)
      ? t(
          'The assistant key for {0} stays because another docs site uses it. Threads stay until you delete them.',
          host,
        )
      : t('This deletes the assistant key for {0}. Threads stay until you delete them.', host),
  );
  if (isConfirmed) await sites.remove(site);
}

/** Asks which docs to answer from. Reads, fetches and stores nothing until the reader has finished choosing. */
import path from 'node:path';
import type { Picked } from '../../common/windowUi';
import type { Clock } from '../../common/ports';
import { numberText } from '../../shared/units';
import type { LocalDocs } from '../server/servedDocs';
import {
  buttonsOf,
  hasPackages,
  setRow,
  docsRows,
  installedRows,
  factsText,
  type DocsChoice,
  type DocsPickContent,
  type SetAction,
  type WorkspaceDocs,
} from './docsPick';
import type { DocsSet, DocsSets } from './docsSets';
import type { WindowUi } from '../../common/windowUi';
import { siteLimits } from '../../docs/sources/site/siteLimits';
import { parseSiteAddress, type SiteAddress } from './siteAddress';

/** The docs that the reader chose. */
export type ChosenDocs =
  /** A kept set. If `isRefresh`, its pages are read or fetched again first. */
  | { readonly kind: 'set'; readonly set: DocsSet; readonly isRefresh: boolean }
  /** A folder on this machine, of Markdown or of HTML. */
  | { readonly kind: 'docs'; readonly docs: LocalDocs }
  /** A bundle that must be unpacked first. */
  | { readonly kind: 'archive'; readonly archive: string; readonly label: string }
  /** A site whose fetch the reader has confirmed. */
  | { readonly kind: 'site'; readonly address: SiteAddress };

/** A bundle that *Download Bundle* or *Open Bundle* stored on this machine. */
export interface KnownBundle {
  readonly label: string;
  /** Absolute path of the unpacked site, if there is one. */
  readonly folder?: string;
  /** Absolute path of the archive. */
  readonly archive?: string;
}

export interface ChooseDocsPorts {
  readonly ui: WindowUi;
  readonly sets: Pick<DocsSets, 'list' | 'find'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly workspace: () => readonly WorkspaceDocs[];
  /** Returns the installed packages of the workspace, unless nothing of it may be read. */
  readonly installed: () => Promise<DocsPickContent['installed']>;
  /** Shows where the reader can trust the workspace. */
  readonly manageTrust: () => Promise<void>;
  readonly sample: LocalDocs;
  readonly served: () => LocalDocs | undefined;
  readonly bundles: () => Promise<readonly KnownBundle[]>;
  /** Returns whether the pages of a folder are those of an exported site. */
  readonly folderKind: (folder: string) => Promise<'folder' | 'bundle'>;
  readonly rename: (set: DocsSet, label: string) => Promise<void>;
  readonly remove: (set: DocsSet) => Promise<void>;
}

/**
 * Shows the list of docs until the reader chooses docs or cancels. After the reader renames or removes a
 * set, the list shows again.
 * @returns undefined if the reader canceled any of the steps.
 */
export async function chooseDocs(
  ports: ChooseDocsPorts,
  title: string,
): Promise<ChosenDocs | undefined> {
  const { ui, sets, clock, workspace, sample, served } = ports;
  const installed = await ports.installed();
  for (;;) {
    const picked = await ui.pick<DocsChoice, SetAction>({
      title,
      placeholder: ui.translate('Choose the docs to answer from'),
      rows: docsRows(
        {
          installed,
          sets: sets.list,
          workspace: workspace(),
          sample,
          served: served(),
          now: clock.now(),
        },
        ui.translate,
      ),
    });
    if (!picked) return undefined;
    const managed =
      picked.value.kind === 'manage' ? await manage(ports, hasPackages(installed)) : picked;
    if (!managed) return undefined;
    const { value, button } = managed;
    if (value.kind === 'manage') return undefined;
    if (value.kind !== 'set') return chooseNew(ports, value, title);
    const besides = button === 'with-packages' ? withPackages(value.set, installed, ui) : undefined;
    if (besides) return besides;
    if (button === 'rename') await renameSet(ports, value.set);
    else if (button === 'remove') await removeSet(ports, value.set);
    else return { ...value, isRefresh: button === 'refresh' };
  }
}

/**
 * Chooses the installed packages of the workspace. Asks only if several folders have some.
 * @returns undefined if there are none, if nothing of the workspace may be read, or if the reader canceled.
 */
export async function chooseInstalled(
  ports: Pick<ChooseDocsPorts, 'ui' | 'installed' | 'manageTrust' | 'served'>,
): Promise<ChosenDocs | undefined> {
  const { ui, served } = ports;
  const { translate: t } = ui;
  const installed = await ports.installed();
  if (installed === 'needs-trust') {
    await ports.manageTrust();
    return undefined;
  }
  const [only, ...others] = installed;
  if (!only) {
    void ui.warn(t('No packages are installed here. Install the packages of package.json first.'));
    return undefined;
  }
  if (others.length === 0) return { kind: 'docs', docs: only.docs };
  const picked = await ui.pick<DocsChoice, SetAction>({
    title: t('Installed Packages'),
    placeholder: t('Choose the folder whose packages to ask about'),
    rows: installedRows({ installed, served: served() }, t),
  });
  return picked?.value.kind === 'docs' ? picked.value : undefined;
}

/** Returns a kept set together with the first installed packages, those of the workspace's top if it has some. */
function withPackages(
  { docs }: DocsSet,
  installed: DocsPickContent['installed'],
  { translate: t }: WindowUi,
): ChosenDocs | undefined {
  const [first] = installed === 'needs-trust' ? [] : installed;
  if (first?.docs.kind !== 'installed' || docs.kind === 'installed') return undefined;
  const label = t('{0} and Installed Packages', docs.label);
  return { kind: 'docs', docs: { ...first.docs, label, beside: docs } };
}

/** Asks for a kept set and an action. Without a mouse, readers can't reach the buttons of the list's rows. */
async function manage(
  { ui, sets, clock }: ChooseDocsPorts,
  isWithPackages: boolean,
): Promise<Picked<DocsChoice, SetAction> | undefined> {
  const { translate: t } = ui;
  const now = clock.now();
  const title = t('Manage Kept Docs');
  const picked = await ui.pick<DocsSet>({
    title,
    placeholder: t('Choose the docs to refresh, rename or remove'),
    rows: sets.list.map((set) => ({ ...setRow(set, now, t), value: set })),
  });
  if (!picked) return undefined;
  const { value: set } = picked;
  const action = await ui.pick<SetAction>({
    title,
    placeholder: set.docs.label,
    rows: buttonsOf(set, t, isWithPackages).map(({ icon, tooltip: label, value }) => ({
      icon,
      label,
      value,
    })),
  });
  return action && { value: { kind: 'set', set }, button: action.value };
}

async function chooseNew(
  ports: ChooseDocsPorts,
  choice: Exclude<DocsChoice, { kind: 'set' | 'manage' }>,
  title: string,
): Promise<ChosenDocs | undefined> {
  const { ui } = ports;
  const { translate: t } = ui;
  switch (choice.kind) {
    case 'docs':
      return choice;
    case 'trust':
      await ports.manageTrust();
      return undefined;
    case 'folder': {
      const folder = await ui.chooseFolder({
        title: t('Choose a Folder of Docs'),
        button: t('Serve This Folder'),
      });
      if (folder === undefined) return undefined;
      const label = path.basename(folder) || folder;
      return { kind: 'docs', docs: { kind: await ports.folderKind(folder), folder, label } };
    }
    case 'bundle':
      return chooseBundle(ports, title);
    case 'site':
      return chooseSite(ports, title);
  }
}

/** Asks for a bundle: a known one on this machine, or another archive. */
async function chooseBundle(
  { ui, sets, bundles }: ChooseDocsPorts,
  title: string,
): Promise<ChosenDocs | undefined> {
  const { translate: t } = ui;
  const picked = await ui.pick<KnownBundle | 'archive'>({
    title,
    placeholder: t('Choose the bundle to answer from'),
    rows: [
      ...(await bundles()).map((bundle) => ({
        icon: 'package',
        label: bundle.label,
        detail: bundle.folder ?? bundle.archive ?? '',
        value: bundle,
      })),
      {
        icon: 'file-zip',
        label: t('An Archive…'),
        description: t('.tar.gz, .tgz, .tar or .zip'),
        value: 'archive' as const,
      },
    ],
  });
  const bundle = picked?.value;
  if (bundle === undefined) return undefined;
  if (bundle !== 'archive' && bundle.folder !== undefined) {
    return { kind: 'docs', docs: { kind: 'bundle', folder: bundle.folder, label: bundle.label } };
  }
  const archive =
    bundle === 'archive'
      ? await ui.chooseFile({
          title: t('Choose a Bundle'),
          button: t('Serve This Bundle'),
          filters: { [t('Bundles')]: ['gz', 'tgz', 'tar', 'zip'] },
        })
      : bundle.archive;
  if (archive === undefined) return undefined;
  // The archive may have changed since it was unpacked, so it is unpacked again.
  const set = sets.list.find((each) => each.archive === archive);
  if (set) return { kind: 'set', set, isRefresh: true };
  const label = bundle === 'archive' ? archiveLabel(archive) : bundle.label;
  return { kind: 'archive', archive, label };
}

/** Asks for the URL of a site, and then for a confirmation to fetch it. */
async function chooseSite(ports: ChooseDocsPorts, title: string): Promise<ChosenDocs | undefined> {
  const { ui } = ports;
  const { translate: t } = ui;
  const text = await ui.enter({
    title,
    prompt: t('Enter the URL of a public docs site.'),
    placeholder: 'https://docs.example.com',
    remarkOn: (value) => {
      const parsed = parseSiteAddress(value);
      if (!parsed.ok) return { kind: 'error', text: t(parsed.message, parsed.detail ?? '') };
      return parsed.isUnencrypted
        ? {
            kind: 'hint',
            text: t('Over http://, others on the network can read and change the pages.'),
          }
        : undefined;
    },
  });
  return text === undefined ? undefined : confirmSite(ports, text);
}

/**
 * Asks for a confirmation to fetch a public site, unless the site is already a kept set.
 * @returns undefined if the reader canceled, or if the text is no URL of a site.
 */
export async function confirmSite(
  { ui, sets }: Pick<ChooseDocsPorts, 'ui' | 'sets'>,
  text: string,
): Promise<ChosenDocs | undefined> {
  const { translate: t } = ui;
  const address = parseSiteAddress(text);
  if (!address.ok) return undefined;
  const { url, origin, label } = address;
  const set = sets.find({ kind: 'site', url, folder: '', label });
  if (set) return { kind: 'set', set, isRefresh: false };
  const isConfirmed = await ui.confirm(
    t('Fetch the docs of {0}?', origin),
    t('Fetch Docs'),
    t(
      'Docs Assistant requests robots.txt, then llms-full.txt, llms.txt or sitemap.xml and up to {0} pages that they list. It requests nothing from other sites. The pages stay on this machine, so you can ask about them offline. If they are older than a day when you ask, Docs Assistant fetches them again.',
      numberText(siteLimits.maxPages),
    ),
  );
  return isConfirmed ? { kind: 'site', address } : undefined;
}

async function renameSet({ ui, rename }: ChooseDocsPorts, set: DocsSet): Promise<void> {
  const { translate: t } = ui;
  const label = await ui.enter({
    title: t('Rename {0}', set.docs.label),
    prompt: t('Enter a name for these docs.'),
    value: set.docs.label,
    remarkOn: (value) =>
      value.trim() === '' ? { kind: 'error', text: t('Enter a name.') } : undefined,
  });
  const trimmed = label?.trim() ?? '';
  if (trimmed !== '' && trimmed !== set.docs.label) await rename(set, trimmed);
}

/** Removes a set. Asks for a confirmation if this deletes pages that were fetched or unpacked. */
async function removeSet({ ui, remove, clock }: ChooseDocsPorts, set: DocsSet): Promise<void> {
  const { translate: t } = ui;
  const { label } = set.docs;
  if (set.ownFolder !== undefined) {
    const facts = factsText(set, clock.now(), t);
    const isConfirmed = await ui.confirm(
      t('Remove {0}?', label),
      t('Remove'),
      facts === ''
        ? t('Its pages are deleted from this machine.')
        : t('Its pages are deleted from this machine ({0}).', facts),
    );
    if (!isConfirmed) return;
  }
  await remove(set);
}

/** Returns the name of an archive without its ending. */
export function archiveLabel(archive: string): string {
  const name = path.basename(archive);
  return name.replace(/(\.tar)?\.(gz|tgz|tar|zip)$/i, '') || name;
}

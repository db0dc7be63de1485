/** Builds the rows of *Choose Docs…*: kept sets, folders of the workspace, and the ways to add docs. */
import { joined } from '../../common/text/strings';
import type { Translate } from '../../common/errors';
import { separated, type PickButton, type PickRow } from '../../common/windowUi';
import { ageText, numberText, pageCountText, sizeText } from '../../shared/units';
import type { LocalDocs } from '../server/servedDocs';
import { isSameDocs, type DocsSet } from './docsSets';

/** The choice that a row of the list stands for. */
export type DocsChoice =
  | { readonly kind: 'set'; readonly set: DocsSet }
  | { readonly kind: 'docs'; readonly docs: LocalDocs }
  /** The workspace must be trusted before its packages are read. */
  | { readonly kind: 'trust' }
  | { readonly kind: 'folder' | 'bundle' | 'site' }
  | { readonly kind: 'manage' };

/** Actions of the buttons of a kept set's row. */
export type SetAction = 'refresh' | 'with-packages' | 'rename' | 'remove';

type DocsRow = PickRow<DocsChoice, SetAction>;

/** A folder of the workspace that can be served. */
export interface WorkspaceDocs {
  readonly docs: LocalDocs;
  /** Whether a setting names it as the docs of the workspace. */
  readonly isDocsRoot: boolean;
}

/** The installed packages of a folder. Their pages are known once they were read. */
export interface InstalledChoice {
  readonly docs: LocalDocs;
  readonly packages: number;
  /** Path of the folder, from the one above the workspace folder. */
  readonly place: string;
  readonly pages?: number;
  readonly sizeBytes?: number;
}

export interface DocsPickContent {
  /** Installed packages, or `needs-trust` if nothing of the workspace may be read. */
  readonly installed: readonly InstalledChoice[] | 'needs-trust';
  readonly sets: readonly DocsSet[];
  readonly workspace: readonly WorkspaceDocs[];
  readonly sample: LocalDocs;
  /** Docs that this window answers from, or undefined if its local docs service doesn't run. */
  readonly served: LocalDocs | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const icons: Readonly<Record<LocalDocs['kind'], string>> = {
  folder: 'folder',
  bundle: 'package',
  site: 'globe',
  installed: 'library',
};

/** Returns whether packages can be asked beside a set. */
export function hasPackages(installed: DocsPickContent['installed']): boolean {
  return installed !== 'needs-trust' && installed.length > 0;
}

/** Returns the rows in their order. Leaves out folders of the workspace that are already kept sets. */
export function docsRows(content: DocsPickContent, t: Translate): readonly DocsRow[] {
  const { sets, sample, served, now } = content;
  const isServed = (docs: LocalDocs): boolean => served !== undefined && isSameDocs(served, docs);
  const workspace = content.workspace.filter(
    ({ docs }) => !sets.some((set) => isSameDocs(set.docs, docs)),
  );
  return [
    ...separated(t('installed packages'), installedRows(content, t)),
    ...separated(
      t('kept docs'),
      sets.map((set) => ({
        ...setRow(set, now, t, isServed(set.docs)),
        buttons: buttonsOf(set, t, hasPackages(content.installed)),
        value: { kind: 'set' as const, set },
      })),
    ),
    ...separated(
      t('this workspace'),
      workspace.map(({ docs, isDocsRoot }) => ({
        icon: 'folder',
        label: docs.label,
        description: isDocsRoot ? t('docs root of this workspace') : t('folder of this workspace'),
        value: { kind: 'docs' as const, docs },
      })),
    ),
    ...separated(t('add docs'), [
      {
        icon: 'folder-opened',
        label: t('A Folder of Docs…'),
        description: t('Markdown, MDX or an exported site on this machine'),
        value: { kind: 'folder' as const },
      },
      {
        icon: 'package',
        label: t('A Bundle (Exported Site)…'),
        description: t('downloaded before, or a .tar.gz or .zip archive'),
        value: { kind: 'bundle' as const },
      },
      {
        icon: 'globe',
        label: t('A Public Docs Site…'),
        description: t('fetched by its URL and kept on this machine'),
        value: { kind: 'site' as const },
      },
      {
        icon: 'book',
        label: sample.label,
        description: joined([
          isServed(sample) ? t('in use') : undefined,
          t('docs of an imaginary product, to try things out'),
        ]),
        value: { kind: 'docs' as const, docs: sample },
      },
      // The keyboard can't reach the buttons of rows, so this row offers the same actions.
      ...(sets.length === 0
        ? []
        : [
            {
              icon: 'settings',
              label: t('Manage Kept Docs…'),
              description: t('refresh, rename or remove'),
              value: { kind: 'manage' as const },
            },
          ]),
    ]),
  ];
}

/** Returns the rows of installed packages, which stand first. */
export function installedRows(
  { installed, served }: Pick<DocsPickContent, 'installed' | 'served'>,
  t: Translate,
): readonly DocsRow[] {
  if (installed === 'needs-trust') {
    return [
      {
        icon: 'shield',
        label: t('Installed Packages'),
        description: t('trust this workspace to ask about its packages'),
        value: { kind: 'trust' },
      },
    ];
  }
  return installed.map(({ docs, packages, place, pages, sizeBytes }) => ({
    icon: icons.installed,
    label: docs.label,
    description: joined([
      served !== undefined && isSameDocs(served, docs) ? t('in use') : undefined,
      installed.length > 1 ? place : undefined,
      packages === 1 ? t('1 package') : t('{0} packages', numberText(packages)),
      pages === undefined || pages === 0 ? undefined : pageCountText(pages, t),
      sizeBytes === undefined || sizeBytes === 0 ? undefined : sizeText(sizeBytes),
    ]),
    detail: t('docs, README and types, in the versions that this workspace has'),
    value: { kind: 'docs', docs },
  }));
}

/** Returns the pages, size and age of a set, such as `2,431 pages · 12 MB · fetched 3 d ago`. */
export function factsText({ docs, ...set }: DocsSet, now: number, t: Translate): string {
  const { pages, sizeBytes, fetchedAt } = set;
  const age = fetchedAt === undefined ? undefined : ageText(now - fetchedAt, t);
  return joined([
    pages === undefined ? undefined : pageCountText(pages, t),
    sizeBytes === undefined ? undefined : sizeText(sizeBytes),
    age === undefined
      ? undefined
      : docs.kind === 'site'
        ? t('fetched {0}', age)
        : t('read {0}', age),
  ]);
}

/** Returns the texts of a kept set's row. */
export function setRow(
  set: DocsSet,
  now: number,
  t: Translate,
  isServed = false,
): { readonly icon: string; label: string; description: string; detail: string } {
  const { docs, archive } = set;
  return {
    icon: icons[docs.kind],
    label: docs.label,
    description: joined([isServed ? t('in use') : undefined, factsText(set, now, t)]),
    detail: docs.kind === 'site' ? docs.url : (archive ?? docs.folder),
  };
}

/** Returns the buttons of a kept set's row. */
export function buttonsOf(
  { docs }: DocsSet,
  t: Translate,
  isWithPackages: boolean,
): readonly PickButton<SetAction>[] {
  return [
    ...(isWithPackages
      ? [
          {
            value: 'with-packages' as const,
            icon: icons.installed,
            tooltip: t('Ask With Installed Packages'),
          },
        ]
      : []),
    {
      value: 'refresh',
      icon: 'refresh',
      tooltip: docs.kind === 'site' ? t('Fetch Again') : t('Read Again'),
    },
    { value: 'rename', icon: 'edit', tooltip: t('Rename…') },
    { value: 'remove', icon: 'trash', tooltip: t('Remove') },
  ];
}

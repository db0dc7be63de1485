import type { ActiveSite } from '../../site/activeSite';

/** Arguments of `docs-assistant mcp` for the docs that a window asks. */
export interface DocsArguments {
  readonly args: readonly string[];
  /** Whether the docs need an assistant key. */
  readonly needsKey: boolean;
}

/**
 * Returns the arguments for the docs that are asked now. Returns undefined before set-up, and for a
 * local docs service that another process started, because nothing tells where its docs are.
 */
export function docsArguments(
  site: Pick<ActiveSite, 'askSettings' | 'local'>,
): DocsArguments | undefined {
  const { askSettings, local } = site;
  const { assistantDomain, baseUrl, filter } = askSettings;
  const filters = [
    ...(filter.version === undefined ? [] : ['--filter-version', filter.version]),
    ...(filter.language === undefined ? [] : ['--filter-language', filter.language]),
    ...(filter.groups ?? []).flatMap((group) => ['--filter-group', group]),
  ];
  if (local) {
    const { docs, docsFolder } = local;
    const installed = docs?.installedFolder;
    const place = docs?.siteUrl ?? docs?.bundleFolder ?? docsFolder;
    const named = installed === undefined ? ['--docs', place] : ['--installed', installed];
    const args = named.filter((text) => text !== undefined);
    return args.length < 2 ? undefined : { args: ['mcp', ...args, ...filters], needsKey: false };
  }
  if (baseUrl === undefined || assistantDomain === undefined) return undefined;
  const named = ['--site', assistantDomain, '--base-url', baseUrl];
  return { args: ['mcp', ...named, ...filters], needsKey: true };
}

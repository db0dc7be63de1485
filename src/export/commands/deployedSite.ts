/** *Open Deployed Site*: the address of a site that its exports are deployed at, asked for once. */
import { exportCommands } from '../../common/contributions';
import { parseUrl } from '../../shared/links';
import { type Exports, findExport } from '../job/exports';
import { LOCAL_API } from '../job/record';
import type { ExportHandlers } from './bundleCommands';
import { isOfSite, parseExportNode } from './pickExport';
import type { DeployedSites, ExportedSite } from './storedSites';
import { apiName } from './texts';
import type { WindowUi } from '../../common/windowUi';

interface DeployedSitePorts {
  readonly exports: Pick<Exports, 'list'>;
  readonly deployed: Pick<DeployedSites, 'at' | 'set'>;
  readonly ui: WindowUi;
}

export function deployedSiteHandlers(ports: DeployedSitePorts): ExportHandlers {
  const { deployed, ui } = ports;
  return {
    [exportCommands.openDeployed]: async (node) => {
      const site = await chooseSite(ports, node);
      if (!site) return;
      const url = deployed.at(site) ?? (await enterAddress(ports, site));
      if (url !== undefined) await ui.openExternal(url);
    },
    [exportCommands.changeDeployed]: async (node) => {
      const site = await chooseSite(ports, node);
      if (site) await enterAddress(ports, site);
    },
  };
}

async function chooseSite(
  { exports, ui }: DeployedSitePorts,
  node: unknown,
): Promise<ExportedSite | undefined> {
  const { translate: t } = ui;
  const known = parseExportNode(node);
  if (known?.kind === 'group') return known;
  if (known?.kind === 'export' || known?.kind === 'detail') {
    return findExport(exports, known.id)?.record;
  }
  const sites: ExportedSite[] = [];
  for (const { record } of exports.list) {
    if (!sites.some((site) => isOfSite({ record }, site))) sites.push(record);
  }
  if (sites.length === 0) void ui.inform(t('The list of exports is empty.'));
  if (sites.length <= 1) return sites[0];
  return ui.choose(
    t('Choose a Deployed Site'),
    sites.map((site) => ({
      label: site.exportDomain,
      description: apiName(site, t),
      value: site,
    })),
  );
}

/** Asks for the address and keeps it. Returns undefined if the user canceled. */
async function enterAddress(
  { deployed, ui }: DeployedSitePorts,
  site: ExportedSite,
): Promise<string | undefined> {
  const { translate: t } = ui;
  // The domain of the local docs service is a name, and no host of that name exists.
  const usual = site.apiUrl === LOCAL_API ? '' : `https://${site.exportDomain}/`;
  const text = await ui.enter({
    title: t('Open Deployed Site'),
    prompt: t(
      'URL at which the exports of {0} are deployed. It is kept for this site.',
      site.exportDomain,
    ),
    placeholder: 'https://docs.example.com/',
    value: deployed.at(site) ?? usual,
    remarkOn: (value) => {
      const parsed = parseDeployedAddress(value);
      return parsed.ok ? undefined : { kind: 'error', text: t(parsed.message) };
    },
  });
  const parsed = text === undefined ? undefined : parseDeployedAddress(text);
  if (parsed?.ok !== true) return undefined;
  await deployed.set(site, parsed.url);
  return parsed.url;
}

const sentences = {
  empty: 'Enter the URL of the site, such as https://docs.example.com/.',
  'not-a-url': 'This isn’t a URL. Enter one such as https://docs.example.com/.',
  scheme: 'Only URLs that start with https:// or http:// can be opened.',
  secret: 'This URL contains a user name or a password. Enter it without them.',
  long: 'This URL is too long.',
} as const;

/** Longest address that is kept. Browsers and servers refuse much longer ones. */
const MAX_ADDRESS_LENGTH = 2000;

/** An address that can be opened, or the English reason why it can't. */
type DeployedAddress =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly message: (typeof sentences)[keyof typeof sentences] };

/**
 * Parses the address of a deployed site. A missing scheme is read as https. Query and fragment are
 * dropped, because they name a page or, in a presigned link, a secret.
 */
export function parseDeployedAddress(text: string): DeployedAddress {
  const trimmed = text.trim();
  const refuse = (reason: keyof typeof sentences): DeployedAddress => {
    return { ok: false, message: sentences[reason] };
  };
  if (trimmed === '') return refuse('empty');
  if (trimmed.length > MAX_ADDRESS_LENGTH) return refuse('long');
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed);
  const url = parseUrl(hasScheme ? trimmed : `https://${trimmed.replace(/^\/+/, '')}`);
  if (!url || /\s/.test(trimmed)) return refuse('not-a-url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme');
  if (url.username !== '' || url.password !== '') return refuse('secret');
  url.search = '';
  url.hash = '';
  return { ok: true, url: url.href };
}

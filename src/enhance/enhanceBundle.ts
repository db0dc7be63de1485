/** *Add Search and Answers to Bundle…*: asks for a bundle and who answers, or removes what was added. */
import { exportCommands } from '../common/contributions';
import type { Translate } from '../common/errors';
import { isLoopbackHost } from '../common/http/address';
import { readSiteAssistant, type SiteAssistant } from '../export/check/assistantFolder';
import type { BundlePorts, ExportHandlers } from '../export/commands/bundleCommands';
import { chooseSite } from '../export/commands/siteCommands';
import type { OpenedSite } from '../export/commands/storedSites';
import { offer, type WindowUi, type TaskProgress } from '../common/windowUi';
import { parseUrl } from '../shared/links';
import { numberText } from '../shared/units';
import { type BoxService, parsePublicKey, parseServiceSite, parseServiceUrl } from './boxService';
import { enhanceInWorker, restoreInWorker } from './enhanceInWorker';
import type { PageProgress } from '../export/workerTask';
import type { Enhanced } from './enhanceSite';
import { untaggedTexts } from './pageTag';

/** Services that the command uses. */
export interface EnhancePorts extends BundlePorts {
  /** Absolute path of the built `enhanceWorker.ts`. */
  readonly enhanceScript: string;
  /** Absolute path of the folder with the scripts that are copied into sites. */
  readonly siteScripts: string;
  /** Returns the docs site that is set up, whose values are offered. */
  readonly configured: () => { readonly baseUrl: string; readonly domain: string } | undefined;
  /** Returns the assistant key that is saved for an origin. */
  readonly savedKey: (origin: string) => Promise<string | undefined>;
}

/** Most pages without the box that the notification names. */
const MAX_NAMED = 3;

export function enhanceHandlers(ports: EnhancePorts): ExportHandlers {
  return {
    [exportCommands.enhanceBundle]: async (node) => {
      const site = await chooseSite(ports, node);
      if (!site) return;
      const { ui } = ports;
      const { translate: t } = ui;
      const added = await readSiteAssistant(site.folder);
      const action = added
        ? await ui.choose<'add' | 'remove'>(t('Search and Answers of {0}', site.label), [
            {
              icon: 'refresh',
              label: t('Renew'),
              detail: t('After pages have changed, or to change who answers.'),
              value: 'add',
            },
            {
              icon: 'trash',
              label: t('Remove'),
              detail: t('Every page is again what it was, to the byte.'),
              value: 'remove',
            },
          ])
        : 'add';
      if (action === 'remove') await remove(ports, site);
      else if (action === 'add') await add(ports, site, added);
    },
  };
}

async function add(
  ports: EnhancePorts,
  site: OpenedSite,
  added: SiteAssistant | undefined,
): Promise<void> {
  const { ui, enhanceScript: script, siteScripts: scripts } = ports;
  const { translate: t } = ui;
  const who = await ui.choose<'files' | 'service'>(t('Who Answers on {0}?', site.label), [
    {
      icon: 'files',
      label: t('The files of the site'),
      detail: t('Answers quote the pages, on any host and without a network. Nothing is sent.'),
      value: 'files',
    },
    {
      icon: 'cloud',
      label: t('A docs service, or the files when it is away…'),
      detail: t(
        'Questions go to the service, and each can cost a credit. Everyone can read the assistant key in the pages.',
      ),
      value: 'service',
    },
  ]);
  if (who === undefined) return;
  const service = who === 'service' ? await askService(ports, added) : undefined;
  if (who === 'service' && !service) return;
  const enhanced = await ui.progress(
    t('Adding search and answers to {0}', site.label),
    (show, signal) =>
      enhanceInWorker({
        script,
        scripts,
        service,
        root: site.folder,
        signal,
        onProgress: (progress) => show(progressOf(progress, t)),
      }),
  );
  if (enhanced) tellAdded(ui, site, enhanced);
}

async function remove(ports: EnhancePorts, site: OpenedSite): Promise<void> {
  const { ui, enhanceScript: script } = ports;
  const { translate: t } = ui;
  const pages = await ui.progress(
    t('Removing search and answers from {0}', site.label),
    (show, signal) =>
      restoreInWorker({
        script,
        root: site.folder,
        signal,
        onProgress: (progress) => show(progressOf(progress, t)),
      }),
  );
  if (pages === undefined) return;
  void ui.inform(
    pages === 1
      ? t('Took search and answers out of 1 page in {0}.', site.label)
      : t('Took search and answers out of {0} pages in {1}.', numberText(pages), site.label),
  );
}

function progressOf({ pages, totalPages }: PageProgress, t: Translate): TaskProgress {
  return {
    message: t('{0} of {1} steps', numberText(pages), numberText(totalPages)),
    percent: (pages / totalPages) * 100,
  };
}

/** Asks for the service, with the values of the last time or of the site that is set up. */
async function askService(
  { ui, configured, savedKey }: EnhancePorts,
  added: SiteAssistant | undefined,
): Promise<BoxService | undefined> {
  const { translate: t } = ui;
  const site = configured();
  const known = added?.service
    ? { baseUrl: added.service.url, domain: added.service.site }
    : site && { baseUrl: site.baseUrl, domain: site.domain };
  const title = t('Docs Service of the Site');
  const url = await ui.enter({
    title,
    prompt: t('Base URL of the docs service, or its path on the host of the site.'),
    placeholder: 'https://docs.example.com',
    value: known?.baseUrl,
    remarkOn: (text) => {
      const parsed = parseServiceUrl(text, t);
      if (!parsed.ok) return { kind: 'error', text: parsed.message };
      return isOnThisMachine(parsed.value.baseUrl)
        ? { kind: 'hint', text: t('Only readers on this machine can reach this service.') }
        : undefined;
    },
  });
  const address = url === undefined ? undefined : parseServiceUrl(url, t);
  if (!address?.ok) return undefined;
  const { baseUrl, domain: ofUrl } = address.value;
  const isKnown = known?.baseUrl === baseUrl;
  const name = await ui.enter({
    title,
    prompt: t('Domain of the docs site at the service.'),
    value: ofUrl ?? (isKnown ? known.domain : undefined),
    remarkOn: (text) => remarkOf(parseServiceSite(text, undefined, t)),
  });
  const domain = name === undefined ? undefined : parseServiceSite(name, undefined, t);
  if (!domain?.ok) return undefined;
  const origin = parseUrl(baseUrl)?.origin;
  const saved = origin === undefined ? undefined : await savedKey(origin);
  const typed = await ui.enter({
    title,
    prompt: t('Assistant key of the service. Everyone can read it in the pages.'),
    value: saved !== undefined && parsePublicKey(saved, t).ok ? saved : undefined,
    isSecret: true,
    remarkOn: (text) => remarkOf(parsePublicKey(text, t)),
  });
  const key = typed === undefined ? undefined : parsePublicKey(typed, t);
  return key?.ok ? { baseUrl, domain: domain.value, key: key.value } : undefined;
}

function remarkOf(
  parsed: { readonly ok: true } | { readonly ok: false; readonly message: string },
): { readonly kind: 'error'; readonly text: string } | undefined {
  return parsed.ok ? undefined : { kind: 'error', text: parsed.message };
}

function isOnThisMachine(baseUrl: string): boolean {
  return isLoopbackHost(parseUrl(baseUrl)?.hostname ?? '');
}

/** Says what was added and which pages have no box, with the next steps. */
function tellAdded(
  ui: WindowUi,
  site: OpenedSite,
  { indexed, sections, hidden, tagged, untagged }: Enhanced,
): void {
  const { translate: t } = ui;
  const without = untaggedTexts(untagged, t);
  const more = without.length - MAX_NAMED;
  const sentences = [
    t(
      'Added search and answers to {0}. Pages with the box: {1}. Searched pages: {2}, sections: {3}.',
      site.label,
      numberText(tagged),
      numberText(indexed),
      numberText(sections),
    ),
    ...(hidden > 0
      ? [t('Pages that say noindex and can’t be found: {0}.', numberText(hidden))]
      : []),
    ...without.slice(0, MAX_NAMED),
    ...(more > 0 ? [t('… and {0} more.', numberText(more))] : []),
  ];
  const node = { kind: 'site', folder: site.folder };
  const steps: Record<string, () => Promise<void>> = {
    [t('Preview Bundle')]: () => ui.runCommand(exportCommands.previewBundle, node),
  };
  if (without.length > 0) {
    steps[t('Copy Pages Without the Box')] = () => ui.copy(`${without.join('\n')}\n`);
  }
  steps[t('Generate Hosting Configuration…')] = () =>
    ui.runCommand(exportCommands.generateHosting, node);
  offer(ui, sentences.join(' '), steps);
}

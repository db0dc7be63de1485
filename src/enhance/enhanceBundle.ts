/** *Add Search and Answers to Bundle…*: asks for a bundle and who answers, or removes what was added. */
import { exportCommands } from '../common/contributions';
import type { Translate } from '../common/errors';
import { readSiteAssistant } from '../export/check/assistantFolder';
import type { BundlePorts, ExportHandlers } from '../export/commands/bundleCommands';
import { chooseSite } from '../export/commands/siteCommands';
import type { OpenedSite } from '../export/commands/storedSites';
import { offer, type ExportUi, type TaskProgress } from '../export/commands/ui';
import { numberText } from '../shared/units';
import { enhanceInWorker, restoreInWorker } from './enhanceInWorker';
import type { Enhanced, EnhanceProgress } from './enhanceSite';
import { untaggedTexts } from './pageTag';

/** Services that the command uses. */
export interface EnhancePorts extends BundlePorts {
  /** Absolute path of the built `enhanceWorker.ts`. */
  readonly enhanceScript: string;
  /** Absolute path of the folder with the scripts that are copied into sites. */
  readonly siteScripts: string;
}

/** Most pages without the box that the notification names. */
const MAX_NAMED = 3;

/** Returns the handler of the command. */
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
              detail: t('After pages have changed.'),
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
      else if (action === 'add') await add(ports, site);
    },
  };
}

async function add(ports: EnhancePorts, site: OpenedSite): Promise<void> {
  const { ui, enhanceScript: script, siteScripts: scripts } = ports;
  const { translate: t } = ui;
  const enhanced = await ui.progress(
    t('Adding search and answers to {0}', site.label),
    (show, signal) =>
      enhanceInWorker({
        script,
        scripts,
        service: undefined,
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

function progressOf({ pages, totalPages }: EnhanceProgress, t: Translate): TaskProgress {
  return {
    message: t('{0} of {1} steps', numberText(pages), numberText(totalPages)),
    percent: totalPages === 0 ? 0 : (pages / totalPages) * 100,
  };
}

/** Says what was added and which pages have no box, with the next steps. */
function tellAdded(
  ui: ExportUi,
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

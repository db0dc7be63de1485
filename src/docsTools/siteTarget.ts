import type { ActiveSite } from '../site/activeSite';
import type { DocsTarget } from './toolCall';

/**
 * Returns the site that a window asks now, as the docs tools ask it. Returns undefined before set-up.
 * @throws {DocsAssistantError} if the key can't be read.
 */
export async function siteTarget(
  site: Pick<ActiveSite, 'askSettings' | 'local' | 'origin' | 'read' | 'view'>,
): Promise<DocsTarget | undefined> {
  const { askSettings: settings, local, origin } = site;
  if (origin === undefined && settings.unavailable === undefined) return undefined;
  const key = origin === undefined ? undefined : await site.read('assistant', origin);
  if (local) {
    const { url, domain } = local;
    const label = local.label ?? domain;
    return { settings, label, key, spendsCredit: false, local: { url, domain, key: local.key } };
  }
  const { label } = site.view;
  return { settings, label, key, spendsCredit: true };
}

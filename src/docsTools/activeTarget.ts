import type { ActiveSite } from '../site/activeSite';
import type { DocsTarget } from './toolCall';

/**
 * Returns the site that a window asks now, or undefined before set-up.
 * @throws {DocsAssistantError} `secret-store-failed`.
 */
export async function activeTarget(site: ActiveSite): Promise<DocsTarget | undefined> {
  // Read together, because readers switch sites while the key is read.
  const { askSettings: settings, origin, view, local } = site;
  if (origin === undefined && settings.unavailable === undefined) return undefined;
  const key = origin === undefined ? undefined : await site.read('assistant', origin);
  return {
    settings,
    label: local?.label ?? view.label,
    key: local ? local.key : key,
    spendsCredit: !local,
    local: local ? localTarget(local) : undefined,
  };
}

function localTarget({
  url,
  domain,
  key,
  answersWith,
  docs,
}: NonNullable<ActiveSite['local']>): NonNullable<DocsTarget['local']> {
  const hasWriter = answersWith && answersWith.kind !== 'quotes';
  return { url, domain, key, hasWriter, hasPackages: docs?.kind === 'installed' };
}

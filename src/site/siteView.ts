import { describeError } from '../common/describeError';
import { DocsAssistantError, type Translate } from '../common/errors';
import type { SiteView } from '../shared/protocol';
import type { ActiveSite } from './activeSite';

/** Returns the site as the panel shows it, with the reason if it can't be asked. */
export function siteView(
  { view, askSettings: { unavailable } }: Pick<ActiveSite, 'view' | 'askSettings'>,
  translate?: Translate,
): SiteView {
  const reason = unavailable && describeError(new DocsAssistantError(unavailable), translate);
  return { ...view, unavailable: reason };
}

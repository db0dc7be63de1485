import type { SiteView } from '../shared/protocol';
import { translate } from './notifications';

/** Questions to start with, which most documentation sites answer. */
export function suggestions(site: SiteView): readonly string[] {
  if (!site.isConfigured) return [];
  return [
    translate('How do I get started?'),
    translate('How do I authenticate a request?'),
    translate('What limits apply, and what happens when I exceed them?'),
  ];
}

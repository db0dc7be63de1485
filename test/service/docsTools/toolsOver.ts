/** Docs tools over the real local docs service, as a window or a command line has them. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/common/clock';
import type { Clock } from '../../../src/common/ports';
import { createDocsTools, type DocsTools } from '../../../src/docsTools/docsTools';
import type { DocsTarget, ToolCall } from '../../../src/docsTools/toolCall';
import type { LocalService } from '../../../src/service/server/server';
import { RecordingLog } from '../../fakes/recordingLog';
import { settingsFor } from '../chat/asking';
import { serviceDomain } from '../service/localServiceAsking';

export const aCall = (call: Partial<ToolCall> = {}): ToolCall => ({
  signal: new AbortController().signal,
  ...call,
});

/** Returns the target of a local docs service that answers at a URL. */
export function localTarget(
  url: string,
  key: string,
  fields: Partial<DocsTarget> = {},
): DocsTarget {
  return {
    settings: { ...settingsFor(url), assistantDomain: serviceDomain },
    label: 'Sample Docs',
    key,
    spendsCredit: false,
    local: { url, domain: serviceDomain, key },
    ...fields,
  };
}

export function toolsOver(
  target: DocsTarget | undefined,
  log: RecordingLog = new RecordingLog(),
  clock: Clock = systemClock,
): DocsTools {
  return createDocsTools({
    fetch: (url, init) => fetch(url, init),
    clock,
    log,
    newId: randomUUID,
    target: () => Promise.resolve(target),
  });
}

/** Returns tools for a service that runs. */
export function toolsOf(service: LocalService): DocsTools {
  return toolsOver(localTarget(service.url, service.key));
}

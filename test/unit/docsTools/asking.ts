/** Docs tools over scripted answers. */
import { createDocsTools, type DocsTools } from '../../../src/docsTools/docsTools';
import type { DocsTarget, ToolCall } from '../../../src/docsTools/toolCall';
import type { ToolCaller } from '../../../src/docsTools/toolErrors';
import { aKey, someSettings } from '../../builders/asking';
import { FakeClock } from '../../fakes/fakeClock';
import { FakeFetch, type Answer } from '../../fakes/fakeFetch';
import { RecordingLog } from '../../fakes/recordingLog';

export const localKey = 'local_dsc_LOCALCANARY0123';

export const hosted: DocsTarget = {
  settings: someSettings(),
  label: 'acme · api.example.com',
  key: aKey,
  spendsCredit: true,
};

export const local: DocsTarget = {
  settings: someSettings({ baseUrl: 'http://127.0.0.1:4100', assistantDomain: 'sample' }),
  label: 'Sample Docs',
  key: localKey,
  spendsCredit: false,
  local: { url: 'http://127.0.0.1:4100', domain: 'sample', key: localKey },
};

export interface ToolsUnderTest {
  readonly tools: DocsTools;
  readonly server: FakeFetch;
  readonly clock: FakeClock;
  readonly log: RecordingLog;
}

/** Returns docs tools whose requests get these answers, one each. */
export function toolsWith(
  target: DocsTarget | undefined,
  answers: readonly Answer[] = [],
  caller?: ToolCaller,
): ToolsUnderTest {
  const server = new FakeFetch(...answers);
  const clock = new FakeClock();
  const log = new RecordingLog();
  let ids = 0;
  const tools = createDocsTools({
    fetch: server.fetch,
    clock,
    log,
    newId: () => `id-${++ids}`,
    target: () => Promise.resolve(target),
    caller,
  });
  return { tools, server, clock, log };
}

/** Returns a call without a budget that is never canceled. */
export function aCall(call: Partial<ToolCall> = {}): ToolCall {
  return { signal: new AbortController().signal, ...call };
}

/** Returns the budget of a caller whose tokens have four characters. */
export function tokenBudget(tokens: number): NonNullable<ToolCall['budget']> {
  return { tokens, count: (text) => Promise.resolve(Math.ceil(text.length / 4)) };
}

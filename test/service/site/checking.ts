/** Checks a setup over real sockets and gives one line of it. */
import { systemClock } from '../../../src/common/clock';
import { plainTranslate } from '../../../src/common/errors';
import type { Fetch } from '../../../src/common/ports';
import { networkChecks } from '../../../src/site/setupCheck/networkChecks';
import { networkProbe } from '../../../src/site/setupCheck/networkProbe';
import type { Proxy } from '../../../src/site/setupCheck/proxySettings';
import { reachService, type Reached } from '../../../src/site/setupCheck/reachService';
import { siteChecks } from '../../../src/site/setupCheck/siteChecks';
import { runSetupChecks, type CheckedLine } from '../../../src/site/setupCheck/setupCheck';
import { RecordingLog } from '../../fakes/recordingLog';
import { assistantKey } from '../chat/asking';

export const plainFetch: Fetch = (url, init) => fetch(url, init);

export const noProxy: Proxy = { kind: 'none', reason: 'not-set' };

/** Runs the checks of the network and of the site, and gives the lines by title. */
export async function checkOver(
  baseUrl: string,
  { proxy = noProxy, key = assistantKey }: { readonly proxy?: Proxy; readonly key?: string } = {},
): Promise<ReadonlyMap<string, CheckedLine>> {
  const signal = new AbortController().signal;
  const site = { baseUrl, domain: 'sample', isLocal: false };
  const ports = { clock: systemClock, translate: plainTranslate };
  let response: Promise<Reached> | undefined;
  const reached = (): Promise<Reached> =>
    (response ??= reachService(site, { fetch: plainFetch, clock: systemClock }, signal));
  const lines = await runSetupChecks(
    [
      ...networkChecks(site, { ...ports, probe: networkProbe, proxy, reached }),
      ...siteChecks(site, {
        ...ports,
        fetch: plainFetch,
        keys: { read: () => Promise.resolve(key) },
        configured: { baseUrl, domain: 'sample' },
        apiUrl: '',
        keptUrls: [],
        ask: undefined,
        askExport: () => Promise.reject(new Error('No export API')),
      }),
    ],
    { ...ports, log: new RecordingLog() },
    signal,
  );
  return new Map(lines.map((line) => [line.title, line]));
}

/** Returns the state and the text of a line. */
export function told(lines: ReadonlyMap<string, CheckedLine>, title: string): string {
  const line = lines.get(title);
  return `${line?.state ?? 'missing'}: ${line?.text ?? ''}`;
}

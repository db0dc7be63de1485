/** Starts the server of `docs-assistant host` in this process, over a folder as it is. */
import { systemClock } from '../../src/common/clock';
import { startHostServer, type HostServerOptions } from '../../src/host/hostServer';
import { recordOf } from '../../src/host/prepareVersion';
import { SiteVersion, VersionUses } from '../../src/host/siteVersion';
import type { HostedSite } from '../builders/hostedSite';
import type { RunningHost } from './webServers';

/** Starts a host of a surveyed site on a free port. */
export async function startSiteHost(
  { folder, site, redirects }: Pick<HostedSite, 'folder' | 'site' | 'redirects'>,
  options: Partial<HostServerOptions> = {},
): Promise<RunningHost> {
  const record = await recordOf(folder, { root: '', site }, new AbortController().signal);
  const version = new SiteVersion({
    id: 'test',
    record,
    folder,
    label: undefined,
    redirects,
    uses: new VersionUses(),
    basePath: undefined,
  });
  const server = await startHostServer(
    {
      deployment: { active: version, earlier: [], status: { status: 'serving' } },
      counts: undefined,
      tokenFile: undefined,
      service: undefined,
      clock: systemClock,
      logsRequests: false,
      tell: () => undefined,
      ...options,
    },
    { address: '127.0.0.1', port: 0 },
  );
  return {
    origin: server.url.replace(/\/$/, ''),
    policy: version.policy,
    stop: () => server.stop(0),
  };
}

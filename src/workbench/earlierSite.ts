import type { Thread, ThreadSite } from '../assistant/thread';
import { isLoopbackHost } from '../common/address';
import { parseUrl } from '../common/parseUrl';
import { localThreadSite, serviceThreadSite } from './activeSite';

interface SitesNow {
  /** That questions go to now. */
  readonly site: ThreadSite;
  /** What the docs are called that this workspace's local service reads, whether it runs yet. */
  readonly localLabel: string | undefined;
}

/**
 * The site of a thread from before threads were kept by site: that of its service. A service on
 * this machine had another port at each start, so its threads belong to the local docs there are.
 */
export function earlierSite({ serviceThread }: Thread, now: SitesNow): ThreadSite {
  const { site, localLabel } = now;
  const url = serviceThread && parseUrl(serviceThread.origin);
  if (!url) return site;
  if (!isLoopbackHost(url.hostname)) return serviceThreadSite(url.origin, serviceThread.domain);
  return localLabel === undefined ? site : localThreadSite(localLabel);
}

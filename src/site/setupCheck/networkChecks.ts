/** The checks of *Check Setup* between this machine and the docs service. */
import type { Translate } from '../../common/errors';
import { errorCodeOrName } from '../../common/errorCode';
import { isIpAddress, isLoopbackHost, messageEndpoint } from '../../common/http/address';
import { plainSentence } from '../../common/text/safeText';
import type { Clock } from '../../common/ports';
import { durationText } from '../../shared/units';
import { parseHttpDate } from '../../common/http/responseErrors';
import type { Proxy } from './proxySettings';
import type { Reached } from './reachService';
import {
  failed,
  failedWith,
  passed,
  skipped,
  type SetupCheckResult,
  type SetupCheck,
} from './setupCheck';

/** The certificate that a server showed. */
export interface ServerCertificate {
  readonly issuer: string;
  /** Names of the hosts that it is for. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Code of the reason why Node doesn't trust it, such as `CERT_HAS_EXPIRED`. */
  readonly trustError?: string;
}

export interface NetworkTarget {
  /** Name or IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** URL of the HTTP proxy that is between, if one is. */
  readonly proxy?: string;
}

export interface NetworkProbe {
  /** Returns the addresses of a host. */
  lookUp(host: string): Promise<readonly string[]>;
  /** Opens a connection and closes it. */
  connect(host: string, port: number, signal: AbortSignal): Promise<void>;
  /** Asks an HTTP proxy for a connection to a host and returns the status of its answer. */
  tunnelStatus(proxy: string, target: NetworkTarget, signal: AbortSignal): Promise<number>;
  certificate(target: NetworkTarget, signal: AbortSignal): Promise<ServerCertificate>;
}

export interface NetworkCheckPorts {
  readonly probe: NetworkProbe;
  readonly clock: Clock;
  readonly translate: Translate;
  readonly proxy: Proxy;
  /** Returns the response to the one request that several checks look at. */
  readonly reached: () => Promise<Reached>;
}

const LOOKUP_LIMIT_MS = 10_000;
const CONNECT_LIMIT_MS = 10_000;
/** Longer than the request itself may take, whose own time limit says more. */
const REQUEST_LIMIT_MS = 25_000;

/** Difference that certificates and expiring links stand. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before its end at which a certificate's end is mentioned. */
const EXPIRES_SOON_DAYS = 14;
const MAX_SHOWN_NAMES = 3;
const MAX_NAME_LENGTH = 100;

/** Returns the checks of the way to a base URL, in the order in which a request takes it. */
export function networkChecks(
  site: { readonly baseUrl: string; readonly domain: string } | undefined,
  ports: NetworkCheckPorts,
): readonly SetupCheck[] {
  const { translate: t } = ports;
  const url = site && new URL(messageEndpoint(site.baseUrl, site.domain));
  const withSite =
    (run: (url: URL, signal: AbortSignal) => Promise<SetupCheckResult>) =>
    async (signal: AbortSignal): Promise<SetupCheckResult> =>
      url ? run(url, signal) : skipped(t('No docs site is set up.'));
  return [
    {
      title: t('Host name'),
      limitMs: LOOKUP_LIMIT_MS,
      run: withSite((target) => checkName(target, ports)),
    },
    {
      title: t('Proxy'),
      limitMs: REQUEST_LIMIT_MS + CONNECT_LIMIT_MS,
      run: withSite((target, signal) => checkProxy(target, ports, signal)),
    },
    {
      title: t('Connection'),
      limitMs: REQUEST_LIMIT_MS,
      run: withSite((target) => checkConnection(target, ports)),
    },
    {
      title: t('Certificate'),
      limitMs: REQUEST_LIMIT_MS + CONNECT_LIMIT_MS,
      run: withSite((target, signal) => checkCertificate(target, ports, signal)),
    },
    {
      title: t('Clock'),
      limitMs: REQUEST_LIMIT_MS,
      run: withSite((target) => checkClock(target, ports)),
    },
  ];
}

async function checkName(
  { hostname }: URL,
  { probe, proxy, translate: t }: NetworkCheckPorts,
): Promise<SetupCheckResult> {
  if (isLoopbackHost(hostname)) return passed(t('{0} is this machine.', hostname));
  if (isIpAddress(hostname)) return skipped(t('The base URL has an IP address instead of a name.'));
  if (proxy.kind === 'proxy') return skipped(t('The proxy looks up the name.'));
  try {
    const addresses = await probe.lookUp(hostname);
    return passed(t('{0} resolves to {1}.', hostname, listed(addresses)));
  } catch (error) {
    const code = errorCodeOrName(error);
    return code === 'ENOTFOUND'
      ? failed(t('No host named {0} was found.', hostname), {
          advice: t('Check the base URL. If the host is internal, connect to its network or VPN.'),
          remedies: [{ action: 'set-up-site' }],
        })
      : failed(t('The name {0} can’t be looked up ({1}).', hostname, code), {
          advice: t('Check your network connection and its DNS server.'),
        });
  }
}

async function checkProxy(
  url: URL,
  { probe, proxy, reached, translate: t }: NetworkCheckPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  const openSetting = { action: 'open-settings', setting: 'http.proxy' } as const;
  switch (proxy.kind) {
    case 'none':
      return withoutProxy(proxy.reason, t);
    case 'invalid':
      return failed(t('The proxy in {0} is not a valid URL.', proxy.source), {
        advice: t('Correct the URL, then check again.'),
        remedies: proxy.source === 'http.proxy' ? [openSetting] : [],
      });
    case 'proxy':
      try {
        let status = 200;
        if (proxy.isHttp && url.protocol === 'https:') {
          status = await probe.tunnelStatus(proxy.url, targetOf(url), signal);
        } else await probe.connect(proxy.hostname, proxy.port, signal);
        // VS Code can sign in to a proxy in ways of its own.
        const isOpen = status === 200 || hasAnswered(await reached());
        if (isOpen)
          return passed(t('Requests go through {0} (from {1}).', proxy.host, proxy.source));
        return status === 407
          ? failed(t('The proxy {0} requires a user name and a password (HTTP 407).', proxy.host), {
              advice: t(
                'Add the user name and password to the proxy’s URL, or ask your network’s administrator.',
              ),
              remedies: [openSetting],
            })
          : failed(
              t(
                'The proxy {0} refuses to connect to {1} (HTTP {2}).',
                proxy.host,
                url.host,
                status,
              ),
              {
                advice: t('Ask your network’s administrator to allow this host.'),
              },
            );
      } catch (error) {
        signal.throwIfAborted();
        return failed(
          t(
            'Can’t reach the proxy {0} from {1} ({2}).',
            proxy.host,
            proxy.source,
            errorCodeOrName(error),
          ),
          { advice: t('Check the proxy’s URL and your network.'), remedies: [openSetting] },
        );
      }
  }
}

function withoutProxy(
  reason: Extract<Proxy, { kind: 'none' }>['reason'],
  t: Translate,
): SetupCheckResult {
  switch (reason) {
    case 'not-set':
      return passed(
        t(
          'VS Code’s settings and the environment name no proxy. The system’s own proxy settings still apply.',
        ),
      );
    case 'switched-off':
      return passed(t('Proxies are turned off in VS Code (http.proxySupport).'));
    case 'excepted':
      return passed(t('A proxy is set, but not for this host (http.noProxy or NO_PROXY).'));
    case 'loopback':
      return skipped(t('Requests to this machine use no proxy.'));
  }
}

async function checkConnection(
  url: URL,
  { reached, translate: t }: NetworkCheckPorts,
): Promise<SetupCheckResult> {
  const result = await reached();
  if (!result.ok) return failedWith(result.error, t);
  const { status, ms } = result;
  return passed(
    url.protocol === 'https:'
      ? t('{0} answers over HTTPS after {1} ms (HTTP {2} without a key).', url.host, ms, status)
      : t('{0} answers over HTTP after {1} ms (HTTP {2} without a key).', url.host, ms, status),
  );
}

async function checkCertificate(
  url: URL,
  ports: NetworkCheckPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  const { probe, proxy, reached, translate: t, clock } = ports;
  if (url.protocol !== 'https:') {
    return skipped(t('Connections within this machine need no certificate.'));
  }
  const result = await reached();
  const isRefused = !result.ok && result.error.code === 'insecure-connection';
  if (!hasAnswered(result) && !isRefused) {
    return skipped(t('No connection was made, so there is no certificate to check.'));
  }
  let certificate: ServerCertificate;
  try {
    if (proxy.kind === 'proxy' && !proxy.isHttp) throw new Error('Not an HTTP proxy');
    certificate = await probe.certificate(
      { ...targetOf(url), proxy: proxy.kind === 'proxy' ? proxy.url : undefined },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    return isRefused
      ? failed(t('No certificate of {0} can be read ({1}).', url.host, errorCodeOrName(error)), {
          advice: t('Check the port in the base URL: the server may not use HTTPS there.'),
        })
      : skipped(t('VS Code trusts the certificate, but it can’t be shown.'));
  }
  if (isRefused) return untrusted(certificate, url, ports);
  const issuer = shown(certificate.issuer);
  const days = Math.floor((certificate.validTo - clock.now()) / DAY_MS);
  return passed(
    days <= EXPIRES_SOON_DAYS
      ? t('VS Code trusts the certificate from {0}. It expires in {1} d.', issuer, days)
      : t('VS Code trusts the certificate from {0}, valid until {1}.', issuer, dateOf(certificate)),
  );
}

/** Returns the line for a certificate that VS Code refused, with the reason. */
function untrusted(
  certificate: ServerCertificate,
  { host }: URL,
  { translate: t, clock }: NetworkCheckPorts,
): SetupCheckResult {
  const { validFrom, validTo, trustError, names } = certificate;
  const issuer = shown(certificate.issuer);
  if (validTo < clock.now()) {
    return failed(t('The certificate of {0} expired on {1}.', host, dateOf(certificate)), {
      advice: t(
        'Check this machine’s date. If the date is right, the service must renew the certificate.',
      ),
    });
  }
  if (validFrom > clock.now()) {
    return failed(t('The certificate of {0} is not valid before {1}.', host, isoDate(validFrom)), {
      advice: t('Check this machine’s date.'),
    });
  }
  if (trustError === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return failed(t('The certificate is for {0}, not for {1}.', listed(names.map(shown)), host), {
      advice: t('Check the base URL, or ask the service’s administrator.'),
      remedies: [{ action: 'set-up-site' }],
    });
  }
  const advice = t(
    'If your company inspects traffic or has its own certificate authority, add the authority’s certificate to this machine’s trust store and restart VS Code.',
  );
  return trustError === 'DEPTH_ZERO_SELF_SIGNED_CERT'
    ? failed(t('The certificate of {0} is self-signed ({1}).', host, issuer), { advice })
    : failed(
        t(
          'The certificate of {0} is signed by {1}, which VS Code doesn’t trust ({2}).',
          host,
          issuer,
          trustError ?? t('no reason given'),
        ),
        { advice },
      );
}

async function checkClock(
  { host }: URL,
  { reached, translate: t }: NetworkCheckPorts,
): Promise<SetupCheckResult> {
  const result = await reached();
  const { date, receivedAt } = result;
  const theirs = date === undefined ? undefined : parseHttpDate(date, receivedAt);
  if (theirs === undefined) {
    return skipped(
      hasAnswered(result)
        ? t('{0} sends no date, so its clock can’t be compared.', host)
        : t('No response arrived, so the clock can’t be compared.'),
    );
  }
  const difference = receivedAt - theirs;
  const duration = durationText(Math.abs(difference), t);
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) {
    return passed(t('This machine’s clock agrees with {0}.', host));
  }
  return failed(
    difference > 0
      ? t('This machine’s clock is {0} ahead of {1}.', duration, host)
      : t('This machine’s clock is {0} behind {1}.', duration, host),
    { advice: t('Set the clock. Certificates and signed links fail with a wrong time.') },
  );
}

/** Returns whether the host answered, be it not as a docs service does. */
function hasAnswered(result: Reached): boolean {
  return result.ok || result.error.details.status !== undefined;
}

function targetOf({ hostname, port }: URL): NetworkTarget {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 443 : Number(port),
  };
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN_NAMES ? ', …' : '';
  return names.slice(0, MAX_SHOWN_NAMES).join(', ') + more;
}

const shown = (name: string): string => plainSentence(name, [], MAX_NAME_LENGTH) || '?';

const dateOf = ({ validTo }: ServerCertificate): string => isoDate(validTo);

function isoDate(ms: number): string {
  return Number.isNaN(ms) ? '?' : new Date(ms).toISOString().slice(0, 10);
}

/** Checks the URL of a docs site that the reader enters, before the first request. */
import { cut, isLoopbackHost, refusals, type Refusal } from '../../common/http/address';
import { parseUrl, percentDecoded } from '../../shared/links';

/** Messages for URLs that can't be used. They are in one table so that all of them are translated. */
const siteAddressRefusals = {
  empty: 'Enter the URL of a docs site, such as https://docs.example.com.',
  'not-an-address': refusals['not-an-address'],
  'wrong-scheme': 'The URL must start with https:// or http://, not {0}//.',
  'has-user': 'The URL must not contain a user name or password. Only public sites can be fetched.',
} as const;

type SiteAddressRefusal = Refusal<
  keyof typeof siteAddressRefusals,
  (typeof siteAddressRefusals)[keyof typeof siteAddressRefusals]
>;

/** URL of a public docs site. */
export interface SiteAddress {
  readonly ok: true;
  /** Origin and path of the URL that the reader entered, without query and fragment. */
  readonly url: string;
  /** Scheme, host and port. All requests go to this origin. */
  readonly origin: string;
  /** Name for the set: the host, followed by the path if there is one. */
  readonly label: string;
  /** Whether others on the network can read and change the fetched pages. */
  readonly isUnencrypted: boolean;
}

function refuse(reason: keyof typeof siteAddressRefusals, detail?: string): SiteAddressRefusal {
  const message = siteAddressRefusals[reason];
  return { ok: false, reason, message, detail };
}

/** Parses the URL of a docs site. A missing scheme becomes `https:`, or `http:` on this machine. */
export function parseSiteAddress(text: string): SiteAddress | SiteAddressRefusal {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('empty');
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed);
  const url = hasScheme ? parseUrl(trimmed) : withScheme(trimmed);
  if (!url || url.hostname === '') return refuse('not-an-address', cut(trimmed));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('wrong-scheme', url.protocol);
  }
  if (url.username !== '' || url.password !== '') return refuse('has-user');
  // A single word without a dot is more often a typo than a host name.
  if (!hasScheme && !/[.:]/.test(url.host) && !isLoopbackHost(url.hostname)) {
    return refuse('not-an-address', cut(trimmed));
  }
  const { origin, pathname } = url;
  const path = pathname.replace(/\/+$/, '');
  return {
    ok: true,
    url: `${origin}${pathname}`,
    origin,
    label: `${url.host}${percentDecoded(path)}`,
    isUnencrypted: url.protocol === 'http:' && !isLoopbackHost(url.hostname),
  };
}

function withScheme(text: string): URL | undefined {
  const url = parseUrl(`https://${text}`);
  return url && isLoopbackHost(url.hostname) ? parseUrl(`http://${text}`) : url;
}

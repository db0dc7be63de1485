/** Which addresses in a reply may become links, and what a person is told about them. */
import { allowedLink } from '../../src/shared/allowedLink';
import { namesOther, type OwnNames } from './namedHosts';

export { allowedLink };

/** True for an address without a scheme: it means a page of the docs, if a source is at it. */
export function isRelativeLink(href: string): boolean {
  // Browsers ignore tabs and line breaks within a scheme, and blanks before it.
  const bare = href.replace(/[\p{Cc}\s]/gu, '');
  return bare !== '' && !/^[^/?#\\]*:/.test(bare);
}

/** What a link leads to, as a tooltip: the real host first, then the whole address. */
export function linkTitle(url: URL): string {
  return url.protocol === 'mailto:' ? url.pathname : `${url.host}\n${url.href}`;
}

const overrides = /[\u202d\u202e]/;
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Returns the host to show beside a link whose text could pass for another address: a reader finds
 * another host in it, its letters may stand in another order than they are written, or the target's
 * host is not plain ASCII or hides behind a user name (faults.md G5).
 * @param around the text of the block that holds the link.
 */
export function hostToShow(url: URL, text: string, around = ''): string | undefined {
  const isMail = url.protocol === 'mailto:';
  const real = isMail ? url.pathname : url.host;
  const isHidden = url.username !== '' || url.password !== '' || /(?:^|\.)xn--/.test(url.host);
  if (isHidden || directions.test(text) || overrides.test(around)) return real;
  return namesOther(text, isMail ? ownOfMail(url) : ownOfPage(url)) ? real : undefined;
}

function ownOfPage({ host }: URL): OwnNames {
  return { hosts: new Set([host, host.replace(/^www\./, ''), `www.${host}`]) };
}

function ownOfMail({ pathname }: URL): OwnNames {
  const addresses = new Set(pathname.toLowerCase().split(','));
  return { addresses, hosts: new Set([...addresses].map((one) => one.replace(/^.*@/, ''))) };
}

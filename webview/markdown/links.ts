/** Decides which URLs in a reply may become links, and what readers are told about them. */
import { hasDirectionMarks, hasDirectionOverrides } from '../../src/shared/characters';
import { allowedLink, mailReceivers, parseUrl } from '../../src/shared/links';

export { allowedLink };

/**
 * Returns whether a link has no scheme. It then means a page of the docs, if a source has that
 * path.
 */
export function isRelativeLink(href: string): boolean {
  // Browsers ignore tabs and line breaks within a scheme, and spaces before it.
  const bare = href.replace(/[\p{Cc}\s]/gu, '');
  return bare !== '' && !/^[^/?#\\]*:/.test(bare);
}

/** Returns the tooltip of a link: the receivers of a mail, or the real host and then the whole URL. */
export function linkTitle(url: URL): string {
  return url.protocol === 'mailto:' ? mailReceivers(url).join(', ') : `${url.host}\n${url.href}`;
}

/**
 * Returns the host to show beside a link whose text could be mistaken for another address: the text
 * names another host, its letters may be displayed in another order, or the host of the link is not
 * plain ASCII or hides behind a user name (faults.md G5). For mail, the receivers are shown instead,
 * also if the text lacks one of several.
 * @param around text of the block that holds the link.
 */
export function hostToShow(url: URL, text: string, around = ''): string | undefined {
  const receivers = url.protocol === 'mailto:' ? mailReceivers(url) : undefined;
  const real = receivers?.join(', ') ?? url.host;
  const isHidden = url.username !== '' || url.password !== '' || /(?:^|\.)xn--/.test(url.host);
  if (isHidden || hasDirectionMarks(text) || hasDirectionOverrides(around)) return real;
  if (receivers && receivers.length > 1 && !namesAll(text, receivers)) return real;
  return namesOther(text, receivers ? ownOfMail(receivers) : ownOfPage(url)) ? real : undefined;
}

function namesAll(text: string, addresses: readonly string[]): boolean {
  const words = new Set(text.toLowerCase().split(/[\s,;<>()]+/));
  return addresses.every((address) => words.has(address.toLowerCase()));
}

function ownOfPage({ host }: URL): OwnNames {
  return { hosts: new Set([host, host.replace(/^www\./, ''), `www.${host}`]) };
}

function ownOfMail(receivers: readonly string[]): OwnNames {
  const addresses = new Set(receivers.map((address) => address.toLowerCase()));
  return { addresses, hosts: new Set([...addresses].map((one) => one.replace(/^.*@/, ''))) };
}

/** Names that the text of a link may use for its own target. */
interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  /** Mail addresses. Absent for a page. */
  readonly addresses?: ReadonlySet<string>;
}

/** Characters of an address, each with the characters that look like it. */
const lookAlikes = [
  ':\u02d0\u02f8\u0589\u05c3\u0703\u0704\u1365\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789',
  '/\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u3033\u30ce\u4e3f',
  '-\u02d7\u2010\u2043\u2212',
  ...['aаα', 'cсϲ', 'dԁ', 'eе', 'hһ', 'iіι', 'jј', 'lӏ', 'mм', 'nո', 'oоο', 'pрρ', 'rг'],
  ...['sѕ', 'tт', 'uυ', 'vν', 'xх', 'yу'],
];
const plainOf = new Map(
  lookAlikes.flatMap(([plain = '', ...others]) => others.map((other) => [other, plain])),
);
const dots = /[\u00b7\u0660\u06d4\u06f0\u0701\u0702\u2022\u2219\u22c5\u3002\ua4f8\ua60e](?=\w)/g;
/**
 * Pictures don't count as letters, although some stand for letters or digits. Circled letters in a
 * row are a word.
 */
const pictures =
  /[\d#*]\ufe0f?\u20e3|(?![\u24b6-\u24e9]{2}|(?<=[\u24b6-\u24e9]))[\p{So}\p{No}\u2139]/gu;
/** Boundaries between letters of scripts that need no spaces and letters of an address. */
const scriptEdge = /(?<=[\dA-Za-z])(?=\p{Lo})|(?<=\p{Lo})(?=[\dA-Za-z])/gu;

function asRead(text: string): string {
  return text
    .replace(pictures, ' ')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\0-\x7f]/g, (sign) => plainOf.get(sign) ?? sign)
    .replace(dots, '.')
    .replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(scriptEdge, ' ');
}

const word = /[\p{L}\p{N}]/u;
const label = String.raw`[\p{L}\p{N}_-]+`;
const ipv6 = String.raw`\[(?=[\da-f]{0,4}:)[\da-f:.]{2,45}\]|(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])`;
const userName = String.raw`(?:(?:mailto:)?(?<![\p{L}\p{N}._+-])([\p{L}\p{N}._+-]+)(?::[^\s/@]{0,60})?@)?`;
const beginning = String.raw`(https?:[\\/]*|(?<![\w/])//|(?<=:)//)?`;
const addresses = new RegExp(`${beginning}${userName}(${ipv6}|${label}(?:\\.${label})*)`, 'giu');
/** The rest of an address after its host. A name within a path is not a host. */
const addressRest = /(?::\d*)?[/?#][!#-;=?-[\]_a-z~]*/iy;
/**
 * Maximum length of a name. Longer names are not addresses, and text farther away doesn't matter.
 */
const MAX_LENGTH = 300;

/** The surroundings of a name in the text. */
interface Place {
  /** Whether a scheme or two slashes before the name mark it as a host. */
  readonly isSaid: boolean;
  /** Whether the name follows a user name. */
  readonly isUsers: boolean;
  /** Whether no word comes before the name, or none after it. */
  readonly isAtEdge: boolean;
  readonly rest: string;
}

/** Returns whether a reader could take something in the text for the address of another host. */
function namesOther(text: string, own: OwnNames): boolean {
  const read = asRead(text);
  const firstWord = read.search(word);
  addresses.lastIndex = 0;
  for (let found = addresses.exec(read); found; found = addresses.exec(read)) {
    const [, begin, user = '', name = ''] = found;
    const end = addresses.lastIndex;
    const rest = read.slice(end, end + MAX_LENGTH);
    const place: Place = {
      isSaid: begin !== undefined && (begin !== '//' || isSaidBy(read, found.index, name + rest)),
      isUsers: user !== '',
      isAtEdge: found.index <= firstWord || !word.test(rest),
      rest,
    };
    if (own.addresses?.has(`${user}@${name}`.toLowerCase()) === true) continue;
    const users = namedHost(user, { ...place, isUsers: false, rest: '@' });
    if (users !== undefined && !own.hosts.has(users)) return true;
    const host = namedHost(name, place);
    if (host === undefined) continue;
    if (!own.hosts.has(host) || (user !== '' && own.addresses)) return true;
    addressRest.lastIndex = end;
    if (addressRest.test(read)) addresses.lastIndex = addressRest.lastIndex;
  }
  return false;
}

/**
 * Returns whether two slashes mark a host: with a scheme before them, or with a host and a path
 * after them.
 */
function isSaidBy(read: string, index: number, behind: string): boolean {
  return read[index - 1] === ':' || /^[^\s/]*(?:\.|:\d|\/)/.test(behind);
}

/** Returns the host, with its port if it is valid, if a reader would take the name for one. */
function namedHost(written: string, place: Place): string | undefined {
  const isNumber = /[[:]/.test(written);
  if (isNumber) {
    const host = /\d/.test(written)
      ? hostnameOf(written.startsWith('[') ? written : `[${written}]`)
      : undefined;
    return host && host + portOf(place.rest);
  }
  let name = written.slice(0, MAX_LENGTH).replace(/^[_-]+|[_-]+$/g, '');
  const sure = /^.+?\.(?:com|org|edu|gov)(?![\p{L}\p{N}])/iu.exec(name)?.[0];
  if (sure !== undefined && name[sure.length] !== '.') name = sure;
  if (sure === undefined && !looksLikeHost(name, place)) return undefined;
  return (hostnameOf(name) ?? name.toLowerCase()) + portOf(place.rest);
}

const files =
  /\.(?:[cm]?[jt]sx?|json[c5l]?|ya?ml|toml|ini|cfg|conf|lock|env|mdx?|rst|txt|log|[ct]sv|html?|xml|svg|png|jpe?g|gif|webp|pdf|s?css|less|sass|vue|py|rb|rs|go|java|kt|swift|php|cs|fs|vb|cc|[ch]pp|sh|bash|zsh|ps1?|sql|db|zip|t?gz|tar|exe|dll|so|mk|ml|mm)$/i;
/**
 * Country domains that are far more often the name of a property, as in `user.id` and `list.at`.
 */
const properties = /\.(?:as|at|by|do|id|in|is|me|my|no|to)$/i;
const domains = /\.(?:net|io|dev|app|ai|co|info|biz|cloud|site|online|tech|xyz|[a-z]{2})$/i;

/** Tells hosts from files, versions and identifiers, as a reader would. */
function looksLikeHost(name: string, { isSaid, isUsers, isAtEdge, rest }: Place): boolean {
  if (isSaid || /^www\d?\.|^(?:.+\.)?localhost$/i.test(name)) return name !== '';
  if (/^\d+(?:\.\d+){3}$/.test(name)) return name.split('.').every((part) => Number(part) < 256);
  if (!/\.\p{L}{2,}$/u.test(name))
    return /^:\d{2,5}\//.test(rest) && /^[^.]*\p{L}[^.]*$/u.test(name);
  if (/^v?\d+\.\d/.test(name)) return false;
  const isFile = files.test(name);
  if (isUsers) return !isFile;
  const isDeep = /\..+\./.test(name);
  const isIdentifier = /\p{Lu}/u.test(name) && !(isDeep && /\.\p{Ll}+$|^\P{Ll}+$/u.test(name));
  if (isIdentifier || rest.startsWith('(')) return false;
  if (isFile) return /\.[a-z]{2}$/.test(name) && /^\/(?!\S*\.)\S/.test(rest);
  const isAddress = /^(?:[/?#]|:\d{2,5}(?!\d))/.test(rest);
  return isAddress || (domains.test(name) && !properties.test(name) && (isDeep || isAtEdge));
}

function portOf(rest: string): string {
  const port = Number(/^:(\d{1,5})(?!\d)/.exec(rest)?.[1] ?? 0);
  return port === 0 || port === 80 || port === 443 || port > 65_535 ? '' : `:${port}`;
}

function hostnameOf(host: string): string | undefined {
  return parseUrl(`http://${host}`)?.hostname;
}

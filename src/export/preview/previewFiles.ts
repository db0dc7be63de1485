/**
 * Which file of an unpacked site an address means, and which addresses mean none. Reads the file
 * system.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What a request for an address gets. */
export type PreviewTarget =
  | {
      readonly kind: 'file';
      /** Within the root, with the separators and the case that the disk has; not a link. */
      readonly path: string;
    }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'refused'; readonly status: 400 | 404 | 414 };

/** What browsers take at least (RFC 9110 § 4.1), and more than any page's address needs. */
const MAX_ADDRESS_LENGTH = 8000;

const badAddress = { kind: 'refused', status: 400 } as const;
const notFound = { kind: 'refused', status: 404 } as const;

/**
 * Finds the file by the rules of an exported site: a page's address goes with and without `.html`,
 * a folder's ends in a slash, so that the relative links of its `index.html` work. Where there is a
 * page and a folder of one name, the address without a slash is the page's.
 *
 * @param root absolute and real, that is without links in it.
 * @param address path and query as they came in the request.
 * @param basePath path that the site is made for, such as `/docs`; empty for the top.
 * @throws what the disk does, but never that a file is not there or cannot be read.
 * @see field-notes.md § Static export
 */
export async function findTarget(
  root: string,
  address: string,
  basePath = '',
): Promise<PreviewTarget> {
  if (address.length > MAX_ADDRESS_LENGTH) return { kind: 'refused', status: 414 };
  const [encoded = '', ...rest] = address.split('?');
  const query = rest.length === 0 ? '' : `?${rest.join('?')}`;
  const decoded = decode(encoded);
  if (!decoded?.startsWith('/')) return badAddress;
  if (basePath !== '' && (decoded === '/' || decoded === basePath)) {
    return redirect(basePath.split('/').slice(1), '/', query);
  }
  if (!decoded.startsWith(`${basePath}/`)) return notFound;
  const segments = decoded.slice(basePath.length + 1).split('/');
  const endsInSlash = segments.at(-1) === '';
  if (endsInSlash) segments.pop();
  if (!segments.every(isServed)) return notFound;
  const found = await findIn(root, segments, endsInSlash);
  if (found === undefined) return notFound;
  if (found.path !== undefined) return { kind: 'file', path: found.path };
  return redirect([...basePath.split('/').slice(1), ...segments], found.ending, query);
}

type Found =
  { readonly path: string } | { readonly path?: undefined; readonly ending: '' | '/' } | undefined;

async function findIn(
  root: string,
  segments: readonly string[],
  endsInSlash: boolean,
): Promise<Found> {
  const last = segments.at(-1);
  const page = last === undefined ? undefined : [...segments.slice(0, -1), `${last}.html`];
  if (!endsInSlash && page) {
    const file = (await findFile(root, segments)) ?? (await findFile(root, page));
    if (file !== undefined) return { path: file };
  }
  const index = await findFile(root, [...segments, 'index.html']);
  if (index !== undefined) return endsInSlash || !page ? { path: index } : { ending: '/' };
  const isPage = endsInSlash && page && (await findFile(root, page)) !== undefined;
  return isPage ? { ending: '' } : undefined;
}

/**
 * The real path of a plain file, from the root; undefined for one that is not there, that cannot be
 * read, that is reached through a link out of the root, or that is a pipe or a device.
 *
 * @param segments each a name, and no `..`.
 */
export async function findFile(
  root: string,
  segments: readonly string[],
): Promise<string | undefined> {
  try {
    const real = await realpath(path.join(root, ...segments));
    const fromRoot = path.relative(root, real);
    if (path.isAbsolute(fromRoot) || !fromRoot.split(path.sep).every(isServed)) return undefined;
    return (await stat(real)).isFile() ? fromRoot : undefined;
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

const codesOfNoFile = new Set([
  'EACCES',
  'EINVAL',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
]);

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfNoFile.has(String(error.code));
}

function decode(encoded: string): string | undefined {
  try {
    const decoded = decodeURIComponent(encoded);
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** What Windows reads as another file, a stream of one, or a device. */
const windowsSpecial = /[<>:"|?*]|[. ]$/;

/**
 * True for the name of a file or folder that may be served. Names with a dot in front are a
 * checkout's or an editor's, apart from the one that web standards use.
 */
function isServed(name: string): boolean {
  if (name === '' || name.includes('\\')) return false;
  if (name.startsWith('.') && name !== '.well-known') return false;
  return process.platform !== 'win32' || !windowsSpecial.test(name);
}

function redirect(segments: readonly string[], ending: '' | '/', query: string): PreviewTarget {
  // Never two slashes in front: a browser would take what follows for a host.
  const location = `/${segments.map(encodeURIComponent).join('/')}${ending}${query}`;
  return { kind: 'redirect', location };
}

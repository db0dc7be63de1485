/** Finds the file of an unpacked site for an address. Reads the file system. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import { hasControls } from '../../shared/characters';

/** Result of a request for an address. */
export type PreviewTarget =
  | {
      readonly kind: 'file';
      /** Real path from the root, with the separators and the case of the disk. */
      readonly path: string;
    }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'refused'; readonly status: 400 | 404 | 414 };

/** Maximum length of an address, which all browsers support (RFC 9110 § 4.1). */
const MAX_ADDRESS_LENGTH = 8000;

const badAddress = { kind: 'refused', status: 400 } as const;
const notFound = { kind: 'refused', status: 404 } as const;

/**
 * Finds the file by the rules of an exported site. A page works with and without `.html`. A folder's
 * address ends in a slash, so that the relative links of its `index.html` work. If a page and a folder
 * have the same name, the address without a slash belongs to the page.
 *
 * @param root absolute real path, without links.
 * @param address path and query of the request.
 * @param basePath decoded path that the site is made for, such as `/docs`, or empty for the root.
 * @throws errors of the disk, but none for a missing or unreadable file.
 * @see field-notes.md § Static export
 */
export async function findTarget(
  root: string,
  address: string,
  basePath: string,
): Promise<PreviewTarget> {
  if (address.length > MAX_ADDRESS_LENGTH) return { kind: 'refused', status: 414 };
  const [encoded = '', ...rest] = address.split('?');
  const query = rest.length === 0 ? '' : `?${rest.join('?')}`;
  const decoded = decodedPath(encoded);
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
  | { readonly path: string }
  | { readonly path?: undefined; readonly ending: '' | '/' }
  | undefined;

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
 * Returns the real path of a plain file, from the root. Returns undefined for a missing or unreadable
 * file, a file outside the root behind a link, and a pipe or a device.
 *
 * @param segments names without `..`.
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
  return codesOfNoFile.has(systemErrorCode(error) ?? '');
}

/** Returns a decoded path, or undefined for one that can't be decoded or has controls. */
export function decodedPath(encoded: string): string | undefined {
  try {
    const decoded = decodeURIComponent(encoded);
    return hasControls(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Names that mean another file, a stream or a device on Windows. */
const windowsSpecial = /[<>:"|?*]|[. ]$/;

/**
 * Returns whether a file or folder with this name can be served. Names with a leading dot belong to
 * Git or an editor, except the one that web standards use.
 */
function isServed(name: string): boolean {
  if (name === '' || name.includes('\\')) return false;
  if (name.startsWith('.') && name !== '.well-known') return false;
  return process.platform !== 'win32' || !windowsSpecial.test(name);
}

function redirect(segments: readonly string[], ending: '' | '/', query: string): PreviewTarget {
  // After two slashes at the start, a browser would expect a host.
  const location = `/${segments.map(encodeURIComponent).join('/')}${ending}${query}`;
  return { kind: 'redirect', location };
}

import { encodePath } from '../../common/http/encodePath';

/**
 * Returns the route of a page, which is its address without the forms that hosts add: `guides/start.html`
 * and `guides/start/index.html` have the route `guides/start`, and the home page has an empty one.
 */
export function pageRoute(path: string): string {
  return path.replace(/\.x?html?$/i, '').replace(/(?:^|\/)index$/i, '');
}

/** Returns the address of a page without `.html` and `index.html`, as the `from` of a redirect. */
export function plainAddress(path: string, basePath: string): string {
  const route = pageRoute(path);
  return route === '' ? `${basePath}/` : `${basePath}/${encodePath(route)}`;
}

/**
 * Returns the address at which a host serves a page without a redirect.
 *
 * @param isExtensionless whether the host adds `.html`, as links of the site ask for.
 */
export function servedAddress(path: string, basePath: string, isExtensionless: boolean): string {
  const folder = /^(.*\/)?index\.x?html?$/i.exec(path);
  if (folder) return `${basePath}/${encodePath(folder[1] ?? '')}`;
  return `${basePath}/${encodePath(isExtensionless ? path.replace(/\.html?$/i, '') : path)}`;
}

/** Hash of a file's contents within its name, as bundlers write it: hexadecimal or base 64. */
const nameHash =
  /(?<=[^/])[.-](?:(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,64}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{8,24}|(?=\w*[a-z][A-Z])\w{8})(?=(?:\.\w{1,8}){1,2}$)/;

/** Returns the path of an asset without the hash of its contents in its name. */
export function withoutHash(path: string): string {
  return path.replace(nameHash, '');
}

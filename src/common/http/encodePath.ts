/** Returns a path with slashes, or a fragment that looks like one, as it is written in a URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

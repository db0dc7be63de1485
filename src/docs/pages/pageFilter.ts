import type { AskFilter } from '../../shared/askFilter';
import type { DocsPage } from './page';

/**
 * Returns whether a page passes the filter. A page without a version, language or group does not pass a filter
 * for one.
 */
export function passesFilter(page: DocsPage, filter: AskFilter | null | undefined): boolean {
  if (!filter) return true;
  const { version, language, groups } = filter;
  if (version !== undefined && version !== '' && !isSameVersion(page.version, version))
    return false;
  if (language !== undefined && language !== '' && !isSameLanguageTag(page.language, language))
    return false;
  if (groups === undefined || groups.length === 0) return true;
  const wanted = new Set(groups.map((group) => group.toLowerCase()));
  return page.groups.some((group) => wanted.has(group.toLowerCase()));
}

/** Returns whether two names are of the same version, such as `v10`, `10` and `10.x`. */
export function isSameVersion(one: string | undefined, other: string): boolean {
  const plain = (version: string): string =>
    version
      .trim()
      .toLowerCase()
      .replace(/^v(?=\d)/, '')
      .replace(/\.x$/, '');
  return one !== undefined && plain(one) === plain(other);
}

/** Returns whether two languages are the same for a reader, such as `en` and `en-US`. */
export function isSameLanguageTag(one: string | undefined, other: string): boolean {
  const base = (language: string): string => language.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return one !== undefined && base(one) === base(other);
}

/**
 * Compares versions by their numbers, newest first. Names without numbers (`latest`, `next`) count as the
 * newest.
 */
export function compareVersions(one: string, other: string): number {
  const numbers = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  if (left.length === 0 || right.length === 0) return left.length - right.length;
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (right[place] ?? 0) - (left[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

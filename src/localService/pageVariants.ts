/** The versions, languages and groups that pages come in. */
import type { RequestFilter } from './messageSchema';
import type { DocsPage } from './page';

/** Whether a page is within the filter. A page that names no version (…) is within no version. */
export function passesFilter(page: DocsPage, filter: RequestFilter | null | undefined): boolean {
  if (!filter) return true;
  const { version, language, groups } = filter;
  if (version !== undefined && version !== '' && !isSameVersion(page.version, version))
    return false;
  if (language !== undefined && language !== '' && !isSameLanguage(page.language, language))
    return false;
  if (groups === undefined || groups.length === 0) return true;
  const wanted = new Set(groups.map((group) => group.toLowerCase()));
  return page.groups.some((group) => wanted.has(group.toLowerCase()));
}

export function isSameVersion(one: string | undefined, other: string): boolean {
  const plain = (version: string): string =>
    version
      .trim()
      .toLowerCase()
      .replace(/^v(?=\d)/, '');
  return one !== undefined && plain(one) === plain(other);
}

/** `en` and `en-US` are one language for a reader. */
export function isSameLanguage(one: string | undefined, other: string): boolean {
  const base = (language: string): string => language.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return one !== undefined && base(one) === base(other);
}

/** Newest first: by the numbers in the label; labels without numbers are newest (`latest`, `next`). */
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

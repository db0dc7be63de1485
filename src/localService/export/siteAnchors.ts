import { slugAliases } from '../../common/headingSlugs';
import { decodeFragment } from '../links';
import type { SitePage } from './siteSurvey';

const aliasesOf = new WeakMap<SitePage, ReadonlyMap<string, number>>();

/**
 * Returns the id on a page that a fragment means: as it is, in another case, or as another generator
 * makes it of a heading. Empty for the page's top, `undefined` where the page has none.
 * @param fragment with or without `#`.
 */
export function anchorOf(page: SitePage, fragment: string): string | undefined {
  const wanted = decodeFragment(fragment.replace(/^#/, ''));
  if (wanted === '' || wanted === 'top') return '';
  const ids = [...page.headings.map(({ id }) => id), ...(page.anchors ?? [])].filter(
    (id) => id !== '',
  );
  if (ids.includes(wanted)) return wanted;
  const lower = wanted.toLowerCase();
  const found = ids.find((id) => id.toLowerCase() === lower);
  if (found !== undefined) return found;
  let aliases = aliasesOf.get(page);
  if (!aliases) {
    // Numbered as the ids are: headings of sections first.
    const numbered = [...page.headings.entries()].sort(
      ([, one], [, other]) => Number(other.isSection) - Number(one.isSection),
    );
    const found = slugAliases(numbered.map(([, { text }]) => ({ text })));
    aliases = new Map([...found].map(([alias, index]) => [alias, numbered[index]?.[0] ?? 0]));
    aliasesOf.set(page, aliases);
  }
  const index = aliases.get(lower);
  const id = index === undefined ? undefined : page.headings[index]?.id;
  return id === '' ? undefined : id;
}

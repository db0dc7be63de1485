import type { FiltersResponse, SearchableDocs } from '../common/localDocsApi';
import { plainLine } from '../shared/characters';
import type { SearchInput } from './toolDefinitions';

type NamedFilter = Pick<SearchInput, 'version' | 'language' | 'groups'>;

/** Most values of a kind that a sentence names. */
const MAX_NAMED_VALUES = 10;

const kinds: readonly { readonly of: keyof NamedFilter; readonly known: keyof FiltersResponse }[] =
  [
    { of: 'version', known: 'versions' },
    { of: 'language', known: 'languages' },
    { of: 'groups', known: 'groups' },
  ];

/**
 * Returns what the docs have of each kind of filter that a call has named, for a call that has found nothing. Models
 * name versions and languages that no page has, and would take the docs for docs without an answer.
 * @returns undefined if the call has named none, or if it can't be told.
 */
export async function knownFilters(
  docs: Pick<SearchableDocs, 'filters'>,
  named: NamedFilter,
  signal: AbortSignal,
): Promise<string | undefined> {
  const used = kinds.filter(({ of }) => (named[of] ?? []).length > 0);
  if (used.length === 0) return undefined;
  // The result is true without this, too.
  const filters = await docs.filters(signal).catch(() => undefined);
  if (!filters) return undefined;
  const facts = used.map(({ known }) => {
    const values = filters[known].map(plainLine);
    if (values.length === 0) return `no ${known}`;
    const more = values.length > MAX_NAMED_VALUES ? ', …' : '';
    return `the ${known} ${values.slice(0, MAX_NAMED_VALUES).join(', ')}${more}`;
  });
  return `These docs have ${facts.join(' and ')}. Leave out a filter that none of their pages has.`;
}

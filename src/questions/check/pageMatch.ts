/** Compares pages that a questions file names with sources that a service sent. */
import { localPageAddress, sourceAddress } from '../../chat/sources/sourceAddress';
import { percentDecoded } from '../../shared/links';

/** A page in a normalized form for comparisons. */
interface PageName {
  /** Host of a URL that isn't on this machine. */
  readonly host?: string;
  /** Lowercase names from the root, without the extension and without `index`. */
  readonly names: readonly string[];
  /** Section of the page, or an empty string. */
  readonly section: string;
}

/**
 * Leading folders that are not part of a page's name: `docs`, a version or a language. Only one of two
 * names may have these folders, because paths in a repository and paths on a site start at
 * different folders.
 */
const placeName =
  /^(?:docs?|documentation|help|latest|stable|current|next|v?\d+(?:[.-](?:\d+|x))*)$/;

/** Tells language codes from other short names, such as `js`. */
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Endings of files that pages are made from. */
const extension = /\.(?:mdx?|markdown|html?)$/;

/** Names of files that stand for their folder. */
const folderPage = /^(?:index|readme)$/;

/** Returns the distinct pages of sources, in their order. A source for each section is one page. */
export function distinctPages<Source extends { readonly url: string }>(
  sources: readonly Source[],
): readonly (readonly Source[])[] {
  const pages = new Map<string, Source[]>();
  for (const source of sources) {
    const { host = '', names } = pageName(source.url);
    const key = `${host}/${names.join('/')}`;
    const page = pages.get(key);
    if (page) page.push(source);
    else pages.set(key, [source]);
  }
  return [...pages.values()];
}

/**
 * Returns whether a source is the page that a questions file names. Extensions, slashes at the ends and
 * case don't matter. Sections are compared if both have one.
 * @param base URL or path below which the docs are. Either page may begin with it.
 */
export function isSamePage(named: string, url: string, base?: string): boolean {
  const wanted = pageName(named);
  const found = pageName(url);
  const areOtherHosts =
    wanted.host !== undefined && found.host !== undefined && wanted.host !== found.host;
  if (areOtherHosts) return false;
  const hasOtherSection =
    wanted.section !== '' && found.section !== '' && wanted.section !== found.section;
  if (hasOtherSection) return false;
  const basis = base === undefined ? [] : pageName(base).names;
  return areSameNames(without(basis, wanted.names), without(basis, found.names));
}

function areSameNames(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const extra = long.length - short.length;
  return (
    short.every((name, index) => name === long[extra + index]) &&
    long.slice(0, extra).every((name) => placeName.test(name) || isLanguage(name))
  );
}

function isLanguage(name: string): boolean {
  return /^[a-z]{2}(?:-[a-z]{2,4})?$/.test(name) && languages.of(name) !== undefined;
}

function without(base: readonly string[], names: readonly string[]): readonly string[] {
  return base.every((name, index) => names[index] === name) ? names.slice(base.length) : names;
}

function pageName(text: string): PageName {
  const local = localPageAddress(text);
  const address = sourceAddress(
    local === undefined ? text.trim().replaceAll('\\', '/') : `/${local}`,
  );
  if (!address) return { names: [text.trim().toLowerCase()], section: '' };
  const { url, pathname, fragment } = address;
  const names = pathname
    .split('/')
    .map((name) => percentDecoded(name).toLowerCase())
    .filter((name) => name !== '' && name !== '.');
  const last = names.pop()?.replace(extension, '');
  if (last !== undefined && !folderPage.test(last)) names.push(last);
  const section = percentDecoded(fragment.slice(1)).toLowerCase();
  return {
    host: url ? url.host.replace(/^www\./, '') : undefined,
    names,
    // The local docs service uses this fragment for the beginning of a page.
    section: section === '_top' ? '' : section,
  };
}

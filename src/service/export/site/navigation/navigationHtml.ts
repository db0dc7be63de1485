import { encodePath } from '../../../../common/http/encodePath';
import {
  type Edition,
  editionTitle,
  MAX_NAV_ENTRIES,
  type NavEntry,
  type NavFolder,
  type PagePlace,
  type SiteNavigation,
  trailOf,
} from './navigationModel';
import { fragmentAnchor } from '../siteLinks';
import { relativeHref } from '../sitePaths';
import type { SitePage } from '../siteSurvey';
import { languageName, languageTag, type SiteTexts } from '../siteTexts';
import { escapeHtml } from '../../../../docs/pages/pageHtml';

/** Maximum number of pages that an overview shows of each subfolder. */
const MAX_CARDS = 12;
/** Minimum number of pages at which an overview shows a list instead of cards. */
const MIN_LIST = 60;

/** Returns the HTML of a page that the site adds: the home page, or a page that lists a folder. */
export function overviewBody(context: PageContext, folder: NavFolder | undefined): string {
  const { page, navigation, texts } = context;
  const isHome = page === navigation.home;
  const title = `<h1>${escapeHtml(page.title)}</h1>`;
  const lead = escapeHtml(page.description === '' ? texts.documentation : page.description);
  const head = isHome
    ? `<div class="hero">${title}<p>${lead}</p>${editionChips(context)}</div>`
    : title;
  if (!folder || folder.pageCount === 0) return `${head}<p>${escapeHtml(texts.noPages)}</p>`;
  const sections = folder.folders.map((child) => section(context, child)).join('');
  return `${head}${entries(context, folder.pages)}${sections}`;
}

function entries(context: PageContext, pages: readonly SitePage[]): string {
  if (pages.length === 0) return '';
  if (pages.length >= MIN_LIST) {
    const items = pages.map(
      (to) => `<li>${link(context.page, to, escapeHtml(context.navigation.titleOf(to)))}</li>`,
    );
    return `<ul class="columns">${items.join('')}</ul>`;
  }
  return `<ul class="cards">${pages.map((to) => card(context, to)).join('')}</ul>`;
}

function card({ navigation, page }: PageContext, to: SitePage): string {
  const description = to.description === '' ? '' : `<span>${escapeHtml(to.description)}</span>`;
  return `<li>${link(page, to, `<b>${escapeHtml(navigation.titleOf(to))}</b>${description}`)}</li>`;
}

function section(context: PageContext, folder: NavFolder): string {
  const { page, texts } = context;
  const own = folder.ownPage ? [folder.ownPage] : [];
  const pages = [...own, ...folder.pages];
  const isCut = pages.length > MAX_CARDS;
  const all =
    isCut || folder.folders.length > 0
      ? link(page, folder.overview ?? folder.landing, escapeHtml(texts.allPages(folder.pageCount)))
      : '';
  const shown = entries(context, isCut ? pages.slice(0, MAX_CARDS) : pages);
  const below = folder.folders
    .slice(0, MAX_CARDS)
    .map((child) => `<li>${link(page, child.landing, escapeHtml(child.title))}</li>`)
    .join('');
  return (
    `<section><div class="list-title"><h2>${escapeHtml(folder.title)}</h2>${all}</div>${shown}` +
    `${below === '' ? '' : `<ul class="chips">${below}</ul>`}</section>`
  );
}

/** Returns links to the versions and languages of the docs, or an empty string if there is only one. */
function editionChips(context: PageContext): string {
  const { page, navigation, texts } = context;
  const { editions } = navigation;
  if (editions.length < 2) return '';
  const current = shownEdition(context);
  const chips = editions
    .filter((edition) => edition.root.landing !== page || edition === current)
    .map((edition) => {
      const mark = edition === current ? ' aria-current="true"' : '';
      const label = escapeHtml(editionTitle(edition) || texts.otherPages);
      return `<li>${link(page, edition.root.landing, label, mark)}</li>`;
    });
  return chips.length < 2 ? '' : `<ul class="chips">${chips.join('')}</ul>`;
}

/** Maximum number of pages at which an edition shows its whole navigation on each page. */
const MAX_WHOLE = 150;
/** Maximum number of pages at which an edition shows all folders open. */
const MAX_OPEN = 60;

/** The page being rendered, with the navigation around it. */
export interface PageContext {
  readonly navigation: SiteNavigation;
  readonly page: SitePage;
  readonly place: PagePlace | undefined;
  readonly texts: SiteTexts;
}

export function link(from: SitePage, to: SitePage, html: string, attributes = ''): string {
  return `<a href="${escapeHtml(relativeHref(from.file, to.file))}"${attributes}>${html}</a>`;
}

/**
 * Returns the edition whose navigation the page shows. A page outside of all editions, or in an edition with
 * only one page, shows the main edition.
 */
export function shownEdition({ navigation, page, place }: PageContext): Edition | undefined {
  const { mainEdition, overviews } = navigation;
  const listed = overviews.get(page);
  const own =
    place?.edition ?? navigation.editions.find(({ root }) => listed && trailOf(listed)[0] === root);
  return own && own.root.pageCount > 1 ? own : (mainEdition ?? own);
}

/**
 * Returns the edition's pages as nested lists. For a large edition, only shows the page's own folder, the
 * folders next to it and the folders above it. Otherwise, the size of the site would grow with the square of
 * the number of pages.
 */
export function navigationTree(context: PageContext): string {
  const edition = shownEdition(context);
  if (!edition) return '';
  const { navigation, page, place } = context;
  const folder = place?.edition === edition ? place.folder : navigation.overviews.get(page);
  const trail = new Set(trailOf(folder));
  const isWhole = edition.root.pageCount <= MAX_WHOLE;
  const isOpen = edition.root.pageCount <= MAX_OPEN;

  const item = (to: SitePage): string =>
    `<li>${link(page, to, escapeHtml(navigation.titleOf(to)), to === page ? ' aria-current="page"' : '')}</li>`;
  const entry = (shown: NavEntry): string => {
    switch (shown.kind) {
      case 'page':
        return item(shown.page);
      case 'folder':
        return section(shown.folder);
      case 'section':
        return `<li>${sectionLink(page, shown)}</li>`;
      case 'link':
        return `<li><a href="${escapeHtml(shown.href)}" rel="noopener noreferrer">${escapeHtml(shown.title)}</a></li>`;
    }
  };
  const list = (shown: NavFolder): string => {
    const pages = isWhole ? shown.pages : near(shown.pages, page);
    const nearest = shown.folders.find((child) => trail.has(child));
    const folders = isWhole ? shown.folders : near(shown.folders, nearest);
    const isCut = pages.length < shown.pages.length || folders.length < shown.folders.length;
    const kept = new Set<SitePage | NavFolder>([...pages, ...folders]);
    const entries = shown.entries.filter(
      (one) =>
        (one.kind !== 'page' || kept.has(one.page)) &&
        (one.kind !== 'folder' || kept.has(one.folder)),
    );
    const items = entries.map(entry);
    if (isCut && shown.overview) {
      const all = escapeHtml(context.texts.allPages(shown.pageCount));
      const behind = entries.findLastIndex(({ kind }) => kind === 'page') + 1;
      items.splice(behind, 0, `<li>${link(page, shown.overview, all, ' class="more"')}</li>`);
    }
    const own = shown === edition.root && shown.ownPage ? item(shown.ownPage) : '';
    return `<ul>${own}${items.join('')}</ul>`;
  };
  const section = (shown: NavFolder): string => {
    const title = escapeHtml(shown.title);
    const isCurrent = shown.landing === page;
    const current = isCurrent ? ' aria-current="page"' : '';
    if (!isWhole && !trail.has(shown)) {
      return `<li class="folder">${link(page, shown.landing, title)}</li>`;
    }
    // A link in a summary is hard to hit, so the folder's own page comes first in its list.
    const own = shown.ownPage ? item(shown.ownPage) : '';
    const head = shown.ownPage ? title : link(page, shown.landing, title, current);
    return isWhole && !isOpen
      ? `<li class="folder"><details${trail.has(shown) ? ' open' : ''}><summary>${title}</summary>${withFirst(list(shown), own)}</details></li>`
      : `<li class="folder"><span class="folder-title">${head}</span>${withFirst(list(shown), own)}</li>`;
  };
  return list(edition.root);
}

/** Returns a link to a section, or to the top of its page if the section is unknown. */
function sectionLink(
  from: SitePage,
  { page, fragment, title }: Extract<NavEntry, { readonly kind: 'section' }>,
): string {
  const id = fragmentAnchor(page, fragment) ?? '';
  const href = relativeHref(from.file, page.file) + (id === '' ? '' : `#${encodePath(id)}`);
  return `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`;
}

function withFirst(list: string, item: string): string {
  return list.replace('<ul>', `<ul>${item}`);
}

/** Returns the entries around the current one, or the first entries. */
function near<Entry>(entries: readonly Entry[], current: Entry | undefined): readonly Entry[] {
  if (entries.length <= MAX_NAV_ENTRIES) return entries;
  const index = current === undefined ? 0 : Math.max(0, entries.indexOf(current));
  const start = Math.min(
    Math.max(0, index - MAX_NAV_ENTRIES / 2),
    entries.length - MAX_NAV_ENTRIES,
  );
  return entries.slice(start, start + MAX_NAV_ENTRIES);
}

/** Returns the breadcrumbs: the home page, the edition, the folders and the page. */
export function breadcrumbs(context: PageContext): string {
  const { navigation, page, place, texts } = context;
  if (page === navigation.home) return '';
  const folder = place?.folder ?? navigation.overviews.get(page);
  const crumbs = [link(page, navigation.home, escapeHtml(texts.home))];
  for (const shown of trailOf(folder)) {
    if (shown.landing === page || shown.landing === navigation.home || shown.title === '') continue;
    crumbs.push(link(page, shown.landing, escapeHtml(shown.title)));
  }
  crumbs.push(`<span aria-current="page">${escapeHtml(navigation.titleOf(page))}</span>`);
  const items = crumbs.map((crumb) => `<li>${crumb}</li>`).join('');
  return `<nav class="breadcrumbs" aria-label="${escapeHtml(texts.breadcrumbs)}"><ol>${items}</ol></nav>`;
}

export function pager({ navigation, page, place, texts }: PageContext): string {
  if (!place?.previous && !place?.next) return '';
  const side = (to: SitePage | undefined, name: 'prev' | 'next', label: string): string =>
    to
      ? link(
          page,
          to,
          `<small>${escapeHtml(label)}</small><span>${escapeHtml(navigation.titleOf(to))}</span>`,
          ` class="${name}" rel="${name}"`,
        )
      : '';
  return (
    `<nav class="pager" aria-label="${escapeHtml(texts.otherPages)}">` +
    side(place.previous, 'prev', texts.previous) +
    `${side(place.next, 'next', texts.next)}</nav>`
  );
}

/** Returns menus of the other versions, and of the other languages of this version. */
export function editionMenus(context: PageContext): string {
  const { navigation, texts } = context;
  const current = shownEdition(context);
  if (!current) return '';
  const labelled = navigation.editions.filter(
    (edition) => edition === current || edition.root.pageCount > 1 || editionTitle(edition) !== '',
  );
  const versions = new Map<string, Edition>();
  for (const edition of labelled) {
    const name = edition.version ?? texts.otherPages;
    const known = versions.get(name);
    if (!known || isNearer(edition, known, current, navigation)) versions.set(name, edition);
  }
  const languages = labelled.filter(({ version }) => version === current.version);
  const languageLabel = ({ language }: Edition): string =>
    language === undefined ? languageName('en') : languageName(language);
  return (
    menu(context, texts.version, current.version ?? texts.otherPages, [...versions]) +
    // Language names are slow to compute.
    (languages.length < 2
      ? ''
      : menu(
          context,
          texts.language,
          languageLabel(current),
          languages.map((edition) => [languageLabel(edition), edition]),
        ))
  );
}

function isNearer(
  edition: Edition,
  known: Edition,
  current: Edition,
  { mainEdition }: SiteNavigation,
): boolean {
  if (known.language === current.language) return false;
  return edition.language === current.language || edition.language === mainEdition?.language;
}

function menu(
  context: PageContext,
  label: string,
  shown: string,
  entries: readonly (readonly [string, Edition])[],
): string {
  if (entries.length < 2) return '';
  const { page } = context;
  const current = shownEdition(context);
  const items = entries.map(([name, edition]) => {
    const to = samePage(context, edition);
    const lang =
      label === context.texts.language && edition.language !== undefined
        ? ` lang="${languageTag(edition.language)}"`
        : '';
    const mark = edition === current ? ' aria-current="true"' : '';
    return `<li>${link(page, to, escapeHtml(name), lang + mark)}</li>`;
  });
  return (
    `<details class="menu"><summary><span class="menu-label">${escapeHtml(label)}</span> ` +
    `${escapeHtml(shown)}</summary><ul>${items.join('')}</ul></details>`
  );
}

/** Returns the same page in another edition, or the first page of that edition. */
function samePage({ page, place }: PageContext, edition: Edition): SitePage {
  const path = place?.edition.pathOf.get(page);
  return (path === undefined ? undefined : edition.byPath.get(path)) ?? edition.root.landing;
}

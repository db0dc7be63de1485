import { escapeHtml } from '../pageHtml';
import {
  editionTitle,
  MAX_NAV_ENTRIES,
  trailOf,
  type Edition,
  type NavEntry,
  type NavFolder,
  type PagePlace,
  type SiteNavigation,
} from './navigationModel';
import { anchorOf } from './siteAnchors';
import { encodePath, relativeHref } from './sitePaths';
import type { SitePage } from './siteSurvey';
import { languageName, languageTag, type SiteTexts } from './siteTexts';

/** Pages up to which an edition's navigation is whole on each of them. */
const MAX_WHOLE = 150;
/** Pages up to which all of its folders are open. */
const MAX_OPEN = 60;

/** A page being made, and how the others lead from there. */
export interface PageContext {
  readonly navigation: SiteNavigation;
  readonly page: SitePage;
  readonly place: PagePlace | undefined;
  readonly texts: SiteTexts;
}

export function link(from: SitePage, to: SitePage, html: string, attributes = ''): string {
  return `<a href="${escapeHtml(relativeHref(from.file, to.file))}"${attributes}>${html}</a>`;
}

/** The edition whose navigation the page shows: the main one's on a home page outside of any. */
export function shownEdition({ navigation, page, place }: PageContext): Edition | undefined {
  const { mainEdition, overviews } = navigation;
  const listed = overviews.get(page);
  const own =
    place?.edition ?? navigation.editions.find(({ root }) => listed && rootOf(listed) === root);
  return own && own.root.pageCount > 1 ? own : (mainEdition ?? own);
}

function rootOf(folder: NavFolder): NavFolder {
  let root = folder;
  while (root.parent) root = root.parent;
  return root;
}

/**
 * The edition's pages as nested lists. Of a large edition only what is near: the page's own folder,
 * those around it and those on the way, so that a site's size grows with its pages and not with
 * their square.
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
    // A link inside of a summary is hard to hit: the folder's own page is the first of its list.
    const own = shown.ownPage ? item(shown.ownPage) : '';
    const head = shown.ownPage ? title : link(page, shown.landing, title, current);
    return isWhole && !isOpen
      ? `<li class="folder"><details${trail.has(shown) ? ' open' : ''}><summary>${title}</summary>${withFirst(list(shown), own)}</details></li>`
      : `<li class="folder"><span class="folder-title">${head}</span>${withFirst(list(shown), own)}</li>`;
  };
  return list(edition.root);
}

/** The link to a section, or to its page's top where it is not known. */
function sectionLink(
  from: SitePage,
  { page, fragment, title }: Extract<NavEntry, { readonly kind: 'section' }>,
): string {
  const id = anchorOf(page, fragment) ?? '';
  const href = relativeHref(from.file, page.file) + (id === '' ? '' : `#${encodePath(id)}`);
  return `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`;
}

function withFirst(list: string, item: string): string {
  return list.replace('<ul>', `<ul>${item}`);
}

/** The entries around one, or the first ones. */
function near<Entry>(entries: readonly Entry[], current: Entry | undefined): readonly Entry[] {
  if (entries.length <= MAX_NAV_ENTRIES) return entries;
  const index = current === undefined ? 0 : Math.max(0, entries.indexOf(current));
  const start = Math.min(
    Math.max(0, index - MAX_NAV_ENTRIES / 2),
    entries.length - MAX_NAV_ENTRIES,
  );
  return entries.slice(start, start + MAX_NAV_ENTRIES);
}

/** Where the page stands: the home page, the edition, its folders and itself. */
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

/** Menus of the other versions, and of the other languages of this version. */
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
    // The names of languages take long to make.
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

/** The page of another edition that says the same, else where that edition begins. */
function samePage({ page, place }: PageContext, edition: Edition): SitePage {
  const path = place?.edition.pathOf.get(page);
  return (path === undefined ? undefined : edition.byPath.get(path)) ?? edition.root.landing;
}

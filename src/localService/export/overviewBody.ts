import { escapeHtml } from '../pageHtml';
import { link, shownEdition, type PageContext } from './navigationHtml';
import { editionTitle, type Edition, type NavFolder } from './navigationModel';
import type { SitePage } from './siteSurvey';

/** Pages of a folder within another's overview. */
const MAX_CARDS = 12;
/** Entries from which a list takes the place of cards. */
const MIN_LIST = 60;

/** What the site's own pages say: the home page, and those that list a folder. */
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

/** The versions and languages that there are to read. */
function editionChips(context: PageContext): string {
  const { page, navigation } = context;
  const { editions } = navigation;
  if (editions.length < 2) return '';
  const current = shownEdition(context);
  const label = (edition: Edition): string =>
    editionTitle(edition) === '' ? context.texts.otherPages : editionTitle(edition);
  const chips = editions
    .filter((edition) => edition.root.landing !== page || edition === current)
    .map((edition) => {
      const mark = edition === current ? ' aria-current="true"' : '';
      return `<li>${link(page, edition.root.landing, escapeHtml(label(edition)), mark)}</li>`;
    });
  return chips.length < 2 ? '' : `<ul class="chips">${chips.join('')}</ul>`;
}

import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../docs/pages/pageHtml';
import {
  breadcrumbs,
  editionMenus,
  link,
  navigationTree,
  pager,
  type PageContext,
} from './navigation/navigationHtml';
import { cleanAddress, relativeHref } from './sitePaths';
import { ASSETS_FOLDER, type SiteHeading, type SitePage } from './siteSurvey';
import { baseStyles } from './siteStyles';
import { themeScript } from './siteScript';
import { isRightToLeft, languageTag, siteTexts } from './siteTexts';

/** Values that are the same on every page. */
export interface SiteFrame {
  readonly siteName: string;
  readonly siteHost: string;
  /** Returns the path of the search index for an edition's pages. */
  searchIndexOf(context: PageContext): string;
}

export interface PageContent {
  readonly html: string;
  readonly headings: readonly SiteHeading[];
  /** Whether the page lists other pages and uses the full width. */
  readonly isWide: boolean;
}

/**
 * Content security policy of all pages. Nothing loads from other sites. Only scripts of the site run, and they make no
 * requests, unless search and answers with a docs service are added to the site. The policy of its host then names that
 * service. It has `file:` because `'self'` does not include files on disk in every browser.
 */
const policy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; " +
  "connect-src 'self' https: http://127.0.0.1:*; " +
  "base-uri 'none'; form-action 'none'";

const logo =
  '<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="2" width="20" height="20" rx="6" fill="currentColor"/><path d="M7.5 8h9M7.5 12h9M7.5 16h5" stroke="var(--page)" stroke-width="1.9" stroke-linecap="round"/></svg>';
export const iconFile =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="1" y="1" width="22" height="22" rx="6.5" fill="#0b6a55"/><path d="M7 8h10M7 12h10M7 16h6" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>\n';
const stroke =
  'fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"';
const icon = (name: string, shape: string): string =>
  `<svg class="${name}" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" ${stroke}>${shape}</svg>`;
const icons = {
  menu: icon('bars', '<path d="M4 7h16M4 12h16M4 17h16"/>'),
  search:
    '<svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" ' +
    `${stroke}><circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/></svg>`,
  close: icon('cross', '<path d="m6 6 12 12M18 6 6 18"/>'),
  theme:
    icon(
      'sun',
      '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>',
    ) + icon('moon', '<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z"/>'),
};

/** Returns a whole page of the site. Its own IDs begin with `site:`, so that they differ from those of headings. */
export function sitePageHtml(context: PageContext, frame: SiteFrame, content: PageContent): string {
  const { page, navigation, texts } = context;
  const tag = languageTag(page.language);
  const text = (words: string): string => escapeHtml(words);
  const asset = (name: string): string =>
    escapeHtml(relativeHref(page.file, `${ASSETS_FOLDER}/${name}`));
  const title = page === navigation.home ? frame.siteName : `${page.title} · ${frame.siteName}`;
  const description =
    page.description === '' ? '' : `<meta name="description" content="${text(page.description)}">`;
  const isHome = page === navigation.home;
  return `<!doctype html>
<html lang="${text(tag)}"${isRightToLeft(tag) ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
${description}
<link rel="canonical" href="${text(canonicalUrl(frame.siteHost, page.file))}">
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('theme.js')}"></script>
<script src="${asset('site.js')}" defer></script>
</head>
<body data-index="${text(frame.searchIndexOf(context))}" data-copy="${text(texts.copy)}" data-copied="${text(texts.copied)}" data-none="${text(texts.noResults)}">
<a class="skip" href="#site:content">${text(texts.skip)}</a>
<header class="top"><div class="top-inner">
<a class="icon-button menu-button" id="site:menu" href="#site:navigation" aria-label="${text(texts.menu)}">${icons.menu}</a>
${link(page, navigation.home, `${logo}<span>${text(frame.siteName)}</span>`, ' class="brand"')}
<div class="tools">
<div class="search" role="search">${icons.search}<input id="site:search" type="search" placeholder="${text(texts.search)}" aria-label="${text(texts.search)}" role="combobox" aria-expanded="false" aria-controls="site:results" aria-autocomplete="list" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><div class="results" id="site:results" role="listbox" aria-label="${text(texts.search)}" hidden></div></div>
${editionMenus(context)}
<button class="icon-button theme-button" id="site:theme" type="button" aria-label="${text(texts.theme)}" title="${text(texts.theme)}">${icons.theme}</button>
</div></div></header>
<div class="layout${content.isWide ? ' home' : ''}">
<nav class="side" id="site:navigation" aria-label="${text(texts.pages)}"><button class="icon-button side-close" id="site:close" type="button" aria-label="${text(texts.close)}">${icons.close}</button>${navigationTree(context)}</nav>
<main id="site:content" tabindex="-1"><article class="article">${isHome ? '' : breadcrumbs(context)}
${content.html}</article>${pager(context)}</main>
${contentsOf(content.headings, texts.onThisPage)}</div>
</body>
</html>
`;
}

/** Returns the URL of a page for search engines and sitemaps, without its ending. */
export function canonicalUrl(siteHost: string, file: string): string {
  return `https://${siteHost}/${cleanAddress(file)}`;
}

function contentsOf(headings: readonly SiteHeading[], label: string): string {
  const shown = headings.filter(
    ({ id, text, level, isSection }) =>
      isSection && id !== '' && text !== '' && (level === 2 || level === 3),
  );
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, text, level }) =>
      `<li${level === 3 ? ' class="deep"' : ''}><a href="#${encodeURIComponent(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="toc" id="site:contents" aria-label="${escapeHtml(label)}"><details open><summary>${escapeHtml(label)}</summary><ol>${items.join('')}</ol></details></nav>\n`;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Returns the page that a host shows for unknown paths. A host can show it at any path, so it needs no other file
 * and its link starts at the root.
 */
export function notFoundFile(home: SitePage, siteName: string): string {
  const texts = siteTexts(home.language);
  const text = (words: string): string => escapeHtml(words);
  return `<!doctype html>
<html lang="${text(languageTag(home.language))}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash(baseStyles)}'; script-src 'sha256-${hash(themeScript)}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text(texts.notFound)} · ${text(siteName)}</title>
<link rel="icon" href="data:,">
<style>${baseStyles}</style>
<script>${themeScript}</script>
</head>
<body>
<main class="not-found"><div><strong aria-hidden="true">404</strong><h1>${text(texts.notFound)}</h1><p>${text(texts.notFoundText)}</p><a class="button" href="/index.html">${text(texts.toHome)}</a></div></main>
</body>
</html>
`;
}

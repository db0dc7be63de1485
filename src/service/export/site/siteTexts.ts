import type { CalloutKind } from '../../../docs/pages/markup/meanings';

/** Texts of the site around the content of a page, in the language of the page. */
export interface SiteTexts {
  readonly allPages: (count: number) => string;
  readonly breadcrumbs: string;
  readonly callouts: Readonly<Record<CalloutKind, string>>;
  readonly close: string;
  readonly copied: string;
  readonly copy: string;
  readonly documentation: string;
  readonly home: string;
  readonly language: string;
  readonly linkToHeading: string;
  readonly menu: string;
  readonly next: string;
  readonly noPages: string;
  readonly noResults: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly onThisPage: string;
  readonly otherPages: string;
  readonly pages: string;
  readonly previous: string;
  readonly search: string;
  readonly skip: string;
  readonly table: string;
  readonly theme: string;
  readonly toHome: string;
  readonly version: string;
}

const english: SiteTexts = {
  allPages: (count) => `All ${count.toLocaleString('en')} pages`,
  breadcrumbs: 'Breadcrumbs',
  callouts: {
    note: 'Note',
    tip: 'Tip',
    important: 'Important',
    warning: 'Warning',
    caution: 'Caution',
  },
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  documentation: 'Documentation',
  home: 'Home',
  language: 'Language',
  linkToHeading: 'Link to this heading',
  menu: 'Menu',
  next: 'Next',
  noPages: 'No pages yet.',
  noResults: 'No results',
  notFound: 'Page not found',
  notFoundText: "This page doesn't exist. It may have been moved or renamed.",
  onThisPage: 'On this page',
  otherPages: 'More pages',
  pages: 'Pages',
  previous: 'Previous',
  search: 'Search',
  skip: 'Skip to content',
  table: 'Table',
  theme: 'Switch between light and dark',
  toHome: 'Go to the start page',
  version: 'Version',
};

const german: SiteTexts = {
  allPages: (count) => `Alle ${count.toLocaleString('de')} Seiten`,
  breadcrumbs: 'Pfad zu dieser Seite',
  callouts: {
    note: 'Hinweis',
    tip: 'Tipp',
    important: 'Wichtig',
    warning: 'Warnung',
    caution: 'Vorsicht',
  },
  close: 'Schließen',
  copied: 'Kopiert',
  copy: 'Kopieren',
  documentation: 'Dokumentation',
  home: 'Start',
  language: 'Sprache',
  linkToHeading: 'Link zu dieser Überschrift',
  menu: 'Menü',
  next: 'Weiter',
  noPages: 'Es gibt noch keine Seiten.',
  noResults: 'Nichts gefunden',
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Diese Seite gibt es nicht. Vielleicht wurde sie verschoben oder umbenannt.',
  onThisPage: 'Auf dieser Seite',
  otherPages: 'Weitere Seiten',
  pages: 'Seiten',
  previous: 'Zurück',
  search: 'Suchen',
  skip: 'Zum Inhalt',
  table: 'Tabelle',
  theme: 'Zwischen Hell und Dunkel wechseln',
  toHome: 'Zur Startseite',
  version: 'Version',
};

/** Returns the texts in the language of the page, or in English. */
export function siteTexts(language = ''): SiteTexts {
  return /^de\b/i.test(language) ? german : english;
}

/** Returns the value for `lang`: the page's language, or English. */
export function languageTag(language: string | undefined): string {
  const tag = language?.trim().replaceAll('_', '-') ?? '';
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag) ? tag : 'en';
}

/** Returns the name of a language in that language: `Deutsch` for `de`. */
export function languageName(language: string): string {
  const tag = languageTag(language);
  if (tag === 'en' && !/^en\b/i.test(language)) return language;
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? language;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

export function isRightToLeft(language: string): boolean {
  return /^(?:ar|dv|fa|he|ps|ur|yi)\b/i.test(language);
}

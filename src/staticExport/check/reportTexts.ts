import type { Translate } from '../../common/errors';
import type { AddressKind, BrokenLink, BrokenReason, NoteCode, ReportNote } from './reportTypes';

/** Makes a piece of the bundle's own text harmless where the sentence is shown. */
export type Quote = (text: string) => string;

/** What an address is for, by its kind. English: they pass through a {@link Translate}. */
export const kindNames: Readonly<Record<AddressKind, string>> = {
  script: 'script',
  style: 'style sheet',
  font: 'font',
  image: 'image',
  media: 'audio or video',
  frame: 'frame',
  object: 'embedded object',
  manifest: 'app manifest',
  fetch: 'loaded by a script',
  import: 'imported module',
  worker: 'worker script',
  beacon: 'beacon',
  form: 'form',
  redirect: 'redirection',
  hint: 'connection or prefetch hint',
  link: 'link',
  sitemap: 'sitemap entry',
};

const reasons: Readonly<Record<BrokenReason, (t: Translate, suggested: string) => string>> = {
  'missing-file': (t, suggested) =>
    suggested === ''
      ? t('there is no such file in the bundle')
      : t('there is no such file in the bundle; perhaps {0} is meant', suggested),
  'wrong-case': (t, suggested) =>
    t(
      'only {0} is there, which a host that tells upper and lower case apart does not find',
      suggested,
    ),
  'missing-anchor': (t, suggested) =>
    suggested === ''
      ? t('the page has no such id')
      : t('the page has no such id; perhaps {0} is meant', suggested),
  'folder-without-index': (t) => t('the folder has no index.html'),
  'outside-site': (t) => t('it leads out of the site'),
  'local-file': (t) => t('it leads to a file of one machine'),
  'not-an-address': (t) => t('it is not a valid address'),
};

/** Why a link is broken, without a capital and a full stop. */
export function reasonText({ reason, suggestion }: BrokenLink, t: Translate, quote: Quote): string {
  return reasons[reason](t, suggestion === undefined ? '' : quote(suggestion));
}

const notes: Readonly<Record<NoteCode, (t: Translate, note: Required<NoteParts>) => string>> = {
  'no-pages': (t) => t('There are no HTML pages in this folder.'),
  'no-home-page': (t) => t('There is no index.html at the top, so the site has no home page.'),
  'unreadable-script': (t, { detail }) =>
    t('This script cannot be parsed, so what it fetches is not known: {0}', detail),
  'unreadable-file': (t, { detail }) => t('It cannot be read ({0}).', detail),
  'not-utf8': (t) => t('It is not UTF-8, so some of its addresses may have been misread.'),
  'too-large': (t) => t('It is too large and was not read.'),
  'not-followed': (t) => t('It is a symbolic link or a special file and was left out.'),
  'extensionless-links': (t, { count }) =>
    t('Links without “.html”, which the host has to add: {0}', count),
  'relative-on-404': (t, { count }) =>
    t(
      'Relative addresses on the 404 page, which break where it is shown for a deeper address: {0}',
      count,
    ),
  'own-host-links': (t, { count, detail }) =>
    t('Links to the site’s public address {0} instead of into the bundle: {1}', detail, count),
  'posts-to-site': (t) => t('A form posts to the site itself, which a static host cannot answer.'),
  capped: (t, { count }) => t('Findings that this report leaves out: {0}', count),
};

interface NoteParts {
  readonly count: number;
  readonly detail: string;
}

/** A note as a sentence, without its place. */
export function noteText(note: ReportNote, t: Translate, quote: Quote): string {
  const { code, count = 0, detail } = note;
  return notes[code](t, { count, detail: detail === undefined ? '?' : quote(detail) });
}

/** One or many of something. */
export function counted(t: Translate, count: number, one: string, many: string): string {
  return count === 1 ? t(one) : t(many, count);
}

/** One line without characters that hide, or turn the rest of the line around. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd');
}

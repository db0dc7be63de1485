import type { ReplyLanguage } from './terms';

/** The service's own sentences around what the docs say. */
interface ReplyTexts {
  searched(pages: number, sections: number, words: readonly string[], isIndexed: boolean): string;
  filtered(filter: string): string;
  readonly foundNothing: string;
  found(sections: number, pages: number): string;
  noCode(language: string): string;
  leadIn(page: string, hasSeveral: boolean): string;
  readonly readOn: string;
  readonly nothing: string;
  nothingYet(pages: number): string;
  topics(titles: string): string;
  /** Of files that are no text. */
  unread(names: readonly string[]): string;
}

const english: ReplyTexts = {
  searched: (pages, sections, words, isIndexed) =>
    `Searched ${count(pages, 'page', 'pages')} (${count(sections, 'section', 'sections')})` +
    (words.length === 0 ? '.' : ` for: ${words.join(', ')}.`) +
    (isIndexed ? '' : ' More pages are still being indexed.'),
  filtered: (filter) => `Only pages of: ${filter}.`,
  foundNothing: 'No section is about the question.',
  found: (sections, pages) =>
    `Found ${count(sections, 'section', 'sections')} on ${count(pages, 'page', 'pages')}.`,
  noCode: (language) => `The docs have no ${language} example of this. Here is what they do have.`,
  leadIn: (page, hasSeveral) =>
    hasSeveral ? `Here is what the docs say, mainly in *${page}*:` : `Here is what *${page}* says:`,
  readOn: 'Where to read on',
  nothing: 'I found nothing about that in these docs, so I would only be guessing.',
  nothingYet: (pages) =>
    `I found nothing about that in the ${count(pages, 'page', 'pages')} indexed so far. More are being indexed: ask again in a moment.`,
  topics: (titles) =>
    `They cover, for example, ${titles}. Ask about one of these, or put the question in other words.`,
  unread: (names) =>
    `I cannot look into ${list(names, 'and')}: this service reads text files only. What follows goes by your words.`,
};

const german: ReplyTexts = {
  searched: (pages, sections, words, isIndexed) =>
    `${count(pages, 'Seite', 'Seiten')} (${count(sections, 'Abschnitt', 'Abschnitte')}) durchsucht` +
    (words.length === 0 ? '.' : ` nach: ${words.join(', ')}.`) +
    (isIndexed ? '' : ' Weitere Seiten werden noch erfasst.'),
  filtered: (filter) => `Nur Seiten zu: ${filter}.`,
  foundNothing: 'Kein Abschnitt passt zur Frage.',
  found: (sections, pages) =>
    `${count(sections, 'Abschnitt', 'Abschnitte')} auf ${count(pages, 'Seite', 'Seiten')} gefunden.`,
  noCode: (language) =>
    `Die Dokumentation hat dazu kein Beispiel in ${language}. Das hier steht darin:`,
  leadIn: (page, hasSeveral) =>
    hasSeveral
      ? `Das sagt die Dokumentation dazu, vor allem unter *${page}*:`
      : `Das steht dazu unter *${page}*:`,
  readOn: 'Zum Weiterlesen',
  nothing: 'Dazu habe ich in dieser Dokumentation nichts gefunden und möchte nicht raten.',
  nothingYet: (pages) =>
    `Dazu habe ich in den bisher erfassten Seiten (${pages}) nichts gefunden. Weitere werden noch erfasst: Bitte gleich noch einmal fragen.`,
  topics: (titles) =>
    `Sie behandelt zum Beispiel ${titles}. Fragen Sie nach einem dieser Themen oder mit anderen Worten.`,
  unread: (names) =>
    `In ${list(names, 'und')} kann ich nicht hineinsehen: Dieser Dienst liest nur Textdateien. Was folgt, richtet sich nach Ihren Worten.`,
};

export const replyTexts: Readonly<Record<ReplyLanguage, ReplyTexts>> = { de: german, en: english };

/** As code, where nothing in a name is Markdown. */
function list(names: readonly string[], and: string): string {
  const quoted = names.map((name) => `\`${name.replace(/[`\s]+/gu, ' ')}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${and} ${last}`;
}

function count(amount: number, one: string, several: string): string {
  return `${amount} ${amount === 1 ? one : several}`;
}

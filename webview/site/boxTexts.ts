import { isGermanPage } from './buttonTexts';

/** Texts of the box on an exported site, in the language of the page. */
export interface BoxTexts {
  readonly label: string;
  readonly placeholder: string;
  readonly ask: string;
  readonly results: string;
  readonly oneResult: string;
  readonly noResults: string;
  readonly list: string;
  readonly searching: string;
  readonly answering: string;
  readonly close: string;
  readonly version: string;
  readonly language: string;
  readonly all: string;
  readonly back: string;
  readonly answer: string;
  readonly sources: string;
  readonly more: string;
  readonly copy: string;
  readonly copied: string;
  readonly codeIn: string;
  readonly code: string;
  readonly hint: string;
  readonly table: string;
  readonly taskDone: string;
  readonly taskOpen: string;
  readonly footnote: string;
  readonly citation: string;
  readonly alertNote: string;
  readonly alertTip: string;
  readonly alertImportant: string;
  readonly alertWarning: string;
  readonly alertCaution: string;
  readonly footnotes: string;
  readonly footnoteBack: string;
  readonly stop: string;
  readonly askButton: string;
  readonly followUp: string;
  readonly openInVsCode: string;
  readonly answered: string;
  readonly stopped: string;
  readonly incomplete: string;
  readonly serviceAway: string;
  readonly serviceBusy: string;
  readonly serviceRefused: string;
  readonly serviceFailed: string;
}

const english: BoxTexts = {
  label: 'Search and ask the docs',
  placeholder: 'Search, or ask a question',
  ask: 'Ask: {0}',
  results: '{0} results',
  oneResult: '1 result',
  noResults: 'No results',
  list: 'Results',
  searching: 'Searching…',
  answering: 'Looking for an answer…',
  close: 'Close',
  version: 'Version',
  language: 'Language',
  all: 'All',
  back: 'Back to the results',
  answer: 'Answer',
  sources: 'Sources',
  more: 'Show more from the docs',
  copy: 'Copy',
  copied: 'Copied',
  codeIn: 'Code in {0}',
  code: 'Code',
  hint: '↑ ↓ to choose, Enter to open, Ctrl+Enter to ask, Esc to close',
  table: 'Table',
  taskDone: 'Done',
  taskOpen: 'Not done',
  footnote: 'Footnote {0}',
  citation: 'Source {0}: {1}',
  alertNote: 'Note',
  alertTip: 'Tip',
  alertImportant: 'Important',
  alertWarning: 'Warning',
  alertCaution: 'Caution',
  footnotes: 'Footnotes',
  footnoteBack: 'Back to reference {0}',
  stop: 'Stop',
  askButton: 'Ask',
  followUp: 'Ask a follow-up question',
  openInVsCode: 'Open in VS Code',
  answered: 'The answer is complete.',
  stopped: 'You stopped this answer.',
  incomplete: 'The answer was cut off. Ask again for all of it.',
  serviceAway: 'The docs service can’t be reached. This answer is from the pages alone.',
  serviceBusy: 'The docs service has too many questions. This answer is from the pages alone.',
  serviceRefused: 'The docs service refused the question. This answer is from the pages alone.',
  serviceFailed: 'The docs service has no answer. This answer is from the pages alone.',
};

const german: BoxTexts = {
  label: 'Die Dokumentation durchsuchen und fragen',
  placeholder: 'Suchen oder eine Frage stellen',
  ask: 'Fragen: {0}',
  results: '{0} Ergebnisse',
  oneResult: '1 Ergebnis',
  noResults: 'Nichts gefunden',
  list: 'Ergebnisse',
  searching: 'Die Suche läuft…',
  answering: 'Eine Antwort wird gesucht…',
  close: 'Schließen',
  version: 'Version',
  language: 'Sprache',
  all: 'Alle',
  back: 'Zurück zu den Ergebnissen',
  answer: 'Antwort',
  sources: 'Quellen',
  more: 'Mehr aus der Dokumentation anzeigen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  codeIn: 'Code in {0}',
  code: 'Code',
  hint: '↑ ↓ zum Auswählen, Enter zum Öffnen, Strg+Enter zum Fragen, Esc zum Schließen',
  table: 'Tabelle',
  taskDone: 'Erledigt',
  taskOpen: 'Offen',
  footnote: 'Fußnote {0}',
  citation: 'Quelle {0}: {1}',
  alertNote: 'Hinweis',
  alertTip: 'Tipp',
  alertImportant: 'Wichtig',
  alertWarning: 'Warnung',
  alertCaution: 'Vorsicht',
  footnotes: 'Fußnoten',
  footnoteBack: 'Zurück zur Stelle {0}',
  stop: 'Anhalten',
  askButton: 'Fragen',
  followUp: 'Eine Folgefrage stellen',
  openInVsCode: 'In VS Code öffnen',
  answered: 'Die Antwort ist vollständig.',
  stopped: 'Sie haben diese Antwort angehalten.',
  incomplete: 'Die Antwort wurde abgeschnitten. Fragen Sie noch einmal, um sie ganz zu bekommen.',
  serviceAway: 'Der Docs-Dienst ist nicht erreichbar. Diese Antwort ist nur aus den Seiten.',
  serviceBusy: 'Der Docs-Dienst hat zu viele Fragen. Diese Antwort ist nur aus den Seiten.',
  serviceRefused: 'Der Docs-Dienst hat die Frage abgelehnt. Diese Antwort ist nur aus den Seiten.',
  serviceFailed: 'Der Docs-Dienst hat keine Antwort. Diese Antwort ist nur aus den Seiten.',
};

/** Returns the texts in the language of the page, or in English. */
export function boxTexts(): BoxTexts {
  return isGermanPage() ? german : english;
}

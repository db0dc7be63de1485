/** Texts of the box on an exported site, in the language of the page. */
interface BoxTexts {
  readonly open: string;
  readonly label: string;
  readonly placeholder: string;
  readonly ask: string;
  readonly results: string;
  readonly oneResult: string;
  readonly noResults: string;
  readonly list: string;
  readonly searching: string;
  readonly answering: string;
  readonly failed: string;
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
}

const english: BoxTexts = {
  open: 'Search and ask',
  label: 'Search and ask the docs',
  placeholder: 'Search, or ask a question',
  ask: 'Ask: {0}',
  results: '{0} results',
  oneResult: '1 result',
  noResults: 'No results',
  list: 'Results',
  searching: 'Searching…',
  answering: 'Looking for an answer…',
  failed: 'The search couldn’t be loaded. Reload the page and try again.',
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
};

const german: BoxTexts = {
  open: 'Suchen und fragen',
  label: 'Die Dokumentation durchsuchen und fragen',
  placeholder: 'Suchen oder eine Frage stellen',
  ask: 'Fragen: {0}',
  results: '{0} Ergebnisse',
  oneResult: '1 Ergebnis',
  noResults: 'Nichts gefunden',
  list: 'Ergebnisse',
  searching: 'Die Suche läuft…',
  answering: 'Eine Antwort wird gesucht…',
  failed:
    'Die Suche konnte nicht geladen werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
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
};

/** Returns the texts in the language of the page, or in English. */
export function boxTexts(): BoxTexts {
  return /^de\b/i.test(document.documentElement.lang) ? german : english;
}

/** Texts of the button, in the language of the page. They are apart, because every page loads them. */
interface Texts {
  readonly open: string;
  readonly failed: string;
}

const english: Texts = {
  open: 'Search and ask',
  failed: 'The search couldn’t be loaded. Reload the page and try again.',
};

const german: Texts = {
  open: 'Suchen und fragen',
  failed:
    'Die Suche konnte nicht geladen werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
};

export function isGermanPage(): boolean {
  return /^de\b/i.test(document.documentElement.lang);
}

export function buttonTexts(): Texts {
  return isGermanPage() ? german : english;
}

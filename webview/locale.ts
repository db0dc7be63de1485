/** The language if the browser knows it; undefined stands for the browser's own. */
export function knownLocale(language: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0];
  } catch {
    return undefined;
  }
}

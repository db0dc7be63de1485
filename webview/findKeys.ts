/** What a key asks of the search in the thread: 0 opens it, the others go from match to match. */
export type FindStep = 1 | -1 | 0;

/** Ctrl+F, on a Mac Cmd+F, and F3. @returns undefined for every other key. */
export function findStep(event: KeyboardEvent): FindStep | undefined {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  if (key === 'F3') return shiftKey ? -1 : 1;
  // Where letters are not Latin ones, the place of the key tells which it is.
  const code = key > '~' ? event.code : `Key${key.toUpperCase()}`;
  const isMac = /^Mac/.test(navigator.platform);
  return code === 'KeyF' && !shiftKey && ctrlKey !== isMac && metaKey === isMac ? 0 : undefined;
}

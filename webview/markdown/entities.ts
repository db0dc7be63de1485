/**
 * The one function that `markdown-it` takes from the package `entities`, by the browser's own table. The
 * build puts this file in that package's place: its table would be 24 KB of the start-up script.
 */
import { decodeNamedCharacterReference } from 'decode-named-character-reference';

/** Returns the characters of a reference such as `&nbsp;`, or the reference if there is none of that name. */
export function decodeHTMLStrict(reference: string): string {
  const characters = decodeNamedCharacterReference(reference.slice(1, -1));
  return characters === false ? reference : characters;
}

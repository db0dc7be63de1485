/**
 * A language that no one speaks, for tests of translation: English with accents, in brackets, and
 * about 40 % longer, as texts in German are. What has no brackets on screen is not translated.
 */
import { viewStrings, type ViewStrings } from '../../src/shared/viewStrings';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'áƀçďéƒğĥíĵķłɱñóƥɋřšťúṽŵẋýžÁƁÇĎÉƑĞĤÍĴĶŁṀÑÓƤɊŘŠŤÚṼŴẊÝŽ';
/** Pieces of a text that stay the same in every language: placeholders, links, code and icons. */
const KEPT = /(\{\d+\}|\]\([^)]*\)|`[^`]*`|\$\([\w~-]+\))/;

/** Returns a text in the pseudo language. Words get longer, as those of German do. */
export function pseudo(text: string): string {
  const parts = text.split(KEPT).map((part, index) => (index % 2 === 1 ? part : accented(part)));
  return `⟦${parts.join('')}⟧`;
}

function accented(text: string): string {
  return text
    .replace(/[aeiou]/gi, '$&$&')
    .replace(/[a-z]/gi, (letter) => ACCENTED.charAt(PLAIN.indexOf(letter)));
}

/** All texts of the panel in the pseudo language. */
export const pseudoStrings: ViewStrings = Object.fromEntries(
  Object.entries(viewStrings).map(([key, text]) => [key, pseudo(text)]),
  // The entries have the keys of viewStrings.
) as ViewStrings;

/** Returns the words that stand outside the brackets of the pseudo language. */
export function plainWords(text: string): string[] {
  let depth = 0;
  let plain = '';
  for (const letter of text) {
    if (letter === '⟦') depth++;
    else if (letter === '⟧') depth--;
    else if (depth === 0) plain += letter;
    if (letter === '⟧') plain += ' ';
  }
  return plain.match(/\p{L}{2,}/gu) ?? [];
}

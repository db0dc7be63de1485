import type { TextRange } from '../../shared/protocol';
import type { ThreadMatch } from '../threadStore';
import { foldLine } from './foldText';

/** Characters before and behind the first match. */
const BEFORE = 50;
const BEHIND = 130;

type Excerpt = NonNullable<ThreadMatch['excerpt']>;

/**
 * The text around the first match in one of the texts: the one with most of the words, and of
 * these the first.
 * @param folded each text, folded.
 */
export function excerptOf(
  texts: readonly string[],
  folded: readonly string[],
  words: readonly string[],
): Excerpt | undefined {
  let best = -1;
  let most = 0;
  for (const [index, text] of folded.entries()) {
    const found = words.filter((word) => text.includes(word)).length;
    if (found > most) [best, most] = [index, found];
    if (most === words.length) break;
  }
  const [text, foldedText] = [texts[best], folded[best]];
  if (text === undefined || foldedText === undefined) return undefined;
  const at = Math.min(...words.map((word) => foldedText.indexOf(word)).filter((i) => i >= 0));
  const place = placeOf(text, foldedText, at);
  const start = cutBefore(text, place);
  const end = cutBehind(text, place);
  const excerpt = [
    start > 0 ? '…' : '',
    text.slice(start, end).replace(/\s+/gu, ' ').trim(),
    end < text.length ? '…' : '',
  ].join('');
  return { text: excerpt, matches: matchesIn(excerpt, words) };
}

/** The place in a text of a place in the folded text: a line folds to one line. */
function placeOf(text: string, folded: string, at: number): number {
  const foldedStart = folded.lastIndexOf('\n', at) + 1;
  let start = 0;
  for (let end = folded.indexOf('\n'); end >= 0 && end < at; end = folded.indexOf('\n', end + 1)) {
    start = text.indexOf('\n', start) + 1;
  }
  const end = text.indexOf('\n', start);
  const { places } = foldLine(text.slice(start, end < 0 ? text.length : end));
  return start + (places[at - foldedStart] ?? 0);
}

function matchesIn(excerpt: string, words: readonly string[]): TextRange[] {
  const { folded, places } = foldLine(excerpt);
  const ranges: TextRange[] = [];
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      const start = places[at];
      const last = places[at + word.length - 1];
      if (start === undefined || last === undefined) continue;
      const end = places.slice(at + word.length).find((place) => place > last) ?? excerpt.length;
      ranges.push({ start, end });
    }
  }
  return merged(ranges);
}

function merged(ranges: TextRange[]): TextRange[] {
  const inOrder = ranges.sort((a, b) => a.start - b.start || a.end - b.end);
  const result: TextRange[] = [];
  for (const range of inOrder) {
    const last = result.at(-1);
    if (last && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      result.push(range);
    }
  }
  return result;
}

/** Where an excerpt begins: at a word, if one begins near. */
function cutBefore(text: string, place: number): number {
  const earliest = Math.max(0, place - BEFORE);
  if (earliest === 0) return 0;
  const space = text.slice(earliest, place).search(/\s\S/u);
  return space >= 0 && space < BEFORE / 2 ? earliest + space + 1 : wholeLetter(text, earliest);
}

function cutBehind(text: string, place: number): number {
  const latest = place + BEHIND;
  if (latest >= text.length) return text.length;
  const tail = text.slice(place, latest);
  const space = tail.search(/\s\S*$/u);
  return space > BEHIND / 2 ? place + space : wholeLetter(text, latest);
}

/** Not in the middle of a surrogate pair. */
function wholeLetter(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff ? place - 1 : place;
}

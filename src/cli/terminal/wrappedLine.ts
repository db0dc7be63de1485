import stringWidth from 'string-width';

/** A piece of a word, with the function that adds its escape sequences. */
export interface Segment {
  readonly text: string;
  readonly style?: (word: string) => string;
}

/** Pieces without a space between them, and whether a line break comes before them. */
export interface Word {
  readonly segments: readonly Segment[];
  readonly isAfterBreak?: true;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const visibleAscii = /^[ -~]*$/;

/** Closing marks of East Asian text. A line can't break before them. */
const closing = /^[\p{Pe}\p{Pf}、。，．：；！？ー～々ゝヽぁぃぅぇぉっゃゅょァィゥェォッャュョ…]/u;
/** Opening marks. A line can't break after them. */
const opening = /[\p{Ps}\p{Pi}]$/u;

/** Returns the columns that a text takes on a terminal, without escape sequences. */
export function widthOf(text: string): number {
  // Most words are ASCII, and cutting them into graphemes takes most of the time of a long reply.
  return visibleAscii.test(text) ? text.length : stringWidth(text);
}

/**
 * Breaks words into lines. The result for more words begins with the result for fewer words, so a
 * reply can be printed while it grows. A word that is wider than a line gets its own line unbroken.
 * East Asian text has no spaces and can break at each character.
 *
 * @param first columns of the first line that are already used.
 * @param newLine returns the beginning of each further line.
 */
export function wrapped(
  words: readonly Word[],
  { width, newLine }: { readonly width: number; readonly newLine: () => string },
): string {
  let text = '';
  let column = 0;
  for (const { segments, isAfterBreak } of words) {
    const pieces = piecesOf(segments);
    pieces.forEach((piece, index) => {
      const isFirst = index === 0;
      const space = isFirst && column > 0 ? 1 : 0;
      const breaks = isFirst && isAfterBreak === true && text !== '';
      if (breaks || (column > 0 && column + space + piece.width > width)) {
        text += `\n${newLine()}`;
        column = 0;
      } else if (space > 0) {
        text += ' ';
        column += 1;
      }
      text += piece.text;
      column += piece.width;
    });
  }
  return text;
}

interface Piece {
  readonly text: string;
  readonly width: number;
}

/** Returns the parts of a word between which a line can end. */
function piecesOf(segments: readonly Segment[]): Piece[] {
  const whole = segments.map(({ text }) => text).join('');
  const width = widthOf(whole);
  const isNarrow = visibleAscii.test(whole) || width <= [...graphemes.segment(whole)].length;
  if (isNarrow) return [{ text: segments.map(styled).join(''), width }];
  const pieces: Piece[] = [];
  let plain = '';
  let text = '';
  const flush = (): void => {
    if (plain !== '') pieces.push({ text, width: widthOf(plain) });
    plain = text = '';
  };
  for (const segment of segments) {
    for (const { segment: grapheme } of graphemes.segment(segment.text)) {
      const isWide = widthOf(grapheme) > 1 || widthOf(lastOf(plain)) > 1;
      if (plain !== '' && isWide && !closing.test(grapheme) && !opening.test(plain)) flush();
      plain += grapheme;
      text += styled({ ...segment, text: grapheme });
    }
  }
  flush();
  return pieces;
}

const styled = ({ text, style }: Segment): string => (style && text !== '' ? style(text) : text);

function lastOf(text: string): string {
  return Array.from(text).at(-1) ?? '';
}

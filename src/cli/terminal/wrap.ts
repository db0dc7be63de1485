import stringWidth from 'string-width';

/** A place in East Asian text, which has no spaces, at which a line can end. */
const BREAK = '\u200b';

const wide = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff00-\uffef]`;
/** Opening marks. A line can't break after them. */
const opening = String.raw`[\p{Ps}\p{Pi}\s]`;
/** Closing marks, and marks that belong to the character before. A line can't break before them. */
const closing = String.raw`[\p{Pe}\p{Pf}\p{M}\s、。，．：；！？ー～々ゝヽぁぃぅぇぉっゃゅょァィゥェォッャュョ…]`;
const places = new RegExp(`(?:(?<=${wide})|(?=${wide}))(?<!^|${opening})(?!$|${closing})`, 'gu');

/** Returns a text with the places at which {@link wrap} can break a line besides spaces. */
export function breakable(text: string): string {
  return text.replaceAll(BREAK, '').replace(places, BREAK);
}

/** Adds a style to each piece of a text between which a line can break, so that no line end has it. */
export function styledPieces(text: string, style: (piece: string) => string): string {
  return text.replace(/[^ \t\n\u200b]+/g, style);
}

/** Returns a text on one line. */
export function unwrapped(text: string): string {
  return text.replaceAll(BREAK, '').replace(/[ \t\n]+/g, ' ');
}

/**
 * Breaks a text into lines at spaces, line feeds and the places of {@link breakable}. Escape
 * sequences take no columns. A word that is wider than a line gets its own line unbroken.
 *
 * @param indent beginning of each line after the first.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const part of text.split('\n')) {
    let line = '';
    let column = 0;
    const flush = (): void => {
      lines.push(`${lines.length > 0 ? indent : ''}${line}`);
      line = '';
    };
    for (const [, space = '', piece = ''] of part.trimEnd().matchAll(/([ \t]*)([^ \t\u200b]+)/g)) {
      const gap = space === '' || line === '' ? '' : ' ';
      const taken = stringWidth(piece);
      if (line !== '' && column + gap.length + taken > width) {
        flush();
        line = piece;
        column = indent.length + taken;
      } else {
        line += gap + piece;
        column += gap.length + taken;
      }
    }
    if (line !== '') flush();
  }
  return lines;
}

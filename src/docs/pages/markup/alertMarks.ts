import { codeLines } from './lines';
import { type CalloutKind, calloutKind, inBold } from './meanings';

/** Matches the first line of a callout of Obsidian, such as `> [!faq]- Title`. */
const namedQuote =
  /^([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?(?:>[ \t]?)+)\[!([a-z]+)\]([+-]?)[ \t]*(.*)$/i;
/** Matches the first line of a callout of ReadMe, such as `> 📘 Title`. */
const emojiQuote = /^([ \t]*>[ \t]?)(📘|ℹ|👍|✅|🚧|⚠|❗|🚨|🛑)\uFE0F?[ \t]*(.*)$/u;
/** Matches the kind before the name of a note of Nest: `> info **Hint** Text`. */
const kindBeforeName =
  /^([ \t]*>[ \t]?)(?:info|warn(?:ing)?|error)[ \t]+(?=\*\*(?:caution|hint|important|info|not(?:e|ice)|tip|warning)\*\*)/i;
/** Matches the first line of a note of Docsify. */
const docsifyNote = /^([!?])>[ \t]+(\S.*)$/;

const kindOfEmoji: Partial<Record<string, CalloutKind>> = {
  '📘': 'note',
  ℹ: 'note',
  '👍': 'tip',
  '✅': 'tip',
  '🚧': 'warning',
  '⚠': 'warning',
  '❗': 'caution',
  '🚨': 'caution',
  '🛑': 'caution',
};

/** Names of callouts that only Obsidian has. */
const otherNames = new Set(
  'cite done example fail faq help missing question quote summary tldr todo'.split(' '),
);
/** Maximum number of characters of a title. A longer text is a sentence. */
const MAX_TITLE = 80;

/**
 * Writes callouts of Obsidian (`> [!faq]- Title`), ReadMe (`> 📘 Title`) and Docsify (`!> Text`) as alerts of GitHub, such
 * as `> [!NOTE]`. Separates the text of callouts of Notion from their tags, as it is Markdown.
 */
export function calloutsAsAlerts(source: string): string {
  if (!/>[ \t]?\[!|>[ \t]?\p{Extended_Pictographic}|>[ \t]?\w+ \*\*|^[!?]>|^<aside>/mu.test(source))
    return source;
  const isCode = codeLines();
  const lines = source.split('\n');
  let isAside = false;
  let isNote = false;
  let wasQuote = false;
  const result = lines.flatMap((line, index) => {
    if (isCode(line)) return line;
    if (isAside && /^<\/aside>[ \t]*$/.test(line)) {
      isAside = false;
      return ['', line];
    }
    const next = lines[index + 1] ?? '';
    if (/^<aside>[ \t]*$/.test(line) && /^[^\s<]/.test(next)) {
      isAside = true;
      return [line, ''];
    }
    const isFirst = !wasQuote;
    wasQuote = isQuote(line);
    if (line.trim() === '') isNote = false;
    if (isNote) return `> ${line}`;
    const [, sign, text = ''] = docsifyNote.exec(line) ?? [];
    if (sign !== undefined) {
      isNote = true;
      return alert('> ', sign === '!' ? 'important' : 'tip', text);
    }
    const [, start = '', name = '', fold, title = ''] = namedQuote.exec(line) ?? [];
    const kind = calloutKind(name);
    if (kind || otherNames.has(name.toLowerCase())) {
      if (kind === name.toLowerCase() && fold === '' && title === '') return line;
      // A sentence of an alert that goes on in the next line is no title.
      if (kind && fold === '' && /^[ \t>]*\p{Ll}/u.test(next)) return alert(start, kind, title);
      const shown = kind || title !== '' ? title : capitalized(name);
      const rest = shown === '' || !isQuote(next) ? [] : [restOf(start).trimEnd()];
      return [...alert(start, kind ?? 'note', titled(shown)), ...rest];
    }
    const [, quote = '', emoji = '', words = ''] = (isFirst && emojiQuote.exec(line)) || [];
    const meant = kindOfEmoji[emoji];
    if (!meant || (words === '' && !isQuote(next))) return line.replace(kindBeforeName, '$1');
    const shown = words.replace(kindInWords(meant), '');
    return alert(quote, meant, /^[ \t]*>[ \t]*$/.test(next) ? titled(shown) : shown);
  });
  return result.join('\n');
}

/** Matches the name of a kind at the beginning of a text, such as `**Note**: `, which the alert shows as well. */
function kindInWords(kind: CalloutKind): RegExp {
  return new RegExp(`^(\\*\\*|__|)${kind}(?::\\1|\\1:)[ \\t]*`, 'i');
}

function alert(start: string, kind: CalloutKind, text: string): string[] {
  const mark = `${start}[!${kind.toUpperCase()}]`;
  return text === '' ? [mark] : [mark, restOf(start) + text];
}

/** Returns what stands before the further lines of a quote, which can be in an item of a list. */
function restOf(start: string): string {
  return start.replace(/[^>\t]/g, ' ');
}

function isQuote(line: string): boolean {
  return /^[ \t]*>/.test(line);
}

/** Returns a title in bold, with the end of its paragraph. */
function titled(title: string): string {
  return title === '' || title.length > MAX_TITLE || /[.:!]$/.test(title) ? title : inBold(title);
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
}

/** Markdown as the plain text that a reader would take from it: no marks, no tags, no addresses. */
import { cutText } from './strings';

const fence = /^\s*(`{3,}|~{3,})(.*)$/;

/** Code span. The second group is its content. */
const codeSpan = /(?<!`)(`+)(?!`)([\s\S]*?)(?<!`)\1(?!`)/g;

/** Lines that say nothing to a reader: rules, table rules, container marks, link definitions. */
const silentLine =
  /^\s*(?:(?:[-*_]\s*){3,}|\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*|:{3,}.*|\[[^\]]+\]:\s*\S+.*|>\s*\[![a-z]+\]\s*|=+)$/i;
const mdxModule = /^(?:import\s.+|export\s+(?:const|default|function|let|\{).*)$/;

/** Returns the text of a few blocks, a line for each: paragraphs joined, code as it is. */
export function markdownToText(markdown: string): string {
  const texts: string[] = [];
  let paragraph: string[] = [];
  let openFence: string | undefined;
  const endParagraph = (): void => {
    const text = inlineMarkdownToText(paragraph.join(' '));
    if (text !== '') texts.push(text);
    paragraph = [];
  };
  for (const line of markdown.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split(/\r\n|\r|\n/)) {
    const [, marks = '', rest = ''] = fence.exec(line) ?? [];
    if (openFence !== undefined) {
      if (marks.startsWith(openFence) && rest.trim() === '') openFence = undefined;
      else if (line.trim() !== '') texts.push(line.trimEnd());
      continue;
    }
    if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) {
      endParagraph();
      openFence = marks;
    } else if (line.trim() === '' || silentLine.test(line) || mdxModule.test(line)) {
      endParagraph();
    } else {
      const [, mark, text = ''] =
        /^\s*(?:>\s*)*(#{1,6}\s|[-*+]\s(?:\[[ x]\]\s)?|\d+[.)]\s|\|)?\s*(.*)$/i.exec(line) ?? [];
      if (mark !== undefined) endParagraph();
      if (mark === '|') texts.push(rowText(text));
      else if (mark === undefined) paragraph.push(text);
      else
        paragraph.push(/^[-*+]/.test(mark) ? `• ${text}` : /^\d/.test(mark) ? mark + text : text);
      if (mark?.startsWith('#') === true) endParagraph();
    }
  }
  endParagraph();
  return texts.join('\n');
}

/** Returns one line of inline Markdown and HTML without marks. Code spans keep their text. */
export function inlineMarkdownToText(markdown: string): string {
  const codes: string[] = [];
  // Set aside, as marks may stand around code but mean nothing in it.
  const masked = markdown.replace(/[\uE000\uE001]/g, '').replace(codeSpan, (...[, , code]) => {
    codes.push(codeText(String(code)));
    return `\uE000${codes.length - 1}\uE001`;
  });
  return withoutMarks(masked)
    .replace(/\uE000(\d+)\uE001/g, (_, index: string) => codes[Number(index)] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the text cut to that many characters, between words where spaces separate them. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${cutText(text, maxLength - 2).replace(/\s+\S{0,40}$/, '')} …`;
}

/** Returns the code of a span without the spaces at its ends, which only keep backticks apart. */
function codeText(code: string): string {
  return /^ .* $/s.test(code) && code.trim() !== '' ? code.slice(1, -1) : code;
}

function withoutMarks(markdown: string): string {
  return markdown
    .replace(
      /!?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\](?:\((?:<[^<>]*>|[^()\s]|\([^()]*\))*(?:\s+["'][^)]*)?\)|\[[^\]]*\])/g,
      '$1',
    )
    .replace(/<((?:https?|mailto):[^\s<>]+)>/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/(?<![\\\w])(\*\*\*|\*\*|\*|___|__|_|~~)(?=\S)(.*?\S)\1(?!\w)/g, '$2')
    .replace(/(?<!\\)(\*\*|\*)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? '');
}

const entities: Partial<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
};

function rowText(row: string): string {
  return row
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map(inlineMarkdownToText)
    .filter((cell) => cell !== '')
    .join(' · ');
}

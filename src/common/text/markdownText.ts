/** Markdown as the plain text that a reader would take from it: no marks, no tags, no addresses. */
import MarkdownIt, { type Token } from 'markdown-it';
import type { TextBlock } from '../../shared/protocol';
import { cutText } from './strings';

const reader = new MarkdownIt({ html: true });

/** Matches lines that CommonMark takes for text: container marks, kinds of alerts, MDX modules. */
const silentLine =
  /^(?::{3,}.*|\[![a-z]+\]\s*|import\s.+|export\s+(?:const|default|function|let|\{).*)$/i;

reader.core.ruler.before('inline', 'silent-lines', ({ tokens }) => {
  for (const token of tokens) {
    if (token.type !== 'inline' || !/^(?:[:[]|import\s|export\s)/im.test(token.content)) continue;
    const lines = token.content.split('\n');
    token.content = lines.filter((line) => !silentLine.test(line)).join('\n');
  }
});

/** Returns the text of a few blocks, a line for each: paragraphs joined, code as it is. */
export function markdownToText(markdown: string): string {
  return markdownToBlocks(markdown)
    .map(({ text }) => text)
    .join('\n');
}

/** Returns the text of {@link markdownToText} as code and what is between code. */
export function markdownToBlocks(markdown: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  const endBlock = (isCode: boolean): void => {
    const text = lines.filter((line) => line.trim() !== '').join('\n');
    if (text !== '') blocks.push({ text, isCode });
    lines = [];
  };
  let cells: string[] | undefined;
  let mark = '';
  for (const token of reader.parse(markdown, {})) {
    const { type, content, info } = token;
    if (type === 'list_item_open') mark = info === '' ? '• ' : `${info}${token.markup} `;
    else if (type === 'tr_open') cells = [];
    else if (type === 'tr_close') {
      lines.push((cells ?? []).join(' · '));
      cells = undefined;
    } else if (type === 'fence' || type === 'code_block') {
      endBlock(false);
      lines = content.split('\n').map((line) => line.trimEnd());
      endBlock(true);
    } else if (type === 'inline' || type === 'html_block') {
      const text = type === 'inline' ? inlineText(token) : onOneLine(withoutTags(content));
      if (text === '') continue;
      if (cells) cells.push(text);
      else lines.push(mark + (mark === '• ' ? text.replace(/^\[[ x]\]\s/i, '') : text));
      mark = '';
    }
  }
  endBlock(false);
  return blocks;
}

/** Returns the blocks cut to that many characters together, the last one like {@link shortened}. */
export function shortenedBlocks(blocks: readonly TextBlock[], maxLength: number): TextBlock[] {
  let room = maxLength;
  return blocks.flatMap(({ text, isCode }) => {
    // A cut text ends with a blank and an ellipsis.
    if (room <= 2) return [];
    const shown = shortened(text, room);
    room -= text.length;
    return [{ text: shown, isCode }];
  });
}

/** Returns one line of inline Markdown and HTML without marks. Code spans keep their text. */
export function inlineMarkdownToText(markdown: string): string {
  return onOneLine(reader.parseInline(markdown, {}).map(inlineText).join(' '));
}

/** Returns the text cut to that many characters, between words where spaces separate them. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${cutText(text, maxLength - 2).replace(/\s+\S{0,40}$/, '')} …`;
}

function inlineText({ children }: Token): string {
  return onOneLine((children ?? []).map(textOf).join(''));
}

function textOf({ type, content }: Token): string {
  if (type === 'softbreak' || type === 'hardbreak' || type === 'html_inline') return ' ';
  return content;
}

function withoutTags(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, ' ').replace(/<\/?[a-z][^<>]*>/gi, ' ');
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

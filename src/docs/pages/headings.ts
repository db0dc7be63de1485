import type { Token } from 'markdown-it';
import { splitHeadingId } from '../../common/text/blankEnds';
import { type SlugRule, HeadingSlugs } from '../../common/text/headingSlugs';
import { withoutCodeSpans } from './markup/codeSpans';
import { percentDecoded } from '../../shared/links';

export function firstHeading(tokens: readonly Token[]): string | undefined {
  const index = tokens.findIndex((token) => token.type === 'heading_open' && token.tag === 'h1');
  const inline = tokens[index + 1];
  return index < 0 || !inline ? undefined : headingText(inline).text;
}

/**
 * Returns a heading's text without Markdown, and the ID that `{#id}` at its end sets. Logos and badges are part of it
 * only where there is nothing else.
 */
export function headingText(inline: Token): { text: string; id?: string } {
  const words = inline.children?.filter(({ type }) => type !== 'image') ?? [];
  const shown = splitHeadingId(textOfInline(words).trim().replace(/\s+/g, ' '));
  return shown.text === '' ? wholeHeading(inline) : shown;
}

/** Returns the text of a heading as most generators make its ID from it: with the texts of images. */
function wholeHeading(inline: Token): { text: string; id?: string } {
  return splitHeadingId(inlineText(inline).trim());
}

/**
 * Returns the fragment of each heading by the index of its opening token. Section headings get their fragments
 * first, so that an equal heading in a quote or list gets the number.
 */
export function headingIds(tokens: readonly Token[], rule?: SlugRule): Map<number, string> {
  const slugs = new HeadingSlugs(rule);
  const ids = new Map<number, string>();
  const indexes = [...tokens.keys()].filter((index) => tokens[index]?.type === 'heading_open');
  const isSection = (index: number): boolean => tokens[index]?.level === 0;
  for (const index of [
    ...indexes.filter(isSection),
    ...indexes.filter((index) => !isSection(index)),
  ]) {
    const inline = tokens[index + 1];
    if (inline) ids.set(index, slugs.next(wholeHeading(inline)));
  }
  return ids;
}

const anchorMark = /^<a id="([^"<>]+)">(?:<\/a>)?\s*$/;

/** Returns the ID of an anchor that the page reader writes as HTML. */
export function anchorOf(html: string): string | undefined {
  const id = anchorMark.exec(html)?.[1];
  return id === undefined ? undefined : percentDecoded(id);
}

/**
 * Returns the IDs of a page that are not from headings, in order. They are from HTML, or from the titles of
 * tabs, steps and accordions. Returns equal IDs once, because links only lead to the first of them.
 */
export function anchorIds(tokens: readonly Token[]): string[] {
  const ids = new Set<string>();
  for (const { type, content } of tokens) {
    if (type === 'html_block') ids.add(anchorOf(content) ?? '');
    else if (type === 'inline' && content.includes('<a id="')) {
      const text = withoutCodeSpans(content);
      for (const [, id = ''] of text.matchAll(/<a id="([^"<>]+)">/g)) ids.add(percentDecoded(id));
    }
  }
  ids.delete('');
  return [...ids];
}

export function inlineText(token: Token): string {
  return token.children ? textOfInline(token.children) : token.content;
}

function textOfInline(tokens: readonly Token[]): string {
  return tokens
    .map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') return ' ';
      if (child.type === 'image') return inlineText(child);
      if (child.type === 'html_inline') return /^<br/i.test(child.content) ? ' ' : '';
      return child.content;
    })
    .join('');
}

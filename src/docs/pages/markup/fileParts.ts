import { splitHeadingId } from '../../../common/text/blankEnds';
import { HeadingSlugs } from '../../../common/text/headingSlugs';
import { inlineMarkdownToText } from '../../../common/text/markdownText';
import { percentDecoded } from '../../../shared/links';
import { codeLines } from './lines';

const partStart = /ANCHOR:[ \t]*([\w-]+)|\[start:([\w-]+)\]/;
const partEnd = /ANCHOR_END:[ \t]*([\w-]+)|\[end:([\w-]+)\]/;

/**
 * Returns lines of a file: those of the numbers `2:10` or `1,4:6`, those between the marks of a name, as
 * `ANCHOR: name`, or those of a region or below a heading, as `#name`.
 */
export function partOf(content: string, part: string): string {
  if (part.startsWith('#')) {
    const name = part.slice(1);
    return namedRegion(content, name) ?? sectionBelow(content, name) ?? content;
  }
  if (part.includes(','))
    return part
      .split(',')
      .map((one) => partOf(content, one))
      .join('\n');
  const lines = content.replace(/\n$/, '').split('\n');
  const [, first, range, last] = /^(\d*)(:?)(\d*)$/.exec(part) ?? [];
  if (part !== '' && first !== undefined) {
    const end = last !== '' ? Number(last) : range === '' ? Number(first) : lines.length;
    return lines.slice(Math.max(0, Number(first) - 1), end).join('\n');
  }
  const nameIn = (line: string, mark: RegExp): string | undefined =>
    mark.exec(line)?.slice(1).find(Boolean);
  const start = lines.findIndex((line) => nameIn(line, partStart) === part);
  const end = lines.findIndex((line) => nameIn(line, partEnd) === part);
  return lines
    .slice(Math.max(0, start), end < 0 ? lines.length : end)
    .filter((line) => !partStart.test(line) && !partEnd.test(line))
    .join('\n');
}

const boundNames = ['start-after', 'start-at', 'end-before', 'end-at'] as const;

/**
 * Returns what stands behind the path of an included file for the texts between which its part stands, as Sphinx names
 * them: `#~` and the texts. Returns an empty string if there are none.
 */
export function textBounds(option: (name: string) => string | undefined): string {
  const texts = boundNames.map((name) => (option(name) ?? '').replace(/^(["'])(.*)\1$/, '$2'));
  return texts.some((text) => text !== '') ? `#~${texts.map(encodeURIComponent).join('&')}` : '';
}

/** Returns the lines of a content between the texts of {@link textBounds}. A text that it doesn't have is no bound. */
function boundedPart(content: string, bounds: string): string {
  const [startAfter = '', startAt = '', endBefore = '', endAt = ''] = bounds
    .slice(1)
    .split('&')
    .map((text) => percentDecoded(text));
  const lines = content.split('\n');
  const lineWith = (text: string, from: number): number =>
    text === '' ? -1 : lines.findIndex((line, index) => index >= from && line.includes(text));
  const after = lineWith(startAfter, 0) + 1;
  const start = Math.max(after, lineWith(startAt, after));
  const end = lineWith(endBefore, start);
  const last = lineWith(endAt, start);
  const ends = [end, last + 1].filter((line) => line > 0);
  return lines.slice(start, ends.length === 0 ? undefined : Math.min(...ends)).join('\n');
}

/**
 * Returns the lines of a region of VitePress, those of a region or between tags of DocFX (`<name>`), or those between the
 * texts of {@link textBounds}. Returns the whole content if it has no such region.
 */
export function regionOf(content: string, name: string | undefined): string {
  return (name === undefined ? undefined : namedRegion(content, name)) ?? content;
}

function namedRegion(content: string, name: string): string | undefined {
  if (name.startsWith('~')) return boundedPart(content, name);
  if (name.startsWith('<')) {
    const bounds = [name, '', name.replace('<', '</'), ''].map(encodeURIComponent).join('&');
    return namedRegion(content, name.slice(1, -1)) ?? boundedPart(content, `~${bounds}`);
  }
  const lines = content.split('\n');
  const mark = new RegExp(`(?<![a-z])region\\s+${name}(?![\\w-])`, 'i');
  const start = lines.findIndex((line) => mark.test(line));
  if (start < 0) return undefined;
  const end = lines.findIndex((line, index) => index > start && /endregion/i.test(line));
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}

/**
 * Returns the lines below the heading with this anchor, up to the next heading that isn't below it, as VitePress does.
 * Returns undefined if there is no such heading.
 */
function sectionBelow(content: string, anchor: string): string | undefined {
  const lines = content.split('\n');
  const isCode = codeLines();
  const slugs = new HeadingSlugs('vitepress');
  let start: number | undefined;
  let level = 0;
  for (const [index, line] of lines.entries()) {
    const [, marks, text = ''] = (!isCode(line) && /^ {0,3}(#{1,6})[ \t](.*)$/.exec(line)) || [];
    if (marks === undefined) continue;
    if (start === undefined) {
      if (slugs.next(splitHeadingId(inlineMarkdownToText(text.trim()))) !== anchor) continue;
      start = index + 1;
      level = marks.length;
    } else if (marks.length <= level) return lines.slice(start, index).join('\n');
  }
  return start === undefined ? undefined : lines.slice(start).join('\n');
}

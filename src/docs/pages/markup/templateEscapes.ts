import { codeLines } from './lines';

const rawTag = /(\{%-?[ \t]{0,9}(?:end)?raw[ \t]{0,9}-?%\})/;
/** Matches the beginning of a tag that Liquid would read. Code of Jekyll can have values of the site and the page. */
const liquidTag = /\{%|\{\{(?![ \t]*(?:site|page)\.)/;

/**
 * Removes the tags `{% raw %}` and `{% endraw %}`, between which Liquid reads nothing. A page that tells about these
 * tags keeps them: it has some without a tag between them, or code in which a tag stands outside.
 */
export function withoutRawTags(source: string): string {
  if (!/\{%-?[ \t]{0,9}raw/.test(source)) return source;
  const isCode = codeLines();
  const result: string[] = [];
  let isRaw = false;
  let hasTag = false;
  for (const line of source.split('\n')) {
    const isCodeLine = isCode(line);
    const parts = line.split(rawTag);
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) {
        const isTag = isRaw ? /\{[{%#]/.test(part) : isCodeLine && liquidTag.test(part);
        if (isTag && !isRaw) return source;
        hasTag ||= isTag;
      } else {
        const isEnd = part.includes('endraw');
        if (isEnd !== isRaw || (isEnd && !hasTag)) return source;
        isRaw = !isEnd;
        hasTag = false;
      }
    }
    const plain = parts.filter((_part, index) => index % 2 === 0).join('');
    if (parts.length === 1 || !isCodeLine || plain.trim() !== '') result.push(plain);
  }
  return isRaw ? source : result.join('\n');
}

const writtenTag = /\{\{([<%])\/\*([^{}]{1,500})\*\/([>%])\}\}/g;

/** Writes tags that a page of Hugo shows to its readers, such as `{{</* note *\/>}}`, as the site shows them. */
export function shownTags(source: string): string {
  return source.replace(
    writtenTag,
    (_tag, start: string, text: string, end: string) => `{{${start} ${text.trim()} ${end}}}`,
  );
}

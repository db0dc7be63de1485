import { isPagePath } from '../pagePath';
import { withChangedText } from './codeSpans';
import { codeLines, includedPart } from './lines';
import { escapeMarkdown, linkTarget } from './markdownWriter';
import { calloutKind } from './meanings';

/** A tag of a template on a line, such as `{{< tab name="Linux" >}}` of Hugo or `{% endhint %}` of GitBook. */
interface TemplateTag {
  readonly source: string;
  readonly name: string;
  readonly isEnd: boolean;
  readonly named: ReadonlyMap<string, string>;
  /** Values without a name. */
  readonly plain: readonly string[];
  /** The tag that begins or ends what this tag ends or begins. */
  partner?: TemplateTag;
}

/** A line with tags at its beginning and its end. */
interface TaggedLine {
  readonly indent: string;
  readonly before: readonly TemplateTag[];
  readonly text: string;
  readonly after: readonly TemplateTag[];
}

const anyTag = /\{\{[<%][^{}]{1,500}[>%]\}\}|\{%[^{}]{1,500}%\}/g;
const tagParts =
  /^\{(?:\{[<%]|%)-?[ \t]*(\/[ \t]*|end(?=\w))?([A-Za-z][\w./-]*)(.*?)\/?-?[>%]\}\}?$/;
const value = /([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|(\S+))|"([^"]*)"|'([^']*)'|(\S+)/g;

/** A tag that stands for the path of a page, as the target of a link. */
const linkTag =
  /(\](?:\([ \t]*|:[ \t]+))(?:\{\{[ \t]*site\.\w+[ \t]*\}\})*(?:\{\{[<%][ \t]*(?:rel)?ref[ \t]+"([^"\s]*)"[ \t]*[>%]\}\}|\{%-?[ \t]*(?:link|post_url)[ \t]+([^\s%]+)[ \t]*-?%\})/g;

/** The URL of the site, or a filter around a path, in the target of a link of Jekyll. */
const siteTarget =
  /(\](?:\([ \t]*|:[ \t]+)<?|\b(?:href|src)=["'])(?:(?:\{\{[ \t]*site\.(?:base)?url[ \t]*\}\})+|\{\{[ \t]*["']([^"'\s{}]*)["'][ \t]*\|[ \t]*(?:relative|absolute)_url[ \t]*\}\})/g;

/** Maximum number of lines of a tag. */
const MAX_TAG_LINES = 30;

/** Settings of kramdown. */
const kramdownSettings = /^\{::(?:options|comment)\b[^{}\n]*\/\}[ \t]*$/gm;

/** Marks of kramdown around HTML, as in `{::nomarkdown}<br>{:/}`. */
const kramdownHtml = /\{(?:::nomarkdown|:\/(?:nomarkdown)?)\}/g;

/** A tag that stands for a text, such as that of a term with a tip. */
const textTag = /\{\{[<%][^{}]{1,300}?[ \t]text="([^"{}]*)"[^{}]{0,300}[>%]\}\}/g;

/** Attributes of Markdoc behind what they belong to, such as `{% .wide %}` and `{% colspan=2 %}`. */
const annotation = /[ \t]?\{%[ \t]{0,9}(?:[.#][\w-]|[\w-]{1,50}=)[^{}%]{0,300}%\}/g;

const rawTag = /(\{%-?[ \t]{0,9}(?:end)?raw[ \t]{0,9}-?%\})/;
/** Matches the beginning of a tag that Liquid would read. Code of Jekyll can have values of the site and the page. */
const liquidTag = /\{%|\{\{(?![ \t]*(?:site|page)\.)/;
/** A brace that Angular or Liquid would read, as a string: `{{ '{' }}`. */
const writtenBrace = /\{\{ ?'(?:(\$?\{{1,2})|(\}{1,2}))' ?\}\}/g;
const writtenTag = /\{\{([<%])\/\*([^{}]{1,500})\*\/([>%])\}\}/g;

const codeNames = new Set(['code-toggle', 'highlight', 'mermaid']);
/** Names of tags that only have the ID of a video or message. */
const mediaNames = new Set(['gist', 'instagram', 'tweet', 'vimeo', 'x', 'youtube']);
const titledNames = new Set([
  'accordion',
  'card',
  'collapse',
  'details',
  'expand',
  'step',
  'tab',
  'tab-content',
]);

/**
 * Writes the tags of Hugo (`{{< note >}}` and `{{% note %}}`), Liquid (Jekyll, GitBook) and Markdoc around blocks, and
 * the blocks `/// note | Title` of Python-Markdown, as `:::` containers. Removes tags that only a template can read, if
 * they stand alone on a line.
 */
export function templateTagsAsContainers(source: string): string {
  if (!/\{\{|\{%|\{::|^[ \t]*\/{3,}[ \t]/m.test(source)) return source;
  const lines = withoutRawTags(source.replace(kramdownSettings, '')).split('\n');
  const tagged = taggedLines(lines);
  const result: string[] = [];
  /** End of the code that the lines belong to. */
  let codeEnd: TemplateTag | undefined;
  for (const [index, line] of lines.entries()) {
    const tags = tagged.get(index);
    const all = tags ? [...tags.before, ...tags.after] : [];
    if (codeEnd && all.includes(codeEnd)) codeEnd = undefined;
    if (!tags || codeEnd) {
      result.push(line);
      continue;
    }
    result.push(...plainLines(tags));
    const last = all.at(-1);
    if (last && codeNames.has(last.name) && !last.isEnd) codeEnd = last.partner;
  }
  return shownTags(slashBlocksAsContainers(result));
}

/**
 * Removes the tags `{% raw %}` and `{% endraw %}`, between which Liquid reads nothing. A page that tells about these
 * tags keeps them: it has some without a tag between them, or code in which a tag stands outside.
 */
function withoutRawTags(source: string): string {
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

/**
 * Writes tags that a page of Hugo shows to its readers, such as `{{</* note *\/>}}`, as the site shows them, and braces
 * that are written as strings. A page that tells how to write one brace so has no other.
 */
function shownTags(source: string): string {
  const braces = [...source.matchAll(writtenBrace)];
  const isPaired = braces.some(([, start]) => start) && braces.some(([, , end]) => end);
  return (isPaired ? source.replace(writtenBrace, '$1$2') : source).replace(
    writtenTag,
    (_tag, start: string, text: string, end: string) => `{{${start} ${text.trim()} ${end}}}`,
  );
}

/** Finds the lines that begin or end with tags, and the tags that belong together. */
function taggedLines(lines: string[]): Map<number, TaggedLine> {
  const tagged = new Map<number, TaggedLine>();
  const open = new Map<string, TemplateTag[]>();
  const isCode = codeLines();
  for (const [index, line] of lines.entries()) {
    if (isCode(line) || !line.includes('{')) continue;
    if (/^[ \t]*\{(?:\{[<%]|%)[^{}]*$/.test(line)) joinTag(lines, index);
    const plain = withChangedText(lines[index] ?? '', (text) => text.replace(annotation, ''))
      .replace(linkTag, '$1$2$3')
      .replace(siteTarget, '$1$2')
      .replace(textTag, '$1')
      .replace(kramdownHtml, '');
    lines[index] = plain;
    const tags = tagsOf(plain);
    if (!tags) continue;
    tagged.set(index, tags);
    for (const tag of [...tags.before, ...tags.after]) {
      const same = open.get(tag.name) ?? [];
      open.set(tag.name, same);
      if (!tag.isEnd) same.push(tag);
      else if ((tag.partner = same.pop())) tag.partner.partner = tag;
    }
  }
  return tagged;
}

/** Joins the lines of a tag that has more than one. */
function joinTag(lines: string[], start: number): void {
  const far = lines.slice(start + 1, start + MAX_TAG_LINES);
  const end = far.findIndex((line) => /[{}]/.test(line));
  if (end < 0 || !/^[^{}]*[>%]\}\}?[ \t]*$/.test(far[end] ?? '')) return;
  const rest = far.slice(0, end + 1).map((line) => line.trim());
  lines[start] = [(lines[start] ?? '').trimEnd(), ...rest].join(' ');
  lines.fill('', start + 1, start + end + 2);
}

function tagsOf(line: string): TaggedLine | undefined {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  const found = [...line.matchAll(anyTag)].filter(([source]) => tagParts.test(source));
  let start = indent.length;
  const before: TemplateTag[] = [];
  for (const { 0: source, index } of found) {
    if (line.slice(start, index).trim() !== '') break;
    before.push(tagOf(source));
    start = index + source.length;
  }
  let end = line.length;
  const after: TemplateTag[] = [];
  for (const { 0: source, index } of found.slice(before.length).toReversed()) {
    if (line.slice(index + source.length, end).trim() !== '') break;
    after.push(tagOf(source));
    end = index;
  }
  if (before.length + after.length === 0) return undefined;
  return { indent, before, text: line.slice(start, end).trim(), after: after.toReversed() };
}

function tagOf(source: string): TemplateTag {
  const [, end, name = '', values = ''] = tagParts.exec(source) ?? [];
  const named = new Map<string, string>();
  const plain: string[] = [];
  for (const [, key, ...texts] of values.matchAll(value)) {
    const text = texts.join('');
    if (key === undefined) plain.push(text);
    else named.set(key, text);
  }
  const last = name.split('/').at(-1) ?? name;
  return { source, name: last, isEnd: end !== undefined, named, plain };
}

/** Writes a line with each of its tags that begins or ends something on a line of its own. */
function plainLines({ indent, before, text, after }: TaggedLine): string[] {
  const lines: string[] = [];
  let inner = '';
  for (const tag of before)
    if (tag.partner) lines.push(indent + container(tag));
    else if (text === '') lines.push(indent + alone(tag, indent));
    else inner += tag.source;
  inner += `${inner === '' ? '' : ' '}${text}`;
  const ends: string[] = [];
  for (const tag of after)
    if (tag.partner) ends.push(indent + container(tag));
    else inner += ` ${tag.source}`;
  return [...lines, indent + inner, ...ends].filter((line) => line.trim() !== '');
}

/** Writes the beginning or the end of a container, or nothing if it would have no name and no title. */
function container({ name, isEnd, named, plain, partner }: TemplateTag): string {
  if (codeNames.has(name)) return isEnd ? '````' : `\`\`\`\`${plain[0] ?? ''}`;
  if (isEnd) return partner && container(partner) !== '' ? ':::' : '';
  const titles = ['title', 'header', 'heading', 'label', 'name', 'summary'];
  const title = titles.map((key) => named.get(key)).find((text) => text !== undefined);
  if (calloutKind(name) ?? name === 'notice') {
    const kinds = ['type', 'style', 'color', 'kind', 'level'].map((key) => named.get(key) ?? '');
    const kind = [...kinds, ...plain].find((text) => calloutKind(text)) ?? name;
    const rest = plain.find((text) => text !== kind) ?? '';
    return `:::${calloutKind(kind) ?? 'note'} ${title ?? rest}`;
  }
  const shown = title ?? (titledNames.has(name) ? (plain[0] ?? '') : '');
  return shown === '' ? '' : `:::tab ${shown}`;
}

/** Writes a tag that has a line of its own and no end. A tag of Hugo whose values can tell something stays. */
function alone({ source, name, named, plain }: TemplateTag, indent: string): string {
  if (isPagePath(includedPart(source)?.wanted ?? '') || /\t| {4}/.test(indent)) return source;
  const target = ['url', 'src', 'href', 'link'].map((key) => named.get(key) ?? '').find(Boolean);
  if (target === undefined) {
    const isMute =
      source.startsWith('{%') || named.size + plain.length === 0 || mediaNames.has(name);
    return isMute ? '' : source;
  }
  const title = ['title', 'alt', 'caption'].map((key) => named.get(key) ?? '').find(Boolean);
  const isImage = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(target);
  const link = `[${escapeMarkdown(title ?? (isImage ? '' : target))}](${linkTarget(target)})`;
  if (isImage) return `!${link}`;
  const description = named.get('description') ?? '';
  return description === '' ? link : `${link}: ${escapeMarkdown(description)}`;
}

/** Writes blocks such as `/// note | Title`, which end with `///`, as containers, without their options. */
function slashBlocksAsContainers(lines: readonly string[]): string {
  const open: number[] = [];
  const isCode = codeLines();
  let isHead = false;
  const result = lines.flatMap((line) => {
    if (isCode(line)) {
      isHead = false;
      return line;
    }
    const [, indent = '', slashes = '', name, title = ''] =
      /^([ \t]*)(\/{3,})(?:[ \t]+([A-Za-z][\w-]*)[ \t]*(?:\|(.*))?)?[ \t]*$/.exec(line) ?? [];
    const colons = indent + ':'.repeat(slashes.length);
    if (name !== undefined) {
      open.push(slashes.length);
      isHead = true;
      const isKnown = calloutKind(name) !== undefined || titledNames.has(name);
      return `${colons}${name} ${isKnown ? title.trim() : unknownTitle(name, title)}`;
    }
    if (slashes !== '' && open.includes(slashes.length)) {
      open.length = open.lastIndexOf(slashes.length);
      return colons;
    }
    isHead &&= /^ {4}[ \t]*[\w-]+:[ \t]/.test(line);
    return isHead ? [] : line;
  });
  return result.join('\n');
}

/** Returns a title that has the name of a block which only its tool knows, as in `/// version-added | v2.9`. */
function unknownTitle(name: string, title: string): string {
  const words = name.replaceAll('-', ' ');
  return title === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${title.trim()}`;
}

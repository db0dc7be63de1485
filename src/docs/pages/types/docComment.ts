/** Doc comments as Markdown. */
import { withoutLineEndBlanks } from '../../../common/text/blankEnds';
import { visibleProse } from '../../../shared/characters';
import { CodeSpans } from '../markup/codeSpans';
import { codeLines, fenceOf } from '../markup/lines';
import { codeSpan, escapeMarkdown, fenced, linkTarget } from '../markup/markdownWriter';

export interface DocComment {
  /** Text before the first tag, as Markdown. */
  readonly text: string;
  readonly tags: readonly DocTag[];
  /** Text of `@deprecated`, as Markdown. Can be empty. Undefined without the tag. */
  readonly deprecated: string | undefined;
  /** First paragraph of `@default` or `@defaultValue` in one line, without backticks around it. */
  readonly defaultValue: string | undefined;
}

interface DocTag {
  readonly name: string;
  /** Content as Markdown. That of examples is as written. */
  readonly text: string;
}

/** Tags that say nothing to a reader of the docs, or that the signature says. */
const silentTags = new Set(
  'access abstract alias alpha async author category class constant constructor enum event exports extends external file fileoverview func function global group hidden hideconstructor ignore implements inheritdoc instance interface internal kind license member memberof method mixes mixin module name namespace nominal overload override packagedocumentation private property prop protected public pure readonly satisfies sealed static suppress template this type typedef typeparam variation version virtual yields eventproperty'.split(
    ' ',
  ),
);

const otherNames: ReadonlyMap<string, string> = new Map([
  ['arg', 'param'],
  ['argument', 'param'],
  ['return', 'returns'],
  ['exception', 'throws'],
  ['defaultvalue', 'default'],
  ['desc', 'description'],
  ['summary', 'description'],
]);

/** Maximum characters of a doc comment. The longest of real packages have 30,000. */
const MAX_COMMENT = 100_000;

const noComment: DocComment = {
  text: '',
  tags: [],
  deprecated: undefined,
  defaultValue: undefined,
};

/** Matches the place of a tag that has an effect on the name behind other words of a line, too, as in TypeScript. */
const inlineTag = /(?=@(?:deprecated|default(?:Value)?)(?:\s|$))(?<=\s)/;

/** Reads a doc comment with its marks. */
export function readDocComment(comment: string): DocComment {
  if (comment === '') return noComment;
  const pieces: { name: string; lines: string[] }[] = [{ name: '', lines: [] }];
  let fence: ReturnType<typeof fenceOf>;
  for (const line of commentLines(comment)) {
    const isCode = fence !== undefined || pieces.at(-1)?.name === 'example';
    for (const part of isCode ? [line] : line.split(inlineTag)) {
      const tag = fence ? null : /^\s*@([A-Za-z][\w-]*)(?=[\s{:]|$):?[ \t]*(.*)$/.exec(part);
      if (tag) pieces.push({ name: (tag[1] ?? '').toLowerCase(), lines: [tag[2] ?? ''] });
      else pieces.at(-1)?.lines.push(part);
      if (fence) fence = fence.isEnd(part) ? undefined : fence;
      else fence = fenceOf(tag ? (tag[2] ?? '') : part);
    }
  }
  let text = '';
  let deprecated: string | undefined;
  let defaultValue: string | undefined;
  const tags: DocTag[] = [];
  for (const { name: written, lines } of pieces) {
    const name = otherNames.get(written) ?? written;
    const content = trimmed(lines);
    if (name === '' || name === 'description') text = joined(text, docMarkdown(content));
    else if (name === 'deprecated') deprecated = joined(deprecated ?? '', docMarkdown(content));
    else if (name === 'default') {
      const end = defaultEnd(content);
      defaultValue ??= content === '' ? undefined : unquoted(content.slice(0, end));
      text = joined(text, docMarkdown(content.slice(end).trimStart()));
    } else if (name === 'example') tags.push({ name, text: content });
    else if (!silentTags.has(name)) tags.push({ name, text: docMarkdown(content) });
  }
  return { text, tags, deprecated, defaultValue };
}

function joined(before: string, after: string): string {
  return before === '' ? after : after === '' ? before : `${before}\n\n${after}`;
}

/** Returns the lines of a comment without its marks and without the stars before the lines. */
function commentLines(comment: string): string[] {
  const end = comment.endsWith('*/') ? -2 : undefined;
  // Some comments begin and end with more stars.
  const inside = comment
    .slice(2, end)
    .slice(0, MAX_COMMENT)
    .replace(/^\*+|\*+$/g, '');
  const [first = '', ...rest] = visibleProse(inside.replaceAll('\r', '')).split('\n');
  const written = rest.filter((line) => line.trim() !== '');
  // A star of a list or of a word in bold is no mark, and without marks the indentation of code is kept.
  const starred = written.filter((line) => /^[ \t]*\*(?:[ \t]|$)/.test(line));
  const isStarred = starred[0] === written[0] || starred.length * 2 > written.length;
  const indent = written.reduce((least, line) => Math.min(least, line.search(/[^ \t]/)), Infinity);
  const lines = rest.map((line) =>
    isStarred ? line.replace(/^[ \t]*\*? ?/, '') : line.slice(indent),
  );
  return [first.trimStart(), ...lines];
}

function trimmed(lines: readonly string[]): string {
  return withoutLineEndBlanks(lines.join('\n')).replace(/^\n+/, '').trimEnd();
}

/** Returns the end of the code block or paragraph that says a default. */
function defaultEnd(content: string): number {
  const end = content.startsWith('```') ? content.indexOf('\n```') + 1 : 0;
  const after = content.indexOf(end > 0 ? '\n' : '\n\n', end);
  return after < 0 ? content.length : after;
}

/** Returns a value without the code marks around it, and with the text of its links. */
function unquoted(value: string): string {
  const flat = value
    .replace(/\s+/g, ' ')
    .replace(/\{@link\w* (?:[^{}|\s]+[\s|]+(?=[^{}\s|]))?([^{}]*)\}/g, '$1')
    .trim();
  const fence = /^(?:`{3,})(?:\w+ )?([^`]*)`{3,}$/.exec(flat)?.[1];
  return (fence ?? /^`([^`]*)`$/.exec(flat)?.[1] ?? flat).trim();
}

const known =
  /^(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|pre|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|var)$/;

/**
 * Returns the text of a doc comment as Markdown: with its links and code, and with what looks like HTML but is a type,
 * such as `Promise<string>`, as text.
 */
function docMarkdown(text: string): string {
  if (!/[<{]/.test(text)) return text;
  const spans = new CodeSpans(text);
  let markdown = '';
  let from = 0;
  /** Number of arguments of types around the position. */
  let open = 0;
  const isCode = codeLines();
  // Lines of fenced code stay as they are.
  const fencedLines = new Set<number>();
  let lineStart = 0;
  for (const line of text.split('\n')) {
    if (isCode(line)) fencedLines.add(lineStart);
    lineStart += line.length + 1;
  }
  const piece =
    /\n|`+|[<>]|\{@(link|linkcode|linkplain|see|tutorial|code|inheritdoc)\b[ \t\n]*([^{}]*)\}/gi;
  if (fencedLines.has(0)) piece.lastIndex = lineEnd(text, 0);
  for (let found = piece.exec(text); found; found = piece.exec(text)) {
    const { 0: match, index } = found;
    if (match === '\n') {
      if (fencedLines.has(index + 1)) piece.lastIndex = lineEnd(text, index + 1);
    } else if (match.startsWith('`')) {
      const end = spans.endOf(index, match.length) ?? piece.lastIndex;
      piece.lastIndex = end;
      const target = linkInCode.exec(text.slice(index, end))?.[1];
      if (target === undefined) continue;
      markdown += text.slice(from, index) + codeSpan(target);
      from = end;
    } else if (match === '<' || match === '>') {
      if (match === '<' ? isHtml(text, index) : open === 0) continue;
      open += match === '<' ? 1 : -1;
      markdown += `${text.slice(from, index)}\\${match}`;
      from = index + 1;
    } else {
      markdown += text.slice(from, index) + inlineTagMarkdown(found[1] ?? '', found[2] ?? '');
      from = index + match.length;
    }
  }
  return markdown + text.slice(from);
}

/** A code span that has only a link to a name, as the docs of Node write many. */
const linkInCode = /^`+\{@link\w* ([^{}|\s/]+)\}`+$/;

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Returns whether a `<` begins a tag, a comment or a link rather than the arguments of a type. */
function isHtml(text: string, index: number): boolean {
  const rest = text.slice(index, index + 60);
  if (/^<!--|^<https?:\/\//.test(rest)) return true;
  const name = /^<\/?([a-z][a-z0-9]*)(?=[\s/>])/.exec(rest)?.[1];
  if (name === undefined || !known.test(name)) return false;
  return rest.startsWith('</') || !/[\w$.]/.test(text.charAt(index - 1));
}

function inlineTagMarkdown(name: string, content: string): string {
  switch (name.toLowerCase()) {
    case 'code':
      return codeSpan(content.replace(/\s+/g, ' ').trim());
    case 'inheritdoc':
      return '';
    default:
      return linkMarkdown(content);
  }
}

/** Returns `{@link target | text}` as a link if it has a URL, and as code or text if it names something. */
function linkMarkdown(content: string): string {
  const [, target = '', label = ''] = /^\s*([^\s|]*)\s*\|?\s*([^]*)$/.exec(content) ?? [];
  const text = label.replace(/\s+/g, ' ').trim();
  if (/^https?:\/\//.test(target)) {
    return `[${escapeMarkdown(text === '' ? target : text)}](${linkTarget(target)})`;
  }
  return text === '' ? codeSpan(target) : escapeMarkdown(text);
}

/** Returns the Markdown of a doc comment, with what is deprecated first. */
export function docCommentMarkdown(doc: DocComment): string {
  const parts: string[] = [];
  if (doc.deprecated !== undefined) parts.push(deprecationMarkdown(doc.deprecated));
  if (doc.text !== '') parts.push(doc.text);
  const value = doc.defaultValue;
  // A sentence has code of its own.
  if (value !== undefined)
    parts.push(`**Default:** ${value.includes('`') ? docMarkdown(value) : codeSpan(value)}`);
  const named = (name: string): DocTag[] => doc.tags.filter((tag) => tag.name === name);
  for (const tag of named('remarks')) parts.push(tag.text);
  const parameters = named('param').map(({ text }) => parameterOf(text));
  if (parameters.length > 0) parts.push('**Parameters**', parameterList(parameters));
  const returned = new Set(named('returns').map(({ text }) => withoutType(text)));
  for (const said of returned) if (said !== '') parts.push(`**Returns** ${said}`);
  for (const { text } of named('throws')) {
    const type = text.slice(0, bracketsEnd(text, '{', '}')).slice(1, -1);
    parts.push(`**Throws** ${type === '' ? '' : `${codeSpan(type)} `}${withoutType(text)}`);
  }
  for (const { name, text } of doc.tags) {
    if (name === 'example') parts.push(exampleMarkdown(text));
    else if (name === 'see') parts.push(`**See** ${text}`);
    else if (!['remarks', 'param', 'returns', 'throws'].includes(name)) {
      const label = `**${name.charAt(0).toUpperCase()}${name.slice(1)}**`;
      parts.push(text === '' ? label : `${label} ${text}`);
    }
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns the note that something is deprecated, and what to use instead. */
export function deprecationMarkdown(said: string): string {
  return said === '' ? '**Deprecated.**' : `**Deprecated.** ${said}`;
}

interface Parameter {
  /** Name as it is written, with the brackets and the default of an optional one. */
  readonly name: string;
  /** Markdown. Can be empty. */
  readonly said: string;
}

function parameterOf(text: string): Parameter {
  const rest = withoutType(text);
  const name = rest.slice(0, bracketsEnd(rest, '[', ']')) || (/^[^\s:]+/.exec(rest)?.[0] ?? '');
  // A type can also come after the name.
  const after = withoutType(rest.slice(name.length).trimStart());
  return { name, said: after.replace(/^:\s+/, '') };
}

/** Returns parameters as a list. Overloads repeat parameters, and many of them without saying anything. */
function parameterList(parameters: readonly Parameter[]): string {
  const bareName = (name: string): string => name.replace(/^\[([^\]=]*).*$/s, '$1');
  const described = new Set(
    parameters.filter(({ said }) => said !== '').map(({ name }) => bareName(name)),
  );
  const items = parameters
    .filter(({ name, said }) => said !== '' || !described.has(bareName(name)))
    .map(({ name, said }) => `- ${codeSpan(name)}${said === '' ? '' : `: ${indented(said)}`}`);
  return [...new Set(items)].join('\n');
}

/** Returns a text without the type in braces before it, as in `@returns {string} the name`. */
function withoutType(text: string): string {
  return text.slice(bracketsEnd(text, '{', '}')).replace(/^\s*(?:-\s+)?/, '');
}

/**
 * Returns the end of the brackets that a text begins with, others in them included, as in `[methods=['GET']]`. Returns 0
 * if there are none or if they don't end.
 */
function bracketsEnd(text: string, opening: string, closing: string): number {
  if (!text.startsWith(opening)) return 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === opening) open++;
    else if (text[at] === closing && --open === 0) return at + 1;
  }
  return 0;
}

/** Returns a text whose lines after the first belong to the same item of a list. */
export function indented(markdown: string): string {
  return markdown.replace(/\n(?=[^\n])/g, '\n  ');
}

/** Returns an example, whose content is code unless it has fences. */
function exampleMarkdown(text: string): string {
  if (text === '') return '';
  const caption = /^<caption>([^<]*)<\/caption>\s*/.exec(text);
  const body = caption ? text.slice(caption[0].length) : text;
  const title = caption ? `**Example:** ${escapeMarkdown(caption[1] ?? '')}` : '**Example**';
  const hasFence = body.split('\n').some((line) => fenceOf(line) !== undefined);
  return `${title}\n\n${hasFence ? docMarkdown(body) : fenced(body, 'ts')}`;
}

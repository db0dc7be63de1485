import { codeLanguageOf } from '../codeLanguages';
import { textBounds } from './fileParts';
import { fenceOf } from './lines';
import { fenced, linkTarget } from './markdownWriter';
import { calloutKind } from './meanings';

/** A block of MyST, which begins with a line such as `:::{note} Title` or the same with backticks. */
interface Directive {
  readonly name: string;
  /** Text behind the name: a title, a path, a language or a signature. */
  readonly argument: string;
  readonly options: ReadonlyMap<string, string>;
  readonly body: readonly string[];
  /** Whether its marks are colons. Its body is Markdown then, unless its name says otherwise. */
  readonly hasColons: boolean;
}

/** Maximum depth of directives within directives. Each level reads its lines again. */
const MAX_DEPTH = 12;

const firstLine =
  /^([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,}|:{3,})[ \t]*\{([A-Za-z][\w:+.-]*)\}[ \t]*(.*)$/;

/** Returns the words of a text. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Directives that tell how a site is built. */
const mute = words(
  'automodule autosummary bibliography contents currentmodule default-role highlight index meta module py:currentmodule py:module raw sectionauthor tableofcontents toctree',
);
/** Directives that arrange their body. */
const plain = words(
  'container div epigraph figure-md glossary grid grid-item hlist line-block only pull-quote tab-set tab-set-code',
);
const titled = words('card dropdown grid-item-card sidebar tab-item topic');
const codes = words('code code-block code-cell parsed-literal prompt sourcecode');
const others = words('eval-rst figure image include list-table literalinclude math rubric');
/** Callouts with a title of their own, which goes before the text behind their name. */
const ownTitles: Partial<Record<string, string>> = {
  deprecated: 'Deprecated since version',
  seealso: 'See also',
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  versionremoved: 'Removed in version',
};

function isCallout(name: string): boolean {
  return calloutKind(name) !== undefined || Object.hasOwn(ownTitles, name);
}

/** Returns whether a line begins a directive of Sphinx, or of an extension that many sites have. */
export function isDirective(line: string): boolean {
  const name = firstLine.exec(line)?.[3] ?? '';
  const isKnown = [mute, plain, titled, codes, others].some((names) => names.has(name));
  return isKnown || isCallout(name) || /^py:\w/.test(name);
}

/** Writes the directives of MyST as Markdown and `:::` containers. */
export function directivesAsMarkdown(lines: readonly string[], depth = 0): string[] {
  const result: string[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? '';
    const [whole, prefix = '', mark = '', name = '', argument = ''] = firstLine.exec(line) ?? [];
    const isDeep = whole === undefined || depth >= MAX_DEPTH;
    const isEnd = isDeep ? fenceOf(line)?.isEnd : (other: string) => isEndOf(other, mark);
    let end = index + 1;
    if (isEnd) while (end < lines.length && !isEnd(lines[end] ?? '')) end++;
    const next = isEnd ? Math.min(end + 1, lines.length) : end;
    if (isDeep) result.push(...lines.slice(index, next));
    else {
      const body = lines.slice(index + 1, end).map((other) => dedented(other, prefix.length));
      const hasColons = mark.startsWith(':');
      const written = markdownOf(
        { name, argument: argument.trim(), hasColons, ...optionsAndBody(body) },
        depth,
      );
      const indent = ' '.repeat(prefix.length);
      // A container can't begin behind the mark of a list item, but on the line below it.
      result.push(
        prefix.trim() === '' ? '' : prefix.trimEnd(),
        ...written.map((other) => (other === '' ? '' : indent + other)),
        '',
      );
    }
    index = next;
  }
  return result;
}

function isEndOf(line: string, mark: string): boolean {
  const rest = line.trim();
  return rest.startsWith(mark) && rest === mark.charAt(0).repeat(rest.length);
}

function dedented(line: string, width: number): string {
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(indent, width));
}

/** Separates the options of a directive, `:name: value` or YAML between lines of `---`, from its text. */
function optionsAndBody(lines: readonly string[]): Pick<Directive, 'options' | 'body'> {
  const hasYaml = lines[0]?.trim() === '---';
  const option = hasYaml ? /^([\w-]+):(?:[ \t]+(.*))?$/ : /^[ \t]*:([\w-]+):(?:[ \t]+(.*))?$/;
  const options = new Map<string, string>();
  let at = hasYaml ? 1 : 0;
  for (; at < lines.length; at++) {
    const [, name, value = ''] = option.exec(lines[at] ?? '') ?? [];
    if (name !== undefined) options.set(name, value.trim());
    else if (!hasYaml || lines[at]?.trim() === '---') break;
  }
  if (hasYaml) at++;
  while (at < lines.length && lines[at]?.trim() === '') at++;
  return { options, body: lines.slice(at) };
}

function markdownOf(directive: Directive, depth: number): string[] {
  const { name, argument, options, body, hasColons } = directive;
  const inner = (): string[] => directivesAsMarkdown(body, depth + 1);
  if (mute.has(name)) return [];
  if (isCallout(name)) return container(calloutOf(directive), inner());
  if (plain.has(name)) return inner();
  if (titled.has(name)) {
    // A card can have a head above a line of `^^^` and a foot below a line of `+++`.
    const text = inner().map((line) => (/^(?:\^{3,}|\+{3,})$/.test(line.trim()) ? '' : line));
    return argument === '' ? text : container(`tab ${argument}`, text);
  }
  if (name === 'rubric') return [`**${argument}**`, '', ...inner()];
  if (name === 'figure' || name === 'image')
    return [`![${options.get('alt') ?? ''}](${linkTarget(argument)})`, '', ...inner()];
  if (name === 'include')
    return /\.(?:mdx?|markdown)$/i.test(argument)
      ? [`{{#include ${argument}${partIn(options)}}}`]
      : [];
  if (name === 'literalinclude') return [includedCode(directive)];
  if (name === 'list-table') {
    const table = tableOf(body, Number(options.get('header-rows') ?? 0) > 0);
    return [argument === '' ? '' : `**${argument}**`, '', ...(table ?? inner())];
  }
  if (name === 'math') return ['$$', ...body, '$$'];
  const isObject = name.includes(':') || objects.has(name);
  if (isObject && argument !== '') return [`**\`${argument}\`**`, '', ...inner()];
  if (hasColons && !codes.has(name)) return container(`${name} ${argument}`, inner());
  const code = body.join('\n').trimEnd();
  return code === '' ? [] : fenced(code, languageOf(directive), captionOf(options)).split('\n');
}

/**
 * Writes a list of rows, whose items are lists of cells, as a table. Returns undefined if a cell has more than one
 * paragraph, which no table of Markdown can have.
 */
function tableOf(lines: readonly string[], hasHead: boolean): string[] | undefined {
  const rows: string[][] = [];
  let indent = 0;
  let isBroken = false;
  for (const line of lines) {
    const [, before, row, text] =
      /^([ \t]{0,9}([-+*][ \t]{1,9})?)[-+*](?:[ \t]+(.*))?$/.exec(line) ?? [];
    const cells = rows.at(-1);
    if (row !== undefined && before === row) {
      indent = row.length;
      rows.push([text ?? '']);
    } else if (row === undefined && before?.length === indent && cells) cells.push(text ?? '');
    else if (line.trim() !== '') {
      // A line that goes on with a cell stands right below it, behind its mark, and begins no block.
      const isText =
        line.search(/\S/) > indent &&
        !/^[ \t]*(?:[`~:]{3}|(?:[-+*>#]|\d{1,9}[.)])[ \t])/.test(line);
      if (!cells || isBroken || !isText) return undefined;
      cells.push(`${cells.pop() ?? ''} ${line.trim()}`);
    }
    isBroken = line.trim() === '';
  }
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const [head = [], ...rest] = hasHead ? rows : [[], ...rows];
  const written = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.trim().replace(/\\?\|/g, '\\|')).join(' | ')} |`;
  // The head of a table has as many cells as its widest row.
  const all = Array.from({ length: width }, (_cell, index) => head[index] ?? '');
  return width === 0 ? [] : [written(all), `|${' --- |'.repeat(width)}`, ...rest.map(written)];
}

/** Directives that describe a name of an API or a setting. */
const objects = words(
  'attribute class confval data envvar exception function method option property',
);

function container(head: string, body: readonly string[]): string[] {
  return [`:::${head}`, '', ...body, '', ':::'];
}

/** Returns the kind and the title of a callout as a container has them. */
function calloutOf({ name, argument, options }: Directive): string {
  const own = ownTitles[name];
  if (own !== undefined) return `note ${own} ${argument}`;
  const kind = (options.get('class') ?? '').split(/\s+/).find((word) => calloutKind(word));
  return `${name === 'admonition' ? (kind ?? 'note') : name} ${argument}`;
}

function captionOf(options: ReadonlyMap<string, string>): string | undefined {
  return options.get('caption') ?? options.get('filename');
}

/** Returns the language of code: that of its own directive, such as `{mermaid}`, or the one behind the name. */
function languageOf({ name, argument, options }: Directive): string {
  if (name === 'eval-rst') return 'rst';
  const written = codes.has(name) ? (options.get('language') ?? argument) : name;
  const language = /^[a-z][\w+#-]*$/i.exec(written)?.[0].replace(/^i?python3?$/, 'python') ?? '';
  return codes.has(name) || codeLanguageOf(language) ? language : '';
}

/** Returns the part of a file that a directive includes, as it stands behind the path: `:2:10`, or {@link textBounds}. */
function partIn(options: ReadonlyMap<string, string>): string {
  const [start, end] = ['start-line', 'end-line'].map((name) => options.get(name));
  // Sphinx counts these lines from 0, and leaves out the last one.
  if (/^\d+$/.test(start ?? end ?? '')) return `:${Number(start ?? 0) + 1}:${end ?? ''}`;
  const numbers = (options.get('lines') ?? '').replace(/\s/g, '');
  if (/^[\d,-]+$/.test(numbers)) return `:${numbers.replaceAll('-', ':')}`;
  return textBounds((name) => options.get(name));
}

/** Writes code of a file as VitePress does: `<<< main.py:2:10 {python} [Title]`. */
function includedCode({ argument, options }: Directive): string {
  const language = options.get('language') ?? '';
  const caption = captionOf(options);
  return `<<< ${argument}${partIn(options)} {${language}}${caption === undefined ? '' : ` [${caption}]`}`;
}

import path from 'node:path';
import { isPagePath } from '../pagePath';

/** Contents of the files that a page includes, by their path relative to the docs folder. */
export type IncludedFiles = ReadonlyMap<string, string>;

const endings = ['.mdx', '.md', '/index.mdx', '/index.md'];

/**
 * Returns the paths, relative to the docs folder, that an included file can have. The most likely comes first.
 * @param from path of the page that includes the file.
 * @param wanted path of the file as the page writes it.
 */
export function candidates(from: string, wanted: string): string[] {
  const folder = path.posix.dirname(from);
  const plain = wanted.replace(/^@site\//, '/').replace(/^[@~]\//, '/');
  const bases = plain.startsWith('/')
    ? ['', ...parents(folder)]
    : plain.startsWith('.')
      ? [folder]
      : [folder, 'snippets', '_snippets', ...parents(folder), ''];
  const found = bases.flatMap((base) => {
    const joined = path.posix.normalize(path.posix.join(base === '.' ? '' : base, plain));
    const inside = joined.replace(/^\/+/, '');
    return inside.startsWith('..') ? [] : [inside];
  });
  if (/\.\w+$/.test(plain)) return [...new Set(found)];
  const completed = found.flatMap((file) => endings.map((ending) => file + ending));
  return [...new Set([...found, ...completed])];
}

function parents(folder: string): string[] {
  const names = folder.split('/').filter((name) => name !== '' && name !== '.');
  return names.map((_name, count) => names.slice(0, names.length - count).join('/'));
}

/** Returns the path of a file that a page includes, or undefined if it is not in `files`. */
export function resolveFile(
  from: string,
  wanted: string,
  files: IncludedFiles,
): string | undefined {
  return candidates(from, wanted).find((file) => files.has(file));
}

const importLine = /^import\s[^'"\n]*?from\s*['"]([^'"\n]+\.(?:mdx?|markdown))['"]/gm;
const snippetTag = /<Snippet\b[^<>]*?\b(?:file|src|path)=\{?["']([^"'\n]+)["']/g;
const codeLine =
  /^[ \t]*(?:<<<|\{\*|\{\{#play(?:ground|pen)|(?:[-+*][ \t]+)*[`~:]{3,}[ \t]*\{literalinclude\})[ \t]+([^\s{}#[]+)/gm;

/** Matches `[!code-csharp[Main](Program.cs?name=main "Title")]` of DocFX. Behind the path can stand `#L2-L4` or `#main`. */
const docfxCode =
  /^[ \t]*\[!code(?:-[\w+-]+)?[ \t]*\[[^[\]\n]*\]\(([^\s()?#"]+)(?:\?([^\s()#"]*))?(?:#([\w-]+))?(?:[ \t]+"[^"\n]*")?[ \t]*\)\][ \t]*$/im;
const docfxCodeLines = new RegExp(docfxCode.source, 'gim');

/**
 * Matches the lines with which VitePress, mdBook, Hugo's sites, MkDocs, GitBook and DocFX include a file. Behind its
 * path can stand a part: `:2:10`, `{2,10}`, `:name`, `#region`, or the texts around it.
 */
const include =
  /^[ \t>]*(?:<!--[ \t]*@include:[ \t]*|\{\{#(?:rustdoc_)?include[ \t]+|\{\{[<%][ \t]*include[ \t]+|\{%-?[ \t]*include(?:-markdown)?[ \t]+|[`~:]{3,}[ \t]*\{include\}[ \t]+|-{1,2}8<-{1,2}[ \t]+|\[!include[ \t]*\[[^[\]\n]*\]\()["']?([\w@~./-]+\.\w+|(?<=8<-{1,2}[ \t]+["'])[\w@~./-]+(?=["']|:\w))(?::([\w:-]+)|(#(?:~[^\s{}]+|[^\s{}()"'-]+(?:-[^\s{}()"'-]+)*))|\{(\d*),(\d*)\})?/im;
const includes = new RegExp(include.source, 'gim');

const snippetMark = /^[ \t]*-{1,2}8<-{1,2}[ \t]*$/;

/** Writes the paths between two lines `--8<--` of MkDocs as lines that each include one file. */
export function snippetBlocksAsLines(source: string): string {
  if (!source.includes('8<')) return source;
  const lines = source.split('\n');
  const isCode = codeLines();
  const result: string[] = [];
  let end = -1;
  for (const [index, line] of lines.entries()) {
    const isInCode = isCode(line);
    const isMark = snippetMark.test(line);
    if (isMark && index > end) {
      end = lines.findIndex((other, place) => place > index && snippetMark.test(other));
      // Without its end, the mark is text, as is each line behind it.
      if (end < 0) return [...result, ...lines.slice(index)].join('\n');
    }
    if (isMark) result.push(...(isInCode ? [] : ['']));
    else if (index > end || line.trim() === '') result.push(line);
    else result.push(line.replace(/^([ \t]*)["']?([^\s"']+)["']?[ \t]*$/, '$1--8<-- "$2"'));
  }
  return result.join('\n');
}

/** Writes the elements `<include>` of Fumadocs as lines that include a file in the way of other tools. */
export function includeTagsAsLines(source: string): string {
  if (!/^<include[ \t>]/m.test(source)) return source;
  const isCode = codeLines();
  return source
    .split('\n')
    .map((line) => {
      const [, settings = '', path] = (isCode(line) ? null : includeTag.exec(line)) ?? [];
      if (path === undefined) return line;
      return isPagePath(path) && !/\blang=/.test(settings)
        ? `<Snippet file="${path}" />`
        : `<<< ${path}`;
    })
    .join('\n');
}

const includeTag = /^<include(?:[ \t]([^<>]*))?>([\w@~./-]+)(?:#[\w-]+)?<\/include>[ \t]*$/;

/** Returns the path of the file that a line includes, and which part of it. */
export function includedPart(
  line: string,
): { readonly wanted: string; readonly part: string } | undefined {
  const [, wanted, part, region, first, last = ''] = include.exec(line) ?? [];
  const lines = first === undefined ? '' : `${first}:${last}`;
  return wanted === undefined ? undefined : { wanted, part: part ?? region ?? lines };
}

/** Returns what {@link includedPart} does if the file is a page, or has no ending, such as a license. */
export function includedPage(line: string): ReturnType<typeof includedPart> {
  const included = includedPart(line);
  if (!included) return undefined;
  const isPage = isPagePath(included.wanted) || !/\.\w+$/.test(included.wanted);
  return isPage ? included : undefined;
}

/** A line that stands for the code of a file. */
export interface CodeFileLine {
  readonly wanted: string;
  /** Numbers of the lines, as `2:10`, or an empty string for all of them. */
  readonly part: string;
  readonly region?: string;
  readonly language: string;
  readonly title?: string;
  /** White space before the line, if the code stays in the list around it. */
  readonly indent?: string;
}

/**
 * Parses a line that stands for the code of a file: `<<< @/snippets/x.ts#region{2,5} [Title]` of VitePress,
 * `{{#playground x.rs editable}}` of mdBook, `{* docs_src/x.py ln[2:5] hl[3] *}` of the docs of FastAPI, or
 * {@link docfxCode}.
 */
export function codeFileLine(line: string): CodeFileLine | undefined {
  const [, path, settings = ''] =
    /^\s*\{(?:\*|\{#play(?:ground|pen))[ \t]+([^\s{}]+)([^*{}]*)[*}]\}[ \t]*$/.exec(line) ?? [];
  if (path !== undefined) {
    const part = /\bln\[([\d:,]+)\]/.exec(settings)?.[1] ?? '';
    return { wanted: path, part, language: endingOf(path) };
  }
  const [, file, query, fragment = ''] = docfxCode.exec(line) ?? [];
  if (file !== undefined) {
    const options = new URLSearchParams(query);
    const lines = /^L(\d+(?:-L?\d+)?)$/i.exec(fragment)?.[1] ?? options.get('range') ?? '';
    const part = lines.replace(/-L?/gi, ':');
    const name = options.get('name') ?? fragment;
    return {
      wanted: file,
      part: /^[\d,:]+$/.test(part) ? part : '',
      region: /^[\w-]+$/.test(name) ? `<${name}>` : undefined,
      language: /!code-([\w+-]+)/.exec(line)?.[1] ?? endingOf(file),
      indent: /^[ \t]*/.exec(line)?.[0],
    };
  }
  const [, wanted, part = '', region, marked = '', title] =
    /^\s*<<<\s+([^\s{#[:]+)(?::([\d:,]+))?(?:#([\w-]+|~[^\s{}[\]]+))?(?:\s*\{([^}]*)\})?(?:\s*\[([^\]]*)\])?$/.exec(
      line.trimEnd(),
    ) ?? [];
  if (wanted === undefined) return undefined;
  // The braces contain the lines to highlight and the language, as in `{2-5 ts}`.
  const language = /(?:^|\s)([a-z][\w+-]*)/i.exec(marked)?.[1] ?? endingOf(wanted);
  return { wanted, part, region, language, title, indent: /^[ \t]*/.exec(line)?.[0] };
}

function endingOf(file: string): string {
  return path.posix.extname(file).slice(1);
}

const partFolder = /(?:^|\/)(?:_[^/]*|snippets|partials|includes)\//;
const partName = /(?:^|\/)_[^/]*$/;

/**
 * Returns whether a file's name or folder is one for parts of pages, such as `snippets`. If a page includes
 * such a file, the file is not a page.
 */
export function isPartPath(file: string): boolean {
  return partFolder.test(file) || partName.test(file);
}

const anyImport = /^import\s+(?:[\w$*{][^'"\n]*\sfrom\s+)?(['"])[^'"\n]+\1;?[ \t]*$/m;

/**
 * Returns whether a page is MDX: by its ending, or because it has an import, as Markdown pages of Docusaurus can. An
 * import in a script is one of VitePress, whose pages are Markdown with HTML. A page with tags of a template is none, as
 * code between tags of Hugo can have an import.
 */
export function isMdx(pagePath: string, source: string): boolean {
  if (/\.mdx$/i.test(pagePath)) return true;
  const text = withoutCodeAndScripts(source);
  return anyImport.test(text) && !/^[ \t]*\{(?:\{[<%]|%)/m.test(text);
}

/** Returns the paths of the files that a page includes, as the page writes them. */
export function includesOf(pagePath: string, source: string): string[] {
  const isMdxPage = isMdx(pagePath, source);
  const text = isMdxPage ? includeTagsAsLines(source) : snippetBlocksAsLines(source);
  const patterns = isMdxPage
    ? [importLine, snippetTag, codeLine]
    : [codeLine, docfxCodeLines, includes];
  return [
    ...new Set(
      patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, wanted = '']) => wanted)),
    ),
  ];
}

const fenceLine = /^((?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])[ \t])*)(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Returns a test for the last line of the code block that begins with this line, or undefined if no code block
 * begins here.
 */
export function fenceOf(line: string): { isEnd: (line: string) => boolean } | undefined {
  const match = fenceLine.exec(line);
  const mark = match?.[2];
  if (mark === undefined) return undefined;
  const isQuoted = match?.[1]?.includes('>') ?? false;
  return {
    isEnd: (other) => {
      const rest = other.replace(isQuoted ? /^[ \t>]*/ : /^[ \t]*/, '').trimEnd();
      return rest.startsWith(mark) && rest === mark.charAt(0).repeat(rest.length);
    },
  };
}

/** Returns a function that takes the lines of a text in their order, and tells whether each is part of a code block. */
export function codeLines(): (line: string) => boolean {
  let isEnd: ((line: string) => boolean) | undefined;
  return (line) => {
    const wasCode = isEnd !== undefined;
    if (isEnd?.(line)) isEnd = undefined;
    else isEnd ??= fenceOf(line)?.isEnd;
    return wasCode || isEnd !== undefined;
  };
}

const entities: Partial<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

/** Removes the colors that tools such as Rich write as HTML from a block of a terminal's output. */
export function withoutTerminalColors(block: readonly string[]): readonly string[] {
  const isTerminal = /[`~]{3}[ \t]*(?:bash|console|sh|shell|text|txt)\b/.test(block[0] ?? '');
  const hasColor = /<(?:font color="|span style="(?:background-)?color:)/;
  if (!isTerminal || !block.some((line) => hasColor.test(line))) return block;
  return block.map((line) =>
    line
      .replace(/<\/?(?:b|font|i|span|u)(?:[ \t][^<>]*)?>/g, '')
      .replace(/&(amp|apos|gt|lt|quot);/g, (entity, name: string) => entities[name] ?? entity),
  );
}

/** Removes the lines of an example in Rust that readers don't see, such as `# fn main() {`. */
export function withoutHiddenRust(block: readonly string[]): readonly string[] {
  if (!/[`~]{3}[ \t]*(?:rust|rs)\b/.test(block[0] ?? '')) return block;
  return block
    .filter((line) => !/^[ \t>]*#(?:[ \t]|$)/.test(line))
    .map((line) => line.replace(/^([ \t>]*)##/, '$1#'));
}

/** Writes lines that mdBook shows instead of reading them, such as `\{{#include a.rs}}`, as its readers see them. */
export function withShownIncludes(block: readonly string[]): readonly string[] {
  return block.map((line) =>
    line.replace(
      /\\(?=\{\{#(?:include|playground|playpen|rustdoc_include|template|title)[ \t])/g,
      '',
    ),
  );
}

/** Returns the lines of a page that are neither code nor a script, or an empty string if no line is an import. */
function withoutCodeAndScripts(source: string): string {
  if (!anyImport.test(source)) return '';
  let isEnd: ((line: string) => boolean) | undefined;
  const text = source.split('\n').filter((line) => {
    const wasCode = isEnd !== undefined;
    if (isEnd?.(line)) isEnd = undefined;
    else isEnd ??= fenceOf(line)?.isEnd ?? scriptEnd(line);
    return !wasCode && isEnd === undefined;
  });
  return text.join('\n');
}

function scriptEnd(line: string): ((line: string) => boolean) | undefined {
  if (!/^[ \t]*<script\b(?!.*<\/script)/i.test(line)) return undefined;
  return (other) => /<\/script/i.test(other);
}

interface ContainerLine {
  /** Name of the container. Empty in the last line, and for a container that only has a title. */
  readonly name: string;
  /** Title as Markdown. Can be empty. */
  readonly title: string;
  /** Number of colons. */
  readonly length: number;
}

/**
 * Parses the first or last line of a container: `::: tip Title`, `:::note[Title]` or `:::`. MyST and Quarto have the
 * name in braces: `:::{note} Title` and `::: {.callout-note title="Title"}`, as Rspress the title: `:::tip{title="Title"}`.
 */
export function containerLine(line: string): ContainerLine | undefined {
  const match = /^[ \t]*(:{3,})[ \t]*(.*)$/.exec(line);
  if (!match) return undefined;
  const written = match[2] ?? '';
  const settings = /\{([^{}]*)\}[ \t]*$/.exec(written)?.[1] ?? '';
  const named = /(?:^|[ \t])title="([^"]*)"/.exec(settings)?.[1] ?? '';
  const rest = written
    .replace(/^\{[.#]?(?:callout-)?([\w-]+)[^{}]*\}/, '$1')
    .replace(/\{[^{}]*\}[ \t]*$/, '')
    .trim();
  const [, name = '', bracketed, title = ''] =
    /^([A-Za-z][\w-]*)?[ \t]*(?:\[(.*)\]|(.*))$/.exec(rest) ?? [];
  const shown = (bracketed ?? title).trim() || named.trim();
  return { name, title: shown, length: match[1]?.length ?? 3 };
}

/** Returns whether a line stands for a table of contents, as `[[toc]]`, or is the title that a browser shows. */
export function isSilentLine(line: string): boolean {
  return /^[ \t]*(?:\[\[?_?toc_?\]?\]|\{\{#title[ \t][^{}]*\}\})[ \t]*$/i.test(line);
}

const admonition =
  /^([ \t]*)(?:(?:!!!|\?\?\?\+?)[ \t]*([\w-]+)(?![\w-])[^"']*|===[!+]?[ \t]+)(?:["'](.*)["'])?$/;

/**
 * Rewrites the blocks `!!! note "Title"` and `=== "Tab"` of MkDocs, which have indented content, as `:::`
 * containers.
 */
export function admonitionsAsContainers(source: string): string {
  if (!/^[ \t]*(?:!!!|\?\?\?|===[!+]? ["'])/m.test(source)) return source;
  const result: string[] = [];
  const open: number[] = [];
  let isFenceEnd: ((line: string) => boolean) | undefined;
  for (const written of source.split('\n')) {
    const indentation = written.length - written.trimStart().length;
    if (!isFenceEnd && written.trim() !== '') {
      while ((open.at(-1) ?? -1) >= indentation) {
        open.pop();
        result.push(':::');
      }
    }
    const line = written.slice(Math.min(indentation, 4 * open.length));
    const match = isFenceEnd ? null : admonition.exec(line.trimEnd());
    if (match && (match[2] !== undefined || match[3] !== undefined)) {
      open.push(indentation);
      result.push(`:::${match[2] ?? 'tab'} ${match[3] ?? ''}`);
      continue;
    }
    if (isFenceEnd?.(written)) isFenceEnd = undefined;
    else isFenceEnd ??= fenceOf(line)?.isEnd;
    result.push(line);
  }
  return [...result, ...open.map(() => ':::')].join('\n');
}

import { calloutsAsAlerts } from './alertMarks';
import { withoutAttributeLists } from './attributeLists';
import { withoutCodeMarks } from './codeMarks';
import { definitionsAsLists } from './definitionLists';
import { ElementWriter, type JsxValue, textOf } from './elementWriter';
import { inlineMarkdownToText } from '../../../common/text/markdownText';
import { withoutByteOrderMark } from '../../../shared/characters';
import { isPagePath } from '../pagePath';
import { partOf, regionOf } from './fileParts';
import { withHeadingIds } from './headingMarks';
import { findHtml, HtmlReader, withoutCode } from './htmlPieces';
import { readmeBlocksAsMarkdown } from './readmeBlocks';
import { signsAsText } from './inlineSigns';
import { readModule, sizeOfValue } from './jsxValues';
import {
  admonitionsAsContainers,
  type CodeFileLine,
  codeFileLine,
  containerLine,
  fenceOf,
  type IncludedFiles,
  includedPage,
  includedPart,
  includeTagsAsLines,
  isMdx,
  isSilentLine,
  resolveFile,
  snippetBlocksAsLines,
  withoutHiddenRust,
  withoutTerminalColors,
  withShownIncludes,
} from './lines';
import { escapeMarkdown, fenced } from './markdownWriter';
import { type MdxPiece, readMdx } from './mdxPieces';
import { BudgetSpentError, ReadingBudget } from './readingBudget';
import { calloutKind, inBold, meaningOf, openCallout, slugAnchor } from './meanings';
import { mdcBlocksAsContainers } from './mdcBlocks';
import { mystAsMarkdown } from './mystMarkup';
import { templateTagsAsContainers } from './templateTags';
import { wikiMarkupAsMarkdown } from './wikiMarkup';

/** An error in the markup of a page. */
export interface MarkupProblem {
  /** Line in the text that was read, starting with 1. */
  readonly line: number;
  readonly reason: string;
}

export interface PlainMarkdown {
  readonly text: string;
  readonly problems: readonly MarkupProblem[];
}

/** Maximum depth of snippets within snippets. */
const MAX_DEPTH = 8;
/** Maximum number of characters that snippets add to a page. */
const MAX_INCLUDED = 2_000_000;
/** Maximum number of repairs of one piece of MDX. If they don't suffice, its tags count as text. */
const MAX_REPAIRS = 40;
/** Maximum number of characters to read together to find the end of a tag or expression. */
const MAX_PIECE = 100_000;
/** Maximum number of open elements whose content's indentation is removed. Each line is compared with all of them. */
const MAX_NESTING = 100;
/** Maximum number of characters of a line in which its indentation and its marks of lists are searched. */
const MAX_INDENT = 200;
/** Maximum number of lines in which the end of a module that is not valid is searched. */
const MAX_MODULE_LINES = 1000;
const MAX_PROBLEMS = 20;

/**
 * Converts a page of MDX or Markdown to plain Markdown. Removes imports, exports and comments, and replaces
 * elements with Markdown of the same meaning. The only HTML that stays is anchors, callouts and a few tags
 * without attributes.
 */
export function readPage(
  pagePath: string,
  source: string,
  files: IncludedFiles = new Map(),
): PlainMarkdown {
  const isMdxPage = isMdx(pagePath, source);
  const body = plainLines(source, isMdxPage);
  if (!needsReading(body, isMdxPage)) return { text: body, problems: [] };
  const page = new ElementWriter(meaningOf);
  const reader = new PageReader(page, pagePath, {
    files,
    open: [pagePath],
    problems: [],
    included: { length: 0 },
    budget: new ReadingBudget(body.length),
  });
  reader.read(body, isMdxPage);
  reader.finish();
  return { text: page.markdown.toString(), problems: reader.problems };
}

/** Writes what stands in the lines of a page as plain Markdown, where Markdown has it. */
function plainLines(source: string, isMdxPage: boolean): string {
  const marked = calloutsAsAlerts(withHeadingIds(source));
  if (isMdxPage) return withoutAttributeLists(includeTagsAsLines(marked));
  const known = wikiMarkupAsMarkdown(readmeBlocksAsMarkdown(marked));
  const blocks = mdcBlocksAsContainers(snippetBlocksAsLines(known));
  const body = withoutAttributeLists(blocks);
  return definitionsAsLists(templateTagsAsContainers(mystAsMarkdown(signsAsText(body))));
}

function needsReading(body: string, isMdxPage: boolean): boolean {
  const hasBlocks =
    /^[ \t]*(?::{3}|!!!|\?\?\?|=== ["']|\[\[?_?toc|\[!(?:include|code)|-+8<|\{\*[ \t]|\\?\{\{?[<%#])/im;
  if (hasBlocks.test(body) || /<|\[!!?code |[`~]{3}[ \t]*(?:rust|rs)\b/.test(body)) return true;
  return isMdxPage && /\{|^(?:import|export)\b/m.test(body);
}

/** Removes from a code block what only its site's tool reads. */
function plainCode(block: readonly string[]): readonly string[] {
  return withShownIncludes(withoutCodeMarks(withoutHiddenRust(block)));
}

interface Shared {
  readonly files: IncludedFiles;
  /** Files that are being read, starting with the page. */
  readonly open: readonly string[];
  readonly problems: MarkupProblem[];
  readonly included: { length: number };
  readonly budget: ReadingBudget;
}

class PageReader {
  readonly #page: ElementWriter;
  readonly #path: string;
  #isMdx = false;
  readonly #shared: Shared;
  readonly #html: HtmlReader;
  readonly #scope: Map<string, JsxValue>;
  readonly #imports = new Map<string, string>();
  /** Open elements, with the indentation of the tag (`at`) and the extra indentation of its content (`shift`). */
  readonly #indents: { name: string; at: number; shift: number | undefined }[] = [];
  #lines: string[] = [];
  /** Next line that has an end mark of HTML, by the mark. */
  readonly #closingLines = new Map<string, number>();
  /** Line of the page that includes this snippet. Undefined for the page itself. */
  readonly #line: number | undefined;

  constructor(
    page: ElementWriter,
    pagePath: string,
    shared: Shared,
    scope: ReadonlyMap<string, JsxValue> = new Map(),
    line?: number,
  ) {
    this.#page = page;
    this.#path = pagePath;
    this.#shared = shared;
    this.#html = new HtmlReader(page);
    this.#scope = new Map(scope);
    this.#line = line;
  }

  get problems(): readonly MarkupProblem[] {
    return this.#shared.problems;
  }

  read(body: string, isMdxPage: boolean): void {
    this.#isMdx = isMdxPage;
    this.#lines = admonitionsAsContainers(body).split('\n');
    for (let index = 0; index < this.#lines.length;) {
      this.#page.endCell();
      if (index > 0) this.#page.markdown.raw('\n');
      try {
        index = this.#readAt(index);
      } catch (error) {
        if (!(error instanceof BudgetSpentError)) throw error;
        this.#problem(index, `${error.message}, so the rest is plain text`);
        this.#copyPlain(this.#lines.slice(index).join('\n'));
        return;
      }
    }
  }

  /** Copies text whose tags and expressions are not read. */
  #copyPlain(text: string): void {
    this.#copy(unmark(text.replace(/[<{]/g, (mark) => maskOf(mark))), 'line');
  }

  finish(): void {
    for (const name of this.#page.finish()) {
      if (/^[A-Z]/.test(name)) this.#problem(this.#lines.length, `<${name}> is never closed`);
    }
  }

  /**
   * Reads the part of the page that begins at a line.
   * @returns the index of the line after this part.
   */
  #readAt(start: number): number {
    const line = this.#lines[start] ?? '';
    const markdown = this.#page.markdown;
    if (line.trim() === '') {
      markdown.raw(line.trimEnd());
      return start + 1;
    }
    const fence = fenceOf(line);
    if (fence) return this.#readFence(start, fence.isEnd);
    const container = containerLine(line);
    if (container) {
      this.#readContainer(line, container);
      return start + 1;
    }
    if (isSilentLine(line)) return start + 1;
    if (!this.#isMdx && this.#includePage(line, start)) return start + 1;
    const file = codeFileLine(line);
    if (file) {
      this.#readCodeFile(file, start);
      return start + 1;
    }
    if (this.#isMdx && /^(?:import|export)\b/.test(line)) {
      const end = this.#readModule(start);
      if (end > start) return end;
    }
    const end = this.#pieceEnd(start);
    const text = this.#lines.slice(start, end).join('\n');
    if (!(this.#isMdx ? /[<{]/ : /<[A-Za-z/!?]/).test(text)) {
      this.#copy(text, 'line');
      return end;
    }
    return this.#isMdx ? this.#readMdx(start, end) : this.#readHtml(start, end);
  }

  #readFence(start: number, isEnd: (line: string) => boolean): number {
    let end = start + 1;
    while (end < this.#lines.length && !isEnd(this.#lines[end] ?? '')) end++;
    end = Math.min(end + 1, this.#lines.length);
    const code = this.#lines.slice(start, end).map((line) => this.#includedCode(line) ?? line);
    this.#copy(withoutTerminalColors(plainCode(code)).join('\n'), 'line');
    return end;
  }

  /** Returns the code that a line of a code block stands for, as `{{#include main.rs:2:10}}`, if it is known. */
  #includedCode(line: string): string | undefined {
    const { wanted, part } = (!this.#isMdx && includedPart(line)) || {};
    const file = wanted === undefined ? undefined : this.#fileAt(wanted);
    if (!file || part === undefined || !this.#canInclude(file.content.length)) return undefined;
    const indent = /^[ \t>]*/.exec(line)?.[0] ?? '';
    return partOf(file.content, part).replace(/^(?=.)/gm, indent);
  }

  #fileAt(wanted: string): { readonly path: string; readonly content: string } | undefined {
    const path = resolveFile(this.#path, wanted, this.#shared.files);
    const content = path === undefined ? undefined : this.#shared.files.get(path);
    return path === undefined || content === undefined ? undefined : { path, content };
  }

  #readContainer(
    line: string,
    { name, title, length }: { name: string; title: string; length: number },
  ): void {
    const page = this.#page;
    page.markdown.raw(this.#dedent(/^\s*/.exec(line)?.[0] ?? '', true));
    if (name === '' && title === '') {
      page.close((open) => open.startsWith(':') && open.length <= length);
      return;
    }
    const kind = calloutKind(name);
    let end = (): void => page.markdown.break();
    if (kind) end = openCallout(page, kind, title === '' ? undefined : title);
    else {
      page.markdown.break();
      if (title !== '') {
        slugAnchor(page, inlineMarkdownToText(title));
        page.markdown.block(inBold(title));
      }
    }
    page.begin(':'.repeat(length), end);
  }

  #readCodeFile(file: CodeFileLine, start: number): void {
    const { wanted, part, region, language, title, indent = '' } = file;
    const content = this.#fileAt(wanted)?.content;
    const markdown = this.#page.markdown;
    markdown.raw(indent);
    if (content === undefined) {
      this.#problem(start, `${wanted} does not exist`);
      markdown.block(escapeMarkdown(wanted));
    } else if (!this.#canInclude(content.length)) this.#problem(start, `${wanted} is too large`);
    else {
      const code = part === '' ? regionOf(content, region) : partOf(content, part);
      const block = fenced(code.trimEnd(), language, title).split('\n');
      markdown.block(plainCode(block).join('\n'));
    }
  }

  /**
   * Reads imports and exports.
   * @returns the next line, or `start` if there are none.
   */
  #readModule(start: number): number {
    const lines = this.#lines;
    let reason = '';
    let size = 0;
    for (let end = start + 1, tries = 0; end <= lines.length && tries < 60; end++) {
      size += (lines[end - 1] ?? '').length;
      if (size > MAX_PIECE) break;
      if (end < lines.length && (lines[end] ?? '').trim() !== '') continue;
      tries++;
      const source = lines.slice(start, end).join('\n');
      this.#shared.budget.spend(3 * source.length);
      const read = readModule(source, this.#scope);
      if ('constants' in read) return this.#define(read, end);
      ({ reason } = read);
      if (read.faultAt >= source.trimEnd().length) continue;
      // Text can follow the imports and exports without a blank line.
      const linesRead = source.slice(0, read.faultAt).split('\n').length - 1;
      if (linesRead > 0) {
        const whole = lines.slice(start, start + linesRead).join('\n');
        const first = readModule(whole, this.#scope);
        if ('constants' in first) return this.#define(first, start + linesRead);
      }
      if (!/unterminated/i.test(reason)) break;
    }
    if (
      !/^(?:import\s+(?:[\w*{'"]).*(?:from\s+)?['"]|export\s+(?:const|let|var|function|class|default|async|type|interface|enum|\{|\*))/.test(
        lines[start] ?? '',
      )
    )
      return start;
    this.#problem(start, `the import or export is not valid JavaScript: ${reason}`);
    const far = lines.slice(start, start + MAX_MODULE_LINES);
    this.#shared.budget.spend(far.reduce((sum, line) => sum + line.length, 0));
    return start + balancedLines(far);
  }

  #define(
    module: { imports: ReadonlyMap<string, string>; constants: ReadonlyMap<string, JsxValue> },
    end: number,
  ): number {
    for (const [name, source] of module.imports) this.#imports.set(name, source);
    for (const [name, value] of module.constants) this.#scope.set(name, value);
    return end;
  }

  /** Returns the line after the paragraphs that must be read together. */
  #pieceEnd(start: number): number {
    const lines = this.#lines;
    let end = start + 1;
    for (; end < lines.length; end++) {
      const line = lines[end] ?? '';
      if (line.trim() === '') {
        // Without the list above it, the indented content of a list item would look like code.
        const next = lines.slice(end + 1, end + 3).find((other) => other.trim() !== '') ?? '';
        if (this.#isMdx || !/^[ \t]/.test(next)) break;
        continue;
      }
      if (fenceOf(line) || containerLine(line) || codeFileLine(line)) break;
      if (!this.#isMdx && includedPage(line)) break;
    }
    const text = lines.slice(start, end).join('\n');
    if (!text.includes('<')) return end;
    // Some HTML, such as a comment, only ends at its end mark and can contain blank lines.
    let plain: string | undefined;
    for (const [opening, closing] of ownEnds) {
      if (!opening.test(text)) continue;
      // A text can name a tag that begins far below: `<script>`.
      const at = (plain ??= withoutCode(text)).search(opening);
      if (at < 0 || (this.#isMdx && closing !== '-->')) continue;
      if (text.toLowerCase().indexOf(closing, at) >= 0) continue;
      const last = this.#lineWith(closing, end);
      if (last < lines.length) return last + 1;
    }
    return end;
  }

  /** Returns the index of the next line that has an end mark, or the number of lines. */
  #lineWith(closing: string, from: number): number {
    const lines = this.#lines;
    let line = this.#closingLines.get(closing) ?? -1;
    if (line >= from) return line;
    for (line = from; line < lines.length; line++)
      if ((lines[line] ?? '').toLowerCase().includes(closing)) break;
    this.#closingLines.set(closing, line);
    return line;
  }

  #readHtml(start: number, end: number): number {
    const text = this.#lines.slice(start, end).join('\n');
    let at = 0;
    for (const piece of findHtml(text, this.#shared.budget)) {
      this.#copy(text.slice(at, piece.start), 'before');
      const html = text.slice(piece.start, piece.end);
      this.#html.read(piece, piece.isFlow ? html.replace(/\n[ \t]*>[ \t]?/g, '\n') : html);
      at = piece.end;
    }
    this.#copy(text.slice(at), 'line');
    return end;
  }

  #readMdx(start: number, firstEnd: number): number {
    let end = this.#balancedEnd(start, firstEnd);
    let text = this.#lines.slice(start, end).join('\n');
    let grown = 1;
    let canGrow = true;
    for (let repairs = 0; ;) {
      const read = readMdx(text, this.#scope, this.#shared.budget);
      if (!('reason' in read)) {
        this.#writeMdx(text, read, start);
        return end;
      }
      if (read.isCutOff && canGrow && end < this.#lines.length) {
        const further = this.#furtherEnd(end, grown);
        grown *= 2;
        const longer = this.#lines.slice(start, further).join('\n');
        if (longer.length <= MAX_PIECE) {
          end = further;
          text = longer;
          continue;
        }
      }
      canGrow = false;
      if (end !== firstEnd) {
        // More text did not fix the error, so only the first paragraphs are read.
        end = firstEnd;
        text = this.#lines.slice(start, end).join('\n');
        continue;
      }
      const wrong = repairs++ < MAX_REPAIRS ? wrongMark(text, read.offset) : -1;
      if (wrong < 0) {
        this.#copyPlain(text);
        return end;
      }
      this.#problem(start + text.slice(0, wrong).split('\n').length - 1, read.reason);
      text = text.slice(0, wrong) + masked(text.slice(wrong));
    }
  }

  /**
   * Returns the line after the paragraph in which all open braces are closed, so that the parser gets all of
   * them at once.
   */
  #balancedEnd(start: number, firstEnd: number): number {
    let depth = 0;
    let size = 0;
    for (let from = start, end = firstEnd; size <= MAX_PIECE;) {
      const text = this.#lines.slice(from, end).join('\n');
      size += text.length;
      this.#shared.budget.spend(text.length);
      for (const [mark] of text.replace(/`[^`]*`/g, '').matchAll(/[{}]/g))
        depth += mark === '{' ? 1 : -1;
      if (depth <= 0) return end;
      if (end >= this.#lines.length) break;
      from = end;
      end = this.#furtherEnd(end, 1);
    }
    return firstEnd;
  }

  #furtherEnd(end: number, count: number): number {
    let further = end;
    for (let blocks = 0; blocks < count && further < this.#lines.length; blocks++) {
      while (further < this.#lines.length && (this.#lines[further] ?? '').trim() === '') further++;
      while (further < this.#lines.length && (this.#lines[further] ?? '').trim() !== '') further++;
    }
    return further;
  }

  #writeMdx(text: string, pieces: readonly MdxPiece[], start: number): void {
    let at = 0;
    let line = start;
    let lineStart = 0;
    let lineEnd = text.indexOf('\n');
    for (const piece of pieces) {
      // This piece is within the previous one, for example in an attribute.
      if (piece.start < at) continue;
      while (lineEnd >= 0 && lineEnd < piece.start) {
        line++;
        lineStart = lineEnd + 1;
        lineEnd = text.indexOf('\n', lineStart);
      }
      this.#copy(
        text.slice(at, piece.start),
        piece.kind === 'tag' && piece.isClosing ? 'closing' : 'before',
      );
      const before = text.slice(lineStart, Math.min(piece.start, lineStart + MAX_INDENT));
      this.#writePiece(piece, before, line);
      at = piece.end;
    }
    this.#copy(text.slice(at), 'line');
  }

  /** @param before text before the piece on its line. */
  #writePiece(piece: MdxPiece, before: string, line: number): void {
    const page = this.#page;
    this.#shared.budget.spend(sizeOfPiece(piece));
    if (piece.kind === 'expression') {
      const id = /^\s*(?:\/\*\s*)?(#[^\s{}]+?)(?:\s*\*\/)?\s*$/.exec(piece.source)?.[1];
      if (id !== undefined) page.markdown.raw(`{${id}}`);
      else if (piece.value !== undefined) page.value(piece.value);
      return;
    }
    const { name, attributes, isFlow, isClosing, isSelfClosing } = piece;
    if (isClosing) {
      const open = this.#indents.findLastIndex((element) => element.name === name);
      if (open >= 0) this.#indents.length = open;
      if (name !== '' && !page.close((other) => other === name))
        this.#problem(line, `</${name}> has no opening tag`);
      return;
    }
    if (name === '') return;
    if (this.#readSnippet(piece, line)) return;
    page.open({ name, attributes, isFlow }, isSelfClosing);
    if (isFlow && !isSelfClosing && this.#indents.length < MAX_NESTING) {
      const at = /^[\s>]*(?:(?:[-+*]|\d+[.)])\s+)*/.exec(before)?.[0].length ?? 0;
      this.#indents.push({ name, at, shift: undefined });
    }
  }

  /** Counts text that the page includes. Returns whether it is not too much. */
  #canInclude(length: number): boolean {
    const { included } = this.#shared;
    included.length += length;
    return included.length <= MAX_INCLUDED;
  }

  /** Inserts an imported page instead of its element. Returns whether the element was handled. */
  #readSnippet(
    { name, attributes, isFlow, isSelfClosing }: MdxPiece & { kind: 'tag' },
    line: number,
  ): boolean {
    const tag = { name, attributes, isFlow };
    const wanted =
      this.#imports.get(name) ??
      (name === 'Snippet' ? textOf(tag, 'file', 'src', 'path') : undefined);
    if (wanted === undefined) return false;
    const file = this.#fileAt(wanted);
    if (!file || !isPagePath(file.path)) {
      if (/\.(?:mdx?|markdown)$/i.test(wanted)) this.#problem(line, `${wanted} does not exist`);
      return false;
    }
    const page = this.#page;
    const isBlock = page.isBlock(tag);
    const scope = new Map([...attributes, ['props', Object.fromEntries(attributes)]] as const);
    const text = this.#read(file, scope, line);
    if (text === undefined) return true;
    if (isBlock) page.markdown.block(text);
    else page.markdown.raw(text);
    if (!isSelfClosing) page.begin(name, () => page.markdown.break());
    return true;
  }

  /** Inserts the page that a line includes. Returns whether the line does so. */
  #includePage(line: string, start: number): boolean {
    const included = includedPage(line);
    if (!included) return false;
    const { wanted, part } = included;
    const file = this.#fileAt(wanted);
    if (!file) {
      this.#problem(start, `${wanted} does not exist`);
      return true;
    }
    this.#page.markdown.raw(/^[ \t>]*/.exec(line)?.[0] ?? '');
    const content = part === '' ? file.content : partOf(file.content, part);
    const text = this.#read({ ...file, content }, new Map(), start);
    if (text !== undefined) this.#page.markdown.block(text);
    return true;
  }

  /** Returns the Markdown of a page that this page includes, or undefined, with a problem, if it can't be included. */
  #read(
    { path: file, content }: { readonly path: string; readonly content: string },
    scope: ReadonlyMap<string, JsxValue>,
    line: number,
  ): string | undefined {
    const shared = this.#shared;
    const canInclude = this.#canInclude(content.length);
    if (shared.open.includes(file) || shared.open.length > MAX_DEPTH || !canInclude) {
      this.#problem(line, `${file} includes itself, is nested too deeply, or is too large`);
      return undefined;
    }
    const page = this.#page;
    const inner = new PageReader(
      page,
      file,
      { ...shared, open: [...shared.open, file] },
      scope,
      line,
    );
    page.markdown.begin();
    const source = withoutFrontMatter(content).trim();
    const isMdxFile = isMdx(file, source);
    inner.read(plainLines(source, isMdxFile), isMdxFile);
    return page.markdown.end().trim();
  }

  /** Copies Markdown without the extra indentation of the content of elements. */
  #copy(text: string, next: 'before' | 'closing' | 'line'): void {
    if (text === '') return;
    const lines = text.split('\n');
    const dedented = lines.map((line, index) => {
      const isFirst = index === 0 && !this.#page.markdown.isOnEmptyLine;
      if (isFirst) return line;
      const isLast = index === lines.length - 1;
      if (isLast && next === 'closing' && line.trim() === '') return this.#closingIndent(line);
      return this.#dedent(line, isLast && next === 'before');
    });
    const markdown = unmark(dedented.join('\n'));
    const cellEnd = this.#page.isInCell ? markdown.search(/(?<!\\)\||\n/) : -1;
    if (cellEnd >= 0) {
      this.#page.markdown.copy(markdown.slice(0, cellEnd));
      this.#page.endCell();
    }
    this.#page.markdown.copy(markdown.slice(Math.max(0, cellEnd)));
  }

  /** Returns the indentation of a closing tag: the indentation of its opening tag. */
  #closingIndent(line: string): string {
    const shift = this.#indents.slice(0, -1).reduce((sum, open) => sum + (open.shift ?? 0), 0);
    const at = this.#indents.at(-1)?.at ?? 0;
    return ' '.repeat(Math.max(0, Math.min(line.length, at) - shift));
  }

  #dedent(line: string, isTagNext: boolean): string {
    const innermost = this.#indents.at(-1);
    if (!innermost || (line.trim() === '' && !isTagNext)) return line;
    const indentation = line.length - line.trimStart().length;
    innermost.shift ??= Math.max(0, indentation - innermost.at);
    const shift = this.#indents.reduce((sum, open) => sum + (open.shift ?? 0), 0);
    return line.slice(Math.min(indentation, shift));
  }

  #problem(line: number, reason: string): void {
    const { problems } = this.#shared;
    if (problems.length >= MAX_PROBLEMS) return;
    const problem = { line: (this.#line ?? line) + 1, reason };
    const isKnown = problems.some(
      (other) => other.line === problem.line && other.reason === reason,
    );
    if (!isKnown) problems.push(problem);
  }
}

/** Returns the size of the values in a piece. A few characters can name a constant with far more. */
function sizeOfPiece(piece: MdxPiece): number {
  if (piece.kind === 'expression') return piece.value === undefined ? 0 : sizeOfValue(piece.value);
  return [...piece.attributes.values()].reduce<number>((sum, value) => sum + sizeOfValue(value), 0);
}

const ownEnds: readonly (readonly [RegExp, string])[] = [
  [/<!--/, '-->'],
  [/<script\b/i, '</script'],
  [/<style\b/i, '</style'],
  [/<pre\b/i, '</pre'],
  [/<textarea\b/i, '</textarea'],
];

/** Private-use characters. They replace marks that are not MDX until the text is written. */
const masks = { '<': '\ue001', '{': '\ue002' } as const;

function maskOf(mark: string): string {
  return mark === '<' ? masks['<'] : masks['{'];
}

/**
 * Returns the text without the mark at its beginning. Removes an HTML comment, and replaces another mark with a
 * character of {@link masks}.
 */
function masked(text: string): string {
  const comment = /^<!--[^]*?-->/.exec(text)?.[0];
  if (comment !== undefined) return comment.replace(/[^\n]+/g, '') + text.slice(comment.length);
  return maskOf(text.charAt(0)) + text.slice(1);
}

function unmark(text: string): string {
  return text
    .replaceAll(masks['{'], '{')
    .replace(/\ue001(?=(?:https?:\/\/|mailto:)[^\s<>\ue001]*>|[\w.+-]+@[\w.-]+>)/g, '<')
    .replaceAll(masks['<'], '\\<');
}

/** Returns the position of the mark that causes the error: the last one before the error, or -1. */
function wrongMark(text: string, offset: number): number {
  const end = Math.min(offset, text.length - 1);
  for (let index = end; index >= 0; index--) if (/[<{]/.test(text.charAt(index))) return index;
  return -1;
}

/** Returns the number of lines after which all brackets of code are closed. */
function balancedLines(lines: readonly string[]): number {
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    for (const mark of line.replace(/(['"`])(?:\\.|(?!\1)[^\\])*\1/g, '')) {
      if ('{(['.includes(mark)) depth++;
      else if ('})]'.includes(mark)) depth--;
    }
    if (depth <= 0 && (lines[index + 1] ?? '').trim() === '') return index + 1;
  }
  return lines.findIndex((line) => line.trim() === '') + 1 || lines.length;
}

function withoutFrontMatter(source: string): string {
  const text = withoutByteOrderMark(source).replace(/\r\n?/g, '\n');
  return text.replace(/^(---|\+\+\+|;;;)(?:json)?[ \t]*\n[^]*?\n\1[ \t]*(?:\n|$)/, '');
}

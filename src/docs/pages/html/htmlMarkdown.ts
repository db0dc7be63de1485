/** Writes the main content of an HTML page as Markdown, in the same form as all other pages of the docs. */
import { withoutLineEndBlanks } from '../../../common/text/blankEnds';
import { withoutBreakHints } from '../../../shared/characters';
import { ElementWriter, type Meaning, type Tag } from '../markup/elementWriter';
import { htmlMeanings } from '../markup/htmlMeanings';
import { escapeMarkdown, fenced, inlineCode } from '../markup/markdownWriter';
import { openCallout } from '../markup/meanings';
import { calloutContent, calloutTitle, isCallout, kindOf } from './callouts';
import { codeBlockOf } from './codeBlocks';
import {
  attribute,
  childElements,
  collapsedText,
  descendants,
  findElement,
  hasClass,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  parentOf,
  textContent,
} from './dom';
import { givesIdToHeading, headingAnchors, headingId, isFragmentLink } from './headingIds';
import { hasHeading, isPanel, type MainContent } from './mainContent';
import { findTabs, type Tabs } from './tabs';

/** Resolves the URL of a link or an image. Returns undefined if the URL leads nowhere. */
export type ResolveHref = (href: string) => string | undefined;

/** Returns a page's main content as Markdown. Headings have their IDs at the end, as `{#id}`. */
export function htmlToMarkdown(main: MainContent, resolve: ResolveHref): string {
  const writer = new ContentWriter(main, findTabs(main.element), resolve);
  writer.children(main.element);
  return withoutLineEndBlanks(writer.page.markdown.toString()).trim();
}

/** ID of a title that has no ID in the page. */
export const TOP_ID = '_top';
/** Deepest level of headings in Markdown. */
const DEEPEST_HEADING = 6;
/** Level of headings that begin sections of a page. */
const DEEPEST_SECTION = 4;

const noMeaning: Meaning = () => undefined;

/** Matches IDs that a generator or a component library made up. Nobody links to them. */
const generatedId =
  /^(?:id\d+$|index-\d+$|__|:r|radix-|headlessui-|tabpanel|tab-panel|tabs-\d|codelineno|cb\d|react-|ember\d)/i;

class ContentWriter {
  readonly page = new ElementWriter(() => noMeaning);
  readonly #main: MainContent;
  readonly #tabs: Tabs;
  readonly #resolve: ResolveHref;
  /** Elements that have been written in another place, such as the title of a note. */
  readonly #written = new Set<HtmlElement>();
  #headingLevel = 1;
  #hasTop = false;
  /** Nesting of API entries, which become headings. */
  #entryDepth = 0;
  #cellDepth = 0;
  #emptyCount = 0;
  /** Lists whose items are sections of the page, such as those of Javadoc. */
  readonly #sectionLists: ReadonlySet<HtmlElement>;
  readonly #tables: TableGrid[] = [];

  constructor(main: MainContent, tabs: Tabs, resolve: ResolveHref) {
    this.#main = main;
    this.#tabs = tabs;
    this.#resolve = resolve;
    this.#sectionLists = findSectionLists(main.element);
    for (const anchor of headingAnchors(main.element)) this.#written.add(anchor);
  }

  children({ children }: HtmlElement): void {
    for (const child of children) this.#write(child);
  }

  #write(node: HtmlNode): void {
    if (!isElement(node)) {
      if (isText(node)) this.#text(node.data);
      return;
    }
    if (this.#written.has(node) || this.#tabs.lists.has(node)) return;
    if (this.#writeSpecial(node) || this.#main.isNoise(node)) return;
    const label = this.#tabs.labels.get(node);
    if (label !== undefined) this.#label(label);
    const block = this.#cellDepth === 0 ? codeBlockOf(node) : undefined;
    if (block) {
      if (block.code !== '')
        this.page.markdown.block(fenced(block.code, block.language, block.title));
      return;
    }
    this.#element(node);
    if (label !== undefined) this.page.markdown.break();
  }

  /** Writes a heading, checkbox, disclosure button or formula. Returns false for any other element. */
  #writeSpecial(element: HtmlElement): boolean {
    const { name } = element;
    if (/^h[1-6]$/.test(name)) {
      const parent = parentOf(element);
      // Haddock puts the headings of sections into links to themselves, and begins with level 1.
      const isSection = parent !== undefined && isLinkToItself(parent);
      this.#heading(element, Number(name.slice(1)) + (isSection ? 1 : 0));
    } else if (name === 'input') this.#checkbox(element);
    else if (name === 'button' && isDisclosure(element)) this.#label(collapsedText(element));
    else if (name === 'math' || hasClass(element, 'katex')) this.#math(element);
    else return false;
    return true;
  }

  #element(element: HtmlElement): void {
    const { name } = element;
    if (isCallout(element)) this.#callout(element);
    else if (name === 'dl') this.#definitions(element);
    else if (name === 'a') this.#link(element);
    else if (name === 'img') this.#image(element);
    else if (name === 'br' && this.#endsParagraph(element)) this.page.markdown.break();
    else if (name === 'code' || name === 'samp') this.#code(element);
    else if (name === 'pre') this.#code(element);
    else if (name === 'summary' && hasHeading(element)) this.children(element);
    else if (isDeclaration(element)) this.#declaration(element);
    else if (isLayoutTable(element)) this.#layout(element);
    else if (isMarkTable(element)) this.#marks(element);
    else if (this.#isSectionList(element)) this.#sections(element);
    else if (name === 'iframe' || name === 'embed') this.#frame(element);
    else {
      const shownAs = attribute(element, 'data-as') === 'p' ? 'p' : name;
      const meaning = Object.hasOwn(htmlMeanings, shownAs) ? htmlMeanings[shownAs] : undefined;
      const isCell = name === 'td' || name === 'th';
      if (name === 'table') this.#tables.push(new TableGrid());
      if (name === 'tr') this.#tables.at(-1)?.startRow();
      if (isCell) this.#emptyCells(this.#tables.at(-1)?.cellsBefore() ?? 0);
      const end = (meaning ?? noMeaning)(this.#tag(element), this.page);
      if (isCell) this.#cellDepth++;
      this.children(element);
      if (isCell) this.#cellDepth--;
      end?.();
      if (isCell) this.#emptyCells(this.#tables.at(-1)?.place(element) ?? 0);
      if (name === 'table') this.#tables.pop();
    }
  }

  /** Adds empty cells for a cell that spans several, so that later cells stay in their columns. */
  #emptyCells(count: number): void {
    for (
      let cell = 0;
      cell < count && this.#emptyCount < MAX_EMPTY_CELLS;
      cell++, this.#emptyCount++
    )
      htmlMeanings['td']?.({ name: 'td', attributes: new Map(), isFlow: false }, this.page)?.();
  }

  #tag(element: HtmlElement): Tag {
    const attributes = new Map(Object.entries(element.attribs));
    const id = attributes.get('id');
    if (
      id !== undefined &&
      (generatedId.test(id) || id.includes('"') || isPanel(element) || givesIdToHeading(element))
    )
      attributes.delete('id');
    return { name: element.name, attributes, isFlow: false };
  }

  #text(written: string): void {
    const { markdown } = this.page;
    const text = withoutBreakHints(written);
    // White space collapses to one space. A line never begins with it, because it would be an indentation.
    if (markdown.isAtLineStart || markdown.isAfterSpace) {
      const start = text.trimStart();
      if (start !== '') this.page.plain(start);
    } else this.page.plain(text);
  }

  /** Returns whether a line break ends a paragraph because others follow, which are passed over. */
  #endsParagraph(element: HtmlElement): boolean {
    if (this.#cellDepth > 0 || !/^(?:p|div|li|dd)$/.test(parentOf(element)?.name ?? ''))
      return false;
    let hasOthers = false;
    for (let { next } = element; next; { next } = next) {
      if (isElement(next) && next.name === 'br') {
        this.#written.add(next);
        hasOthers = true;
      } else if (!isText(next) || next.data.trim() !== '') break;
    }
    return hasOthers;
  }

  #label(label: string): void {
    if (label === '') return;
    const text = `**${escapeMarkdown(label)}**`;
    if (this.#cellDepth > 0) this.page.markdown.raw(`${text} `);
    else this.page.markdown.block(text);
  }

  #heading(element: HtmlElement, level: number): void {
    const { markdown } = this.page;
    const id = headingId(element) ?? (level === 1 ? this.#topId() : undefined);
    const links = [...descendants(element)].filter(isFragmentLink);
    // A link to the heading itself is a mark next to its words, or holds some of the words.
    for (const link of links) if (isHeadingMark(link)) this.#written.add(link);
    const buttons = [...descendants(element)].filter(({ name }) => name === 'button');
    // A button copies something, or it is the whole heading of a part that opens.
    const isOpener = collapsedText(element) === buttons.map(collapsedText).join(' ');
    for (const button of buttons) if (!isOpener) this.#written.add(button);
    markdown.break();
    markdown.begin();
    this.#inline(element);
    const content = markdown.end().replace(/<br>/g, ' ').replace(/\s+/g, ' ').trim();
    if (content === '') {
      if (id !== undefined) this.page.anchor(id, true);
      return;
    }
    if (this.#cellDepth > 0) {
      markdown.raw(`${content} `);
      return;
    }
    this.#headingLevel = level;
    markdown.block(
      `${'#'.repeat(Math.min(level, DEEPEST_HEADING))} ${content}${id === undefined ? '' : ` {#${id}}`}`,
    );
  }

  /** Returns `TOP_ID` for the first title without an ID. Later ones get none, because IDs are unique. */
  #topId(): string | undefined {
    if (this.#hasTop) return undefined;
    this.#hasTop = true;
    return TOP_ID;
  }

  /** Writes an element's text inline, without the blocks, fragment links and buttons around it. */
  #inline(element: HtmlElement): void {
    for (const child of element.children) {
      if (!isElement(child)) {
        if (isText(child)) this.page.plain(withoutBreakHints(child.data));
      } else if (this.#written.has(child)) continue;
      else if (child.name === 'code' || child.name === 'samp') this.#code(child);
      else if (child.name === 'button' || !this.#main.isNoise(child)) {
        if (child.name === 'img') this.page.plain(attribute(child, 'alt') ?? '');
        else if (child.name === 'br') this.page.plain(' ');
        else this.#inline(child);
      }
    }
  }

  #code(element: HtmlElement): void {
    let written = textContent(element);
    // Sphinx writes a name in several code elements, one behind the other.
    for (let next = element.next; next && isElement(next) && next.name === element.name;) {
      written += textContent(next);
      this.#written.add(next);
      next = next.next;
    }
    const text = withoutBreakHints(written);
    const code = text.replace(/\s+/g, ' ').trim();
    if (code === '') return;
    // The white space around code is often inside the code element.
    const before = /^\s/.test(text) && !this.page.markdown.isAtLineStart ? ' ' : '';
    this.page.markdown.raw(before + inlineCode(code));
  }

  #link(element: HtmlElement): void {
    const { markdown } = this.page;
    // Haddock puts a heading into a link to itself.
    const isAroundHeading = isLinkToItself(element) && hasHeading(element);
    const id = attribute(element, 'id') ?? attribute(element, 'name');
    if (id !== undefined && !generatedId.test(id) && !isAroundHeading) this.page.anchor(id, false);
    const written = attribute(element, 'href');
    const href = written === undefined ? undefined : this.#resolve(written);
    if (href === undefined || isAroundHeading) {
      this.children(element);
      return;
    }
    if (isFragmentMark(element)) return;
    markdown.begin();
    this.children(element);
    const content = markdown.end();
    if (content.trim() === '') return;
    const meaning = htmlMeanings['a'];
    const tag: Tag = { name: 'a', attributes: new Map([['href', href]]), isFlow: false };
    // The absolute URL keeps the default meaning from dropping links within the page.
    const end = meaning?.(tag, this.page);
    markdown.raw(content);
    end?.();
  }

  #image(element: HtmlElement): void {
    const alt = attribute(element, 'alt') ?? attribute(element, 'title') ?? '';
    const src = attribute(element, 'src') ?? attribute(element, 'data-src') ?? '';
    const href = /^data:/i.test(src) || src === '' ? undefined : this.#resolve(src);
    if (href === undefined) {
      this.page.markdown.raw(escapeMarkdown(alt));
      return;
    }
    const tag: Tag = {
      name: 'img',
      attributes: new Map([
        ['src', href],
        ['alt', alt],
      ]),
      isFlow: false,
    };
    htmlMeanings['img']?.(tag, this.page);
  }

  #frame(element: HtmlElement): void {
    const src = attribute(element, 'src');
    const href = src === undefined ? undefined : this.#resolve(src);
    if (href === undefined) return;
    const title = attribute(element, 'title');
    const attributes = new Map([['src', href]]);
    if (title !== undefined) attributes.set('title', title);
    htmlMeanings['iframe']?.({ name: 'iframe', attributes, isFlow: true }, this.page)?.();
  }

  #checkbox(element: HtmlElement): void {
    if (attribute(element, 'type') !== 'checkbox') return;
    const parent = parentOf(element);
    const isTask = parent?.name === 'li' || (parent && parentOf(parent)?.name === 'li');
    if (isTask === true)
      this.page.markdown.raw(attribute(element, 'checked') === undefined ? '[ ] ' : '[x] ');
  }

  #math(element: HtmlElement): void {
    const source = findElement(
      element,
      ({ name, attribs }) => name === 'annotation' && attribs['encoding'] === 'application/x-tex',
    );
    const text = source ? textContent(source).trim() : collapsedText(element);
    if (text !== '') this.page.markdown.raw(source ? `$${text}$` : escapeMarkdown(text));
  }

  #callout(element: HtmlElement): void {
    const title = calloutTitle(element);
    const kind = kindOf(element);
    let text = attribute(element, 'aria-label');
    if (title) {
      this.#written.add(title);
      text = collapsedText(title) || text;
    }
    const label = text?.trim() ?? '';
    if (this.#cellDepth > 0) {
      this.#label(label);
      this.children(element);
      return;
    }
    const end = openCallout(
      this.page,
      kind,
      label === '' ? undefined : escapeMarkdown(label).replaceAll('**', ''),
    );
    this.children(calloutContent(element));
    end();
  }

  #isSectionList(element: HtmlElement): boolean {
    const list = element.name === 'li' ? parentOf(element) : element;
    if (list === undefined) return false;
    // Javadoc before 9 puts all that it writes into lists.
    return this.#sectionLists.has(list) || hasClass(list, 'blocklist', 'blocklistlast');
  }

  /** Writes a list, or one of its items, without its marks, so that the headings in it begin sections. */
  #sections(element: HtmlElement): void {
    this.page.markdown.break();
    this.children(element);
    this.page.markdown.break();
  }

  #layout(element: HtmlElement): void {
    for (const cell of descendants(element)) {
      if (cell.name !== 'td' && cell.name !== 'th') continue;
      if (tableOf(cell) !== element) continue;
      this.page.markdown.break();
      this.children(cell);
    }
    this.page.markdown.break();
  }

  /** Writes what the marks in code mean as a list. Each row has a mark and its text. */
  #marks(element: HtmlElement): void {
    const tag = (name: string): Tag => ({ name, attributes: new Map(), isFlow: false });
    const endList = htmlMeanings['ol']?.(tag('ol'), this.page);
    for (const row of descendants(element)) {
      if (row.name !== 'tr' || tableOf(row) !== element) continue;
      const text = row.children.filter(isElement).at(-1);
      const endItem = htmlMeanings['li']?.(tag('li'), this.page);
      if (text) this.children(text);
      endItem?.();
    }
    endList?.();
  }

  /** Writes terms and definitions as a list, and entries of an API as headings. */
  #definitions(element: HtmlElement): void {
    const { markdown } = this.page;
    markdown.break();
    const level = this.#headingLevel;
    const isApi = childElements(element).some((child) => child.name === 'dt' && isSignature(child));
    let terms: string[] = [];
    let ids: string[] = [];
    let definitions: string[] = [];
    const flush = (): void => {
      const label = terms.join(', ');
      for (const id of ids) this.page.anchor(id, true);
      const text = [label, definitions.join('\n\n')].filter((part) => part !== '');
      if (text.length > 0) markdown.block(listItem(text));
      [terms, ids, definitions] = [[], [], []];
    };
    const items = childElements(element).flatMap((child) =>
      child.name === 'div' ? childElements(child) : [child],
    );
    for (const item of items) {
      if (this.#main.isNoise(item)) continue;
      if (isApi) this.#apiEntry(item, level);
      else if (item.name === 'dt') {
        if (definitions.length > 0) flush();
        const id = attribute(item, 'id');
        if (id !== undefined) ids.push(id);
        for (const link of descendants(item))
          if (isFragmentLink(link) && isHeadingMark(link)) this.#written.add(link);
        markdown.begin();
        this.#inline(item);
        const term = markdown.end().replace(/\s+/g, ' ').trim().replace(/:$/, '');
        if (term !== '') terms.push(term.includes('**') ? term : `**${term}**`);
      } else {
        markdown.begin();
        this.children(item);
        const definition = markdown.end().trim();
        if (definition !== '') definitions.push(definition);
      }
    }
    flush();
    this.#headingLevel = level;
    markdown.break();
  }

  #apiEntry(item: HtmlElement, level: number): void {
    const { markdown } = this.page;
    if (item.name !== 'dt') {
      this.#entryDepth++;
      this.children(item);
      this.#entryDepth--;
      markdown.break();
      return;
    }
    const id = attribute(item, 'id');
    for (const link of descendants(item)) {
      const isMark = isFragmentLink(link) && isHeadingMark(link);
      if (isMark || hasClass(link, 'viewcode-link')) this.#written.add(link);
    }
    const deeper = Math.max(level, 1) + 1 + Math.min(this.#entryDepth, 1);
    const written = this.#signature(item, id, deeper);
    if (written !== undefined) this.#headingLevel = written;
  }

  /** Writes a declaration of Haddock, without the links to its source and to itself. */
  #declaration(element: HtmlElement): void {
    const name = childElements(element).find(isDeclaredName);
    for (const link of childElements(element))
      if (hasClass(link, 'link', 'selflink')) this.#written.add(link);
    this.#signature(element, name && attribute(name, 'id'), this.#headingLevel + 1);
  }

  /** Writes a signature as a heading. Returns its level, or undefined for an empty one. */
  #signature(element: HtmlElement, id: string | undefined, wished: number): number | undefined {
    const signature = signatureText(element, this.#written);
    if (signature === '') return undefined;
    const level = Math.min(wished, DEEPEST_SECTION);
    const code = `\`${signature.replaceAll('`', "'")}\``;
    const mark = id === undefined ? '' : ` {#${id}}`;
    this.page.markdown.block(`${'#'.repeat(level)} ${code}${mark}`);
    return level;
  }
}

/** Maximum span of a cell. A page can name any number. */
const MAX_SPAN = 50;
/** Maximum number of columns in which cells can reach into later rows. */
const MAX_COLUMNS = 200;
/** Maximum number of empty cells on a page. A few characters of HTML can ask for thousands. */
const MAX_EMPTY_CELLS = 20_000;

/** Counts the columns of a table, some of whose cells span several rows and columns. */
class TableGrid {
  /** Number of further rows that a cell covers, by column. */
  readonly #reaching: number[] = [];
  #column = 0;

  startRow(): void {
    // Cells that reach to the end of a row have no cell behind them.
    for (; this.#column < this.#reaching.length; this.#column++) this.#use();
    this.#column = 0;
  }

  /** Returns how many columns before the next cell belong to cells of the rows above. */
  cellsBefore(): number {
    let count = 0;
    for (; (this.#reaching[this.#column] ?? 0) > 0; this.#column++) {
      this.#use();
      count++;
    }
    return count;
  }

  /** Places a cell. Returns how many further columns it covers. */
  place(cell: HtmlElement): number {
    const columns = spanOf(cell, 'colspan');
    const rows = spanOf(cell, 'rowspan');
    for (let column = 0; column < columns; column++, this.#column++)
      if (this.#column < MAX_COLUMNS) this.#reaching[this.#column] = rows - 1;
    return columns - 1;
  }

  #use(): void {
    const rows = this.#reaching[this.#column] ?? 0;
    this.#reaching[this.#column] = Math.max(0, rows - 1);
  }
}

function spanOf(cell: HtmlElement, name: string): number {
  const span = Number(attribute(cell, name) ?? 1);
  return Number.isInteger(span) && span > 0 ? Math.min(span, MAX_SPAN) : 1;
}

/** Returns blocks of Markdown as one item of a list, the first of which begins its line. */
function listItem(parts: readonly string[]): string {
  const [first = '', second] = parts;
  const gap = /^(?:#|>|\||`{3}|[-*] |\d+\. |<)/.test(second ?? '') ? '\n\n' : ': ';
  const content = second === undefined ? first : first + gap + second;
  return `- ${content.replace(/\n(?=[^\n])/g, '\n  ')}`;
}

function signatureText(item: HtmlElement, left: ReadonlySet<HtmlElement>): string {
  const textOf = (node: HtmlNode): string => {
    if (!isElement(node)) return isText(node) ? node.data : '';
    return left.has(node) ? '' : node.children.map(textOf).join('');
  };
  return textOf(item).replace(/\s+/g, ' ').replace(/¶$/, '').trim();
}

function isSignature(element: HtmlElement): boolean {
  if (attribute(element, 'id') === undefined) return false;
  if (hasClass(element, 'sig', 'sig-object')) return true;
  // Sphinx before version 4
  return childElements(element).some((part) => hasClass(part, 'descname'));
}

/** Returns whether an element is a declaration of Haddock. */
function isDeclaration(element: HtmlElement): boolean {
  return (
    element.name === 'p' && hasClass(element, 'src') && childElements(element).some(isDeclaredName)
  );
}

function isDeclaredName(element: HtmlElement): boolean {
  return element.name === 'a' && hasClass(element, 'def');
}

function isLinkToItself(element: HtmlElement): boolean {
  const id = attribute(element, 'id');
  return id !== undefined && isFragmentLink(element) && attribute(element, 'href') === `#${id}`;
}

/** Returns whether a link is only a mark for copying the link to a heading, such as `¶`. */
function isFragmentMark(element: HtmlElement): boolean {
  return (
    isFragmentLink(element) &&
    !/[\p{L}\p{N}]/u.test(collapsedText(element)) &&
    !findElement(element, ({ name }) => name === 'img')
  );
}

const markWords =
  /^(?:direct link|permalink|permanent link|link to|section titled|navigate to|anchor)\b/i;

/** Returns whether a link in a heading has no words of the heading. */
function isHeadingMark(link: HtmlElement): boolean {
  const text = collapsedText(link);
  return (
    !/[\p{L}\p{N}]/u.test(text) || markWords.test(text) || attribute(link, 'aria-hidden') === 'true'
  );
}

/** Returns the lists in an element whose items have sections of the page, to which links can lead. */
function findSectionLists(element: HtmlElement): ReadonlySet<HtmlElement> {
  const lists = new Set<HtmlElement>();
  for (const inner of descendants(element)) {
    const [, level] = /^h([1-6])$/.exec(inner.name) ?? [];
    if (level === undefined || Number(level) > DEEPEST_SECTION) continue;
    if (headingId(inner) === undefined) continue;
    for (let at = parentOf(inner); at && at !== element && !lists.has(at); at = parentOf(at))
      if (at.name === 'ul' || at.name === 'ol') lists.add(at);
  }
  return lists;
}

/** Returns whether a button opens the text after it, as in a list of questions. */
function isDisclosure(element: HtmlElement): boolean {
  return (
    attribute(element, 'aria-expanded') !== undefined &&
    attribute(element, 'aria-controls') !== undefined &&
    attribute(element, 'aria-haspopup') === undefined &&
    collapsedText(element).length > 2
  );
}

/** Returns whether a table is only for layout. */
function isLayoutTable(element: HtmlElement): boolean {
  if (element.name !== 'table') return false;
  if (/^(?:presentation|none)$/.test(attribute(element, 'role') ?? '')) return true;
  let cells = 0;
  for (const inner of descendants(element)) {
    if (inner.name === 'table' || inner.name === 'th' || /^h[1-4]$/.test(inner.name))
      return inner.name !== 'th';
    if (inner.name === 'td') cells++;
  }
  return cells === 1;
}

/** Returns whether a table has the texts of the marks in the code above it, which Asciidoctor numbers. */
function isMarkTable(element: HtmlElement): boolean {
  const parent = parentOf(element);
  return element.name === 'table' && parent !== undefined && hasClass(parent, 'colist');
}

function tableOf(part: HtmlElement): HtmlElement | undefined {
  let at = parentOf(part);
  while (at && at.name !== 'table') at = parentOf(at);
  return at;
}

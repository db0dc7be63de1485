import { escapeMarkdown, linkTarget, MarkdownWriter } from './markdownWriter';

/** Value of an attribute or an exported constant, if it is a literal. */
export type JsxValue = string | number | boolean | readonly JsxValue[] | JsxObject;
export interface JsxObject {
  readonly [name: string]: JsxValue;
}

/** Attributes that name an element, the most likely first. */
const labelNames = [
  'title',
  'label',
  'heading',
  'header',
  'question',
  'name',
  'term',
  'parameter',
  'summary',
  'text',
];
/** Attributes whose text is always shown. */
const textNames = new Set([
  ...labelNames,
  'alt',
  'answer',
  'caption',
  'content',
  'cta',
  'description',
  'desc',
  'eyebrow',
  'footer',
  'subtitle',
  'tip',
  'tooltip',
]);
const linkNames = ['href', 'to', 'link', 'url'];
/** Attributes that are never shown. */
const silentNames = new Set(
  (
    'allow as class className color d data default-value fill font groupId height icon iconType id ' +
    'key lang language media points queryString rel role sandbox size sizes slot src srcSet srcset ' +
    'stroke style target theme transform type value variant viewBox width xmlns ' +
    linkNames.join(' ')
  ).split(' '),
);

/** Returns the text of the first of the given attributes that has one, or undefined. */
export function textOf({ attributes }: Tag, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** Returns whether an attribute is set, as in `required` and `required={true}`. */
export function isSet({ attributes }: Tag, name: string): boolean {
  const value = attributes.get(name);
  return value === true || value === '' || value === 'true' || value === name;
}

export function hrefOf(tag: Tag): string | undefined {
  return textOf(tag, ...linkNames);
}

/** Returns a label in bold, or as a link. */
export function labelled(label: string, href?: string): string {
  const text = escapeMarkdown(label);
  return href === undefined ? `**${text}**` : `[${text}](${linkTarget(href)})`;
}

interface ShownAttributes {
  readonly label: string | undefined;
  /** Further texts and lists as blocks of Markdown. */
  readonly rest: readonly string[];
}

/** Returns the text of an element's attributes that readers should see. */
export function shownAttributes(tag: Tag, but: readonly string[] = []): ShownAttributes {
  const labelName = labelNames.find((name) => textOf(tag, name) !== undefined);
  const rest: string[] = [];
  for (const [name, value] of tag.attributes) {
    if (name === labelName || but.includes(name)) continue;
    if (typeof value === 'object') {
      if (!silentNames.has(name)) rest.push(...listed(value));
    } else if (typeof value === 'string' && isShown(name, value)) rest.push(escapeMarkdown(value));
  }
  return { label: textOf(tag, ...labelNames), rest };
}

function isShown(name: string, value: string): boolean {
  if (value.trim() === '') return false;
  if (textNames.has(name)) return true;
  if (silentNames.has(name) || /^(?:on[A-Z]|data-|aria-)/.test(name)) return false;
  // A sentence has two words side by side. One pattern for both would take the square of a long word's time.
  const words = value.split(/\s+/);
  return words.some((word, index) => index > 0 && hasLetter(word) && hasLetter(words[index - 1]));
}

function hasLetter(word = ''): boolean {
  return /\p{L}/u.test(word);
}

/** Returns data in an attribute as a list. */
function listed(value: JsxValue): string[] {
  const lines = listLines(value, '');
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function listLines(value: JsxValue, indent: string): string[] {
  if (typeof value === 'string') {
    return value.trim() === '' ? [] : [`${indent}- ${escapeMarkdown(value)}`];
  }
  if (typeof value === 'number') return [`${indent}- ${value}`];
  if (typeof value === 'boolean') return [];
  if (isList(value)) return value.flatMap((item) => listLines(item, indent));
  const href = linkNames.map((name) => value[name]).find((link) => typeof link === 'string');
  const labelName = labelNames.find((name) => typeof value[name] === 'string');
  const texts: string[] = [];
  const nested: string[] = [];
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === 'object') nested.push(...listLines(item, `${indent}  `));
    else if (typeof item !== 'string' || item.trim() === '') continue;
    else if (name === labelName) texts.unshift(labelled(item, href));
    else if (name === 'type') texts.push(`\`${item.replaceAll('`', "'").replace(/\s+/g, ' ')}\``);
    else if (!silentNames.has(name)) texts.push(escapeMarkdown(item));
  }
  if (texts.length === 0) return nested.map((line) => line.slice(2));
  return [`${indent}- ${texts.join(' · ')}`, ...nested];
}

/** Returns whether a value is an array. `Array.isArray` does not narrow read-only arrays. */
function isList(value: readonly JsxValue[] | JsxObject): value is readonly JsxValue[] {
  return Array.isArray(value);
}

/** A tag of HTML or JSX. */
export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, JsxValue>;
  /** Whether the tag is on lines of its own and its content is Markdown. */
  readonly isFlow: boolean;
}

/**
 * Writes the start of an element as Markdown.
 * @returns a function that writes its end.
 */
export type Meaning = (tag: Tag, page: ElementWriter) => (() => void) | undefined;

interface OpenElement {
  readonly name: string;
  readonly end: (() => void) | undefined;
  /** Whether it began in a row of a table of Markdown. It ends with its cell, also without a closing tag. */
  readonly isInRow?: boolean;
}

/** Elements without a closing tag in HTML. */
const voidNames = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/**
 * Maximum number of open elements. Real pages nest about 40. The content of further elements is written as if they
 * were not there, because each level copies the text within it.
 */
const MAX_OPEN = 200;

/** Writes a page's text and elements as Markdown. `meanings` says what an element means. */
export class ElementWriter {
  readonly markdown = new MarkdownWriter();
  readonly #meaningOf: (name: string) => Meaning;
  readonly #open: OpenElement[] = [];
  /** Number of open elements beyond the maximum. */
  #deeper = 0;
  /** Nesting of elements whose text is code. */
  codeDepth = 0;

  constructor(meaningOf: (name: string) => Meaning) {
    this.#meaningOf = meaningOf;
  }

  /** Returns whether a tag begins a block at this place. */
  isBlock(tag: Tag): boolean {
    return tag.isFlow || this.markdown.isAtLineStart;
  }

  open(tag: Tag, isSelfClosing: boolean): void {
    const isEmpty = isSelfClosing || voidNames.has(tag.name);
    if (!isEmpty && this.#open.length >= MAX_OPEN) {
      this.#deeper++;
      return;
    }
    const { isInRow } = this.markdown;
    const end = this.#meaningOf(tag.name)(tag, this);
    if (isEmpty) end?.();
    else this.#open.push({ name: tag.name, end, isInRow });
  }

  /** Whether the text belongs to an element in a cell of a table of Markdown. */
  get isInCell(): boolean {
    return this.#open.at(-1)?.isInRow === true;
  }

  /** Ends the elements in a cell. */
  endCell(): void {
    while (this.isInCell) this.#open.pop()?.end?.();
  }

  /** Begins something that is not a tag, such as a container. */
  begin(name: string, end: () => void): void {
    if (this.#open.length < MAX_OPEN) this.#open.push({ name, end });
    else {
      this.#deeper++;
      end();
    }
  }

  /**
   * Ends the innermost matching element and everything open in it.
   * @returns whether such an element was open.
   */
  close(isMeant: (name: string) => boolean): boolean {
    if (this.#deeper > 0) {
      this.#deeper--;
      return true;
    }
    const index = this.#open.findLastIndex((element) => isMeant(element.name));
    if (index < 0) return false;
    for (const element of this.#open.splice(index).reverse()) element.end?.();
    return true;
  }

  /**
   * Ends all open elements.
   * @returns their names.
   */
  finish(): string[] {
    const left = this.#open.splice(0);
    for (const element of left.toReversed()) element.end?.();
    return left.map(({ name }) => name);
  }

  /** Adds plain text. */
  plain(text: string): void {
    if (this.codeDepth > 0) {
      this.markdown.raw(text);
      return;
    }
    const words = text.trim();
    const before = /^\s/.test(text) ? ' ' : '';
    const after = words !== '' && /\s$/.test(text) ? ' ' : '';
    this.markdown.raw(before + escapeMarkdown(words) + after);
  }

  value(value: JsxValue): void {
    if (typeof value === 'object') {
      if (isList(value)) for (const item of value) this.value(item);
    } else if (typeof value !== 'boolean') this.plain(String(value));
  }

  /** Adds an anchor for links. */
  anchor(id: string, isBlock: boolean): void {
    const mark = `<a id="${id.replace(/["<>&\s]/g, encodeURIComponent)}">`;
    if (isBlock && !this.markdown.isInRow) this.markdown.block(mark);
    else this.markdown.raw(`${mark}</a>`);
  }
}

/** Returns whether Markdown has a link with a target. Images don't count. */
function hasLink(markdown: string): boolean {
  let isOpen = false;
  for (const [mark] of markdown.matchAll(/(?<!!)\[|\]\(?/g)) {
    if (mark === '[') isOpen = true;
    else if (isOpen && mark === '](') return true;
    else isOpen = false;
  }
  return false;
}

/** Hides an element and its content. */
export const hidden: Meaning = (_tag, page) => {
  page.markdown.begin();
  return () => {
    page.markdown.end();
  };
};

/**
 * Ends a link that started at `begin`. A link around blocks or other links is written after them, unless it is the mark
 * of a place on its own page.
 */
export function endLink(page: ElementWriter, href: string): void {
  const content = page.markdown.end();
  const label = content.trim();
  const target = linkTarget(href);
  if (label === '') page.markdown.raw(`[${escapeMarkdown(href)}](${target})`);
  else if (href.startsWith('#') && hasLink(label)) page.markdown.raw(content);
  else if (/\n\s*\n|^(?:`{3}|~{3}|#{1,6} |[-*+>] )/.test(label) || hasLink(label)) {
    page.markdown.raw(content);
    page.markdown.block(`[${escapeMarkdown(href)}](${target})`);
  } else {
    page.markdown.raw(content.replace(label, () => `[${label}](${target})`));
  }
}

import type { JsxValue } from './jsxValues';
import { escapeMarkdown, linkTarget, MarkdownWriter } from './markdownWriter';

/** A tag of HTML or JSX. */
export interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, JsxValue>;
  /** Whether its text is Markdown's and it stands on lines of its own. */
  readonly isFlow: boolean;
}

/** Writes what an element means where it begins. @returns what to do where it ends. */
export type Meaning = (tag: Tag, page: ElementWriter) => (() => void) | undefined;

interface OpenElement {
  readonly name: string;
  readonly end: (() => void) | undefined;
}

/** Elements that HTML never closes. */
const voidNames = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Writes a page's text and elements as Markdown. What an element means, `meanings` say. */
export class ElementWriter {
  readonly markdown = new MarkdownWriter();
  readonly #meaningOf: (name: string) => Meaning;
  readonly #open: OpenElement[] = [];
  /** Above zero, text is code. */
  codeDepth = 0;

  constructor(meaningOf: (name: string) => Meaning) {
    this.#meaningOf = meaningOf;
  }

  /** Whether a tag begins a block here. */
  isBlock(tag: Tag): boolean {
    return tag.isFlow || this.markdown.isAtLineStart;
  }

  open(tag: Tag, isSelfClosing: boolean): void {
    const end = this.#meaningOf(tag.name)(tag, this);
    if (isSelfClosing || voidNames.has(tag.name)) end?.();
    else this.#open.push({ name: tag.name, end });
  }

  /** Begins what is no tag, such as a container. */
  begin(name: string, end: () => void): void {
    this.#open.push({ name, end });
  }

  /** Ends the innermost element of that name, and what is open within. @returns whether it was open. */
  close(isMeant: (name: string) => boolean): boolean {
    const index = this.#open.findLastIndex((element) => isMeant(element.name));
    if (index < 0) return false;
    for (const element of this.#open.splice(index).reverse()) element.end?.();
    return true;
  }

  /** Ends all that is open. @returns the names of what was. */
  finish(): string[] {
    const left = this.#open.splice(0);
    for (const element of left.toReversed()) element.end?.();
    return left.map(({ name }) => name);
  }

  /** Adds text that is no Markdown. */
  plain(text: string): void {
    if (this.codeDepth > 0) {
      this.markdown.raw(text);
      return;
    }
    const [, before = '', words = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? [];
    const shown = escapeMarkdown(words);
    this.markdown.raw((before && ' ') + shown + (after && ' '));
  }

  value(value: JsxValue): void {
    if (typeof value === 'object') {
      if (Array.isArray(value)) for (const item of value as readonly JsxValue[]) this.value(item);
    } else if (typeof value !== 'boolean') this.plain(String(value));
  }

  /** Marks a place that links can lead to. */
  anchor(id: string, isBlock: boolean): void {
    const mark = `<a id="${id.replace(/["<>&\s]/g, encodeURIComponent)}">`;
    if (isBlock) this.markdown.block(mark);
    else this.markdown.raw(`${mark}</a>`);
  }
}

/** Not shown, and neither is what is within. */
export const hidden: Meaning = (_tag, page) => {
  page.markdown.begin();
  return () => {
    page.markdown.end();
  };
};

/** Writes what has been written since `begin` as a link; blocks with the link behind them. */
export function endLink(page: ElementWriter, href: string): void {
  const content = page.markdown.end();
  const label = content.trim();
  const target = linkTarget(href);
  if (label === '') page.markdown.raw(`[${escapeMarkdown(href)}](${target})`);
  else if (
    /\n\s*\n|^(?:`{3}|~{3}|#{1,6} |[-*+>] )/.test(label) ||
    /(?<!!)\[[^\]]*\]\(/.test(label)
  ) {
    page.markdown.raw(content);
    page.markdown.block(`[${escapeMarkdown(href)}](${target})`);
  } else {
    page.markdown.raw(content.replace(label, () => `[${label}](${target})`));
  }
}

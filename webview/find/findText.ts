/** The text of messages as readers see it, to be searched: without markup, whatever is built. */
import {
  isReplyRunning,
  type MessageView,
  type ReplyView,
  type SourcePart,
} from '../src/shared/uiMessage';
import { BlockStream } from './markdown/blockStream';
import { CitationIndex } from './markdown/citations';
import type { RenderedBlock } from './markdown/rendered';

/** Between paragraphs, cells and lines of code: nothing that is found reaches over it. */
const BREAK = '\0';
/** Stands for a formula, which is drawn and not written. */
export const FORMULA = '\ufffc';
/** Characters of a reply that are rendered before something else may run. */
const STEP_LENGTH = 6_000;

/** Elements that stand within a line. */
const inlineTags = new Set(['a', 'bdi', 'code', 'em', 'input', 's', 'span', 'strong', 'sup']);

/** Whether text before and after such an element is not of one piece. */
export function isBlockTag(localName: string): boolean {
  return !inlineTags.has(localName);
}

/** Whether a link that cites says no more than the number of its source. */
export function isNumberOnly(text: string): boolean {
  return /^\s*\[?\d+\]?\s*$/.test(text);
}

/** From where on the text follows that of a node. */
export interface TextPlace {
  /** Within the whole text. */
  readonly at: number;
  readonly node: Text;
  readonly offset: number;
}

/**
 * Puts a text together as it is read: white space is one space, as the browser shows it, and what
 * stands in blocks of its own is kept apart.
 */
export class ShownText {
  readonly places: TextPlace[] = [];
  readonly #pieces: string[] = [];
  #length = 0;
  #last = BREAK;

  get text(): string {
    return this.#pieces.join('');
  }

  /** @param isPre line breaks are shown as such. `node` holds `data`. */
  add(data: string, isPre: boolean, node?: Text): void {
    let from = 0;
    // A single space, which is by far the most frequent, stays where it is.
    for (const { 0: blank, index } of data.matchAll(/\s{2,}|[^\S ]/g)) {
      this.#append(data.slice(from, index), isPre, node, from);
      from = index + blank.length;
      const lines = isPre ? blank.split('\n') : [blank];
      if (lines[0] !== '') this.#append(' ', isPre, node, index);
      if (lines.length === 1) continue;
      this.break();
      const indent = lines.at(-1) ?? '';
      if (indent !== '') this.#append(' ', isPre, node, from - indent.length);
    }
    this.#append(data.slice(from), isPre, node, from);
  }

  break(): void {
    if (this.#last !== BREAK) this.#push(BREAK);
  }

  #append(piece: string, isPre: boolean, node: Text | undefined, offset: number): void {
    const isRepeated = this.#last === ' ' || (this.#last === BREAK && !isPre);
    const skipped = isRepeated && piece.startsWith(' ') ? 1 : 0;
    if (piece.length === skipped) return;
    if (node) this.places.push({ at: this.#length, node, offset: offset + skipped });
    this.#push(piece.slice(skipped));
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#last = piece.slice(-1);
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function decoded(html: string): string {
  if (!html.includes('&')) return html;
  return html.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '');
}

/**
 * The text of HTML as the Markdown renderer writes it, as it is once it is decorated: without the
 * numbers that citations and footnotes are shown by.
 */
export function textOfHtml(html: string, citations: CitationIndex): string {
  const shown = new ShownText();
  const token = /<(\/?)(\w+)([^>]*)>|[^<]+/g;
  let isPre = false;
  for (let match = token.exec(html); match; match = token.exec(html)) {
    const [piece, slash, tag, attributes = ''] = match;
    if (tag === undefined) {
      shown.add(decoded(piece), isPre);
      continue;
    }
    if (tag === 'br') shown.add(' ', false);
    else if (isBlockTag(tag)) shown.break();
    if (tag === 'pre') isPre = slash === '';
    if (slash !== '') continue;
    const isFormula = attributes.includes(' data-math=');
    if (isFormula) shown.add(FORMULA, false);
    const isMarker = attributes.includes(' data-footnote=');
    if (!isFormula && !isMarker && !isCitation(html, match, citations)) continue;
    token.lastIndex = html.indexOf(`</${tag}>`, token.lastIndex);
  }
  return shown.text;
}

function isCitation(html: string, match: RegExpExecArray, citations: CitationIndex): boolean {
  const [open, , tag, attributes = ''] = match;
  if (tag !== 'a' || attributes.includes(' class="')) return false;
  const start = match.index + open.length;
  const content = html.slice(start, html.indexOf('</a>', start));
  if (!isNumberOnly(content.replace(/<[^>]*>/g, ''))) return false;
  const href = /^ href="([^"]*)"/.exec(attributes)?.[1];
  return href !== undefined && citations.find(decoded(href)) !== undefined;
}

/** The text of one part of a reply, kept as far as it is rendered. */
class PartText {
  readonly #stream = new BlockStream();
  #texts = new WeakMap<RenderedBlock, string>();
  #citations: CitationIndex | undefined;
  #length = 0;

  /** Stops now and then, so that it may go on later. */
  *read(text: string, isFinished: boolean, citations: CitationIndex): Generator<void, string> {
    if (citations !== this.#citations) this.#texts = new WeakMap();
    this.#citations = citations;
    if (this.#length > text.length) this.#length = 0;
    while (this.#length < text.length || isFinished) {
      this.#length = Math.min(text.length, this.#length + STEP_LENGTH);
      const isWhole = this.#length === text.length;
      this.#stream.update(text.slice(0, this.#length), isFinished && isWhole);
      yield;
      if (isWhole) break;
    }
    const texts: string[] = [];
    for (const block of this.#stream.blocks) {
      if (!this.#texts.has(block)) yield;
      texts.push(this.#textOf(block, citations));
    }
    for (const { html } of this.#stream.footnotes) texts.push(textOfHtml(html, citations));
    return texts.filter((found) => found !== '').join(BREAK);
  }

  #textOf(block: RenderedBlock, citations: CitationIndex): string {
    const known = this.#texts.get(block);
    if (known !== undefined) return known;
    const text = textOfBlock(block, citations);
    this.#texts.set(block, text);
    return text;
  }
}

function textOfBlock(block: RenderedBlock, citations: CitationIndex): string {
  switch (block.kind) {
    case 'html':
      return textOfHtml(block.html, citations);
    case 'group':
      return textOfHtml(
        [block.open, ...block.settled, ...block.live, block.close].join(''),
        citations,
      );
    case 'code':
      return preText(block.code);
    case 'note':
      return '';
  }
}

function preText(text: string): string {
  const shown = new ShownText();
  shown.add(text, true);
  return shown.text;
}

/** Which parts of a reply that can be folded are open, in their order; none where it is absent. */
export type OpenParts = readonly boolean[];

/** The text of one message, kept until the message is another. */
export class MessageText {
  #message: MessageView | undefined;
  #openParts = '';
  #text = '';
  #sources: readonly SourcePart[] = [];
  #citations = new CitationIndex([]);
  /** Of what still grows. */
  #parts = new Map<number, PartText>();

  /** Its cost is that of what has changed; it stops now and then, so that it may go on later. */
  *read(message: MessageView, openParts: OpenParts = []): Generator<void, string> {
    const open = String(openParts);
    if (message === this.#message && open === this.#openParts) return this.#text;
    const text =
      message.role === 'user' ? preText(message.text) : yield* this.#readReply(message, openParts);
    this.#message = message;
    this.#openParts = open;
    this.#text = text;
    return text;
  }

  *#readReply(reply: ReplyView, openParts: OpenParts): Generator<void, string> {
    const isFinished = !isReplyRunning(reply.status);
    const sources = reply.parts.filter((part): part is SourcePart => part.type === 'source-url');
    const isSame =
      sources.length === this.#sources.length &&
      sources.every((source, index) => source === this.#sources[index]);
    if (!isSame) {
      this.#sources = sources;
      this.#citations = new CitationIndex(sources);
    }
    const texts: string[] = [];
    let foldable = 0;
    for (const [index, part] of reply.parts.entries()) {
      if (part.type !== 'text' && part.type !== 'reasoning') continue;
      if (part.type === 'reasoning' && openParts[foldable++] !== true) continue;
      const own = this.#parts.get(index) ?? new PartText();
      this.#parts.set(index, own);
      texts.push(yield* own.read(part.text, isFinished, this.#citations));
    }
    if (isFinished) this.#parts = new Map();
    return texts.filter((found) => found !== '').join(BREAK);
  }
}

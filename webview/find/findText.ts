/**
 * Extracts the text of messages as readers see it, without markup, whether the messages are built
 * or not.
 */
import {
  isReplyRunning,
  type MessageView,
  type ReplyView,
  type SourcePart,
} from '../../src/shared/uiMessage';
import { BlockStream } from '../markdown/blockStream';
import { CitationIndex } from '../markdown/citations';
import type { RenderedBlock } from '../markdown/rendered';

/** Separates paragraphs, cells and lines of code. A match never spans it. */
const BREAK = '\0';
/** Stands for a formula, which is drawn and has no text. */
export const FORMULA = '\ufffc';
/** Number of characters of a reply that are rendered in one step. */
const STEP_LENGTH = 6_000;

/** Elements that are part of a line. */
const inlineTags = new Set([
  'a',
  'bdi',
  'button',
  'code',
  'em',
  'input',
  's',
  'span',
  'strong',
  'sup',
]);

/** Returns whether an element separates the text before it from the text after it. */
export function isBlockTag(localName: string): boolean {
  return !inlineTags.has(localName);
}

/** Returns whether the text of a citation is only the number of its source. */
function isNumberOnly(text: string): boolean {
  return /^\s*\[?\d+\]?\s*$/.test(text);
}

/** A position in the text, with the node that holds the text from there on. */
interface TextPlace {
  /** Position in the whole text. */
  readonly at: number;
  readonly node: Text;
  readonly offset: number;
}

/**
 * Assembles text as it is read: white space becomes one space, as in the browser, and blocks are
 * separated.
 */
export class ShownText {
  readonly places: TextPlace[] = [];
  readonly #pieces: string[] = [];
  #length = 0;
  #last = BREAK;

  get text(): string {
    return this.#pieces.join('');
  }

  /** @param isPre whether line breaks are shown. `node` holds `data`. */
  add(data: string, isPre: boolean, node?: Text): void {
    let from = 0;
    // Single spaces are the most frequent by far, and need no change.
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
 * Returns the text of rendered Markdown as readers see it, without the numbers of citations and
 * footnotes.
 */
function textOfHtml(html: string, citations: CitationIndex): string {
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

/** The text of one part of a reply. Finished blocks are read only once. */
class PartText {
  readonly #stream = new BlockStream();
  #texts = new WeakMap<RenderedBlock, string>();
  #citations: CitationIndex | undefined;
  /** The beginning of the text, as far as it was read. */
  #read = '';

  /** Reads the text. It yields now and then, so that it can continue later. */
  *read(text: string, isFinished: boolean, citations: CitationIndex): Generator<void, string> {
    if (citations !== this.#citations) this.#texts = new WeakMap();
    this.#citations = citations;
    // The search reads at its own pace, so it can't know what the view saw being appended.
    const isLonger = text.slice(0, this.#read.length) === this.#read;
    if (!isLonger || this.#stream.isFinished) {
      this.#stream.reset();
      this.#read = '';
    }
    for (;;) {
      const piece = text.slice(this.#read.length, this.#read.length + STEP_LENGTH);
      this.#read += piece;
      const isWhole = this.#read.length === text.length;
      if (isFinished && isWhole) this.#stream.finish(piece);
      else this.#stream.append(piece);
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

/** Whether each foldable part of a reply is open, in order. A missing entry means closed. */
export type OpenParts = readonly boolean[];

/** The text of one message. It is read again only when the message changes. */
export class MessageText {
  #message: MessageView | undefined;
  #openParts = '';
  #text = '';
  #sources: readonly SourcePart[] = [];
  #citations = new CitationIndex([]);
  /** Parts of the message that still grow. */
  #parts = new Map<number, PartText>();

  /**
   * Reads the message. The cost depends on what has changed. It yields now and then, so that it can
   * continue later.
   */
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
    const sources = reply.parts.filter((part) => part.type === 'source-url');
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

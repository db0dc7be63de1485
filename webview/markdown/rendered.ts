/** Renders the blocks of a growing text, and reuses the parts that have not changed. */
import type { Token } from 'markdown-it';
import { containerOf, isTooLong, type Container } from './containers';
import { codeLanguage, renderHtml, type Block, type References } from './parser';

/** A top-level block, ready to be shown. It stays the same object while nothing in it changes. */
export type RenderedBlock =
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  /** A footnote's definition. It is shown in the list of footnotes. */
  | { readonly kind: 'note'; readonly label: string; readonly html: string }
  | RenderedGroup;

/** A list, quote or table. */
export interface RenderedGroup {
  readonly kind: 'group';
  readonly open: string;
  readonly close: string;
  /**
   * HTML of the settled items, one element each. The array only grows, and is the same from one
   * group to the next.
   */
  readonly settled: readonly string[];
  /** HTML of the items that may still change. */
  readonly live: readonly string[];
}

/** Rendered tokens with everything that their HTML depends on, except link definitions. */
interface Piece {
  readonly key: string;
  readonly html: string;
  readonly notes: readonly (readonly [label: string, number: number | undefined])[];
}

/** An unsettled block with the pieces of its rendering. */
export interface TailBlock {
  readonly source: string;
  /** Frame of a container, such as the head of a table. */
  readonly frame?: Piece | undefined;
  /** One piece per unsettled item of a container. */
  readonly pieces: readonly Piece[];
  readonly rendered: RenderedBlock;
}

/** A list, quote or table with settled items, and what it looked like when they were settled. */
interface OpenGroup {
  readonly openHtml: string;
  readonly closeHtml: string;
  readonly items: readonly string[];
  readonly prefix: { readonly items: number; readonly text: string };
  /** Source of the settled items. */
  readonly record: { readonly source: string };
  /** Whether the block is too long to be laid out. */
  readonly isPlain: boolean;
}

interface RenderSettings {
  readonly source: string;
  readonly references: References;
  readonly noteNumber: (label: string) => number | undefined;
  /** Last rendering of the block. Unchanged parts of it are reused. */
  readonly known: TailBlock | undefined;
  /** Whether the text may go on within the block. */
  readonly isLive: boolean;
  readonly completeLines: number;
  /** Settled items that the block continues. */
  readonly open: OpenGroup | undefined;
  /** Called with the number of characters that were rendered. */
  readonly onWork: (characters: number) => void;
}

/** @param sourceOf returns the lines of a part of the block. */
export function renderBlock(
  block: Block,
  settings: RenderSettings,
  sourceOf: (part: Block) => string,
): TailBlock {
  const { source, known, open } = settings;
  const [first] = block.tokens;
  if (!open && known?.source === source && !settings.isLive && known.pieces.length === 0) {
    return known;
  }
  const code = renderedCode(first);
  if (code) return { source, pieces: [], rendered: code };
  if (open?.isPlain === true) {
    const all = open.record.source + source.slice(open.prefix.text.length);
    return { source, pieces: [], rendered: plainBlock(all) };
  }
  const container = containerOf(block);
  const size = { length: source.length, lines: block.endLine - block.startLine, head: source };
  if (first?.type === 'long_block' || (!open && isTooLong(container?.kind, size))) {
    return { source, pieces: [], rendered: plainBlock(source) };
  }
  if (container) {
    const isHeadOpen = settings.isLive && block.startLine >= settings.completeLines;
    return renderContainer(container, settings, isHeadOpen, sourceOf);
  }
  const isNote = first?.type === 'footnote_open';
  const tokens = isNote ? block.tokens.slice(1, -1) : block.tokens;
  const piece = renderPiece(tokens, source, '', settings, known?.pieces[0]);
  if (known && known.pieces[0] === piece) return { ...known, source };
  const { html } = piece;
  const rendered: RenderedBlock = isNote
    ? { kind: 'note', label: String(first.meta?.['label']), html }
    : { kind: 'html', html };
  return { source, pieces: [piece], rendered };
}

/** @param isHeadOpen whether the first line, the head of a table, is incomplete. */
function renderContainer(
  container: Container,
  settings: RenderSettings,
  isHeadOpen: boolean,
  sourceOf: (part: Block) => string,
): TailBlock {
  const { source, known, open, isLive, completeLines } = settings;
  const { kind } = container;
  const items = container.items.slice(open?.prefix.items ?? 0);
  const frame = open
    ? undefined
    : renderPiece(container.open, '', '', { ...settings, isLive: isHeadOpen }, undefined);
  const openHtml = open?.openHtml ?? frame?.html ?? '';
  const pieces = items.map((item, index) => {
    // A complete row of a table no longer changes, unlike the last item of a list.
    const isOpenItem = kind !== 'table' || item.endLine > completeLines;
    const itemSettings = {
      ...settings,
      isLive: isLive && isOpenItem && index === items.length - 1,
    };
    const variant = container.isLoose ? 'loose' : '';
    return renderPiece(item.tokens, sourceOf(item), variant, itemSettings, known?.pieces[index]);
  });
  const before = known?.rendered;
  const isSame =
    before?.kind === 'group' &&
    before.open === openHtml &&
    known?.pieces.length === pieces.length &&
    pieces.every((piece, index) => piece === known.pieces[index]);
  if (isSame) return { ...known, source, frame };
  const rendered: RenderedBlock = {
    kind: 'group',
    open: openHtml,
    close: open?.closeHtml ?? container.close.map(({ tag }) => `</${tag}>\n`).join(''),
    settled: open?.items ?? [],
    live: pieces.map(({ html }) => html),
  };
  return { source, frame, pieces, rendered };
}

function renderPiece(
  tokens: readonly Token[],
  source: string,
  variant: string,
  { references, noteNumber, isLive, onWork }: RenderSettings,
  known: Piece | undefined,
): Piece {
  const key = `${isLive ? 'live' : ''} ${variant} ${tokens[0]?.type ?? ''} ${source}`;
  if (known?.key === key && known.notes.every(([label, number]) => noteNumber(label) === number)) {
    return known;
  }
  onWork(source.length);
  const notes: [string, number | undefined][] = [];
  const html = renderHtml(tokens, {
    references,
    isLive,
    isWordOpen: !/\s$/.test(source),
    footnoteNumber: (label) => {
      const number = noteNumber(label);
      notes.push([label, number]);
      return number;
    },
  });
  return { key, html, notes };
}

/** Returns code at the top level. The view shows it without HTML. */
function renderedCode(token: Token | undefined): RenderedBlock | undefined {
  if (token?.type !== 'fence' && token?.type !== 'code_block') return undefined;
  const language = token.type === 'fence' ? codeLanguage(token) : '';
  return { kind: 'code', language, code: token.content.replace(/\n$/, '') };
}

/** Returns the source of a block that is too long to be laid out. */
function plainBlock(source: string): RenderedBlock {
  let end = source.length;
  while (source.charAt(end - 1) === '\n') end--;
  return { kind: 'code', language: 'markdown', code: source.slice(0, end) };
}

/** The blocks of a text, and the first one that has changed. */
export class ShownBlocks {
  readonly #blocks: RenderedBlock[] = [];
  #firstChanged = 0;

  get all(): readonly RenderedBlock[] {
    return this.#blocks;
  }

  /** Returns the index of the first block that may have changed since the last call. */
  takeFirstChanged(): number {
    const first = this.#firstChanged;
    this.#firstChanged = this.#blocks.length;
    return first;
  }

  show(index: number, rendered: RenderedBlock): void {
    if (this.#blocks[index] === rendered) return;
    this.#noteChange(index);
    this.#blocks[index] = rendered;
  }

  replaceLast(rendered: RenderedBlock): void {
    this.#noteChange(this.#blocks.length - 1);
    this.#blocks[this.#blocks.length - 1] = rendered;
  }

  /** Removes all blocks from an index on. */
  cutTo(count: number): void {
    if (this.#blocks.length <= count) return;
    this.#noteChange(count);
    this.#blocks.length = count;
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#firstChanged = 0;
  }

  #noteChange(index: number): void {
    this.#firstChanged = Math.min(this.#firstChanged, index);
  }
}

/**
 * Splits growing Markdown into blocks. A block that can no longer change is parsed once, however
 * long the text becomes, and so is each settled part of a list, quote or table that still grows.
 * This file needs no DOM: `markdownView.ts` shows the blocks.
 */
import {
  containerOf,
  continuation,
  findCut,
  isSurelyLoose,
  isTooLong,
  type Container,
} from './containers';
import {
  FootnoteNumbers,
  FootnotePlaces,
  type Footnote,
  type FootnoteChange,
  LinkDefinitions,
} from './definitions';
import { normalizeText, type Block } from './parser';
import { renderBlock, type RenderedBlock, type TailBlock, ShownBlocks } from './rendered';
import { goesOn, TailParse, findOpenFence, shownCode, type OpenFence } from './tailParse';

/** A settled block, or the settled part of one. */
interface SettledBlock {
  readonly index: number;
  source: string;
  /** Labels of the footnotes that the block refers to. */
  readonly notes: Set<string>;
  /** Whether the block may change again. */
  isReopened: boolean;
}

/** A list, quote or table at the end of the text whose first items are settled. */
interface OpenContainer {
  readonly kind: Container['kind'];
  readonly isLoose: boolean;
  /** Whether the block is too long for a layout. Its items are then not rendered. */
  readonly isPlain: boolean;
  readonly openHtml: string;
  readonly closeHtml: string;
  readonly items: string[];
  readonly record: SettledBlock;
  /** Number of lines of the settled items. */
  readonly lines: number;
  /** Text that stands for the settled items when the rest is parsed. */
  readonly prefix: ReturnType<typeof continuation>;
}

/**
 * Maximum number of times that a character is parsed again. The unsettled end is parsed anew when
 * this fraction of its length has been added, so the cost per character stays constant.
 */
const STEPS = 25;

/**
 * Maximum number of characters of settled blocks that are rendered again for each new character.
 */
const LATE_STEPS = 5;

export class BlockStream {
  readonly #shown = new ShownBlocks();
  /** Whether a CR at the end is held back, because it may be half of a CRLF. */
  #hasHeldReturn = false;
  /** Normalized text that is not settled. */
  #tailText = '';
  #settledCount = 0;
  #tail: TailBlock[] = [];
  #open: OpenContainer | undefined;
  #openFence: OpenFence | undefined;
  #links = new LinkDefinitions<SettledBlock>();
  #hasTailDefinitions = false;
  readonly #numbers = new FootnoteNumbers();
  #places = new FootnotePlaces();
  #referring = new Set<SettledBlock>();
  #isFinished = false;
  /** Number of characters added since the tail was parsed. */
  #unparsed = 0;
  /** Settled blocks whose references were defined only now. They are rendered again together. */
  readonly #late = new Set<SettledBlock>();
  /** Number of characters of late blocks that may be rendered again. */
  #credit = 0;
  #work = 0;
  readonly #renderSettings = {
    noteNumber: (label: string) => this.#noteNumber(label),
    onWork: (characters: number) => {
      this.#work += characters;
    },
  };

  /** The blocks of the whole text so far. */
  get blocks(): readonly RenderedBlock[] {
    return this.#shown.all;
  }

  /** Number of settled blocks. New text doesn't change them, but a definition may. */
  get settledCount(): number {
    return this.#settledCount;
  }

  /** Footnotes that the text refers to, in the order of their numbers. */
  get footnotes(): readonly Footnote[] {
    return this.#numbers.labels.flatMap((label) => {
      const number = this.#numbers.peek(label);
      const html = this.#footnoteHtml(label);
      return html === undefined || number === undefined ? [] : [{ number, html }];
    });
  }

  /** Returns the footnotes that may have changed since the last call. */
  takeChangedFootnotes(): FootnoteChange[] {
    return [...this.#numbers.takeChanged()].map((number) => {
      const html = this.#footnoteHtml(this.#numbers.labelOf(number));
      return html === undefined ? { number } : { number, html };
    });
  }

  #footnoteHtml(label: string | undefined): string | undefined {
    const index = label === undefined ? undefined : this.#places.get(label);
    const note = index === undefined ? undefined : this.#shown.all[index];
    return note?.kind === 'note' ? note.html : undefined;
  }

  /** Whether some of the text is not shown yet. */
  get isBehind(): boolean {
    return this.#unparsed > 0 || this.#late.size > 0;
  }

  /** Number of characters parsed and rendered so far, counting repetitions. */
  get work(): number {
    return this.#work;
  }

  /** Returns the index of the first block that may have changed since the last call. */
  takeFirstChanged(): number {
    return this.#shown.takeFirstChanged();
  }

  /** Whether the text is complete. Only {@link BlockStream.reset} can follow. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Appends text. The end of a long block is shown in steps. */
  append(text: string): void {
    const added = this.#take(text);
    if (added === '' || this.#growFence(added)) return;
    this.#note(added);
    if (this.#unparsed * STEPS >= this.#liveLength) this.#parseTail();
  }

  /**
   * Completes the text. The blocks then equal those of one whole rendering.
   * @param rest last text to append.
   */
  finish(rest = ''): void {
    this.#isFinished = true;
    this.#note(this.#take(rest));
    this.#parseTail();
  }

  /** Shows all of the text, for a pause in the stream. */
  catchUp(): void {
    if (!this.isBehind) return;
    this.#credit = Infinity;
    this.#parseTail();
    this.#credit = 0;
  }

  /** Number of characters that the next step parses or shows again. */
  get #liveLength(): number {
    const open = this.#open;
    return this.#tailText.length + (open?.isPlain === true ? open.record.source.length : 0);
  }

  /** Forgets the text, so that another one can begin. */
  reset(): void {
    this.#shown.clear();
    this.#hasHeldReturn = false;
    this.#tailText = '';
    this.#settledCount = 0;
    this.#tail = [];
    this.#open = undefined;
    this.#openFence = undefined;
    this.#links = new LinkDefinitions();
    this.#hasTailDefinitions = false;
    this.#numbers.clear();
    this.#places = new FootnotePlaces();
    this.#referring = new Set();
    this.#isFinished = false;
    this.#unparsed = 0;
    this.#credit = 0;
    this.#late.clear();
  }

  /** @returns the new text, normalized. */
  #take(text: string): string {
    let added = this.#hasHeldReturn ? `\r${text}` : text;
    this.#hasHeldReturn = !this.#isFinished && added.endsWith('\r');
    if (this.#hasHeldReturn) added = added.slice(0, -1);
    added = normalizeText(added);
    this.#tailText += added;
    return added;
  }

  #note(added: string): void {
    this.#unparsed += added.length;
    this.#credit += added.length * LATE_STEPS;
  }

  /** Appends to an open code block without parsing, until a line closes it. */
  #growFence(added: string): boolean {
    const fence = this.#openFence;
    if (!fence) return false;
    const firstLine =
      this.#tailText.lastIndexOf('\n', this.#tailText.length - added.length - 1) + 1;
    const lines = this.#tailText.slice(Math.max(firstLine, fence.codeStart)).split('\n');
    if (lines.slice(0, -1).some((line) => fence.closingLine.test(line))) return false;
    this.#shown.replaceLast(shownCode(fence, this.#tailText));
    return true;
  }

  /** Parses the unsettled text, renders what is new in it, and settles what it can. */
  #parseTail(): void {
    this.#unparsed = 0;
    const parse = this.#parse();
    const { blocks } = parse;
    this.#noteLate(this.#links.takeChanged(parse.references));
    if (this.#renderLate() || !this.#numberNotes(blocks)) {
      this.#parseTail();
      return;
    }
    this.#renderTail(parse);
    const settledHere = this.#isFinished ? blocks.length : parse.findLive();
    let settledLine = blocks[settledHere]?.startLine ?? Infinity;
    if (settledHere === 0 && blocks.length > 0) settledLine = this.#cutContainer(parse) ?? 0;
    const newLabels = this.#links.settle(parse, settledLine);
    for (let index = 0; index < settledHere; index++) {
      const [block, shown] = [blocks[index], this.#tail[index]];
      if (block && shown) this.#settleFirst(block, shown, parse);
    }
    this.#tail.splice(0, settledHere);
    if (settledLine > 0) this.#tailText = this.#tailText.slice(parse.tailOffset(settledLine));
    this.#noteLate(newLabels);
    this.#links.stopWaiting(newLabels);
    if (this.#renderLate()) {
      this.#parseTail();
      return;
    }
    const [only] = this.#tail;
    this.#openFence =
      this.#tail.length === 1 && only?.rendered.kind === 'code' && !this.#isFinished
        ? findOpenFence(blocks.at(-1), this.#tailText)
        : undefined;
    if (this.#openFence) this.#shown.replaceLast(shownCode(this.#openFence, this.#tailText));
  }

  #parse(): TailParse {
    for (;;) {
      const open = this.#open;
      const prefix = open?.prefix.text ?? '';
      const parse = new TailParse(this.#tailText, prefix, this.#links.references, this.#isFinished);
      this.#work += parse.work;
      if (!open || this.#goesOn(open, parse)) return parse;
      this.#reopen(open);
    }
  }

  #goesOn(open: OpenContainer, parse: TailParse): boolean {
    const [block] = parse.blocks;
    const container = block && containerOf(block);
    // A block that is too long to be laid out looks the same with and without blank lines between
    // its items.
    const isLoose = open.isPlain ? container?.isLoose === true : open.isLoose;
    const { kind, prefix } = open;
    if (!block || !goesOn(container, { kind, isLoose }, prefix, block.endLine)) return false;
    const isPlain = isTooLong(open.kind, {
      length: open.record.source.length + parse.source(block).length - open.prefix.text.length,
      lines: open.lines + block.endLine,
      head: parse.lineAt(0),
    });
    if (isPlain && !open.isPlain) this.#openPlain(open);
    return isPlain || !open.isPlain;
  }

  /** Continues a container that has become too long to be laid out. */
  #openPlain(open: OpenContainer): void {
    this.#open = { ...open, isPlain: true, items: [] };
    if (!this.#referring.delete(open.record)) return;
    open.record.notes.clear();
    this.#renumber();
  }

  /**
   * Moves a whole container back into the tail, because its settled items must be rendered again.
   */
  #reopen(open: OpenContainer): void {
    this.#tailText = open.record.source + this.#tailText;
    open.record.isReopened = true;
    this.#referring.delete(open.record);
    this.#open = undefined;
    this.#tail = [];
    this.#shown.cutTo(this.#settledCount);
  }

  /**
   * Numbers the footnotes again. When the text is complete, footnotes without a definition are left
   * out.
   */
  #numberNotes(blocks: readonly Block[]): boolean {
    this.#numbers.restartTail();
    for (const label of this.#places.tailLabels) this.#numbers.noteChange(label);
    this.#places.restartTail(blocks, this.#settledCount);
    if (!this.#isFinished || this.#numbers.labels.every((label) => this.#places.has(label))) {
      return true;
    }
    if (this.#open && this.#referring.has(this.#open.record)) {
      this.#reopen(this.#open);
      return false;
    }
    this.#renumber();
    return true;
  }

  #renumber(): void {
    this.#numbers.clear();
    for (const record of this.#referring) this.#renderAgain(record);
  }

  #noteNumber(label: string): number | undefined {
    return this.#isFinished && !this.#places.has(label) ? undefined : this.#numbers.take(label);
  }

  #renderTail(parse: TailParse): void {
    const { blocks, definitions, references, completeLines } = parse;
    const areReferencesSame = definitions.length === 0 && !this.#hasTailDefinitions;
    this.#hasTailDefinitions = definitions.length > 0;
    const isLive = !this.#isFinished && !/\n[ \t]*\n$/.test(this.#tailText.slice(-200));
    const sourceOf = (part: Block): string => parse.source(part);
    this.#tail = blocks.map((block, index) => {
      const settings = {
        ...this.#renderSettings,
        source: parse.source(block),
        references,
        known: areReferencesSame ? this.#tail[index] : undefined,
        isLive: isLive && index === blocks.length - 1,
        completeLines,
        open: index === 0 ? this.#open : undefined,
      };
      return renderBlock(block, settings, sourceOf);
    });
    this.#tail.forEach(({ rendered }, index) =>
      this.#shown.show(this.#settledCount + index, rendered),
    );
    this.#shown.cutTo(this.#settledCount + this.#tail.length);
    for (const label of this.#places.tailLabels) this.#numbers.noteChange(label);
  }

  /**
   * Settles the first items of a container that makes up the whole tail. @returns the line after
   * them.
   */
  #cutContainer(parse: TailParse): number | undefined {
    const [block, ...others] = parse.blocks;
    const [shown] = this.#tail;
    const container = block && containerOf(block);
    if (!container || others.length > 0 || !shown) return undefined;
    const { rendered } = shown;
    const group = rendered.kind === 'group' ? rendered : undefined;
    const open = this.#open;
    const items = container.items.slice(open?.prefix.items ?? 0);
    const cut = findCut(container, items, (line) => parse.lineAt(line), parse.completeLines);
    if (!cut) return undefined;
    const { kind, isLoose } = container;
    const text = this.#tailText.slice(0, parse.tailOffset(cut.line));
    const isDecided = kind !== 'list' || !isLoose || open !== undefined || !group;
    if (!isDecided && !isSurelyLoose(container, text, this.#links.references)) return undefined;

    const record = open?.record ?? this.#newRecord(this.#settledCount);
    record.source += text;
    const settledItems = open?.items ?? [];
    for (const html of group?.live.slice(0, cut.count) ?? []) settledItems.push(html);
    this.#open = {
      kind,
      isLoose,
      isPlain: !group,
      openHtml: group?.open ?? '',
      closeHtml: group?.close ?? '',
      items: settledItems,
      record,
      lines: (open?.lines ?? 0) + cut.line - (open?.prefix.lines ?? 0),
      prefix: open?.prefix ?? continuation(container, record.source),
    };
    if (!group) return cut.line;
    this.#settlePieces(record, shown, cut.count);
    this.#links.await(
      record,
      items.slice(0, cut.count).flatMap(({ tokens }) => tokens),
    );
    const live = group.live.slice(cut.count);
    const left: RenderedBlock = { ...group, settled: settledItems, live };
    this.#tail = [{ ...shown, pieces: shown.pieces.slice(cut.count), rendered: left }];
    this.#shown.show(this.#settledCount, left);
    return cut.line;
  }

  #newRecord(index: number): SettledBlock {
    return { index, source: '', notes: new Set(), isReopened: false };
  }

  /** Settles the first unsettled block of the tail. */
  #settleFirst(block: Block, shown: TailBlock, parse: TailParse): void {
    const index = this.#settledCount++;
    const open = this.#open;
    this.#open = undefined;
    const record = open?.record ?? this.#newRecord(index);
    record.source += parse.source(block).slice(open?.prefix.text.length ?? 0);
    this.#settlePieces(record, shown, shown.pieces.length);
    this.#links.await(record, block.tokens);
    this.#places.settle(block);
    const { rendered } = shown;
    if (rendered.kind !== 'group' || rendered.live.length === 0) return;
    for (const html of rendered.live) open?.items.push(html);
    this.#shown.show(index, { ...rendered, settled: open?.items ?? rendered.live, live: [] });
  }

  #settlePieces(record: SettledBlock, { frame, pieces }: TailBlock, count: number): void {
    const settled = [frame?.notes ?? [], ...pieces.slice(0, count).map(({ notes }) => notes)];
    for (const [label, number] of settled.flat()) {
      this.#numbers.settle(label);
      if (number !== undefined) record.notes.add(label);
    }
    if (record.notes.size > 0) this.#referring.add(record);
  }

  #noteLate(labels: readonly string[]): void {
    for (const record of this.#links.waitingFor(labels)) {
      if (!record.isReopened) this.#late.add(record);
    }
  }

  /**
   * Renders settled blocks again if they refer to something that was defined only now.
   * @returns whether a block moved back into the tail.
   */
  #renderLate(): boolean {
    if (this.#late.size === 0) return false;
    let length = 0;
    for (const { source } of this.#late) length += source.length;
    if (length > this.#credit && !this.#isFinished) return false;
    this.#credit -= length;
    let isTailChanged = false;
    for (const record of this.#late) {
      if (record === this.#open?.record) {
        this.#reopen(this.#open);
        isTailChanged = true;
      } else if (!record.isReopened) this.#renderAgain(record);
    }
    this.#late.clear();
    return isTailChanged;
  }

  #renderAgain(record: SettledBlock): void {
    const parse = new TailParse(record.source, '', this.#links.references, true);
    this.#work += parse.work;
    const [block] = parse.blocks;
    if (!block) return;
    const settings = {
      ...this.#renderSettings,
      source: parse.source(block),
      references: this.#links.references,
      known: undefined,
      isLive: false,
      completeLines: parse.completeLines,
      open: undefined,
    };
    const again = renderBlock(block, settings, (part) => parse.source(part));
    this.#settlePieces(record, again, again.pieces.length);
    const { rendered } = again;
    if (rendered.kind === 'note') this.#numbers.noteChange(rendered.label);
    const isGroup = rendered.kind === 'group';
    this.#shown.show(
      record.index,
      isGroup ? { ...rendered, settled: rendered.live, live: [] } : rendered,
    );
  }
}

/**
 * Growing Markdown, block by block: a block that can no longer change is parsed once, however
 * long the text becomes, and so is each settled part of a list, quote or table that still grows.
 * Pure; the DOM is `markdownView.ts`'s part.
 */
import {
  containerOf,
  continuation,
  findCut,
  isSurelyLoose,
  isTooLong,
  type Container,
} from './containers';
import { FootnoteNumbers, FootnotePlaces, type Footnote, type FootnoteChange } from './footnotes';
import { LinkDefinitions } from './linkDefinitions';
import { findOpenFence, shownCode, type OpenFence } from './openFence';
import { normaliseText, type Block } from './parser';
import { renderBlock, type RenderedBlock, type TailBlock } from './rendered';
import { ShownBlocks } from './shownBlocks';
import { goesOn, TailParse } from './tailParse';

/** A block that is settled, or the settled part of one. */
interface SettledBlock {
  readonly index: number;
  source: string;
  /** Its footnotes' labels. */
  readonly notes: Set<string>;
  /** It is not settled any more. */
  isReopened: boolean;
}

/** A list, quote or table at the end of the text, the first items of which are settled. */
interface OpenContainer {
  readonly kind: Container['kind'];
  readonly isLoose: boolean;
  /** It is too long to be laid out: its items are not rendered. */
  readonly isPlain: boolean;
  readonly openHtml: string;
  readonly closeHtml: string;
  readonly items: string[];
  readonly record: SettledBlock;
  /** Lines of the settled items. */
  readonly lines: number;
  /** What stands for them where the rest is parsed. */
  readonly prefix: ReturnType<typeof continuation>;
}

/**
 * How often each character is parsed again at most. What can still change is looked at anew when
 * this part of its length has been added, so that a block costs the same for each character.
 */
const STEPS = 25;

/** How many characters of settled blocks may be rendered again for each one that comes. */
const LATE_STEPS = 5;

export class BlockStream {
  readonly #shown = new ShownBlocks();
  /** The text as it came, up to now. */
  #received = '';
  /** A CR at the end may be half of a CRLF. */
  #hasHeldReturn = false;
  /** Normalised text that is not settled. */
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
  /** Characters that have come since the tail was parsed. */
  #unparsed = 0;
  /** Settled blocks that refer to what was defined only now; they are rendered again together. */
  readonly #late = new Set<SettledBlock>();
  /** How many characters of them may be. */
  #credit = 0;
  #work = 0;
  readonly #renderSettings = {
    noteNumber: (label: string) => this.#noteNumber(label),
    onWork: (characters: number) => {
      this.#work += characters;
    },
  };

  /** The blocks of all text so far. */
  get blocks(): readonly RenderedBlock[] {
    return this.#shown.all;
  }

  /** How many of the blocks are settled: no text that comes changes them, but a definition may. */
  get settledCount(): number {
    return this.#settledCount;
  }

  /** Those that are referred to, by their numbers. */
  get footnotes(): readonly Footnote[] {
    return this.#numbers.labels.flatMap((label) => {
      const number = this.#numbers.peek(label);
      const html = this.#footnoteHtml(label);
      return html === undefined || number === undefined ? [] : [{ number, html }];
    });
  }

  /** Those that may have changed since this was asked last. */
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

  /** Characters parsed and rendered so far, each as often as that happened. */
  get work(): number {
    return this.#work;
  }

  /** The first block that may have changed since this was asked last. */
  takeFirstChanged(): number {
    return this.#shown.takeFirstChanged();
  }

  /**
   * Takes the text as it is now. It is fast if the text begins with the one before. The end of a
   * long block is shown in steps.
   * @param isFinished no more text will come; then the blocks are those of one whole rendering.
   */
  update(text: string, isFinished: boolean): void {
    // Much faster than `startsWith`, which looks at one character after the other.
    const isLonger = text.slice(0, this.#received.length) === this.#received;
    if (this.#isFinished || !isLonger) {
      if (text === this.#received && isFinished === this.#isFinished) return;
      this.#reset();
    }
    const added = this.#take(text, isFinished);
    this.#isFinished = isFinished;
    if (added === '' && !isFinished) return;
    if (!isFinished && this.#growFence(added)) return;
    this.#unparsed += added.length;
    this.#credit += added.length * LATE_STEPS;
    if (isFinished || this.#unparsed * STEPS >= this.#liveLength) this.#parseTail();
  }

  /** Shows all of the text, as a reader sees it while no more comes. */
  catchUp(): void {
    if (!this.isBehind) return;
    this.#credit = Infinity;
    this.#parseTail();
    this.#credit = 0;
  }

  /** Characters that are parsed or shown anew with the next step. */
  get #liveLength(): number {
    const open = this.#open;
    return this.#tailText.length + (open?.isPlain === true ? open.record.source.length : 0);
  }

  #reset(): void {
    this.#shown.clear();
    this.#received = '';
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

  /** @returns the normalised text that is new. */
  #take(text: string, isFinished: boolean): string {
    let added = text.slice(this.#received.length);
    this.#received = text;
    if (this.#hasHeldReturn) added = `\r${added}`;
    this.#hasHeldReturn = !isFinished && added.endsWith('\r');
    if (this.#hasHeldReturn) added = added.slice(0, -1);
    added = normaliseText(added);
    this.#tailText += added;
    return added;
  }

  /** Code that is being written only gets longer, until a line closes it. */
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

  /** Parses what is not settled, renders what is new of it, and settles what can be. */
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
    // Between the items of what nobody sees laid out, blank lines make no difference.
    const isLoose = open.isPlain ? container?.isLoose === true : open.isLoose;
    const { kind, prefix } = open;
    if (!block || !goesOn(container, { kind, isLoose }, prefix, block.endLine)) return false;
    const isPlain = isTooLong(open.kind, {
      length: open.record.source.length + parse.source(block).length - open.prefix.text.length,
      lines: open.lines + block.endLine,
      head: parse.lineAt(0),
    });
    if (isPlain && !open.isPlain) this.#openPlain(open);
    return isPlain === open.isPlain || isPlain;
  }

  /** Goes on with a container that has become too long, whose items nobody sees any more. */
  #openPlain(open: OpenContainer): void {
    this.#open = { ...open, isPlain: true, items: [] };
    if (!this.#referring.delete(open.record)) return;
    open.record.notes.clear();
    this.#renumber();
  }

  /** Takes a container back into the tail, whole: its settled items have to be rendered again. */
  #reopen(open: OpenContainer): void {
    this.#tailText = open.record.source + this.#tailText;
    open.record.isReopened = true;
    this.#referring.delete(open.record);
    this.#open = undefined;
    this.#tail = [];
    this.#shown.cutTo(this.#settledCount);
  }

  /** Numbers anew what is referred to, and leaves out what is not there once all text is. */
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

  /** Settles the first items of a container that is all of the tail. @returns the line behind them. */
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

  /** Settles the first block of the tail that is not settled yet. */
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
   * Renders what is settled again where it refers to what has been defined only now.
   * @returns true if something of that has come back into the tail.
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

/**
 * Growing Markdown, block by block: a block that can no longer change is parsed once, however
 * long the text becomes. Pure; the DOM is `markdownView.ts`'s part.
 */
import {
  codeLanguage,
  MAX_BLOCK_LENGTH,
  noReferences,
  normaliseText,
  parseBlocks,
  possibleLabels,
  renderBlockHtml,
  type Block,
  type References,
} from './parser';

/** A top-level block, ready to be shown. The same object as long as nothing in it changes. */
export type RenderedBlock =
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'code'; readonly language: string; readonly code: string };

interface SettledBlock {
  readonly index: number;
  readonly source: string;
}

interface TailBlock {
  readonly source: string;
  readonly rendered: RenderedBlock;
}

/** A fence at the end of the text, which has not been closed yet. */
interface OpenFence {
  readonly language: string;
  /** Where its first line of code begins in the tail. */
  readonly codeStart: number;
  readonly closingLine: RegExp;
}

export class BlockStream {
  readonly #blocks: RenderedBlock[] = [];
  /** The text as it came, up to now. */
  #received = '';
  /** A CR at the end may be half of a CRLF. */
  #hasHeldReturn = false;
  /** Normalised text that is not settled. */
  #tailText = '';
  #settledCount = 0;
  #tail: TailBlock[] = [];
  #references: References = noReferences();
  /** Settled blocks by a label in them that has no definition so far. */
  #waitingForLabel = new Map<string, SettledBlock[]>();
  #hasTailDefinitions = false;
  #openFence: OpenFence | undefined;
  #isFinished = false;

  /** The blocks of all text so far. */
  get blocks(): readonly RenderedBlock[] {
    return this.#blocks;
  }

  /**
   * Takes the text as it is now. It is fast if the text begins with the one before.
   * @param isFinished no more text will come; then the blocks are those of one whole rendering.
   */
  update(text: string, isFinished: boolean): void {
    if (this.#isFinished || !text.startsWith(this.#received)) {
      if (text === this.#received && isFinished === this.#isFinished) return;
      this.#reset();
    }
    const added = this.#take(text, isFinished);
    this.#isFinished = isFinished;
    if (added === '' && !isFinished) return;
    if (!isFinished && (this.#growFence(added) || this.#growPlain(added))) return;
    this.#parseTail(isFinished);
  }

  #reset(): void {
    this.#blocks.length = 0;
    this.#received = '';
    this.#hasHeldReturn = false;
    this.#tailText = '';
    this.#settledCount = 0;
    this.#tail = [];
    this.#references = noReferences();
    this.#waitingForLabel = new Map();
    this.#hasTailDefinitions = false;
    this.#openFence = undefined;
    this.#isFinished = false;
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
    this.#showFence(fence);
    return true;
  }

  #showFence(fence: OpenFence): void {
    let code = this.#tailText.slice(fence.codeStart);
    // What may become the closing line is not shown as code meanwhile.
    const lastLine = code.lastIndexOf('\n') + 1;
    if (/^ {0,3}(?:`+|~+)[ \t]*$/.test(code.slice(lastLine))) code = code.slice(0, lastLine);
    this.#replaceLast({ kind: 'code', language: fence.language, code: code.replace(/\n$/, '') });
  }

  /** A block too long to be laid out is not parsed again for each letter, only at blank lines. */
  #growPlain(added: string): boolean {
    const last = this.#tail.at(-1);
    if (last === undefined || !isTooLong(last.source) || this.#openFence) return false;
    const before = this.#tailText.at(-added.length - 1) ?? '';
    if (`${before}${added}`.includes('\n\n')) return false;
    const source = last.source + added;
    const rendered = plainBlock(source);
    this.#tail[this.#tail.length - 1] = { source, rendered };
    this.#replaceLast(rendered);
    return true;
  }

  #replaceLast(rendered: RenderedBlock): void {
    this.#blocks[this.#blocks.length - 1] = rendered;
  }

  #parseTail(isFinished: boolean): void {
    const text = this.#tailText;
    const { blocks, definitions, references } = parseBlocks(text, this.#references);
    const offsets = lineOffsets(text);
    const sourceOf = (block: Block): string =>
      text.slice(offsets[block.startLine] ?? text.length, offsets[block.endLine] ?? text.length);

    // A block is settled when another one stands after it whose first two lines are complete: a
    // list may take in the next line when that gets its marker, and a table begins, or does not,
    // with the line below its head. The lines right below a definition may become its title.
    const completeLines = offsets.length - 1;
    const canBegin = (block: Block, index: number): boolean => {
      const before = blocks[index - 1];
      const isBelowDefinition =
        before?.endLine === block.startLine && before.tokens[0]?.type === 'reference_definition';
      return block.startLine + 2 <= completeLines && !isBelowDefinition;
    };
    const settledHere = isFinished ? blocks.length : Math.max(0, blocks.findLastIndex(canBegin));
    const settledLine = blocks[settledHere]?.startLine ?? Infinity;

    const newLabels = definitions
      .filter(({ endLine }) => isFinished || endLine <= settledLine)
      .map(({ label }) => label)
      .filter((label) => !(label in this.#references));
    for (const label of newLabels) {
      const reference = references[label];
      if (reference) this.#references[label] = reference;
    }

    const areReferencesSame = definitions.length === 0 && !this.#hasTailDefinitions;
    this.#hasTailDefinitions = definitions.length > 0;
    const tail = blocks.map((block, index): TailBlock => {
      const source = sourceOf(block);
      const known = this.#tail[index];
      if (known?.source === source && areReferencesSame) return known;
      return { source, rendered: renderBlock(block, source, references) };
    });
    this.#blocks.length = this.#settledCount;
    this.#blocks.push(...tail.map(({ rendered }) => rendered));

    blocks.slice(0, settledHere).forEach((block, index) => {
      const settled = { index: this.#settledCount + index, source: tail[index]?.source ?? '' };
      for (const label of possibleLabels(block)) {
        if (label in this.#references) continue;
        const waiting = this.#waitingForLabel.get(label);
        if (waiting) waiting.push(settled);
        else this.#waitingForLabel.set(label, [settled]);
      }
    });
    this.#settledCount += settledHere;
    this.#tail = tail.slice(settledHere);
    const cut = settledHere === 0 ? 0 : (offsets[settledLine] ?? text.length);
    this.#tailText = text.slice(cut);
    this.#resolve(newLabels);
    this.#openFence = this.#findOpenFence(blocks.at(-1));
  }

  /** Renders settled blocks again that refer to what has been defined only now. */
  #resolve(newLabels: readonly string[]): void {
    const affected = new Map<number, SettledBlock>();
    for (const label of newLabels) {
      for (const settled of this.#waitingForLabel.get(label) ?? []) {
        affected.set(settled.index, settled);
      }
      this.#waitingForLabel.delete(label);
    }
    for (const { index, source } of affected.values()) {
      const [block] = parseBlocks(source, this.#references).blocks;
      if (block) this.#blocks[index] = renderBlock(block, source, this.#references);
    }
  }

  #findOpenFence(last: Block | undefined): OpenFence | undefined {
    const [token] = last?.tokens ?? [];
    if (token?.type !== 'fence' || this.#tail.length !== 1 || /^ /.test(this.#tailText)) {
      return undefined;
    }
    const codeStart = this.#tailText.indexOf('\n') + 1;
    if (codeStart === 0) return undefined;
    const marker = token.markup.charAt(0);
    const closingLine = new RegExp(`^ {0,3}${marker}{${token.markup.length},}[ \\t]*$`);
    const lines = this.#tailText.slice(codeStart).split('\n');
    if (lines.slice(0, -1).some((line) => closingLine.test(line))) return undefined;
    const fence = { language: codeLanguage(token), codeStart, closingLine };
    this.#showFence(fence);
    return fence;
  }
}

function isTooLong(source: string): boolean {
  return source.length > MAX_BLOCK_LENGTH;
}

function plainBlock(source: string): RenderedBlock {
  return { kind: 'code', language: 'markdown', code: source.replace(/\n+$/, '') };
}

function renderBlock(block: Block, source: string, references: References): RenderedBlock {
  const [token] = block.tokens;
  if (token?.type === 'fence' || token?.type === 'code_block') {
    const language = token.type === 'fence' ? codeLanguage(token) : '';
    return { kind: 'code', language, code: token.content.replace(/\n$/, '') };
  }
  if (token?.type === 'long_block' || isTooLong(source)) return plainBlock(source);
  return { kind: 'html', html: renderBlockHtml(block, references) };
}

/** Where each line begins; the last entry is that of the line which is not complete. */
function lineOffsets(text: string): number[] {
  const offsets = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    offsets.push(end + 1);
  }
  return offsets;
}

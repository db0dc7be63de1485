/**
 * Parses the unsettled end of a growing text, after the text that stands for a continued container,
 * and finds open code fences in it.
 */
import type { Container } from './containers';
import { withoutUndecidedLine, withTableDelimiter } from './liveTail';
import {
  parseBlocks,
  type Block,
  type ParsedDocument,
  type References,
  codeLanguage,
} from './parser';
import type { RenderedBlock } from './rendered';

export class TailParse implements ParsedDocument {
  readonly blocks: readonly Block[];
  readonly definitions: ParsedDocument['definitions'];
  readonly references: References;
  /** Number of lines that can't grow. */
  readonly completeLines: number;
  /** Number of characters that were parsed. */
  readonly work: number;
  readonly #prefixLength: number;
  readonly #text: string;
  readonly #offsets: readonly number[];

  /**
   * @param tail normalized text.
   * @param prefix lines that are parsed before it.
   */
  constructor(tail: string, prefix: string, references: References, isFinished: boolean) {
    let text = prefix + (isFinished ? tail : withoutUndecidedLine(tail));
    let document = parseBlocks(text, references);
    let work = text.length;
    if (!isFinished && endsInDefinition(text, document)) {
      text = withoutUndecidedLine(text.slice(0, Math.max(0, text.lastIndexOf('\n'))));
      document = parseBlocks(text, references);
      work += text.length;
    }
    const last = document.blocks.at(-1);
    if (!isFinished && last?.tokens[0]?.type === 'paragraph_open') {
      const start = lineOffsets(text)[last.startLine] ?? text.length;
      const table = withTableDelimiter(text.slice(start));
      if (table !== undefined) {
        text = text.slice(0, start) + table;
        document = parseBlocks(text, references);
        work += text.length;
      }
    }
    ({
      blocks: this.blocks,
      definitions: this.definitions,
      references: this.references,
    } = document);
    this.work = work;
    this.#prefixLength = prefix.length;
    this.#text = text;
    this.#offsets = lineOffsets(text);
    // The assumed delimiter row is not a line of the text.
    this.completeLines = countLines(prefix) + countLines(tail);
  }

  lineAt(line: number): string {
    return this.source({ startLine: line, endLine: line + 1 }).replace(/\n$/, '');
  }

  /** @returns the lines, including the prefix. */
  source({ startLine, endLine }: Pick<Block, 'startLine' | 'endLine'>): string {
    return this.#text.slice(this.#offset(startLine), this.#offset(endLine));
  }

  /** Returns the position of a line in the tail. */
  tailOffset(line: number): number {
    return Math.max(0, this.#offset(line) - this.#prefixLength);
  }

  #offset(line: number): number {
    return this.#offsets[line] ?? this.#text.length;
  }

  /**
   * Returns the index of the first block that can still change. All blocks before it are settled.
   */
  findLive(): number {
    // A block is settled when the block after it has two complete lines. A list may take in the
    // next line when the line gets a marker, and the line below its head decides about a table. A
    // quote right below a definition may become its title.
    const canBegin = (block: Block, index: number): boolean => {
      const before = this.blocks[index - 1];
      const isBelowDefinition =
        before?.endLine === block.startLine &&
        before.tokens[0]?.type === 'reference_definition' &&
        /^\s*["'(]/.test(this.lineAt(block.startLine));
      return block.startLine + 2 <= this.completeLines && !isBelowDefinition;
    };
    return Math.max(0, this.blocks.findLastIndex(canBegin));
  }
}

/** Returns whether the parsed text continues the container that the prefix stands for. */
export function goesOn(
  container: Container | undefined,
  { kind, isLoose }: { readonly kind: Container['kind']; readonly isLoose: boolean },
  prefix: { readonly lines: number },
  endLine: number,
): boolean {
  if (container?.kind !== kind || container.isLoose !== isLoose) return false;
  if (kind === 'table') return true;
  const [, next] = container.items;
  return kind === 'list' ? next?.startLine === prefix.lines : endLine > prefix.lines;
}

/**
 * Returns whether the text ends in a definition. Its last line may be half a URL, to which links
 * would already lead.
 */
function endsInDefinition(text: string, { definitions }: ParsedDocument): boolean {
  if (definitions.length === 0 || text.endsWith('\n')) return false;
  const lines = countLines(text) + 1;
  return definitions.some(({ endLine }) => endLine === lines);
}

function countLines(text: string): number {
  let count = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) count++;
  return count;
}

/** Returns the position of each line. The last entry is the position of the incomplete line. */
function lineOffsets(text: string): number[] {
  const offsets = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    offsets.push(end + 1);
  }
  return offsets;
}

export interface OpenFence {
  readonly language: string;
  /** Position of the first line of code in the tail. */
  readonly codeStart: number;
  readonly closingLine: RegExp;
}

/** @param tail text from the opening line of the fence on. */
export function findOpenFence(block: Block | undefined, tail: string): OpenFence | undefined {
  const [token] = block?.tokens ?? [];
  if (token?.type !== 'fence' || tail.startsWith(' ')) return undefined;
  const codeStart = tail.indexOf('\n') + 1;
  if (codeStart === 0) return undefined;
  const marker = token.markup.charAt(0);
  const closingLine = new RegExp(`^ {0,3}${marker}{${token.markup.length},}[ \\t]*$`);
  const lines = tail.slice(codeStart).split('\n');
  if (lines.slice(0, -1).some((line) => closingLine.test(line))) return undefined;
  return { language: codeLanguage(token), codeStart, closingLine };
}

export function shownCode({ language, codeStart }: OpenFence, tail: string): RenderedBlock {
  let code = tail.slice(codeStart);
  // A line that may become the closing fence is not shown as code meanwhile.
  const lastLine = code.lastIndexOf('\n') + 1;
  if (/^ {0,3}(?:`+|~+)[ \t]*$/.test(code.slice(lastLine))) code = code.slice(0, lastLine);
  return { kind: 'code', language, code: code.endsWith('\n') ? code.slice(0, -1) : code };
}

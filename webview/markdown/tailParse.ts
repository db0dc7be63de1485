/** One parsing of the end of a growing text: what is not settled, behind what continues a container. */
import type { Container } from './containers';
import { withoutUndecidedLine, withTableDelimiter } from './liveTail';
import { parseBlocks, type Block, type ParsedDocument, type References } from './parser';

export class TailParse implements ParsedDocument {
  readonly blocks: readonly Block[];
  readonly definitions: ParsedDocument['definitions'];
  readonly references: References;
  /** Lines that can get no longer. */
  readonly completeLines: number;
  /** Characters that were parsed. */
  readonly work: number;
  readonly #prefixLength: number;
  readonly #text: string;
  readonly #offsets: readonly number[];

  /**
   * @param tail normalised.
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
    // The delimiter row that is only thought is none of them.
    this.completeLines = countLines(prefix) + countLines(tail);
  }

  lineAt(line: number): string {
    return this.source({ startLine: line, endLine: line + 1 }).replace(/\n$/, '');
  }

  /** @returns the lines, the prefix among them. */
  source({ startLine, endLine }: Pick<Block, 'startLine' | 'endLine'>): string {
    return this.#text.slice(this.#offset(startLine), this.#offset(endLine));
  }

  /** Where a line begins in the tail that was given. */
  tailOffset(line: number): number {
    return Math.max(0, this.#offset(line) - this.#prefixLength);
  }

  #offset(line: number): number {
    return this.#offsets[line] ?? this.#text.length;
  }

  /** Which of the blocks is the first that can change; all before it are settled. */
  findLive(): number {
    // A block is settled when another one stands after it whose first two lines are complete: a
    // list may take in the next line when that gets its marker, and a table begins, or does not,
    // with the line below its head. What is quoted right below a definition may become its title.
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

/** Whether what was parsed goes on with the container that the prefix stands for. */
export function goesOn(
  container: Container | undefined,
  { kind, isLoose }: { readonly kind: Container['kind']; readonly isLoose: boolean },
  prefix: { readonly items: number; readonly lines: number },
  endLine: number,
): boolean {
  if (container?.kind !== kind || container.isLoose !== isLoose) return false;
  if (kind === 'table') return true;
  const [, next] = container.items;
  return kind === 'list' ? next?.startLine === prefix.lines : endLine > prefix.lines;
}

/** The last line may be half an address, to which links elsewhere would lead already. */
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

/** Where each line begins; the last entry is that of the line which is not complete. */
function lineOffsets(text: string): number[] {
  const offsets = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    offsets.push(end + 1);
  }
  return offsets;
}

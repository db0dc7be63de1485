/**
 * Splits lists, quotes and tables into parts, which are settled one by one while the block grows.
 */
import type { Token } from 'markdown-it';
import { parseBlocks, splitTokens, type Block, type References } from './parser';
import { isTableTooLong, MAX_BLOCK_LENGTH } from './syntaxRules';

/** A block that frames parts of one kind. */
export interface Container {
  readonly kind: 'list' | 'quote' | 'table';
  readonly open: readonly Token[];
  readonly items: readonly Block[];
  readonly close: readonly Token[];
  /** Whether the items of a list are separated by blank lines. */
  readonly isLoose: boolean;
}

export function containerOf({ tokens }: Block): Container | undefined {
  const frame = tokens.slice(0, 1);
  const close = tokens.slice(-1);
  switch (frame[0]?.type) {
    case 'bullet_list_open':
    case 'ordered_list_open': {
      const items = splitTokens(tokens.slice(1, -1), 1);
      const isLoose = tokens.some(
        ({ type, level, hidden }) => type === 'paragraph_open' && level === 2 && !hidden,
      );
      return { kind: 'list', open: frame, items, close, isLoose };
    }
    case 'blockquote_open':
    case 'alert_open': {
      const items = splitTokens(tokens.slice(1, -1), 1).filter(isShown);
      return { kind: 'quote', open: frame, items, close, isLoose: false };
    }
    case 'table_open': {
      const body = tokens.findIndex(({ type }) => type === 'tbody_open');
      const rows = body < 0 ? tokens.length - 1 : body + 1;
      const end = body < 0 ? rows : tokens.length - 2;
      const items = splitTokens(tokens.slice(rows, end), 2);
      const open = tokens.slice(0, rows);
      return { kind: 'table', open, items, close: tokens.slice(end), isLoose: false };
    }
    default:
      return undefined;
  }
}

/**
 * Returns whether a block shows anything. The marker of an alert may be all of its paragraph, and a
 * definition shows nothing.
 */
function isShown({ tokens }: Block): boolean {
  return tokens.some(({ type, hidden, content, nesting }) =>
    type === 'inline' ? content !== '' : nesting === 0 ? type !== 'reference_definition' : !hidden,
  );
}

/**
 * Returns whether a block is too long to be laid out.
 * @param head text from the first line of the block on.
 */
export function isTooLong(
  kind: Container['kind'] | undefined,
  size: { readonly length: number; readonly lines: number; readonly head: string },
): boolean {
  if (kind !== 'table') return size.length > MAX_BLOCK_LENGTH;
  return isTableTooLong(/^.*/.exec(size.head)?.[0] ?? '', size.lines, size.length - 1);
}

/**
 * Returns text that stands for the settled items when the rest of a container is parsed. The parser
 * then reads the rest as it would after the items. The text makes one item, or none for a table.
 */
export function continuation(
  { kind, open, isLoose }: Container,
  source: string,
): { text: string; items: number; lines: number } {
  switch (kind) {
    case 'list': {
      const marker = listMarker(open);
      // The text is indented as far as possible, so that the next item can't become a part of it.
      const first = `${marker}    x\n`;
      if (!isLoose) return { text: first, items: 1, lines: 1 };
      return { text: `${first}\n${' '.repeat(marker.length + 4)}y\n`, items: 1, lines: 3 };
    }
    case 'quote':
      return { text: '> x\n>\n', items: 1, lines: 2 };
    case 'table':
      return { text: /^.*\n.*\n/.exec(source)?.[0] ?? '', items: 0, lines: 2 };
  }
}

function listMarker([open]: readonly Token[]): string {
  return open?.type === 'ordered_list_open' ? `1${open.markup}` : (open?.markup ?? '-');
}

/** The number of items that can no longer change, and the line after them. */
interface Cut {
  readonly count: number;
  readonly line: number;
}

/**
 * @param items items without the one of the continuation.
 * @param lineAt returns a line of the parsed text.
 * @param completeLines number of lines that can't grow.
 */
export function findCut(
  { kind }: Container,
  items: readonly Block[],
  lineAt: (line: number) => string,
  completeLines: number,
): Cut | undefined {
  if (kind === 'table') {
    const count = items.filter(({ endLine }) => endLine <= completeLines).length;
    const line = items[count - 1]?.endLine;
    return line === undefined ? undefined : { count, line };
  }
  // The first line is enough to begin a list item. A block within a quote begins like one at the
  // top level.
  const needed = kind === 'list' ? 1 : 2;
  const count = items.findLastIndex(({ startLine }) => startLine + needed <= completeLines);
  const line = items[count]?.startLine;
  if (count <= 0 || line === undefined) return undefined;
  // A line below a definition, which is not an item, may become its title.
  const isApart = /^ {0,3}>/.test(lineAt(line)) && /^[ \t>]*$/.test(lineAt(line - 1));
  return kind === 'list' || isApart ? { count, line } : undefined;
}

/**
 * Returns whether a list is loose, whatever follows its first items.
 * @param text source up to the next item.
 */
export function isSurelyLoose(list: Container, text: string, references: References): boolean {
  const next = `${listMarker(list.open)}    x\n`;
  const [block] = parseBlocks(text + next, references).blocks;
  return block !== undefined && containerOf(block)?.isLoose === true;
}

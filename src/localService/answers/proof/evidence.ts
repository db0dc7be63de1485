import { isLabel, type SectionBlock, type FoundSection } from '../../pages/page';
import { sentences } from '../sentences';
import { unmarked } from '../unmarked';
import { isSameQuantity, type Quantity, type Unit, unitOf } from './numbers';
import { beginningOf, nameKey, quantityOfWord, type Token, tokensOf, unitsIn } from './tokens';

/**
 * A part of the docs that can support a statement: a sentence, a table row, a list item or a line of
 * code.
 */
export interface Passage {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Terms, beginnings of words (with `~` before them) and names (with `=`) of the passage itself. */
  readonly keys: ReadonlySet<string>;
  /**
   * Terms and names of the texts that belong to the passage: the sentences beside it, the table's head,
   * the line that introduces the list, and the headings above.
   */
  readonly nearKeys: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
  readonly units: readonly Unit[];
  /** Cells of a table row, each with the head of its column. Empty for other passages. */
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly head: readonly Token[];
  readonly tokens: readonly Token[];
}

/** A section, split into passages. */
export interface Evidence {
  readonly passages: readonly Passage[];
  /** Terms and names anywhere in the section or its headings. */
  readonly keys: ReadonlySet<string>;
  /** Text of the section in lower case. */
  readonly text: string;
}

interface Piece {
  readonly text: string;
  /** Text that belongs to the piece: the head of a table, the line that introduces a list. */
  readonly context: string;
  /** Whether the piece is a sentence of a paragraph, which shares its topic with the sentences beside it. */
  readonly isProse: boolean;
  readonly cells?: readonly { readonly head: string; readonly text: string }[];
}

/** Maximum number of pieces of a section to compare. A section can be a table of thousands of rows. */
const MAX_PIECES = 2000;

const evidenceBySection = new WeakMap<object, Evidence>();

/** Returns the evidence of a section. Reads each section once. */
export function evidenceOf(found: FoundSection): Evidence {
  const known = evidenceBySection.get(found.section);
  if (known) return known;
  const evidence = readEvidence(found);
  evidenceBySection.set(found.section, evidence);
  return evidence;
}

function readEvidence({ page, section }: FoundSection): Evidence {
  const headings = tokensOf(
    [page.title, page.version ?? '', page.description, ...section.ancestors, section.heading].join(
      '\n',
    ),
  );
  const pieces = section.blocks
    .flatMap((block, position) => piecesOf(block, leadInOf(section.blocks, position)))
    .slice(0, MAX_PIECES);
  const headingKeys = keysOf(headings);
  // All rows of a table have the same context.
  const contexts = new Map<string, readonly Token[]>();
  const contextTokens = (context: string): readonly Token[] => {
    const tokens = contexts.get(context) ?? tokensOf(context);
    contexts.set(context, tokens);
    return tokens;
  };
  const read = pieces.map((piece) => ({
    ...piece,
    tokens: tokensOf(piece.text),
    contextTokens: contextTokens(piece.context),
  }));
  const passages: Passage[] = read.map((piece, position) => {
    const near = piece.isProse
      ? [read[position - 1], read[position + 1]].filter((other) => other?.isProse === true)
      : [];
    const around = [...piece.contextTokens, ...near.flatMap((other) => other?.tokens ?? [])];
    return {
      text: piece.text,
      tokens: piece.tokens,
      keys: keysOf(piece.tokens),
      nearKeys: new Set([...keysOf(around), ...headingKeys]),
      quantities: [
        ...quantitiesOf([...piece.tokens, ...piece.contextTokens]),
        ...quantitiesOf(headings),
      ],
      units: unitsIn([...piece.tokens, ...piece.contextTokens]),
      cells: (piece.cells ?? []).map(({ head, text }) => ({
        head: tokensOf(head),
        tokens: tokensOf(text),
      })),
    };
  });
  const top: Passage = {
    text: section.heading,
    tokens: headings,
    keys: headingKeys,
    nearKeys: new Set(),
    quantities: quantitiesOf(headings),
    units: unitsIn(headings),
    cells: [],
  };
  const keys = new Set(headingKeys);
  for (const passage of passages) {
    for (const key of passage.keys) keys.add(key);
    for (const key of passage.nearKeys) keys.add(key);
  }
  const text = [section.heading, ...section.blocks.map((block) => block.markdown)].join('\n');
  return { passages: [...passages, top], keys, text: text.toLowerCase() };
}

/** Returns the line that introduces a list, table or code. */
function leadInOf(blocks: readonly SectionBlock[], position: number): string {
  let before = position - 1;
  while (before >= 0 && isLabel(blocks[before])) before--;
  const block = blocks[before];
  if (block?.kind !== 'prose') return '';
  return sentences(block.text).at(-1) ?? '';
}

function piecesOf(block: SectionBlock, leadIn: string): Piece[] {
  if (block.kind === 'prose' || block.kind === 'quote') {
    return sentences(block.text)
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text) => ({ text, context: '', isProse: true }));
  }
  if (block.kind === 'table') {
    const [head = '', , ...rows] = block.markdown.split('\n');
    const context = `${unmarked(head)} ${leadIn}`;
    const heads = cellsOf(head);
    return rows.slice(0, MAX_PIECES).map((row) => ({
      text: unmarked(row),
      context,
      isProse: false,
      cells: cellsOf(row).map((text, column) => ({ head: heads[column] ?? '', text })),
    }));
  }
  if (block.kind === 'list') {
    return block.markdown
      .split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/)
      .slice(0, MAX_PIECES)
      .map((item) => unmarked(item.replace(/^\s*(?:[-*+]|\d+[.)])\s/, '')))
      .map((text) => ({ text, context: leadIn, isProse: false }));
  }
  const lines = block.text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MAX_PIECES).map((text, position) => ({
    text,
    context: `${lines.slice(Math.max(0, position - 2), position + 3).join('\n')} ${leadIn}`,
    isProse: false,
  }));
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\s*\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map(unmarked);
}

function keysOf(tokens: readonly Token[]): Set<string> {
  const keys = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'number') continue;
    if (token.kind === 'word') for (const term of token.terms) keys.add(term);
    const beginning = beginningOf(token.written);
    if (beginning !== undefined) keys.add(beginning);
    // A statement can have any word of the docs as a name, and each part of `Retry-After` as a word.
    addNames(keys, token.written);
  }
  return keys;
}

function addNames(keys: Set<string>, written: string): void {
  keys.add(`=${nameKey(written)}`);
  if (written.startsWith('-')) keys.add(`=${written.toLowerCase()}`);
  for (const part of written.split(/[-'’]/)) {
    if (part !== '') keys.add(`=${nameKey(part)}`);
  }
  for (const token of written.split(/[-_$]|(?<=\p{Ll})(?=\p{Lu})/u)) {
    for (const term of termsOfPart(token)) keys.add(term);
  }
}

function termsOfPart(part: string): readonly string[] {
  const [token] = tokensOf(part);
  return token?.kind === 'word' ? token.terms : [];
}

function quantitiesOf(tokens: readonly Token[]): Quantity[] {
  const found: Quantity[] = [];
  tokens.forEach((token, position) => {
    if (token.kind === 'number') found.push(token.quantity);
    if (token.kind !== 'word') return;
    const word = quantityOfWord(token.written);
    const next = tokens[position + 1];
    const unit = next?.kind === 'word' ? unitOf(next.written) : undefined;
    if (word) found.push({ ...word, ...(unit === undefined ? { isCount: true } : { unit }) });
    // The "an" of "within an hour" means one.
    else if (unit && /^(?:an?|per|eine?[nrms]?|pro|the|each|every)$/i.test(token.written)) {
      found.push({ values: [1], unit, written: `${token.written} ${next?.written ?? ''}` });
    }
  });
  return found;
}

/** Returns whether a passage has a quantity. */
export function hasQuantity(
  passage: Passage,
  quantity: Quantity,
  unitsNear: readonly Unit[],
): boolean {
  return passage.quantities.some((known) =>
    isSameQuantity(quantity, known, unitsNear, passage.units),
  );
}

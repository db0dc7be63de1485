import { isLabel, type SectionBlock } from '../../pages/sections';
import type { FoundSection } from '../../pages/page';
import { sentences } from '../sentences';
import { unmarked } from '../unmarked';
import { isSameQuantity, type Quantity, type Unit, unitOf } from './numbers';
import type { TextSpan } from './statements';
import { beginningOf, nameKey, quantityOfWord, type Token, tokensOf, unitsIn } from './tokens';

/**
 * A part of the docs that can support a statement: a sentence, a table row, a list item or a line of
 * code.
 */
export interface Passage {
  readonly text: string;
  /** Whether the passage is a line of code. Its operators and literals don't deny or contrast anything. */
  readonly isCode: boolean;
  /** List item of the passage, which can have several sentences about one setting. */
  readonly item: object | undefined;
  readonly tokens: readonly Token[];
  /** Tokens of the sentences beside it, and of the table's head or the line that introduces the list. */
  readonly around: readonly Token[];
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

interface Cell {
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
  readonly isCode?: boolean;
  readonly isItem?: boolean;
  /** Text that belongs to the piece: the head of a table, the line that introduces a list. */
  readonly context: string;
  /** Text that the piece is about, although its numbers are not the piece's own. */
  readonly topic?: string;
  /** Paragraph or list item of the sentence, which shares its topic with the sentences beside it. */
  readonly paragraph?: object;
  readonly cells?: readonly { readonly head: string; readonly text: string }[];
}

/** Maximum number of pieces of a section to compare. A section can be a table of thousands of rows. */
const MAX_PIECES = 2000;

/** Maximum characters of a section's paragraphs that count as the topic of its facts. */
const MAX_PROSE = 2000;

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
  const prose = section.blocks
    .map(({ kind, text }) => (kind === 'prose' ? text : ''))
    .join(' ')
    .slice(0, MAX_PROSE);
  const pieces = section.blocks
    .flatMap((block, position) => piecesOf(block, leadInOf(section.blocks, position), prose))
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
    tokens: tokensOf(piece.text, codeIn(piece.text)),
    contextTokens: contextTokens(piece.context),
    topicTokens: contextTokens(piece.topic ?? ''),
  }));
  const passages: Passage[] = read.map((piece, position) => {
    const near = [read[position - 1], read[position + 1]].filter(
      (other) => piece.paragraph !== undefined && other?.paragraph === piece.paragraph,
    );
    const around = [...piece.contextTokens, ...near.flatMap((other) => other?.tokens ?? [])];
    return {
      text: piece.text,
      isCode: piece.isCode === true,
      item: piece.isItem === true ? piece.paragraph : undefined,
      tokens: piece.tokens,
      around,
      keys: keysOf(piece.tokens),
      nearKeys: new Set([...keysOf([...around, ...piece.topicTokens]), ...headingKeys]),
      quantities: [
        ...quantitiesOf([...piece.tokens, ...piece.contextTokens]),
        ...quantitiesOf(headings),
      ],
      units: unitsIn([...piece.tokens, ...around]),
      cells: (piece.cells ?? []).map(({ head, text }) => ({
        head: tokensOf(head),
        tokens: tokensOf(text, codeIn(text)),
      })),
    };
  });
  const top: Passage = {
    text: section.heading,
    isCode: false,
    item: undefined,
    tokens: headings,
    around: [],
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

/** Returns the positions of code in the text of a list or table, with its marks. */
function codeIn(text: string): TextSpan[] {
  return [...text.matchAll(/`[^`]+`/g)].map(({ 0: span, index }) => ({
    start: index,
    end: index + span.length,
  }));
}

/** Returns the line that introduces a list, table or code. */
function leadInOf(blocks: readonly SectionBlock[], position: number): string {
  let before = position - 1;
  while (isLabel(blocks[before])) before--;
  const block = blocks[before];
  if (block?.kind !== 'prose') return '';
  return sentences(block.text).at(-1) ?? '';
}

function piecesOf(block: SectionBlock, leadIn: string, prose: string): Piece[] {
  if (block.kind === 'prose' || block.kind === 'quote') {
    const paragraph = {};
    return sentencesIn(block.text).map((text) => ({ text, context: '', paragraph }));
  }
  if (block.kind === 'table') {
    const [head = '', , ...rows] = block.markdown.split('\n');
    const context = `${unmarked(head)} ${leadIn}`;
    const heads = cellsOf(head);
    return rows.slice(0, MAX_PIECES).map((row) => ({
      text: unmarked(row),
      context,
      cells: cellsOf(row).map((text, column) => ({ head: heads[column] ?? '', text })),
    }));
  }
  if (block.kind === 'list') {
    return block.markdown
      .split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/)
      .slice(0, MAX_PIECES)
      .flatMap((item) => itemPieces(item.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''), leadIn, prose));
  }
  const lines = block.text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MAX_PIECES).map((text, position) => ({
    text,
    // A line that is a comment is a sentence.
    isCode: !/^\s*(?:\/\/|#|\/?\*)/.test(text),
    context: `${lines.slice(Math.max(0, position - 2), position + 3).join('\n')} ${leadIn}`,
  }));
}

/** Matches a list item that is a fact about the section's topic, such as "Default: 5". */
const fact =
  /^\W*(?:defaults?|standard(?:wert)?|vorgabe|type|typ|unit|minimum|maximum|since)\W*:[^]{1,100}$/i;
/** Matches the name at the beginning of a list item that explains it. */
const definedName = /^(?:\*\*)?(`[^`]+`|\*\*[^*]+\*\*)(?:\*\*)?[^\p{L}]*\s*(?::|\s[—–-]\s|\()/u;

/** Returns the sentences of a list item. They are about the name that the item begins with. */
function itemPieces(item: string, leadIn: string, prose: string): Piece[] {
  const paragraph = {};
  const name = definedName.exec(item)?.[1];
  const whole = unmarked(item);
  // The behavior of a default is in the paragraph, its value in the item.
  const topic = fact.test(whole) ? prose : '';
  return sentencesIn(whole).map((text) => ({
    text,
    context: name === undefined ? leadIn : `${leadIn} ${name}`,
    topic,
    isItem: true,
    paragraph,
    cells: name === undefined ? [] : [name, text].map((cell) => ({ head: '', text: cell })),
  }));
}

function sentencesIn(text: string): string[] {
  return sentences(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
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
    if (token.kind === 'number') {
      keys.add(`=${nameKey(token.written)}`);
      continue;
    }
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
  for (const part of written.split(/[-'’]|(?<=\p{L})(?=\p{N})/u)) {
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
    if (token.kind === 'name') found.push(...numbersOfName(token.written));
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

/** Returns the numbers that a name has for people: version 4 of `4.0.0`, Chrome 111 of `chrome111`, 44 of `44px`. */
function numbersOfName(written: string): Quantity[] {
  // `300e3` has a unit near it, as other bare numbers.
  if (/^\d+e\d+$/i.test(written)) return [{ values: [Number(written)], written }];
  const number = /^v?(\d+(?:\.\d+)?)(?:\.\d+)+$|^\p{L}+(\d+)$|^(\d+)\p{L}+$/iu.exec(written);
  const values = (number?.slice(1) ?? []).flatMap((part: string | undefined) =>
    part === undefined ? [] : [Number(part), Math.trunc(Number(part))],
  );
  return values.length === 0 ? [] : [{ values, written, isCount: true }];
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

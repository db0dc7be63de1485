import { isLabel, type Block, type FoundSection } from '../../pages/page';
import { sentences } from '../sentences';
import { isSameQuantity, type Quantity, type Unit } from './numbers';
import { nameKey, quantityOfWord, type Token, tokensOf, unitsIn } from './tokens';

/**
 * A place of the docs that can support a statement: a sentence with its neighbors, a table row with
 * the table's head, a list item with the line that introduces the list, or some lines of code.
 */
export interface Passage {
  /** The sentence, row, item or line itself. */
  readonly text: string;
  /** The text with its neighbors or its context. */
  readonly around: string;
  /** Terms and keys of names of the passage, and of the section's headings. */
  readonly keys: ReadonlySet<string>;
  /** Terms and keys of the sentence, row, item or line alone. */
  readonly ownKeys: ReadonlySet<string>;
  readonly quantities: readonly Quantity[];
  readonly units: readonly Unit[];
}

/** What one section says, in passages. */
export interface Evidence {
  readonly passages: readonly Passage[];
  /** Terms and keys of names anywhere in the section or its headings. */
  readonly keys: ReadonlySet<string>;
}

interface Piece {
  readonly text: string;
  /** Text that belongs to the piece: the head of a table, the line that introduces a list. */
  readonly context: string;
  /** Whether the pieces before and after continue the thought. */
  readonly isProse: boolean;
}

/** Pieces of a section that are compared. A section can be a table of thousands of rows. */
const MAX_PIECES = 2000;

const evidenceBySection = new WeakMap<object, Evidence>();

/** Returns what a section says. Sections are read once. */
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
  const read = pieces.map(({ text, context, isProse }) => ({
    text,
    isProse,
    own: tokensOf(text),
    contextText: context,
    context: tokensOf(context),
  }));
  const passages = read.map(({ text, isProse, own, context, contextText }, position) => {
    const near = isProse
      ? [read[position - 1], read[position + 1]].filter((other) => other?.isProse === true)
      : [];
    const tokens = [...own, ...context, ...near.flatMap((other) => other?.own ?? [])];
    return {
      text,
      around: [text, contextText, ...near.map((other) => other?.text ?? '')].join('\n'),
      keys: new Set([...keysOf(tokens), ...keysOf(headings)]),
      ownKeys: keysOf(own),
      quantities: quantitiesOf(tokens),
      units: unitsIn(tokens),
    };
  });
  const top: Passage = {
    text: section.heading,
    around: section.heading,
    keys: keysOf(headings),
    ownKeys: keysOf(headings),
    quantities: quantitiesOf(headings),
    units: unitsIn(headings),
  };
  const keys = new Set(keysOf(headings));
  for (const passage of passages) for (const key of passage.keys) keys.add(key);
  return { passages: [...passages, top], keys };
}

/** Returns the line that introduces a list, table or code. */
function leadInOf(blocks: readonly Block[], position: number): string {
  let before = position - 1;
  while (before >= 0 && isLabel(blocks[before])) before--;
  const block = blocks[before];
  if (block?.kind !== 'prose') return '';
  return sentences(block.text).at(-1) ?? '';
}

function piecesOf(block: Block, leadIn: string): Piece[] {
  if (block.kind === 'prose' || block.kind === 'quote') {
    return sentences(block.text)
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map((text) => ({ text, context: '', isProse: true }));
  }
  if (block.kind === 'table') {
    const [head = '', , ...rows] = block.markdown.split('\n');
    const context = `${plain(head)} ${leadIn}`;
    return rows.map((row) => ({ text: plain(row), context, isProse: false }));
  }
  if (block.kind === 'list') {
    return block.markdown
      .split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/)
      .map((item) => plain(item.replace(/^\s*(?:[-*+]|\d+[.)])\s/, '')))
      .map((text) => ({ text, context: leadIn, isProse: false }));
  }
  const lines = block.text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((text, position) => ({
    text,
    context: `${lines.slice(Math.max(0, position - 2), position + 3).join('\n')} ${leadIn}`,
    isProse: false,
  }));
}

/** Returns Markdown without the targets of links and the marks of code and tables. */
function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([|`*_])/g, '$1')
    .replace(/[`*|]/g, ' ')
    .trim();
}

function keysOf(tokens: readonly Token[]): Set<string> {
  const keys = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'number') continue;
    if (token.kind === 'word') for (const term of token.terms) keys.add(term);
    // Every word can be cited as a name, and each part of `Retry-After` is a word.
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
    const [unit] = next === undefined ? [] : unitsIn([next]);
    if (word) found.push({ ...word, ...(unit === undefined ? {} : { unit }) });
    // "Within an hour" is one hour.
    else if (
      unit !== undefined &&
      /^(?:an?|per|eine?[nrms]?|pro|the|each|every)$/i.test(token.written)
    ) {
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

/** Marks the statements of a reply that its sources don't support, in the reply's own text. */
import type { Proof } from '../../src/shared/proof';
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { CodeBlock } from '../code/codeBlock';
import { element, icon, visibleLine } from '../dom';
import { isBlockTag, type ShownText } from '../find/findText';
import { shownTextOf, unitSelector } from '../find/shownUnits';
import { writeInFrame } from '../frames';
import type { TipTarget } from './proofTip';
import { QuoteFinder, type TextSpan } from './quoteFinder';

/** A statement or name that isn't proven. */
export type Unproven = Proof['unproven'][number];

/**
 * Maximum length of a reply whose statements are marked, in characters. In longer replies they are
 * only listed.
 */
const MAX_MARKED_LENGTH = 400_000;

/** Text that belongs to the statement before it: the end of its sentence, and its citations. */
const sentenceEnd = /^[\p{Pe}\p{Pf}\p{Po}"'`]+/u;
const citation = '.citation, .footnote-ref';

/** A statement that is marked in the text. */
interface Mark extends TipTarget {
  /** The pieces of the statement, one for each text node, and the sign. */
  readonly anchors: readonly HTMLElement[];
  /** Button after the statement, named by the reason. */
  readonly sign: HTMLButtonElement;
}

/** The marks in one reply. They are restored when a part of the text is drawn again. */
export class ProofMarks {
  readonly #parts: Element;
  readonly #strings: ViewStrings;
  readonly #marks = new Map<Unproven, Mark>();
  /** Notes below code blocks about names that the docs don't have. */
  readonly #notes = new Map<Element, HTMLElement>();
  readonly #observer = new MutationObserver(() => this.#schedule());
  /** Text in which the statements were last searched for. */
  #text = '';
  #unproven: readonly Unproven[] = [];
  #isScheduled = false;

  /** @param parts element with the reply's parts. Only the visible text of the reply is marked. */
  constructor(parts: Element, strings: ViewStrings) {
    this.#parts = parts;
    this.#strings = strings;
  }

  update(unproven: readonly Unproven[]): void {
    if (unproven === this.#unproven) return;
    this.#unproven = unproven;
    this.#text = '';
    this.#observer.disconnect();
    if (unproven.length > 0) {
      this.#observer.observe(this.#parts, { childList: true, characterData: true, subtree: true });
    }
    this.#schedule();
  }

  /** Returns the marked statement that an element belongs to. */
  targetOf(anchor: Element): TipTarget | undefined {
    const own = anchor.closest<HTMLElement>('.unproven, .unproven-sign');
    return own ? [...this.#marks.values()].find(({ anchors }) => anchors.includes(own)) : undefined;
  }

  /** Returns the button after a statement, or undefined if the statement isn't in the text. */
  signOf(unproven: Unproven): HTMLButtonElement | undefined {
    const { sign } = this.#marks.get(unproven) ?? {};
    return sign?.isConnected === true ? sign : undefined;
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#unproven = [];
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    writeInFrame(() => {
      this.#isScheduled = false;
      this.#mark();
      // Changes that the marks made themselves don't count as changes of the text.
      this.#observer.takeRecords();
    });
  }

  #mark(): void {
    this.#markNames();
    const statements = this.#unproven.filter(({ reason }) => reason !== 'code-name');
    const units = statements.length === 0 ? [] : [...this.#parts.querySelectorAll(ownUnits)];
    const shown = shownTextOf(units);
    // If the text is the same, its marks stay, so that the focused or hovered one stays too.
    if (shown.text === this.#text && this.#isIntact) return;
    this.#text = shown.text;
    const focused = [...this.#marks].find(([, { sign }]) => sign === document.activeElement)?.[0];
    const isFresh = this.#marks.size === 0;
    this.#clear();
    // Removing marks joins the text nodes that they had split.
    this.#markStatements(statements, isFresh ? shown : shownTextOf(units));
    if (focused) this.signOf(focused)?.focus({ preventScroll: true });
  }

  get #isIntact(): boolean {
    return [...this.#marks.values()].every(({ anchors }) =>
      anchors.every((anchor) => anchor.isConnected),
    );
  }

  #markStatements(statements: readonly Unproven[], shown: ShownText): void {
    if (shown.text.length > MAX_MARKED_LENGTH) return;
    const finder = new QuoteFinder(shown.text);
    const found = statements.flatMap((unproven) => {
      const span = finder.find(unproven.quote);
      return span ? [{ unproven, span }] : [];
    });
    // Marking starts at the end, so that the earlier positions stay valid.
    found.sort((one, other) => other.span.start - one.span.start);
    let end = Infinity;
    for (const { unproven, span } of found) {
      if (span.end > end) continue;
      end = span.start;
      const mark = this.#markSpan(shown, span, unproven);
      if (mark) this.#marks.set(unproven, mark);
    }
  }

  #clear(): void {
    for (const { anchors, sign } of this.#marks.values()) {
      sign.replaceChildren();
      for (const anchor of anchors) {
        const { parentElement } = anchor;
        anchor.replaceWith(...anchor.childNodes);
        parentElement?.normalize();
      }
    }
    this.#marks.clear();
  }

  #markSpan(shown: ShownText, span: TextSpan, unproven: Unproven): Mark | undefined {
    const pieces = nodesOf(shown, span)
      .reverse()
      .map(({ node, from, to }) => {
        const range = new Range();
        range.setStart(node, from);
        range.setEnd(node, to);
        const piece = element('span', { class: 'unproven' });
        range.surroundContents(piece);
        // A piece that covers a whole node leaves empty text nodes around it.
        piece.parentElement?.normalize();
        return piece;
      });
    const [last] = pieces;
    if (!last) return undefined;
    const sentence = reasonSentence(unproven, this.#strings);
    const sign = element(
      'button',
      { class: 'unproven-sign', attributes: { type: 'button', 'aria-label': sentence } },
      icon('question'),
    );
    placeSign(last, sign);
    return { anchors: [...pieces, sign], sign, sentence };
  }

  /** Lists below each code block the names in it that the docs don't have. */
  #markNames(): void {
    const names = this.#unproven.filter(({ reason }) => reason === 'code-name');
    const blocks = names.length === 0 ? [] : this.#parts.querySelectorAll(ownCode);
    const before = new Map(this.#notes);
    this.#notes.clear();
    for (const block of blocks) {
      const code = CodeBlock.of(block)?.text.code ?? '';
      const own = names.filter(({ quote }) => hasName(code, quote));
      if (own.length === 0) continue;
      const list = own.map(({ quote }) => visibleLine(quote)).join(', ');
      const note = before.get(block) ?? element('p', { class: 'code-note' });
      before.delete(block);
      if (note.title !== list) {
        note.title = list;
        note.replaceChildren(
          icon('question'),
          element('span', { text: fill(this.#strings.proofCodeName, list) }),
        );
      }
      if (note.parentElement !== block) block.append(note);
      this.#notes.set(block, note);
    }
    for (const note of before.values()) note.remove();
  }
}

/** Selects the units of the reply's text, without its reasoning. */
const ownUnits = unitSelector
  .split(', ')
  .filter((selector) => selector.startsWith('.markdown'))
  .map((selector) => `:scope > ${selector}`)
  .join(', ');
const ownCode = ':scope > .markdown .code-block';

/** Returns the sentence that explains why a statement isn't proven. */
export function reasonSentence({ reason, missing, quote }: Unproven, strings: ViewStrings): string {
  const names = missing.map(visibleLine).filter((name) => name !== '');
  switch (reason) {
    case 'uncited':
      return strings.proofUncited;
    case 'code-name':
      return fill(strings.proofCodeName, visibleLine(quote));
    case 'number':
    case 'name':
    case 'words':
      return names.length === 0
        ? strings.proofUnsaid
        : fill(strings.proofMissing, names.join(', '));
  }
}

/** Returns whether the code has the name as a whole word. */
function hasName(code: string, name: string): boolean {
  const isPart = (character: string): boolean => /[\p{L}\p{N}_$]/u.test(character);
  for (let at = code.indexOf(name); at >= 0 && name !== ''; at = code.indexOf(name, at + 1)) {
    const [before, after] = [code.charAt(at - 1), code.charAt(at + name.length)];
    if (!isPart(before) && !isPart(after)) return true;
  }
  return false;
}

interface NodeRange {
  readonly node: Text;
  readonly from: number;
  readonly to: number;
}

/** Returns the parts of text nodes that a span of the shown text covers, in order. */
function nodesOf({ places }: ShownText, { start, end }: TextSpan): NodeRange[] {
  const ranges = new Map<Text, NodeRange>();
  places.forEach(({ at, node, offset }, index) => {
    const next = places[index + 1]?.at ?? Infinity;
    if (next <= start || at >= end) return;
    const from = offset + Math.max(0, start - at);
    const to = Math.min(node.length, offset + Math.min(end, next) - at);
    const known = ranges.get(node);
    if (to > from) ranges.set(node, { node, from: known?.from ?? from, to });
  });
  return [...ranges.values()];
}

/**
 * Puts the sign after the sentence that ends with this piece: outside of links and code, and after
 * the full stop and the citations.
 */
function placeSign(last: Element, sign: Element): void {
  let end: ChildNode = last;
  const { parentElement } = last;
  const isHeld = (held: Element | null): held is HTMLElement =>
    held !== null && !isBlockTag(held.localName);
  for (let around = parentElement; isHeld(around); around = around.parentElement) {
    const isAtEnd = end.nextSibling === null;
    if (!isAtEnd && !/^(?:a|code)$/.test(around.localName)) break;
    end = around;
  }
  for (let next = end.nextSibling; next; next = end.nextSibling) {
    if (next instanceof Element && next.matches(citation)) end = next;
    else if (next instanceof Text && isBeforeCitation(next)) end = next;
    else if (next instanceof Text && sentenceEnd.test(next.data)) {
      const { length } = sentenceEnd.exec(next.data)?.[0] ?? '';
      if (length < next.length) next.splitText(length);
      end = next;
      if (!(next.nextSibling instanceof Element)) break;
    } else break;
  }
  end.after(sign);
}

function isBeforeCitation({ data, nextSibling }: Text): boolean {
  return data.trim() === '' && nextSibling instanceof Element && nextSibling.matches(citation);
}

/**
 * Shows below a reply how many of its statements are in the docs, which are not and why, or that no
 * source is cited. It loads with the first reply that needs it.
 */
import type { Proof } from '../../src/shared/proof';
import type { ProofPart, ReplyView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import { element, icon, isolatedText, visibleLine } from '../dom';
import type { ViewContext } from '../viewActions';
import { ProofMarks, reasonSentence, type Unproven } from './proofMarks';
import { ProofTip } from './proofTip';
import { keptDocsSentence, sourceSentence } from './replyFooter';

/** Returns the proof of a reply, if its service sent one. */
function proofOf({ parts }: ReplyView): ProofPart | undefined {
  return parts.find((part) => part.type === 'proof');
}

/** The evidence of one reply: the marks in its text and the summary below it. */
export class ReplyEvidence {
  readonly #context: ViewContext;
  readonly #element: HTMLElement;
  readonly #marks: ProofMarks;
  readonly #tip: ProofTip;
  #shown: ProofPart | 'no-source' | undefined;

  /**
   * @param target element for the summary.
   * @param parts element with the reply's parts, in which statements are marked.
   */
  constructor(context: ViewContext, target: HTMLElement, parts: HTMLElement) {
    this.#context = context;
    this.#element = target;
    this.#marks = new ProofMarks(parts, context.strings);
    this.#tip = new ProofTip(parts, (anchor) => this.#marks.targetOf(anchor));
  }

  /** Shows the evidence of a reply that has ended. */
  update(reply: ReplyView): void {
    const proof = proofOf(reply);
    const shown = proof ?? 'no-source';
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#tip.close();
    this.#marks.update(proof?.unproven ?? []);
    const { strings } = this.#context;
    const sentence = sourceSentence(reply, strings);
    const rows = proof ? this.#proofRows(reply, proof, sentence) : [this.#line(sentence)];
    if (proof?.docs) {
      const texts = { plain: strings.proofDocs, dated: strings.proofDocsSince };
      const docs = keptDocsSentence(proof.docs, texts, this.#context.hostNow());
      rows.push(this.#line(docs, 'library'));
    }
    const isNothingFound = proof !== undefined && proof.statements > 0 && proof.found === 0;
    if (sentence === strings.noSource || isNothingFound) rows.push(this.#draftButton(reply));
    this.#element.replaceChildren(...rows);
    this.#element.hidden = !this.#element.hasChildNodes();
  }

  dispose(): void {
    this.#tip.dispose();
    this.#marks.dispose();
  }

  /** @param count sentence about the statements, or that there is no source. */
  #proofRows(
    reply: ReplyView,
    { statements, found, unproven }: ProofPart,
    count: string,
  ): HTMLElement[] {
    const { strings } = this.#context;
    const names = unproven.filter(({ reason }) => reason === 'code-name').length;
    const codeSentence =
      count === '' ? fill(strings.proofCodeOnly, names) : fill(strings.proofAndCode, count, names);
    const sentence = names === 0 ? count : codeSentence;
    if (sentence === '') return [];
    if (unproven.length === 0) {
      return [this.#line(sentence, statements > 0 && found === statements ? 'pass' : 'info')];
    }
    const list = element('ul', { class: 'unproven-list' });
    const details = element(
      'details',
      { class: 'proof' },
      element(
        'summary',
        {},
        icon('question'),
        element('span', { text: sentence }),
        icon('chevron-right'),
      ),
      list,
    );
    // The list is built when it is opened, because it can be long and most readers never open it.
    details.addEventListener('toggle', () => {
      if (details.open && !list.hasChildNodes())
        list.append(...this.#rows(reply, { statements, found, unproven }));
    });
    return [details];
  }

  #rows(reply: ReplyView, { statements, found, unproven }: Proof): HTMLElement[] {
    const { strings } = this.#context;
    const rows = unproven.map((entry) => this.#row(reply, entry));
    const listed = unproven.filter(({ reason }) => reason !== 'code-name').length;
    const rest = statements - found - listed;
    if (rest > 0) rows.push(element('li', { text: fill(strings.moreSources, rest) }));
    return rows;
  }

  #row(reply: ReplyView, unproven: Unproven): HTMLElement {
    const { strings, actions } = this.#context;
    const isName = unproven.reason === 'code-name';
    const quote = element(isName ? 'code' : 'q', { class: 'unproven-quote' });
    quote.append(isolatedText(unproven.quote));
    const reason = element('span', {
      class: 'unproven-reason',
      text: reasonSentence(unproven, strings),
    });
    const row = element('li', {}, quote, reason);
    if (this.#marks.signOf(unproven)) {
      const show = element('button', {
        class: 'link-button',
        text: strings.proofShow,
        attributes: { type: 'button' },
      });
      show.addEventListener('click', () => this.#show(unproven));
      row.append(show);
    }
    const source = reply.parts.find(
      (part) => part.type === 'source-url' && part.sourceId === unproven.sourceId,
    );
    if (source?.type === 'source-url') {
      const open = element('button', {
        class: 'link-button',
        text: visibleLine(source.title ?? source.url),
        attributes: { type: 'button', dir: 'auto' },
      });
      open.addEventListener('click', () => actions.openSource(reply.id, source.sourceId));
      row.append(open);
    }
    return row;
  }

  /** Brings a statement into view, with the focus on its reason. */
  #show(unproven: Unproven): void {
    const sign = this.#marks.signOf(unproven);
    sign?.scrollIntoView({ block: 'center' });
    sign?.focus({ preventScroll: true });
  }

  #draftButton({ id }: ReplyView): HTMLElement {
    const { strings, actions } = this.#context;
    const button = element('button', {
      class: 'link-button draft-docs-issue',
      text: strings.draftDocsIssue,
      attributes: { type: 'button' },
    });
    button.addEventListener('click', () => actions.draftDocsIssue(id));
    return button;
  }

  #line(text: string, iconName = 'info'): HTMLElement {
    return element(
      'p',
      { class: 'status-line' },
      icon(iconName),
      element('span', { text, attributes: { dir: 'auto' } }),
    );
  }
}

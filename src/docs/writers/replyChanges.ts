import { cutText } from '../../common/text/strings';
import { plainSentence } from '../../common/text/safeText';
import type { ReplyChange } from '../../shared/reply';
import type { PartOp } from '../../shared/replyOps';
import type { MessagePart, SearchPart } from '../../shared/uiMessage';
import type { AnswerSource } from '../answers/answer';
import type { Proof } from '../../shared/proof';

/** A piece of a reply, in the order in which it is sent. `replyChanges` makes changes of the parts from it. */
export type ReplyPiece =
  /** A search has begun. */
  | { readonly type: 'search'; readonly id: string; readonly query: string }
  /** Sections that this search found and the reply uses. */
  | { readonly type: 'found'; readonly id: string; readonly sources: readonly AnswerSource[] }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'sources'; readonly sources: readonly AnswerSource[] }
  /** Complete text, sent a few words at a time, and whether it may not answer the question. */
  | { readonly type: 'text'; readonly text: string; readonly role?: 'closest' | undefined }
  /** Text that only adds to the reply, for readers who ask for more. */
  | { readonly type: 'more'; readonly text: string }
  /** Tells the client that the service is still working while it has nothing else to send. */
  | { readonly type: 'waiting' }
  /** Text that a model has just written. It is sent at once. */
  | { readonly type: 'delta'; readonly text: string }
  /** All text so far is no part of the reply. */
  | { readonly type: 'taken-back' }
  /** The reply lacks its end, because it got too long or because of an error. */
  | { readonly type: 'incomplete'; readonly reason: 'length' | 'error' }
  | { readonly type: 'proof'; readonly proof: Proof };

/** A change of an engine's reply. Every change that says nothing tells that the engine is still working. */
export interface EngineChange extends ReplyChange {
  /** Reason why the reply lacks its end. Present only with the end of such a reply. */
  readonly unfinished?: 'length' | 'error';
}

/** Maximum characters of a source's quote. The chat shows no more. */
const MAX_QUOTE_LENGTH = 2000;
/** Maximum characters of a source's title. A heading can be as long as its page. */
const MAX_TITLE_LENGTH = 500;

/**
 * Turns the pieces of a reply into changes of its parts. The first step has the searches, the reasoning and
 * the sources. The second step has the text and its proof.
 */
export async function* replyChanges(
  pieces: AsyncIterable<ReplyPiece>,
): AsyncGenerator<EngineChange, void, undefined> {
  const reply = new ReplyInParts();
  let unfinished: EngineChange['unfinished'];
  yield { ops: [reply.add({ type: 'step-start' })] };
  for await (const piece of pieces) {
    switch (piece.type) {
      case 'search':
        yield { ops: [reply.search(piece.id, piece.query)] };
        break;
      case 'found':
        yield { ops: reply.found(piece.id, piece.sources) };
        break;
      case 'reasoning':
        yield { ops: [reply.add({ type: 'reasoning', text: piece.text })] };
        break;
      case 'sources':
        yield reply.cite(piece.sources);
        break;
      case 'text':
        yield { ops: reply.write(piece.text, piece.role) };
        break;
      case 'delta':
        yield { ops: reply.grow(piece.text) };
        break;
      case 'more':
        yield { ops: [reply.add({ type: 'text', text: piece.text, role: 'more' })] };
        break;
      case 'taken-back':
        yield { ops: reply.takeBack() };
        break;
      case 'proof':
        yield { ops: [reply.add({ type: 'proof', ...piece.proof })] };
        break;
      case 'incomplete':
        unfinished = piece.reason;
        break;
      case 'waiting':
        yield {};
    }
  }
  const end = { status: unfinished ? 'incomplete' : 'complete', isDegraded: false } as const;
  yield unfinished ? { end: { ...end, isUnfinished: true }, unfinished } : { end };
}

/** Knows where the parts of one reply are. Keeps no text. */
class ReplyInParts {
  readonly #searches = new Map<string, { readonly index: number; readonly part: SearchPart }>();
  /** Quotes of all sources so far, by `sourceId`. */
  readonly #quotes = new Map<string, string>();
  #count = 0;
  /** Index of the text that grows. */
  #text: number | undefined;
  /** Index of the first part of the step with the text. */
  #stepStart = 0;

  add(part: MessagePart): PartOp {
    return [this.#count++, part];
  }

  search(id: string, query: string): PartOp {
    const part: SearchPart = {
      type: 'search',
      toolCallId: id,
      toolName: 'search',
      state: 'running',
      query: plainSentence(query),
    };
    this.#searches.set(id, { index: this.#count, part });
    return this.add(part);
  }

  found(id: string, sources: readonly AnswerSource[]): PartOp[] {
    const search = this.#searches.get(id);
    if (!search) return [];
    const found = { ...search.part, state: 'done', resultCount: sources.length } as const;
    const sourceIds = sources.map(({ sourceId }) => sourceId);
    return [[search.index, sourceIds.length === 0 ? found : { ...found, sourceIds }]];
  }

  cite(sources: readonly AnswerSource[]): EngineChange {
    const ops = sources.map(({ sourceId, url, title }) =>
      this.add({ type: 'source-url', sourceId, url, title: cutText(title, MAX_TITLE_LENGTH) }),
    );
    for (const { sourceId, quote } of sources) {
      this.#quotes.set(sourceId, cutText(quote, MAX_QUOTE_LENGTH));
    }
    return { ops, quotes: Object.fromEntries(this.#quotes) };
  }

  /** Adds text that is known already. */
  write(text: string, role?: 'closest'): PartOp[] {
    return this.#text === undefined ? this.#startText(text, role) : [[this.#text, text]];
  }

  /** Adds text that was just written. */
  grow(text: string): PartOp[] {
    const start = this.#text === undefined ? this.#startText('') : [];
    return this.#text === undefined ? start : [...start, [this.#text, text]];
  }

  /** Begins the text, and the second step with it. */
  #startText(text: string, role?: 'closest'): PartOp[] {
    const step = this.add({ type: 'step-start' });
    this.#stepStart = this.#count;
    this.#text = this.#count;
    return [step, this.add(role ? { type: 'text', text, role } : { type: 'text', text })];
  }

  /** Empties the step with the text. Parts stay, so that the indexes of later parts don't shift. */
  takeBack(): PartOp[] {
    if (this.#text === undefined) return [];
    const ops: PartOp[] = [];
    for (let index = this.#stepStart; index < this.#count; index++) {
      ops.push([index, { type: 'text', text: '' }]);
    }
    this.#stepStart = this.#count;
    this.#text = this.#count;
    return [...ops, this.add({ type: 'text', text: '' })];
  }
}

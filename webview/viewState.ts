/**
 * Stores what the webview keeps over a reload: the draft, questions being edited, and the reader's
 * position. VS Code returns the state unchecked, so it may be old, from another version or tampered
 * with (faults.md E7). It only affects the texts in the boxes and the scroll position.
 */
import * as v from 'valibot';
import { MAX_QUESTION_LENGTH } from '../src/shared/protocol';

const SCHEMA_VERSION = 1;

export interface ViewState {
  /** Text of the composer. */
  readonly draft: string;
  /** Earlier questions that are being edited. The one begun last is last. */
  readonly edits?: readonly QuestionEdit[];
  readonly scroll?: ScrollState;
}

/** Text in the box of a question that is being edited. */
export interface QuestionEdit {
  readonly messageId: string;
  readonly text: string;
}

export interface ScrollState {
  readonly threadId: string;
  /** ID of the first visible message. */
  readonly messageId: string;
  /**
   * Distance in CSS pixels from the view's upper edge to the message. It is negative if the message
   * begins above.
   */
  readonly offset: number;
  /** True if the view follows the end of the conversation. */
  readonly isFollowing: boolean;
  /** ID of the question with room below it, if one was asked since the thread was opened. */
  readonly askedId?: string;
}

/** `getState` and `setState` of VS Code's webview API. */
export interface StatePort {
  getState(): unknown;
  setState(state: unknown): unknown;
}

/** Maximum number of open boxes to remember. */
const MAX_EDITS = 10;

const id = v.pipe(v.string(), v.maxLength(200));
const typed = v.pipe(v.string(), v.maxLength(2 * MAX_QUESTION_LENGTH));

const scroll = v.object({
  threadId: id,
  messageId: id,
  offset: v.pipe(v.number(), v.finite()),
  isFollowing: v.boolean(),
  askedId: v.exactOptional(id),
});

const stored = v.object({
  schemaVersion: v.literal(SCHEMA_VERSION),
  draft: v.fallback(typed, ''),
  edits: v.fallback(
    v.pipe(v.array(v.object({ messageId: id, text: typed })), v.maxLength(MAX_EDITS)),
    [],
  ),
  scroll: v.fallback(v.optional(scroll), undefined),
});

/** Returns the stored state as far as it is valid, or an empty one. */
export function readViewState(port: StatePort): ViewState {
  const parsed = v.safeParse(stored, port.getState());
  if (!parsed.success) return { draft: '' };
  const { draft, edits, scroll: position } = parsed.output;
  return {
    draft,
    ...(edits.length > 0 ? { edits } : {}),
    ...(position ? { scroll: position } : {}),
  };
}

/** The questions that are being edited, in all threads and branches. */
export class QuestionEdits {
  readonly #texts: Map<string, string>;
  readonly #onChange: () => void;

  constructor(stored: readonly QuestionEdit[], onChange: () => void) {
    this.#texts = new Map(stored.map(({ messageId, text }) => [messageId, text]));
    this.#onChange = onChange;
  }

  get all(): readonly QuestionEdit[] {
    return [...this.#texts].map(([messageId, text]) => ({ messageId, text }));
  }

  /** Returns the text in the box, or undefined if the question is not being edited. */
  textOf(messageId: string): string | undefined {
    return this.#texts.get(messageId);
  }

  keep(messageId: string, text: string): void {
    this.#texts.set(messageId, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_EDITS && oldest !== undefined) this.#texts.delete(oldest);
    this.#onChange();
  }

  end(messageId: string): void {
    if (this.#texts.delete(messageId)) this.#onChange();
  }
}

export function writeViewState(port: StatePort, state: ViewState): void {
  port.setState({ schemaVersion: SCHEMA_VERSION, ...state });
}

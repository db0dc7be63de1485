/**
 * Stores what the webview keeps over a reload: the draft, questions being edited, and the reader's
 * position. VS Code returns the state unchecked, so it may be old, from another version or tampered
 * with (faults.md E7). It only affects the texts in the boxes and the scroll position.
 */
import * as v from 'valibot';
import { MAX_QUESTION_LENGTH } from '../src/shared/limits';
import { type Parsed, parsedAs } from '../src/shared/schemas';

const SCHEMA_VERSION = 1;

/** `getState` and `setState` of VS Code's webview API. */
export interface StatePort {
  getState(): unknown;
  setState(state: unknown): unknown;
}

/** Maximum number of open boxes to remember. */
const MAX_EDITS = 10;

const id = v.pipe(v.string(), v.maxLength(200));
const typed = v.pipe(v.string(), v.maxLength(2 * MAX_QUESTION_LENGTH));

/** Schema of the text in the box of a question that is being edited. */
const editSchema = v.object({ messageId: id, text: typed });

const scrollSchema = v.object({
  threadId: id,
  /** ID of the first visible message. */
  messageId: id,
  /**
   * Distance in CSS pixels from the view's upper edge to the message. It is negative if the message
   * begins above.
   */
  offset: v.pipe(v.number(), v.finite()),
  /** True if the view follows the end of the conversation. */
  isFollowing: v.boolean(),
  /** ID of the question with room below it, if one was asked since the thread was opened. */
  askedId: v.optional(id),
});

const storedSchema = v.pipe(
  v.object({
    schemaVersion: v.literal(SCHEMA_VERSION),
    /** Text of the composer. */
    draft: v.fallback(typed, ''),
    /** Earlier questions that are being edited. The one begun last is last. */
    edits: v.fallback(v.pipe(v.array(editSchema), v.maxLength(MAX_EDITS)), []),
    scroll: v.fallback(v.optional(scrollSchema), undefined),
  }),
  v.transform(({ draft, edits, scroll }) => ({
    draft,
    ...(edits.length > 0 ? { edits } : {}),
    ...(scroll ? { scroll } : {}),
  })),
);

export type ViewState = Parsed<typeof storedSchema>;

type QuestionEdit = Parsed<typeof editSchema>;

export type ScrollState = Parsed<typeof scrollSchema>;

/** Returns the stored state as far as it is valid, or an empty one. */
export function readViewState(port: StatePort): ViewState {
  return parsedAs(storedSchema, port.getState()) ?? { draft: '' };
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

/**
 * What the webview keeps for itself over a reload: the draft, questions that are being edited, and
 * where the reader was. VS Code stores it as it came, so it may be old, from another version or
 * tampered with (faults.md E7): it decides about nothing but the texts in the boxes that a person
 * types into and the scroll position.
 */
import * as v from 'valibot';
import { MAX_QUESTION_LENGTH } from '../src/shared/protocol';

const SCHEMA_VERSION = 1;

export interface ViewState {
  /** The composer's text. */
  readonly draft: string;
  /** Earlier questions that are being edited, the last one begun last. */
  readonly edits?: readonly QuestionEdit[];
  readonly scroll?: ScrollState;
}

/** What stands in the box of a question that is being edited. */
export interface QuestionEdit {
  readonly messageId: string;
  readonly text: string;
}

export interface ScrollState {
  readonly threadId: string;
  /** The first message in view. */
  readonly messageId: string;
  /** CSS pixels from the view's upper edge to the message's, negative where it begins above. */
  readonly offset: number;
  /** True if the view follows the end of the conversation. */
  readonly isFollowing: boolean;
}

/** `getState` and `setState` of VS Code's webview API. */
export interface StatePort {
  getState(): unknown;
  setState(state: unknown): unknown;
}

/** Boxes that are left open are forgotten from this many on. */
const MAX_EDITS = 10;

const id = v.pipe(v.string(), v.maxLength(200));
const typed = v.pipe(v.string(), v.maxLength(2 * MAX_QUESTION_LENGTH));

const scroll = v.object({
  threadId: id,
  messageId: id,
  offset: v.pipe(v.number(), v.finite()),
  isFollowing: v.boolean(),
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

/** What was kept, as far as it can be read; an empty state otherwise. */
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

/** The questions that are being edited, whichever thread or branch is shown. */
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

  /** What stands in the box; undefined for a question that is not being edited. */
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

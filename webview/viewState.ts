/**
 * What the webview keeps for itself over a reload: the draft and where the reader was. VS Code
 * stores it as it came, so it may be old, from another version or tampered with (faults.md E7): it
 * decides about nothing but the composer's text and the scroll position.
 */
import * as v from 'valibot';
import { MAX_QUESTION_LENGTH } from '../src/shared/protocol';

const SCHEMA_VERSION = 1;

export interface ViewState {
  /** The composer's text. */
  readonly draft: string;
  readonly scroll?: ScrollState;
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

const scroll = v.object({
  threadId: v.pipe(v.string(), v.maxLength(200)),
  messageId: v.pipe(v.string(), v.maxLength(200)),
  offset: v.pipe(v.number(), v.finite()),
  isFollowing: v.boolean(),
});

const stored = v.object({
  schemaVersion: v.literal(SCHEMA_VERSION),
  draft: v.fallback(v.pipe(v.string(), v.maxLength(2 * MAX_QUESTION_LENGTH)), ''),
  scroll: v.fallback(v.optional(scroll), undefined),
});

/** What was kept, as far as it can be read; an empty state otherwise. */
export function readViewState(port: StatePort): ViewState {
  const parsed = v.safeParse(stored, port.getState());
  if (!parsed.success) return { draft: '' };
  const { draft, scroll: position } = parsed.output;
  return position ? { draft, scroll: position } : { draft };
}

export function writeViewState(port: StatePort, state: ViewState): void {
  port.setState({ schemaVersion: SCHEMA_VERSION, ...state });
}

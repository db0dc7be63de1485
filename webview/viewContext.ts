import type { ViewStrings } from '../src/shared/viewStrings';
import type { ViewActions } from './viewActions';
import type { QuestionEdits } from './viewState';

/** What every piece of the view gets from the whole. */
export interface ViewContext {
  readonly strings: ViewStrings;
  readonly actions: ViewActions;
  readonly edits: QuestionEdits;
  /** Milliseconds since the epoch at the host. */
  hostNow(): number;
  /** Whether the question of that reply had code of an editor with it. */
  hasAskedCode(replyId: string): boolean;
  /** Something could not be drawn; the rest of the view goes on. */
  reportFailure(error: unknown): void;
}

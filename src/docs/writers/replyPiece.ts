import type { Proof } from '../../shared/proof';
import type { AnswerSource } from '../answers/answer';

/** A piece of a reply, in the order in which it is sent. `replyChanges.ts` makes changes of the parts from it. */
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

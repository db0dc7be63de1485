import type { PartOp } from '../../shared/replyOps';
import type { ReplyChange } from '../../shared/reply';

/** Takes the further passages out of a reply, which the chat keeps behind *Show more*. */
export class FirstAnswer {
  /** Places of the texts with further passages among the parts of the reply. */
  readonly #more = new Set<number>();
  #hasMore = false;

  /** Whether the reply has further passages. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Returns a change without the words of further passages. Their parts stay, so that the others keep their places. */
  of(change: ReplyChange): ReplyChange {
    if (change.ops === undefined) return change;
    return { ...change, ops: change.ops.flatMap((op) => this.#opOf(op)) };
  }

  #opOf(op: PartOp): PartOp[] {
    const [index, value] = op;
    if (typeof value === 'string') return this.#more.has(index) ? [] : [op];
    if (value.type !== 'text' || value.role !== 'more') {
      this.#more.delete(index);
      return [op];
    }
    this.#more.add(index);
    this.#hasMore = true;
    return [[index, { ...value, text: '' }]];
  }
}

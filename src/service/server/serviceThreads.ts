import type { NewId } from '../../common/ports';
import type { StoredTurn } from './askedQuestion';

interface ServiceThread {
  readonly fp: string;
  readonly turns: StoredTurn[];
}

/** Stores the threads of a site. */
export interface ThreadStore {
  /**
   * Returns the turns of a thread, oldest first, or undefined if no thread has this ID and `fp`.
   */
  turns(
    threadId: string,
    fp: string,
  ): readonly StoredTurn[] | undefined | Promise<readonly StoredTurn[] | undefined>;
  /**
   * Adds a turn to a thread, or starts a new thread.
   * @returns the ID of the thread.
   */
  record(threadId: string | undefined, fp: string, turn: StoredTurn): string | Promise<string>;
}

const MAX_THREADS = 1000;
/** Maximum turns of a thread. The oldest are removed first. */
export const MAX_TURNS = 50;

/** Stores threads in memory. The least recently used threads are removed first. */
export class ServiceThreads implements ThreadStore {
  readonly #threads = new Map<string, ServiceThread>();

  constructor(
    private readonly newId: NewId,
    private readonly capacity: number = MAX_THREADS,
  ) {}

  turns(threadId: string, fp: string): readonly StoredTurn[] | undefined {
    const thread = this.#threads.get(threadId);
    if (thread?.fp !== fp) return undefined;
    this.#threads.delete(threadId);
    this.#threads.set(threadId, thread);
    return thread.turns;
  }

  record(threadId: string | undefined, fp: string, turn: StoredTurn): string {
    const id = threadId ?? this.newId();
    const thread = this.#threads.get(id) ?? { fp, turns: [] };
    thread.turns.push(turn);
    if (thread.turns.length > MAX_TURNS) thread.turns.shift();
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    for (const oldest of this.#threads.keys()) {
      if (this.#threads.size <= this.capacity) break;
      this.#threads.delete(oldest);
    }
    return id;
  }
}

import type { NewId } from '../common/ports';

/** One question of a thread, as later questions need it for their search. */
export interface ThreadTurn {
  readonly question: string;
  /** Routes of the pages that the reply cited. */
  readonly citedRoutes: readonly string[];
}

interface ServiceThread {
  readonly fp: string;
  readonly turns: ThreadTurn[];
}

const MAX_THREADS = 1000;
const MAX_TURNS = 50;

/** The conversations that this service knows. The least recently used ones are forgotten first. */
export class ServiceThreads {
  readonly #threads = new Map<string, ServiceThread>();

  constructor(
    private readonly newId: NewId,
    private readonly capacity: number = MAX_THREADS,
  ) {}

  /** Turns so far, oldest first; `undefined` if nobody with this `fp` has such a thread. */
  turns(threadId: string, fp: string): readonly ThreadTurn[] | undefined {
    const thread = this.#threads.get(threadId);
    if (thread?.fp !== fp) return undefined;
    this.#threads.delete(threadId);
    this.#threads.set(threadId, thread);
    return thread.turns;
  }

  /** Adds a turn to the thread, or begins one, and gives its id. */
  record(threadId: string | undefined, fp: string, turn: ThreadTurn): string {
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

/** Stores the newest runs of a workspace. Later runs are compared with them. */
import * as v from 'valibot';
import type { Memento } from '../common/ports';
import { parsedAs } from '../shared/schemas';
import { parseRun, type QuestionResult, type QuestionRun } from './questionRun';

/** The docs of a run. A run is compared with the previous run at the same place. */
export interface RunPlace {
  readonly kind: 'folder' | 'bundle' | 'chosen' | 'site';
  /** Folder, or origin and domain. It never contains a link or a key. */
  readonly id: string;
}

interface KeptRun {
  readonly place: RunPlace;
  readonly run: QuestionRun;
}

/** Key of the runs in the memento of the workspace. */
const KEY = 'docsQuestionRuns';

/** Maximum number of runs to keep. Older runs are of bundles that nobody compares with anymore. */
const MAX_RUNS = 12;

/** Maximum number of results to keep of a run. VS Code reads the whole memento when a window opens. */
const MAX_RESULTS = 5000;

const keptSchema = v.object({
  place: v.object({ kind: v.picklist(['folder', 'bundle', 'chosen', 'site']), id: v.string() }),
  run: v.unknown(),
});

/** Keeps the verdicts of the newest run at each place, without replies. Newest first. */
export class RunHistory {
  readonly #memento: Pick<Memento, 'get' | 'update'>;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
  }

  last(place: RunPlace): QuestionRun | undefined {
    return this.#runs.find((kept) => isSame(kept.place, place))?.run;
  }

  /** Returns the last run against a bundle, other than the one at this place. */
  lastBundle(place: RunPlace): QuestionRun | undefined {
    return this.#runs.find((kept) => kept.place.kind === 'bundle' && !isSame(kept.place, place))
      ?.run;
  }

  /**
   * Keeps the verdicts of a run. Questions without a verdict in this run keep their earlier verdict
   * at this place.
   */
  async note(place: RunPlace, run: QuestionRun): Promise<void> {
    const results = new Map<string, QuestionResult>();
    const all = [...(this.last(place)?.results ?? []), ...run.results];
    for (const result of all) {
      const { id, name, file, status } = result;
      if (status !== 'pass' && status !== 'fail') continue;
      const verdict = { id, name, status, question: '', reasons: [], sources: [] };
      const rest = { first: result.first, durationMs: 0, file };
      results.set(`${file ?? ''}\n${id}`, { ...verdict, ...rest });
    }
    const kept = { place, run: { ...run, results: [...results.values()].slice(-MAX_RESULTS) } };
    const others = this.#runs.filter((other) => !isSame(other.place, place));
    await this.#memento.update(KEY, [kept, ...others].slice(0, MAX_RUNS));
  }

  get #runs(): readonly KeptRun[] {
    const stored: unknown = this.#memento.get(KEY);
    if (!Array.isArray(stored)) return [];
    return (stored as unknown[]).flatMap((value) => {
      const kept = parsedAs(keptSchema, value);
      const run = kept && parseRun(kept.run);
      return run ? [{ place: kept.place, run }] : [];
    });
  }
}

const isSame = (a: RunPlace, b: RunPlace): boolean => a.kind === b.kind && a.id === b.id;

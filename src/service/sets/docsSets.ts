/** Stores the sets of docs that the reader keeps, in VS Code's global state. */
import * as v from 'valibot';
import type { Clock, Log, Memento, NewId } from '../../common/ports';
import { withoutUndefined, type WithoutUndefined } from '../../common/withoutUndefined';
import { count, extra, parsedAs } from '../../shared/schemas';
import { localDocsSchema, type LocalDocs } from '../server/servedDocs';

const text = v.pipe(v.string(), v.minLength(1));
/** Milliseconds since the epoch. */
const time = v.pipe(v.number(), v.safeInteger());

const docsSetSchema = v.object({
  schemaVersion: v.literal(1),
  /** ID of the set, unique for this installation. */
  id: text,
  /** Docs that the local docs service reads. Their label is the name that the reader sees and changes. */
  docs: localDocsSchema,
  /** Name that the set was added with. Its threads are stored under it, so it never changes. */
  threadName: extra(text),
  /** Name of the set's own folder, which is deleted with the set. Absent for a folder of the reader. */
  ownFolder: extra(v.pipe(text, v.regex(/^[\w-]+$/))),
  /** Absolute path of the archive that a bundle was unpacked from. */
  archive: extra(text),
  pages: extra(count),
  sizeBytes: extra(count),
  /** Time of the last complete fetch or reading of the pages. */
  fetchedAt: extra(time),
  addedAt: v.fallback(time, 0),
  usedAt: v.fallback(time, 0),
});

/** A set of docs that the reader has chosen and can choose again. */
export type DocsSet = Readonly<WithoutUndefined<v.InferOutput<typeof docsSetSchema>>>;

/** Facts about the pages of a set, as the service reports them. */
export type DocsFacts = Pick<DocsSet, 'pages' | 'sizeBytes' | 'fetchedAt'>;

/** Maximum number of kept sets. A new set replaces the least recently used one. */
export const MAX_SETS = 50;

const SET = 'docsSet:';

interface DocsSetsPorts {
  readonly memento: Memento;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * The kept sets. The global state has one key per set. All windows share the state, so each change is
 * applied to the value that is stored at that moment, and no change of another window is lost. Stored
 * values never cause an error: an unreadable set is not listed, but stays for a version that can read it.
 */
export class DocsSets {
  readonly #ports: DocsSetsPorts;
  /** Keys of unreadable sets that were already logged. */
  readonly #logged = new Set<string>();

  constructor(ports: DocsSetsPorts) {
    this.#ports = ports;
  }

  /** Readable sets, most recently used first. */
  get list(): readonly DocsSet[] {
    const { memento, log } = this.#ports;
    const sets = memento.keys().flatMap((key) => {
      if (!key.startsWith(SET)) return [];
      const set = parseSet(memento.get(key));
      if (set && key === SET + set.id) return [set];
      if (!this.#logged.has(key)) log.warn(`Can't read a kept set of docs: ${key}`);
      this.#logged.add(key);
      return [];
    });
    return sets.sort((a, b) => b.usedAt - a.usedAt || b.addedAt - a.addedAt);
  }

  get(id: string): DocsSet | undefined {
    const set = parseSet(this.#ports.memento.get(SET + id));
    return set?.id === id ? set : undefined;
  }

  /** Returns the set with the same docs. Its label can differ. */
  find(docs: LocalDocs): DocsSet | undefined {
    return this.list.find((set) => isSameDocs(set.docs, docs));
  }

  /**
   * Returns the docs with the label of their set, or with the label that a new set would get. If another set
   * has the label, a number is added, because threads are stored by name.
   */
  named(docs: LocalDocs): LocalDocs {
    const known = this.find(docs);
    const taken = new Set(this.list.flatMap((set) => [set.docs.label, set.threadName]));
    let label = known?.docs.label ?? docs.label;
    for (let number = 2; !known && taken.has(label); number++) label = `${docs.label} (${number})`;
    return { ...docs, label };
  }

  /** Adds a set with the label from {@link named}, or changes the set that has the same docs. */
  async add(
    docs: LocalDocs,
    more: Pick<DocsSet, 'archive' | 'ownFolder'> & DocsFacts = {},
  ): Promise<DocsSet> {
    const { clock, newId } = this.#ports;
    const now = clock.now();
    const known = this.find(docs);
    const named = this.named(docs);
    const set: DocsSet = {
      ...(known ?? { schemaVersion: 1, id: newId(), threadName: named.label, addedAt: now }),
      ...more,
      docs: named,
      usedAt: now,
    };
    await this.#save(set);
    return set;
  }

  /** Applies a change to the stored set. Returns undefined if another window removed the set. */
  async change(id: string, change: (set: DocsSet) => DocsSet): Promise<DocsSet | undefined> {
    const stored = this.get(id);
    if (!stored) return undefined;
    const changed = { ...change(stored), id };
    await this.#save(changed);
    return changed;
  }

  /** Removes the set from the list. The caller deletes the set's own folder. */
  async remove(id: string): Promise<void> {
    await this.#ports.memento.update(SET + id, undefined);
  }

  /** The least recently used sets beyond {@link MAX_SETS}. The caller removes them. */
  get surplus(): readonly DocsSet[] {
    return this.list.slice(MAX_SETS);
  }

  async #save(set: DocsSet): Promise<void> {
    await this.#ports.memento.update(SET + set.id, set);
  }
}

/** Returns whether two docs are the same: the same URL, or the same folder of the same kind. */
export function isSameDocs(a: LocalDocs, b: LocalDocs): boolean {
  if (a.kind === 'site' || b.kind === 'site') {
    return a.kind === 'site' && b.kind === 'site' && a.url === b.url;
  }
  if (a.kind === 'installed' && b.kind === 'installed') {
    const isBesideSame =
      a.beside && b.beside ? isSameDocs(a.beside, b.beside) : a.beside === b.beside;
    return a.folder === b.folder && isBesideSame;
  }
  return a.kind === b.kind && a.folder === b.folder;
}

function parseSet(stored: unknown): DocsSet | undefined {
  const set = parsedAs(docsSetSchema, stored);
  return set && withoutUndefined(set);
}

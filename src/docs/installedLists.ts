/** Lists of installed packages, which are made again when the packages may have changed. */
import type { Clock } from '../common/ports';
import type { InstalledDocs, InstalledList } from './sources/installed/installedDocs';

interface InstalledListsPorts {
  readonly installed: Pick<InstalledDocs, 'list' | 'stampOf'>;
  readonly clock: Clock;
}

/** A list, and what told its state when it was begun. */
interface KnownList {
  readonly stamp: string;
  readonly at: number;
  readonly list: Promise<InstalledList>;
}

/** Milliseconds between two looks at a folder that is followed. */
const POLL_MS = 5_000;
/** Milliseconds after which a list is made again, because a package can be edited where it is installed. */
const MAX_AGE_MS = 60_000;
/** Maximum number of files and folders whose lists are remembered. */
const MAX_LISTS = 100;

/**
 * Remembers the lists of packages by the file or folder that they are for. A few files tell whether packages were
 * installed since, so a list isn't made for each question.
 */
export class InstalledLists {
  readonly #ports: InstalledListsPorts;
  readonly #known = new Map<string, KnownList>();
  readonly #closing = new AbortController();

  constructor(ports: InstalledListsPorts) {
    this.#ports = ports;
  }

  /** Returns the packages that the project of a file or folder asks for, as they are now. */
  async list(from: string, signal: AbortSignal): Promise<InstalledList> {
    const { installed, clock } = this.#ports;
    const stamp = await installed.stampOf(from);
    signal.throwIfAborted();
    const now = clock.now();
    let known = this.#known.get(from);
    if (known?.stamp !== stamp || now - known.at > MAX_AGE_MS) {
      // Several questions wait for one list, so none of them can end it.
      known = { stamp, at: now, list: installed.list(from, this.#closing.signal) };
      known.list.catch(() => this.#known.delete(from));
    }
    this.#known.delete(from);
    this.#known.set(from, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_LISTS && oldest !== undefined) this.#known.delete(oldest);
    const listed = await known.list;
    signal.throwIfAborted();
    return listed;
  }

  /**
   * Calls back when the packages of a folder have changed and the package manager is done, until {@link close}.
   * Looks at a few files every five seconds, as a watcher of all packages would take thousands of handles.
   */
  async follow(folder: string, onChange: () => Promise<void>): Promise<void> {
    const { installed, clock } = this.#ports;
    const { signal } = this.#closing;
    let told = await installed.stampOf(folder);
    let last = told;
    for (;;) {
      try {
        await clock.delay(POLL_MS, signal);
      } catch {
        return;
      }
      const stamp = await installed.stampOf(folder);
      const isStill = stamp === last;
      last = stamp;
      // While packages are being installed, some are missing.
      if (!isStill || stamp === told) continue;
      told = stamp;
      await onChange();
    }
  }

  /** Ends lists that are being made. */
  close(): void {
    this.#closing.abort(new Error('The docs were closed.'));
  }
}

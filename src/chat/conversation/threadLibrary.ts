import { cutText } from '../../common/text/strings';
import { DocsAssistantError } from '../../common/errors';
import { MAX_TITLE_LENGTH } from '../../shared/limits';
import type { Thread } from './thread';
import type { ThreadSaver } from '../history/threadSaver';
import type { ThreadMatch, ThreadStore } from '../history/threadStore';
import { NO_SITE_ID } from '../../site/activeSite';

interface ThreadLibraryPorts {
  readonly threads: ThreadStore;
  readonly saver: Pick<ThreadSaver, 'flush' | 'failed'>;
  /** `ThreadSite.id` of the site that questions go to now. */
  readonly siteId: () => string;
}

/** The stored threads, including the shown one, and the threads that couldn't be stored. */
export class ThreadLibrary {
  readonly #ports: ThreadLibraryPorts;
  #search: AbortController | undefined;

  constructor(ports: ThreadLibraryPorts) {
    this.#ports = ports;
  }

  /** @returns undefined if the thread no longer exists. */
  async read(id: string): Promise<Thread | undefined> {
    const { saver, threads } = this.#ports;
    await saver.flush();
    return saver.failed(id) ?? threads.read(id);
  }

  /**
   * Returns the threads of the site, newest first, or those that contain every word of the query. Threads
   * that were begun before any set-up belong to every site. A search cancels the previous one.
   */
  async find(query: string): Promise<readonly ThreadMatch[]> {
    const { saver, siteId } = this.#ports;
    this.#search?.abort(new Error('Another search began'));
    const search = new AbortController();
    this.#search = search;
    await saver.flush();
    try {
      const found = new Map<string, ThreadMatch>();
      for (const site of new Set([NO_SITE_ID, siteId()])) {
        if (search.signal.aborted) return [];
        for (const match of await this.#findAt(site, query, search.signal)) {
          found.set(match.id, match);
        }
      }
      return [...found.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    } catch (error) {
      if (search.signal.aborted) return [];
      throw error;
    }
  }

  #findAt(siteId: string, query: string, signal: AbortSignal): Promise<readonly ThreadMatch[]> {
    const { threads } = this.#ports;
    return query.trim() === '' ? threads.list(siteId) : threads.search(siteId, query, signal);
  }

  /** @throws {DocsAssistantError} `thread-gone`. */
  async rename(id: string, title: string): Promise<void> {
    if (!(await this.read(id))) throw new DocsAssistantError('thread-gone');
    await this.#ports.threads.rename(id, title);
  }

  async delete(id: string): Promise<void> {
    const { saver, threads } = this.#ports;
    await saver.flush();
    await threads.delete(id);
  }

  /** @throws {DocsAssistantError} `thread-gone`. */
  async restore(id: string): Promise<void> {
    const { saver, threads } = this.#ports;
    const isThere = await threads.restore(id);
    if (!isThere && !saver.failed(id)) throw new DocsAssistantError('thread-gone');
  }

  dispose(): void {
    this.#search?.abort(new Error('The window closes'));
  }
}

/** Returns the title that a person typed, on one line and cut, or undefined if it is blank. */
export function givenTitle(title: string): string | undefined {
  const line = title.replace(/\s+/gu, ' ').trim();
  return cutText(line, MAX_TITLE_LENGTH).trim() || undefined;
}

import { DocsAssistantError } from '../common/errors';
import { MAX_TITLE_LENGTH } from '../shared/protocol';
import type { Thread } from './thread';
import type { ThreadMatch, ThreadStore } from './threadStore';

interface ThreadLibraryPorts {
  readonly threads: ThreadStore;
  /** Resolves when what the shown thread has is in the store. */
  readonly flush: () => Promise<void>;
  /** `ThreadSite.id` of the site that questions go to now. */
  readonly siteId: () => string;
}

/** The stored threads, the one that is shown among them. */
export class ThreadLibrary {
  readonly #ports: ThreadLibraryPorts;
  #search: AbortController | undefined;

  constructor(ports: ThreadLibraryPorts) {
    this.#ports = ports;
  }

  /** @returns undefined if it is not there any more. */
  async read(id: string): Promise<Thread | undefined> {
    await this.#ports.flush();
    return this.#ports.threads.read(id);
  }

  /**
   * Newest first: all of the site, or those in which every word of a query occurs. A search ends
   * the one before it, which then finds nothing more.
   */
  async find(query: string): Promise<readonly ThreadMatch[]> {
    const { threads, flush, siteId } = this.#ports;
    this.#search?.abort(new Error('Another search began'));
    const search = new AbortController();
    this.#search = search;
    await flush();
    try {
      if (search.signal.aborted) return [];
      return query.trim() === ''
        ? await threads.list(siteId())
        : await threads.search(siteId(), query, search.signal);
    } catch (error) {
      if (search.signal.aborted) return [];
      throw error;
    }
  }

  /** @throws {DocsAssistantError} `thread-gone`. */
  async rename(id: string, title: string): Promise<void> {
    if (!(await this.read(id))) throw new DocsAssistantError('thread-gone');
    await this.#ports.threads.rename(id, title);
  }

  async delete(id: string): Promise<void> {
    await this.#ports.flush();
    await this.#ports.threads.delete(id);
  }

  /** @throws {DocsAssistantError} `thread-gone`. */
  async restore(id: string): Promise<void> {
    if (!(await this.#ports.threads.restore(id))) throw new DocsAssistantError('thread-gone');
  }

  dispose(): void {
    this.#search?.abort(new Error('The window closes'));
  }
}

/** A title as a person gave it, on one line and not too long; undefined if there is nothing in it. */
export function givenTitle(title: string): string | undefined {
  const line = title.replace(/\s+/gu, ' ').trim();
  // The cut may go through a character of two units.
  const cut = line.slice(0, MAX_TITLE_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return cut.trim() || undefined;
}

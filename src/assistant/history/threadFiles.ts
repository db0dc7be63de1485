/** The threads of all sites on disk. Uses `node:fs`. */
import type { Clock, Log, NewId } from '../../common/ports';
import type { Thread } from '../thread';
import type { ThreadMatch, ThreadStore, ThreadSummary } from '../threadStore';

export interface ThreadFilesPorts {
  /** Absolute path of a folder that all windows share; made when it is needed. */
  readonly folder: string;
  /** The workspace's memory of the thread that it showed last. */
  readonly current: {
    read(): string | undefined;
    write(id: string): Promise<void>;
  };
  /** How much may be on disk before the oldest threads leave. */
  readonly limitBytes: () => number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Told of each thread that left for good, so that its secrets go too. */
  readonly onDidForget?: (threadId: string) => void | Promise<void>;
}

export class ThreadFiles implements ThreadStore {
  readonly #ports: ThreadFilesPorts;

  constructor(ports: ThreadFilesPorts) {
    this.#ports = ports;
  }

  list(_siteId: string): Promise<readonly ThreadSummary[]> {
    return Promise.resolve([]);
  }

  search(_siteId: string, _query: string, _signal: AbortSignal): Promise<readonly ThreadMatch[]> {
    return Promise.resolve([]);
  }

  read(_id: string): Promise<Thread | undefined> {
    return Promise.resolve(undefined);
  }

  write(_thread: Thread): Promise<void> {
    return Promise.resolve();
  }

  rename(_id: string, _title: string): Promise<void> {
    return Promise.resolve();
  }

  delete(_id: string): Promise<void> {
    return Promise.resolve();
  }

  restore(_id: string): Promise<boolean> {
    return Promise.resolve(false);
  }

  currentId(): Promise<string | undefined> {
    return Promise.resolve(this.#ports.current.read());
  }

  async setCurrentId(id: string): Promise<void> {
    await this.#ports.current.write(id);
  }

  /** Settles when what goes on in the background has come to an end. */
  settled(): Promise<void> {
    return Promise.resolve();
  }
}

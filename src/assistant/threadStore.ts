import type { Thread } from './thread';

export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
}

/** Where threads outlive the window. A record that cannot be read is set aside, never thrown. */
export interface ThreadStore {
  /** Newest first. */
  list(): Promise<readonly ThreadSummary[]>;
  read(id: string): Promise<Thread | undefined>;
  write(thread: Thread): Promise<void>;
  /** The thread that the panel showed last in this workspace. */
  currentId(): Promise<string | undefined>;
  setCurrentId(id: string): Promise<void>;
}

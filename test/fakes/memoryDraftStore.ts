import {
  parseStoredDraft,
  storedDraft,
  type Draft,
  type DraftStore,
} from '../../src/chat/conversation/pendingQuestion';

/** Keeps JSON, as the real store does, so that a test sees what storing loses. */
export class MemoryDraftStore implements DraftStore {
  record: string | undefined;
  writeCount = 0;
  /** Set to make every read and write fail. */
  failure: Error | undefined;

  read(): Promise<Draft | undefined> {
    if (this.failure) return Promise.reject(this.failure);
    const { record } = this;
    return Promise.resolve(
      record === undefined ? undefined : parseStoredDraft(JSON.parse(record) as unknown),
    );
  }

  write(draft: Draft | undefined): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.writeCount++;
    this.record = draft && JSON.stringify(storedDraft(draft));
    return Promise.resolve();
  }
}

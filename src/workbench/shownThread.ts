import type { Memento } from 'vscode';

/** As version 0.1 named it, so that its workspaces go on where they were. */
const KEY = 'currentThread';

/** The id of the thread that this workspace showed last. */
export function shownThread(memento: Memento): {
  read(): string | undefined;
  write(id: string): Promise<void>;
} {
  return {
    read: () => {
      const id: unknown = memento.get(KEY);
      return typeof id === 'string' && id !== '' ? id : undefined;
    },
    write: async (id) => {
      await memento.update(KEY, id);
    },
  };
}

/** Defines the user interface that choosing and serving docs need. */
import type { PickUi } from '../../common/pickUi';

interface Dialog {
  readonly title: string;
  /** Label of the button that confirms the choice. */
  readonly button: string;
  /** File extensions without a dot, by the name of their group. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
}

interface Progress {
  readonly message: string;
  /** Percent of the whole task, from 0 to 100. If absent, the progress bar doesn't change. */
  readonly percent?: number | undefined;
}

/** Dialogs, lists and notifications for choosing and serving docs. */
export interface DocsUi extends PickUi {
  /** Asks for a file on this machine and resolves with its absolute path. */
  chooseFile(dialog: Dialog): Promise<string | undefined>;
  /** Asks for a folder on this machine and resolves with its absolute path. */
  chooseFolder(dialog: Dialog): Promise<string | undefined>;
  /**
   * Runs a task and shows its progress. The reader can cancel the task. Closing the window also cancels it.
   * @returns undefined if the task was canceled.
   * @throws any other error of the task.
   */
  progress<T>(
    title: string,
    task: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<T>,
    /** `quiet` shows the progress in the status bar instead of a notification. */
    options?: { readonly quiet?: boolean },
  ): Promise<T | undefined>;
}

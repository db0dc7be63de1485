/** The port through which choosing and serving docs talks to the reader. */
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
  /** Percent of the whole task, 0 to 100. Without it the bar stays as it is. */
  readonly percent?: number | undefined;
}

/** Dialogs, lists and notifications, as choosing and serving docs need them. */
export interface DocsUi extends PickUi {
  /** Asks for a file on this machine and resolves with its absolute path. */
  chooseFile(dialog: Dialog): Promise<string | undefined>;
  /** Asks for a folder on this machine and resolves with its absolute path. */
  chooseFolder(dialog: Dialog): Promise<string | undefined>;
  /**
   * Runs a task while its progress shows. Closing the window cancels it, and so does the reader.
   * @returns undefined if the task was canceled. Any other failure of the task is thrown.
   */
  progress<T>(
    title: string,
    task: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<T>,
    /** `quiet` shows it in the status bar instead of a notification. */
    options?: { readonly quiet?: boolean },
  ): Promise<T | undefined>;
}

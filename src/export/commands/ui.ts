import type { Translate } from '../../common/errors';

/** A choice in a list. Its texts are plain: nothing in them becomes an icon or a link. */
export interface Choice<T> {
  readonly label: string;
  /** Name of the codicon before the label, such as `folder`. */
  readonly icon?: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

/** Message below an input. An `error` keeps the input open; a `hint` does not. */
export interface InputRemark {
  readonly kind: 'error' | 'hint';
  readonly text: string;
}

export interface InputPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** Whether the input hides the typed characters. */
  readonly isSecret?: boolean;
  readonly remarkOn?: (value: string) => InputRemark | undefined;
}

/** Settings of a dialog that asks for a file or a folder. */
export interface FileDialog {
  readonly title?: string;
  /** Label of the button that confirms the choice. */
  readonly button?: string;
  /** Absolute path that the dialog offers first. */
  readonly defaultPath?: string;
  /** File extensions without a dot, by the name of their group. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
}

/** Progress of a task, as its notification shows it. */
export interface TaskProgress {
  readonly message: string;
  /** Percent of the whole task, 0 to 100. Without it the bar stays as it is. */
  readonly percent?: number | undefined;
}

/** A task that runs while its notification is open. The signal aborts when it is canceled. */
export type Task<T> = (report: (progress: TaskProgress) => void, signal: AbortSignal) => Promise<T>;

/** Port through which the export commands talk to the user. `windowUi.ts` implements it. */
export interface ExportUi {
  readonly translate: Translate;
  /** Language of dates, such as `en` or `de-CH`. */
  readonly language: string;
  /** Shows a notification and resolves with the action that the user chose, if any. */
  inform(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Shows a warning, like {@link inform}. */
  warn(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Shows an error, like {@link inform}. */
  fail(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Shows a modal dialog and resolves with whether the user chose the action. */
  confirm(question: string, action: string): Promise<boolean>;
  /** Shows a list and resolves with the chosen value, or undefined if the user canceled. */
  choose<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  /** Asks for a text and resolves with it, or undefined if the user canceled. */
  enter(prompt: InputPrompt): Promise<string | undefined>;
  /**
   * Runs a task under a notification that the user can cancel. Closing the window cancels it too.
   * @returns undefined if the task was canceled. Any other failure of the task is thrown.
   */
  progress<T>(title: string, task: Task<T>): Promise<T | undefined>;
  /** Runs a command of VS Code or of this extension. */
  runCommand(command: string, ...args: unknown[]): Promise<void>;
  /** Opens an http or https address in the user's browser. */
  openExternal(url: string): Promise<void>;
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>;
  /**
   * Asks where to save a file.
   * @returns an absolute path on this machine, or undefined if the user canceled.
   * @throws {ExportError} `not-writable` for a file on another file system.
   */
  chooseSaveFile(dialog: FileDialog): Promise<string | undefined>;
  /**
   * Asks for an existing file.
   * @returns an absolute path on this machine, or undefined if the user canceled.
   * @throws {ExportError} `not-readable` for a file on another file system.
   */
  chooseFile(dialog: FileDialog): Promise<string | undefined>;
  /**
   * Asks for an existing folder.
   * @returns an absolute path, or undefined if the user canceled or chose a folder elsewhere.
   */
  chooseFolder(dialog: FileDialog): Promise<string | undefined>;
  /**
   * Asks where to save a text, writes it, on any file system, and opens it in an editor.
   * @throws {ExportError} `not-writable`.
   */
  saveText(dialog: FileDialog, text: string): Promise<void>;
  /** Opens a folder in a new window. */
  openFolder(folder: string): Promise<void>;
}

/** Shows a message with buttons for next steps, without waiting for the user's choice. */
export function offer(
  ui: Pick<ExportUi, 'inform'>,
  text: string,
  nextSteps: Readonly<Record<string, () => Promise<void>>>,
): void {
  void ui.inform(text, ...Object.keys(nextSteps)).then((chosen) => {
    return chosen === undefined ? undefined : nextSteps[chosen]?.();
  });
}

interface TaskNotification {
  /** Aborts when the user cancels. */
  readonly canceled: AbortSignal;
  /** Aborts when the window closes or the extension is disabled. */
  readonly lifetime: AbortSignal;
  /** Shows a message and adds percent points to the bar. */
  readonly show: (message: string, increment?: number) => void;
}

/**
 * Runs a task for {@link ExportUi.progress}. VS Code adds up increments, so percentages become
 * increments here, and a lower percentage never moves the bar back.
 * @returns undefined if the task was canceled. Any other failure of the task is thrown.
 */
export async function runTask<T>(
  { canceled, lifetime, show }: TaskNotification,
  task: Task<T>,
): Promise<T | undefined> {
  const signal = AbortSignal.any([canceled, lifetime]);
  let shownPercent = 0;
  try {
    return await task(({ message, percent = shownPercent }) => {
      const increment = Math.max(0, percent - shownPercent);
      shownPercent += increment;
      show(message, ...(increment > 0 ? [increment] : []));
    }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

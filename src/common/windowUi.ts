/** The port through which every flow asks and tells the reader: lists, texts, dialogs, notifications, progress. */
import type { Translate } from './errors';

/** A choice in a list. Its texts are plain: nothing in them becomes an icon or a link. */
export interface Choice<Value> {
  readonly label: string;
  /** Name of the codicon before the label, such as `folder`. */
  readonly icon?: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: Value;
}

/** A button at the end of a row. */
export interface PickButton<Button> {
  readonly value: Button;
  /** Name of its codicon. */
  readonly icon: string;
  readonly tooltip: string;
}

/** A line with a label between choices. */
interface Separator {
  readonly label: string;
  readonly isSeparator: true;
}

/** A choice that can have buttons, or a line between choices. */
export type PickRow<Value, Button = never> =
  | Separator
  | (Choice<Value> & {
      readonly isSeparator?: never;
      readonly buttons?: readonly PickButton<Button>[];
    });

/** Returns the rows below a line with a label, or nothing if there are none. */
export function separated<Row>(label: string, rows: readonly Row[]): readonly (Row | Separator)[] {
  return rows.length === 0 ? [] : [{ label, isSeparator: true }, ...rows];
}

export interface PickList<Value, Button = never> {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly PickRow<Value, Button>[];
}

/** A row that the reader chose, with the button if it was one of the row's buttons. */
export interface Picked<Value, Button> {
  readonly value: Value;
  readonly button?: Button;
}

/** Message below an input. An `error` keeps the input open; a `hint` does not. */
export interface InputRemark {
  readonly kind: 'error' | 'hint';
  readonly text: string;
}

/** A text that is asked for. */
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

/** VS Code's window. All texts are plain: a service's `[text](url)` or `$(icon)` appears as it is written. */
export interface WindowUi {
  readonly translate: Translate;
  /** Language of dates, such as `en` or `de-CH`. */
  readonly language: string;
  /** Shows a notification and resolves with the action that the reader chose, if any. */
  inform(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Shows a warning, like {@link inform}. */
  warn(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Shows an error, like {@link inform}. */
  fail(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Shows a modal dialog and resolves with whether the reader chose the action. */
  confirm(question: string, action: string, detail?: string): Promise<boolean>;
  /** Shows a list whose rows can have buttons. Resolves with undefined if the reader canceled. */
  pick<Value, Button = never>(
    list: PickList<Value, Button>,
  ): Promise<Picked<Value, Button> | undefined>;
  /**
   * Shows a list as one step of several, so it stays open when another window gets the focus.
   * @returns the chosen value, or undefined if the reader canceled.
   */
  choose<Value>(title: string, choices: readonly Choice<Value>[]): Promise<Value | undefined>;
  /** Asks for a text and resolves with it, or undefined if the reader canceled. */
  enter(prompt: InputPrompt): Promise<string | undefined>;
  /**
   * Runs a task under a notification that the reader can cancel. Closing the window cancels it too.
   * @param options `quiet` shows the progress in the status bar, where nothing cancels it.
   * @returns undefined if the task was canceled. Any other failure of the task is thrown.
   */
  progress<T>(
    title: string,
    task: Task<T>,
    options?: { readonly quiet?: boolean },
  ): Promise<T | undefined>;
  /** Runs a command of VS Code or of this extension. */
  runCommand(command: string, ...args: unknown[]): Promise<void>;
  /** Opens an http or https address in the reader's browser. */
  openExternal(url: string): Promise<void>;
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>;
  /**
   * Asks where to save a file.
   * @returns an absolute path, or undefined if the reader canceled. A place that is not on this machine shows a warning.
   */
  chooseSaveFile(dialog: FileDialog): Promise<string | undefined>;
  /** Asks for an existing file. Returns like {@link chooseSaveFile}. */
  chooseFile(dialog: FileDialog): Promise<string | undefined>;
  /** Asks for an existing folder. Returns like {@link chooseSaveFile}. */
  chooseFolder(dialog: FileDialog): Promise<string | undefined>;
  /**
   * Asks where to save a text, writes it, on any file system, and opens it in an editor.
   * @throws {ExportError} `not-writable`.
   */
  saveText(dialog: FileDialog, text: string): Promise<void>;
  /** Opens a folder in a new window. */
  openFolder(folder: string): Promise<void>;
}

/** Shows a message with buttons for next steps, without waiting for the reader's choice. */
export function offer(
  ui: Pick<WindowUi, 'inform' | 'warn' | 'fail'>,
  text: string,
  nextSteps: Readonly<Record<string, () => Promise<void>>>,
  kind: 'inform' | 'warn' | 'fail' = 'inform',
): void {
  void ui[kind](text, ...Object.keys(nextSteps)).then((chosen) => {
    return chosen === undefined ? undefined : nextSteps[chosen]?.();
  });
}

interface TaskNotification {
  /** Aborts when the reader cancels. */
  readonly canceled: AbortSignal;
  /** Aborts when the window closes or the extension is disabled. */
  readonly lifetime: AbortSignal;
  /** Shows a message and adds percent points to the bar. */
  readonly show: (message: string, increment?: number) => void;
}

/**
 * Runs a task for {@link WindowUi.progress}. VS Code adds up increments, so percentages become
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

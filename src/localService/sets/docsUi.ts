/** The port through which choosing and serving docs talks to the reader. */
import type { Translate } from '../../common/errors';

/** A button at the end of a row. */
export interface PickButton<Button> {
  readonly value: Button;
  /** Name of its codicon. */
  readonly icon: string;
  readonly tooltip: string;
}

/** A row of a list, or a line with a label between rows. Its texts are plain. */
export type PickRow<Value, Button = never> =
  | { readonly label: string; readonly isSeparator: true }
  | {
      readonly label: string;
      readonly isSeparator?: never;
      /** Name of the codicon before the label. */
      readonly icon?: string;
      readonly description?: string;
      readonly detail?: string;
      readonly buttons?: readonly PickButton<Button>[];
      readonly value: Value;
    };

/** A row that the reader chose, with the button if it was one of the row's buttons. */
export interface Picked<Value, Button> {
  readonly value: Value;
  readonly button?: Button;
}

interface Prompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** Whether the text is hidden while it is typed. */
  readonly isSecret?: boolean;
  /** Returns what is to be said about a value. An `error` keeps the input open. */
  readonly remarkOn?: (
    value: string,
  ) => { readonly kind: 'error' | 'hint'; readonly text: string } | undefined;
}

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
export interface DocsUi {
  readonly translate: Translate;
  /** Shows a list. Resolves with undefined if the reader canceled. */
  pick<Value, Button = never>(list: {
    readonly title: string;
    readonly placeholder: string;
    readonly rows: readonly PickRow<Value, Button>[];
  }): Promise<Picked<Value, Button> | undefined>;
  /** Asks for a text. Resolves with undefined if the reader canceled. */
  enter(prompt: Prompt): Promise<string | undefined>;
  /** Shows a modal dialog and resolves with whether the reader chose the action. */
  confirm(question: string, action: string, detail?: string): Promise<boolean>;
  /** Asks for a file on this machine and resolves with its absolute path. */
  chooseFile(dialog: Dialog): Promise<string | undefined>;
  /** Asks for a folder on this machine and resolves with its absolute path. */
  chooseFolder(dialog: Dialog): Promise<string | undefined>;
  /** Shows a notification and resolves with the action that the reader chose, if any. */
  inform(text: string, ...actions: string[]): Promise<string | undefined>;
  warn(text: string, ...actions: string[]): Promise<string | undefined>;
  fail(text: string, ...actions: string[]): Promise<string | undefined>;
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
  /** Runs a command of this extension. */
  runCommand(command: string, ...args: unknown[]): Promise<void>;
}

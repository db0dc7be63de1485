/** The port through which a flow asks the reader: lists, texts, confirmations, notifications. */
import type { Translate } from './errors';

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

/** A text that is asked for. */
interface TextPrompt {
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

/** Lists, inputs and dialogs of VS Code's window. */
export interface PickUi {
  readonly translate: Translate;
  /** Shows a list. Resolves with undefined if the reader canceled. */
  pick<Value, Button = never>(list: {
    readonly title: string;
    readonly placeholder: string;
    readonly rows: readonly PickRow<Value, Button>[];
  }): Promise<Picked<Value, Button> | undefined>;
  /** Asks for a text. Resolves with undefined if the reader canceled. */
  enter(prompt: TextPrompt): Promise<string | undefined>;
  /** Shows a modal dialog and resolves with whether the reader chose the action. */
  confirm(question: string, action: string, detail: string): Promise<boolean>;
  /** Shows a notification and resolves with the action that the reader chose, if any. */
  inform(text: string, ...actions: string[]): Promise<string | undefined>;
  warn(text: string, ...actions: string[]): Promise<string | undefined>;
  fail(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Runs a command of this extension. */
  runCommand(command: string, ...args: unknown[]): Promise<void>;
}

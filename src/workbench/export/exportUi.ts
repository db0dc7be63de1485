import type { Translate } from '../../common/errors';

/** A choice in a list. Texts are plain: nothing in them becomes an icon or a link. */
export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

/** What an input is told about its value: `error` keeps it open, a `hint` does not. */
export interface InputRemark {
  readonly kind: 'error' | 'hint';
  readonly text: string;
}

export interface InputPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** Shows dots for what is typed. */
  readonly isSecret?: boolean;
  readonly remarkOn?: (value: string) => InputRemark | undefined;
}

/** What a notification with progress shows. */
export interface ProgressReport {
  readonly message: string;
  /** Percent to add to what the bar shows; the bar is endless until the first one. */
  readonly increment?: number;
}

/** How the export commands speak with the person. VS Code’s own in `windowUi.ts`. */
export interface ExportUi {
  readonly translate: Translate;
  /** For dates, such as `en` or `de-CH`. */
  readonly language: string;
  /** Each shows a notification and resolves with the action that was taken, if any. */
  inform(text: string, ...actions: string[]): Promise<string | undefined>;
  warn(text: string, ...actions: string[]): Promise<string | undefined>;
  fail(text: string, ...actions: string[]): Promise<string | undefined>;
  /** Asks in a modal dialog; true if the person took the action. */
  confirm(question: string, action: string): Promise<boolean>;
  choose<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined>;
  enter(prompt: InputPrompt): Promise<string | undefined>;
  /** Shows a notification with progress for as long as the task runs; the signal is its Cancel. */
  progress<T>(
    title: string,
    task: (report: (progress: ProgressReport) => void, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  runCommand(command: string, ...args: unknown[]): Promise<void>;
}

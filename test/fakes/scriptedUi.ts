import { plainTranslate } from '../../src/common/errors';
import {
  runTask,
  type Choice,
  type FileDialog,
  type InputPrompt,
  type InputRemark,
  type Picked,
  type PickList,
  type PickRow,
  type Task,
  type WindowUi,
} from '../../src/common/windowUi';

/** A notification, dialog, list or input, as the user saw it. */
export interface Shown {
  readonly kind:
    | 'inform'
    | 'warn'
    | 'fail'
    | 'confirm'
    | 'choose'
    | 'enter'
    | 'progress'
    | 'dialog';
  readonly text: string;
  /** Buttons, or labels of choices. */
  readonly options: readonly string[];
}

/** A notification with progress that is or was shown. */
export interface ShownProgress {
  readonly title: string;
  readonly reports: { readonly message: string; readonly increment?: number }[];
  readonly cancel: () => void;
  isOpen: boolean;
}

/**
 * Scripted user who presses buttons, chooses labels and enters values in the order of the answers.
 * `undefined` dismisses a prompt. Prompts after the last answer are dismissed too. The button of a row is
 * `button: label`.
 */
export class ScriptedUi implements WindowUi {
  readonly translate = plainTranslate;
  readonly language = 'en';
  readonly shown: Shown[] = [];
  /** Rows of each list that was shown. */
  readonly lists: (readonly PickRow<unknown, unknown>[])[] = [];
  /** Detail texts of dialogs. */
  readonly details: string[] = [];
  readonly prompts: InputPrompt[] = [];
  /** Messages of inputs about the entered values. */
  readonly remarks: InputRemark[] = [];
  readonly progresses: ShownProgress[] = [];
  readonly ran: (readonly unknown[])[] = [];
  /** Texts that were copied. */
  readonly copied: string[] = [];
  /** URLs that were opened in the browser. */
  readonly opened: string[] = [];
  /** Texts that were saved. */
  readonly saved: string[] = [];
  /** Aborts when the window closes. */
  readonly lifetime = new AbortController();
  /** Called for each command that runs, to imitate its effect. */
  onCommand: (command: string) => void | Promise<void> = () => undefined;
  /** Delay between a progress notification and its task. Default: none. */
  delay: (() => Promise<void>) | undefined;
  readonly #answers: (string | undefined)[] = [];

  answer(...answers: (string | undefined)[]): this {
    this.#answers.push(...answers);
    return this;
  }

  /** Returns the texts of all prompts of that kind. */
  texts(kind?: Shown['kind']): readonly string[] {
    return this.shown
      .filter((each) => kind === undefined || each.kind === kind)
      .map(({ text }) => text);
  }

  inform(text: string, ...actions: string[]): Promise<string | undefined> {
    return this.#notify('inform', text, actions);
  }

  warn(text: string, ...actions: string[]): Promise<string | undefined> {
    return this.#notify('warn', text, actions);
  }

  fail(text: string, ...actions: string[]): Promise<string | undefined> {
    return this.#notify('fail', text, actions);
  }

  async confirm(question: string, action: string, detail = ''): Promise<boolean> {
    this.details.push(detail);
    return (await this.#notify('confirm', question, [action])) === action;
  }

  pick<Value, Button = never>({
    title,
    rows,
  }: Pick<PickList<Value, Button>, 'title' | 'rows'>): Promise<Picked<Value, Button> | undefined> {
    this.lists.push(rows);
    this.shown.push({ kind: 'choose', text: title, options: rows.map(({ label }) => label) });
    const answer = this.#answers.shift();
    if (answer === undefined) return Promise.resolve(undefined);
    for (const row of rows) {
      if (row.isSeparator) continue;
      if (row.label === answer) return Promise.resolve({ value: row.value });
      const button = row.buttons?.find(({ value }) => answer === `${String(value)}: ${row.label}`);
      if (button) return Promise.resolve({ value: row.value, button: button.value });
    }
    throw new Error(`“${title}” has no “${answer}”`);
  }

  async choose<Value>(
    title: string,
    choices: readonly Choice<Value>[],
  ): Promise<Value | undefined> {
    return (await this.pick({ title, rows: choices }))?.value;
  }

  enter(prompt: InputPrompt): Promise<string | undefined> {
    this.prompts.push(prompt);
    this.shown.push({ kind: 'enter', text: prompt.prompt, options: [] });
    for (;;) {
      const value = this.#answers.shift();
      const remark = value === undefined ? undefined : prompt.remarkOn?.(value);
      if (remark) this.remarks.push(remark);
      // An input that refuses a value stays open for the next one.
      if (remark?.kind !== 'error') return Promise.resolve(value);
    }
  }

  async progress<T>(title: string, task: Task<T>): Promise<T | undefined> {
    const controller = new AbortController();
    const shown: ShownProgress = {
      title,
      reports: [],
      cancel: () => controller.abort(),
      isOpen: true,
    };
    this.shown.push({ kind: 'progress', text: title, options: [] });
    this.progresses.push(shown);
    if (this.delay) await this.delay();
    const show = (message: string, increment?: number): void => {
      shown.reports.push({ message, increment });
    };
    const { signal: canceled } = controller;
    try {
      return await runTask({ canceled, lifetime: this.lifetime.signal, show }, task);
    } finally {
      shown.isOpen = false;
    }
  }

  async runCommand(command: string, ...args: unknown[]): Promise<void> {
    this.ran.push([command, ...args]);
    await this.onCommand(command);
  }

  openExternal(url: string): Promise<void> {
    this.opened.push(url);
    return Promise.resolve();
  }

  copy(text: string): Promise<void> {
    this.copied.push(text);
    return Promise.resolve();
  }

  chooseSaveFile(dialog: FileDialog): Promise<string | undefined> {
    return this.#dialog(dialog);
  }

  chooseFile(dialog: FileDialog): Promise<string | undefined> {
    return this.#dialog(dialog);
  }

  chooseFolder(dialog: FileDialog): Promise<string | undefined> {
    return this.#dialog(dialog);
  }

  async saveText(dialog: FileDialog, text: string): Promise<void> {
    if ((await this.#dialog(dialog)) !== undefined) this.saved.push(text);
  }

  openFolder(folder: string): Promise<void> {
    return this.runCommand('vscode.openFolder', folder);
  }

  #dialog({ title = '' }: FileDialog): Promise<string | undefined> {
    this.shown.push({ kind: 'dialog', text: title, options: [] });
    return Promise.resolve(this.#answers.shift());
  }

  #notify(kind: Shown['kind'], text: string, options: string[]): Promise<string | undefined> {
    this.shown.push({ kind, text, options });
    if (options.length === 0) return Promise.resolve(undefined);
    const answer = this.#answers.shift();
    if (answer !== undefined && !options.includes(answer)) {
      throw new Error(`“${text}” has no “${answer}”`);
    }
    return Promise.resolve(answer);
  }
}

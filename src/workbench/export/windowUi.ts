import * as vscode from 'vscode';
import { plainText, translate } from '../notifications';
import type { Choice, ExportUi, InputPrompt, ProgressReport } from './exportUi';
import { plain } from './exportTexts';

/** {@link ExportUi} in VS Code's window. What services say stays text in all of it. */
export const windowUi: ExportUi = {
  translate,
  get language() {
    return vscode.env.language;
  },
  inform: async (text, ...actions) =>
    vscode.window.showInformationMessage(plainText(text), ...actions),
  warn: async (text, ...actions) => vscode.window.showWarningMessage(plainText(text), ...actions),
  fail: async (text, ...actions) => vscode.window.showErrorMessage(plainText(text), ...actions),
  confirm: async (question, action) => {
    const options = { modal: true };
    return (
      (await vscode.window.showWarningMessage(plainText(question), options, action)) === action
    );
  },
  choose,
  enter,
  progress,
  runCommand: async (command, ...args) => {
    await vscode.commands.executeCommand(command, ...args);
  },
};

async function choose<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
  const items = choices.map(({ label, description, detail, value }) => ({
    label: plain(label),
    ...(description === undefined ? {} : { description: plain(description) }),
    ...(detail === undefined ? {} : { detail: plain(detail) }),
    value,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return chosen?.value;
}

/** Errors are said when the value is accepted, not while it is typed; hints at once. */
function enter(prompt: InputPrompt): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = prompt.title;
  box.prompt = prompt.prompt;
  box.placeholder = prompt.placeholder;
  box.password = prompt.isSecret ?? false;
  box.value = prompt.value ?? '';
  // People fetch a key or an address from another window.
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const remark = (): ReturnType<NonNullable<InputPrompt['remarkOn']>> =>
      prompt.remarkOn?.(box.value);
    const say = (text: string, severity: vscode.InputBoxValidationSeverity): void => {
      box.validationMessage = { message: plainText(text), severity };
    };
    const hint = (): void => {
      const said = remark();
      if (said?.kind === 'hint') say(said.text, vscode.InputBoxValidationSeverity.Info);
      else box.validationMessage = undefined;
    };
    box.onDidChangeValue(hint);
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.onDidAccept(() => {
      const said = remark();
      if (said?.kind === 'error') {
        say(said.text, vscode.InputBoxValidationSeverity.Error);
        return;
      }
      resolve(box.value);
      box.dispose();
    });
    hint();
    box.show();
  });
}

async function progress<T>(
  title: string,
  task: (report: (progress: ProgressReport) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: plainText(title),
      cancellable: true,
    },
    async (shown, token) => {
      const controller = new AbortController();
      const registration = token.onCancellationRequested(() => controller.abort());
      try {
        return await task(
          ({ message, increment }) =>
            shown.report({
              message: plainText(message),
              ...(increment === undefined ? {} : { increment }),
            }),
          controller.signal,
        );
      } finally {
        registration.dispose();
      }
    },
  );
}

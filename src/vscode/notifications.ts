import * as vscode from 'vscode';
import { notificationText } from '../common/text/safeText';

/**
 * Translates a message. This is `vscode.l10n.t` with the type that code outside `src/vscode` takes.
 * The texts to translate are extracted from the types of its arguments, so pass literals or tables
 * of literals.
 */
export const translate = (message: string, ...args: (string | number)[]): string =>
  vscode.l10n.t(message, ...args);

/** Escapes text for a notification, which would turn a service's `[text](url)` into a link. */
export const plainText = notificationText;

/** Shows a sentence as plain text, without waiting until the reader closes it. */
export function say(text: string): void {
  void vscode.window.showInformationMessage(plainText(text));
}

/** Modal dialogs. Tests answer in their place, because VS Code refuses to show dialogs in tests. */
export const modals = {
  /** Asks a question and resolves with whether the reader chose the action. */
  confirm: async (question: string, action: string, detail = ''): Promise<boolean> => {
    const options = { modal: true, detail };
    const { showWarningMessage } = vscode.window;
    return (await showWarningMessage(plainText(question), options, action)) === action;
  },
};

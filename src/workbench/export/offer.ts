import * as vscode from 'vscode';
import { plainText } from '../notifications';

/** Says what was done, with what can be done next. The command does not wait for the answer. */
export function offer(text: string, next: Readonly<Record<string, () => Thenable<unknown>>>): void {
  void vscode.window
    .showInformationMessage(plainText(text), ...Object.keys(next))
    .then((chosen) => (chosen === undefined ? undefined : next[chosen]?.()));
}

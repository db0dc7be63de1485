import * as vscode from 'vscode';
import { commands } from './contributions';
import { translate } from './notifications';

/** Offers to ask about a selection, in the lightbulb of every language. */
export class AskCodeActions implements vscode.CodeActionProvider {
  static readonly kind = vscode.CodeActionKind.Empty.append('docsAssistant');

  provideCodeActions(
    _document: vscode.TextDocument,
    range: vscode.Range | vscode.Selection,
  ): vscode.CodeAction[] {
    if (range.isEmpty) return [];
    const title = translate('Ask Docs Assistant about this');
    const action = new vscode.CodeAction(title, AskCodeActions.kind);
    action.command = { command: commands.ask, title };
    return [action];
  }
}

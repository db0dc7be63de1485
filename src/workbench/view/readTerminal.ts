import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * What a person would point at in the active terminal: its selection, else the last command with
 * its output, else all that it shows. Empty if it shows nothing.
 *
 * VS Code gives extensions no way to read a terminal after the fact but its commands that copy, so
 * the clipboard holds the text for a moment; its own text is put back.
 */
export async function readTerminal(terminal: vscode.Terminal): Promise<string> {
  return selectionOf(terminal) ?? (await copied());
}

/** Told to every extension, although the API does not name it yet; elsewhere it is not there. */
function selectionOf(terminal: vscode.Terminal): string | undefined {
  const selection: unknown = 'selection' in terminal ? terminal.selection : undefined;
  return typeof selection === 'string' && selection.trim() !== '' ? selection : undefined;
}

async function copied(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Tells whether a command copied something: those that find nothing say nothing.
  const mark = `docs-assistant-${randomUUID()}`;
  try {
    await clipboard.writeText(mark);
    // Knows where the last command began only with shell integration.
    await run('copyLastCommandAndLastCommandOutput');
    const last = await clipboard.readText();
    if (last !== mark && last.trim() !== '') return last;
    await run('selectAll');
    await run('copySelection');
    await run('clearSelection');
    const all = await clipboard.readText();
    return all === mark ? '' : all;
  } finally {
    await clipboard.writeText(before);
  }
}

async function run(command: string): Promise<void> {
  await vscode.commands.executeCommand(`workbench.action.terminal.${command}`);
}

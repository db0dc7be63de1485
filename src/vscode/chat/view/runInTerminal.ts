import * as vscode from 'vscode';
import type { Log, NewId } from '../../../common/ports';
import {
  shellCommands,
  type ShellCommands,
  isUnderstoodBy,
  shellKindOf,
} from '../../../chat/context/shellCommands';
import { languageOf } from '../../../shared/codeLanguages';
import { plainText, say, translate } from '../../notifications';
import { closeTabs } from '../../openDocument';

/** Scheme of the document that shows several commands before they run. */
const SCHEME = 'docs-assistant-commands';

/** Longest command that the notification shows, in characters. Longer ones open in an editor. */
const MAX_SHORT_COMMAND = 200;

const TERMINAL_NAME = 'Docs Assistant';

/**
 * Runs a reply's shell code in a terminal after the user has seen exactly what would run and agreed.
 * Can also type the code into the terminal without running it.
 */
export class TerminalRunner {
  readonly #newId: NewId;
  readonly #log: Log;
  /** Terminals in which a command runs, as reported by shell integration, or waits to be run. */
  readonly #busy = new WeakSet<vscode.Terminal>();
  #terminal: vscode.Terminal | undefined;

  constructor(newId: NewId, log: Log) {
    this.#newId = newId;
    this.#log = log;
  }

  async run(code: string, written: string): Promise<void> {
    const language = languageOf(written);
    const shell = language?.shell;
    if (!shell) {
      void vscode.window.showWarningMessage(
        translate('Only shell commands can run in the terminal.'),
      );
      return;
    }
    if (!vscode.workspace.isTrusted) {
      await sayUntrusted();
      return;
    }
    const kind = shellKindOf(this.#reusable()?.state.shell ?? vscode.env.shell);
    const commands = shellCommands(code, shell, kind);
    if (!commands) {
      say(translate('This code contains no command.'));
      return;
    }
    const isForeign = !isUnderstoodBy(shell, kind);
    const answer = await this.#ask(commands, isForeign ? language.name : undefined);
    if (answer === undefined) return;
    const terminal = this.#reusable() ?? this.#create();
    this.#log.info(answer === 'run' ? 'Ran code in the terminal' : 'Typed code into the terminal');
    if (answer === 'run') terminal.sendText(commands.line ?? commands.text, true);
    else if (commands.line !== undefined) {
      terminal.sendText(commands.line, false);
      // The next code would be appended to this line and run together with it.
      this.#busy.add(terminal);
    }
    terminal.show();
  }

  /**
   * Asks whether to run the commands. The question shows a short command; an editor shows others
   * whole.
   */
  async #ask(
    commands: ShellCommands,
    foreign: string | undefined,
  ): Promise<'run' | 'insert' | undefined> {
    const { text, line } = commands;
    // A notification turns some texts into links and joins all lines.
    const isShort = text.length <= MAX_SHORT_COMMAND && !/[\n[\]]/.test(text);
    const shown = isShort ? undefined : await this.#show(text);
    const question = isShort
      ? translate('Run this command in the terminal? {0}', text)
      : translate('Run these commands in the terminal?');
    const warning = foreign
      ? ` ${translate('The code is for {0}, but the terminal runs another shell.', foreign)}`
      : '';
    const run = translate('Run');
    const insert = translate('Insert without Running');
    try {
      const chosen = await vscode.window.showInformationMessage(
        isShort ? question + warning : plainText(question + warning),
        run,
        ...(line === undefined ? [] : [insert]),
        translate('Cancel'),
      );
      if (chosen === run) return 'run';
      return chosen === insert ? 'insert' : undefined;
    } finally {
      await shown?.close();
    }
  }

  async #show(text: string): Promise<{ close: () => Promise<void> }> {
    const name = `${translate('Commands')}.sh`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.#newId()}/${name}` });
    const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (asked) =>
        asked.toString() === uri.toString() ? text : undefined,
    });
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    } catch (error) {
      provider.dispose();
      throw error;
    }
    return {
      close: async () => {
        provider.dispose();
        await closeTabs(
          (input) =>
            input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
        );
      },
    };
  }

  /** Returns our terminal if it is open and no command runs in it. */
  #reusable(): vscode.Terminal | undefined {
    const isFree = (terminal: vscode.Terminal): boolean =>
      terminal.exitStatus === undefined && !this.#busy.has(terminal);
    const ours = this.#terminal;
    return ours && isFree(ours) ? ours : undefined;
  }

  #create(): vscode.Terminal {
    const { activeTextEditor: editor } = vscode.window;
    const { workspaceFolders: folders } = vscode.workspace;
    const folder =
      (editor && vscode.workspace.getWorkspaceFolder(editor.document.uri)) ?? folders?.[0];
    const terminal = vscode.window.createTerminal({
      name: TERMINAL_NAME,
      cwd: folder?.uri,
    });
    this.#terminal = terminal;
    const listeners = [
      vscode.window.onDidStartTerminalShellExecution((event) => {
        if (event.terminal === terminal) this.#busy.add(terminal);
      }),
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.terminal === terminal) this.#busy.delete(terminal);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed !== terminal) return;
        for (const listener of listeners) listener.dispose();
        if (this.#terminal === terminal) this.#terminal = undefined;
      }),
    ];
    return terminal;
  }
}

async function sayUntrusted(): Promise<void> {
  const manage = translate('Manage Workspace Trust');
  const chosen = await vscode.window.showWarningMessage(
    translate('Commands can’t run in Restricted Mode. Trust this workspace first.'),
    manage,
  );
  if (chosen === manage) await vscode.commands.executeCommand('workbench.trust.manage');
}

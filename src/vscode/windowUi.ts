import * as vscode from 'vscode';
import { plain } from '../common/text/safeText';
import { errorCodeOrName } from '../common/errorCode';
import {
  runTask,
  type FileDialog,
  type InputPrompt,
  type InputRemark,
  type PickButton,
  type Picked,
  type PickList,
  type PickRow,
  type WindowUi,
} from '../common/windowUi';
import { ExportError } from '../export/exportErrors';
import { modals, plainText, translate } from './notifications';

/**
 * Returns {@link WindowUi} in VS Code's window. Texts of services stay plain text everywhere.
 * @param lifetime aborts when the window closes, which cancels what still runs. By default, nothing cancels it.
 */
export function windowUi(lifetime = new AbortController().signal): WindowUi {
  const { window } = vscode;
  return {
    translate,
    language: vscode.env.language,
    inform: async (text, ...actions) => window.showInformationMessage(plainText(text), ...actions),
    warn: async (text, ...actions) => window.showWarningMessage(plainText(text), ...actions),
    fail: async (text, ...actions) => window.showErrorMessage(plainText(text), ...actions),
    confirm: (question, action, detail) => modals.confirm(question, action, detail),
    pick,
    choose: async (title, rows) => (await pick({ title, rows, isStep: true }))?.value,
    enter,
    progress: async (title, task, { quiet = false } = {}) => {
      const options: vscode.ProgressOptions = {
        location: quiet ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification,
        title: plainText(title),
        cancellable: !quiet,
      };
      return window.withProgress(options, async (shown, token) => {
        const controller = new AbortController();
        const registration = token.onCancellationRequested(() => controller.abort());
        const show = (message: string, increment?: number): void =>
          shown.report({ message: plainText(message), increment });
        try {
          return await runTask({ canceled: controller.signal, lifetime, show }, task);
        } finally {
          registration.dispose();
        }
      });
    },
    runCommand: async (command, ...args) => {
      await vscode.commands.executeCommand(command, ...args);
    },
    openExternal: async (url) => {
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    copy: async (text) => vscode.env.clipboard.writeText(text),
    chooseSaveFile: async (dialog) => localPath(await window.showSaveDialog(saveOptions(dialog))),
    chooseFile: async (dialog) =>
      localPath((await window.showOpenDialog(openOptions(dialog)))?.[0]),
    chooseFolder: async (dialog) => {
      const folderOptions = { canSelectFiles: false, canSelectFolders: true };
      const chosen = await window.showOpenDialog({ ...openOptions(dialog), ...folderOptions });
      return localPath(chosen?.[0]);
    },
    saveText: async (dialog, text) => {
      const file = await window.showSaveDialog(saveOptions(dialog));
      if (!file) return;
      try {
        await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
      } catch (error) {
        throw new ExportError('not-writable', {
          path: file.path,
          causeCode: errorCodeOrName(error),
          cause: error,
        });
      }
      await window.showTextDocument(file);
    },
    openFolder: async (folder) => {
      await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
        forceNewWindow: true,
      });
    },
  };
}

interface Item<Value, Button> extends vscode.QuickPickItem {
  readonly row?: Exclude<PickRow<Value, Button>, { readonly isSeparator: true }>;
}

interface ItemButton<Button> extends vscode.QuickInputButton {
  readonly value: Button;
}

/** Shows a list whose rows can have buttons. The list of a step stays open without the focus. */
function pick<Value, Button = never>({
  title,
  placeholder,
  rows,
  isStep = false,
}: Omit<PickList<Value, Button>, 'placeholder'> & {
  readonly placeholder?: string;
  readonly isStep?: boolean;
}): Promise<Picked<Value, Button> | undefined> {
  const quickPick = vscode.window.createQuickPick<Item<Value, Button>>();
  quickPick.title = title;
  quickPick.placeholder = placeholder;
  quickPick.ignoreFocusOut = isStep;
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = rows.map(itemOf);
  return new Promise((resolve) => {
    const close = (picked: Picked<Value, Button> | undefined): void => {
      resolve(picked);
      quickPick.dispose();
    };
    quickPick.onDidHide(() => close(undefined));
    quickPick.onDidAccept(() => {
      const [item] = quickPick.selectedItems;
      if (item?.row) close({ value: item.row.value });
    });
    quickPick.onDidTriggerItemButton(({ item, button }) => {
      // VS Code hands back the very button that the item was made with.
      if (item.row) close({ value: item.row.value, button: (button as ItemButton<Button>).value });
    });
    quickPick.show();
  });
}

function itemOf<Value, Button>(row: PickRow<Value, Button>): Item<Value, Button> {
  if (row.isSeparator) {
    return { label: plain(row.label), kind: vscode.QuickPickItemKind.Separator };
  }
  const { label, icon, description, detail, buttons = [] } = row;
  return {
    label: icon === undefined ? plain(label) : `$(${icon}) ${plain(label)}`,
    description: description === undefined ? undefined : plain(description),
    detail: detail === undefined ? undefined : plain(detail),
    buttons: buttons.map(buttonOf),
    row,
  };
}

function buttonOf<Button>({ value, icon, tooltip }: PickButton<Button>): ItemButton<Button> {
  return { value, iconPath: new vscode.ThemeIcon(icon), tooltip };
}

/** Shows an input. Hints appear while the user types, errors only when the user presses Enter. */
function enter(prompt: InputPrompt): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = prompt.title;
  box.prompt = prompt.prompt;
  box.placeholder = prompt.placeholder;
  box.password = prompt.isSecret ?? false;
  box.value = prompt.value ?? '';
  // Users switch to another window to copy a key or a URL.
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const remark = (): InputRemark | undefined => prompt.remarkOn?.(box.value);
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

/** Returns the path of a chosen file or folder, or undefined and a warning if it is on another file system. */
function localPath(chosen: vscode.Uri | undefined): string | undefined {
  if (!chosen || chosen.scheme === 'file') return chosen?.fsPath;
  void vscode.window.showWarningMessage(translate('Choose a file or folder on this machine.'));
  return undefined;
}

function saveOptions({ button, ...dialog }: FileDialog): vscode.SaveDialogOptions {
  return { ...sharedOptions(dialog), saveLabel: button };
}

function openOptions({ button, ...dialog }: FileDialog): vscode.OpenDialogOptions {
  return { ...sharedOptions(dialog), openLabel: button };
}

const sharedOptions = ({
  title,
  defaultPath,
  filters,
}: FileDialog): Pick<vscode.OpenDialogOptions, 'title' | 'defaultUri' | 'filters'> => ({
  title,
  defaultUri: defaultPath === undefined ? undefined : vscode.Uri.file(defaultPath),
  filters:
    filters &&
    Object.fromEntries(Object.entries(filters).map(([name, endings]) => [name, [...endings]])),
});

import * as vscode from 'vscode';
import type { Picked, PickButton, PickRow } from '../../common/pickUi';
import { plain } from '../../export/commands/texts';
import { runTask } from '../../export/commands/ui';
import type { DocsUi } from '../../service/sets/docsUi';
import { windowUi } from '../export/windowUi';
import { modals, plainText, translate } from '../notifications';

/**
 * Returns {@link DocsUi} in VS Code's window.
 * @param lifetime aborts when the window closes, which cancels what still runs. By default, nothing cancels it.
 */
export function docsUi(lifetime = new AbortController().signal): DocsUi {
  const ui = windowUi(lifetime);
  return {
    ...ui,
    pick,
    confirm: (question, action, detail) => modals.confirm(question, action, detail),
    chooseFile: async ({ filters, ...dialog }) =>
      chooseLocal({
        ...labels(dialog),
        filters: Object.fromEntries(
          Object.entries(filters ?? {}).map(([name, endings]) => [name, [...endings]]),
        ),
      }),
    chooseFolder: async (dialog) =>
      chooseLocal({ ...labels(dialog), canSelectFiles: false, canSelectFolders: true }),
    progress: async (title, task, { quiet = false } = {}) => {
      if (!quiet) return ui.progress(title, task);
      const location = vscode.ProgressLocation.Window;
      return vscode.window.withProgress({ location, title: plainText(title) }, (shown) =>
        runTask(
          {
            canceled: lifetime,
            lifetime,
            show: (message) => shown.report({ message: plainText(message) }),
          },
          task,
        ),
      );
    },
  };
}

const labels = (dialog: {
  readonly title: string;
  readonly button: string;
}): { title: string; openLabel: string } => ({ title: dialog.title, openLabel: dialog.button });

async function chooseLocal(options: vscode.OpenDialogOptions): Promise<string | undefined> {
  const [chosen] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (!chosen || chosen.scheme === 'file') return chosen?.fsPath;
  void vscode.window.showWarningMessage(
    translate('The local docs service can read only files and folders on this machine.'),
  );
  return undefined;
}

interface Item<Value, Button> extends vscode.QuickPickItem {
  readonly row?: Exclude<PickRow<Value, Button>, { readonly isSeparator: true }>;
}

interface ItemButton<Button> extends vscode.QuickInputButton {
  readonly value: Button;
}

/** Shows a list whose rows can have buttons. Their texts stay plain. */
function pick<Value, Button = never>(list: {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly PickRow<Value, Button>[];
}): Promise<Picked<Value, Button> | undefined> {
  const quickPick = vscode.window.createQuickPick<Item<Value, Button>>();
  quickPick.title = plain(list.title);
  quickPick.placeholder = list.placeholder;
  quickPick.matchOnDescription = true;
  quickPick.matchOnDetail = true;
  quickPick.items = list.rows.map(itemOf);
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

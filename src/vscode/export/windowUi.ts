import * as vscode from 'vscode';
import { errorCodeOrName } from '../../common/errorCode';
import { plain } from '../../export/commands/texts';
import {
  runTask,
  type Choice,
  type ExportUi,
  type FileDialog,
  type InputPrompt,
} from '../../export/commands/ui';
import { ExportError } from '../../export/exportErrors';
import type { Previews, RunningPreview } from '../../export/preview/previews';
import { plainText, translate } from '../notifications';

/**
 * Returns {@link ExportUi} in VS Code's window. Texts of services stay plain text everywhere.
 * @param lifetime aborts when the window closes, which cancels tasks that are still running.
 */
export function windowUi(lifetime: AbortSignal): ExportUi {
  const { window } = vscode;
  return {
    translate,
    language: vscode.env.language,
    inform: async (text, ...actions) => window.showInformationMessage(plainText(text), ...actions),
    warn: async (text, ...actions) => window.showWarningMessage(plainText(text), ...actions),
    fail: async (text, ...actions) => window.showErrorMessage(plainText(text), ...actions),
    confirm: async (question, action) => {
      const options = { modal: true };
      return (await window.showWarningMessage(plainText(question), options, action)) === action;
    },
    choose,
    enter,
    progress: async (title, task) =>
      window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: plainText(title),
          cancellable: true,
        },
        async (shown, token) => {
          const controller = new AbortController();
          const registration = token.onCancellationRequested(() => controller.abort());
          const show = (message: string, increment?: number): void =>
            shown.report({
              message: plainText(message),
              increment,
            });
          try {
            return await runTask({ canceled: controller.signal, lifetime, show }, task);
          } finally {
            registration.dispose();
          }
        },
      ),
    runCommand: async (command, ...args) => {
      await vscode.commands.executeCommand(command, ...args);
    },
    openExternal: async (url) => {
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    copy: async (text) => vscode.env.clipboard.writeText(text),
    chooseSaveFile: async (dialog) => {
      const file = await window.showSaveDialog(saveOptions(dialog));
      if (file && file.scheme !== 'file') {
        throw new ExportError('not-writable', { path: file.path, causeCode: file.scheme });
      }
      return file?.fsPath;
    },
    chooseFile: async (dialog) => {
      const [file] = (await window.showOpenDialog(openOptions(dialog))) ?? [];
      if (file && file.scheme !== 'file') {
        throw new ExportError('not-readable', { path: file.path, causeCode: file.scheme });
      }
      return file?.fsPath;
    },
    chooseFolder: async (dialog) => {
      const [folder] =
        (await window.showOpenDialog({
          ...openOptions(dialog),
          canSelectFiles: false,
          canSelectFolders: true,
        })) ?? [];
      return folder?.scheme === 'file' ? folder.fsPath : undefined;
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

async function choose<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
  const items = choices.map(({ label, icon, description, detail, value }) => ({
    label: icon === undefined ? plain(label) : `$(${icon}) ${plain(label)}`,
    description: description === undefined ? undefined : plain(description),
    detail: detail === undefined ? undefined : plain(detail),
    value,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.value;
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

function saveOptions({
  title,
  button,
  defaultPath,
  filters,
}: FileDialog): vscode.SaveDialogOptions {
  return {
    title,
    saveLabel: button,
    defaultUri: defaultPath === undefined ? undefined : vscode.Uri.file(defaultPath),
    filters: filters === undefined ? undefined : copyOf(filters),
  };
}

function openOptions({
  title,
  button,
  defaultPath,
  filters,
}: FileDialog): vscode.OpenDialogOptions {
  return {
    title,
    openLabel: button,
    defaultUri: defaultPath === undefined ? undefined : vscode.Uri.file(defaultPath),
    filters: filters === undefined ? undefined : copyOf(filters),
  };
}

function copyOf(filters: NonNullable<FileDialog['filters']>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(filters).map(([name, all]) => [name, [...all]]));
}

const SIMPLE_BROWSER = 'vscode.simple-browser';

/**
 * Shows a preview in VS Code's Simple Browser, or in the user's browser if that is missing.
 * @param address percent-encoded path from the site's root, query and fragment. Empty for the start.
 */
export async function showPreview(
  previews: Previews,
  preview: RunningPreview,
  address = '',
): Promise<void> {
  if (!vscode.extensions.getExtension(SIMPLE_BROWSER)) {
    await openPreviewOutside(previews, preview, address);
    return;
  }
  const url = await forwardedUrl(previews, preview, address);
  await vscode.commands.executeCommand('simpleBrowser.show', url);
}

/** Shows a preview in the user's browser. */
export async function openPreviewOutside(
  previews: Previews,
  preview: RunningPreview,
  address = '',
): Promise<void> {
  // `openExternal` forwards the port itself, to the host that this call allows.
  await forwardedUrl(previews, preview, address);
  await vscode.env.openExternal(vscode.Uri.parse(preview.url + address));
}

/**
 * Returns the URL at which the user's browser reaches a page of the preview, also in a remote window.
 * Only the root is forwarded, because code-server drops the path of what it forwards.
 */
async function forwardedUrl(
  previews: Previews,
  { id, url }: RunningPreview,
  address: string,
): Promise<string> {
  const page = new URL(url + address);
  const forwarded = await vscode.env.asExternalUri(vscode.Uri.parse(`${page.origin}/`));
  previews.allowHost(id, forwarded.authority);
  const outside = new URL(forwarded.toString(true));
  outside.pathname = outside.pathname.replace(/\/$/, '') + page.pathname;
  if (page.search !== '') outside.search = page.search;
  outside.hash = page.hash;
  return outside.href;
}

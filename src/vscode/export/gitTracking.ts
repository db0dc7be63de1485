/** Tells which files git tracks or would track. VS Code's built-in git extension knows git and the repositories. */
import * as vscode from 'vscode';
import * as v from 'valibot';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { isIgnoredByGit } from '../../export/values/ignoredByGit';

export interface GitTracking extends Disposable {
  /** Returns whether git tracks a file, or would with `git add`. */
  isTracked(uri: vscode.Uri): Promise<boolean>;
}

const isFunction = v.custom<(...args: never[]) => unknown>((value) => typeof value === 'function');

/** Part of the git extension's exports that is used. It can be disabled, or be another extension's. */
const extensionSchema = v.object({ enabled: v.boolean(), getAPI: isFunction });

interface GitApi {
  readonly git: { readonly path: string };
  readonly onDidOpenRepository: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): { readonly rootUri: vscode.Uri } | null;
}

/**
 * Returns a {@link GitTracking}. Without the git extension, every file of the workspace counts as
 * tracked.
 * @param onDidChange called when a repository was opened, because more files can be tracked then.
 */
export function gitTracking(onDidChange: () => void): GitTracking {
  const store = new DisposableStore();
  let api: Promise<GitApi | undefined> | undefined;
  const loaded = (): Promise<GitApi | undefined> => {
    api ??= gitApi().then((git) => {
      if (git) store.add(git.onDidOpenRepository(() => onDidChange()));
      return git;
    });
    return api;
  };
  return {
    isTracked: async (uri) => {
      const git = await loaded();
      if (!git) return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
      const repository = git.getRepository(uri);
      if (!repository) return false;
      return !(await isIgnoredByGit(git.git.path, repository.rootUri.fsPath, uri.fsPath));
    },
    dispose: () => store.dispose(),
  };
}

async function gitApi(): Promise<GitApi | undefined> {
  try {
    const extension = vscode.extensions.getExtension<unknown>('vscode.git');
    if (extension === undefined) return undefined;
    const exported = v.safeParse(extensionSchema, await extension.activate());
    if (!exported.success || !exported.output.enabled) return undefined;
    // `getAPI` is a method, and the parsed copy has lost its object.
    return (extension.exports as { getAPI(version: 1): GitApi }).getAPI(1);
  } catch {
    return undefined;
  }
}

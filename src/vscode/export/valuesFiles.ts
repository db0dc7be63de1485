import * as vscode from 'vscode';
import { translate } from '../notifications';

const YAML_FILES = '**/*.{yaml,yml}';
const excludedFolders = ['node_modules', '.git', 'vendor', 'dist'];

/** Enough for the largest monorepos of deployments; each file is only looked into. */
const MAX_FILES = 2000;
const MAX_FILE_BYTES = 1024 * 1024;

/** True for a document that can be a values file. */
export function isYaml({ languageId, uri }: vscode.TextDocument): boolean {
  return (
    languageId === 'yaml' ||
    languageId === 'helm' ||
    languageId === 'dockercompose' ||
    /\.ya?ml$/i.test(uri.path)
  );
}

/** True for an open values file that can be written: not for the old side of a diff editor. */
function isOpenValues(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  const isWritable = scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme);
  return isYaml(document) && !document.isClosed && isWritable === true;
}

/** Offsets of a document's text, as an editor takes them. */
export function toRange(document: vscode.TextDocument, start: number, end: number): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** A values file that is open, one of the workspace, or one that the person chooses. */
export async function chooseValuesFile(): Promise<vscode.TextDocument | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const open = vscode.workspace.textDocuments.filter(isOpenValues);
  const openUris = new Set(open.map(({ uri }) => uri.toString()));
  const inWorkspace = (await yamlFiles()).filter(
    (uri) => /values[^/]*$/i.test(uri.path) && !openUris.has(uri.toString()),
  );
  const activeFirst = [...open].sort((a, b) => Number(b === active) - Number(a === active));
  const item = (uri: vscode.Uri, description?: string) => ({
    label: vscode.workspace.asRelativePath(uri),
    choose: () => Promise.resolve<vscode.Uri | undefined>(uri),
    ...(description === undefined ? {} : { description }),
  });
  const chosen = await vscode.window.showQuickPick(
    [
      ...activeFirst.map(({ uri }) => item(uri, translate('open'))),
      ...inWorkspace.map((uri) => item(uri)).sort((a, b) => a.label.localeCompare(b.label)),
      { label: `$(file) ${translate('Another file…')}`, choose: chooseFile },
    ],
    { title: translate('Insert the Deployment Configuration Into') },
  );
  const uri = await chosen?.choose();
  return uri && vscode.workspace.openTextDocument(uri);
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: translate('Choose a Values File'),
      filters: { YAML: ['yaml', 'yml'] },
    })) ?? [];
  return file;
}

/** Every YAML file of the workspace, and every open one, that mentions a bundle's link. */
export async function filesWithLinks(): Promise<readonly vscode.TextDocument[]> {
  const open = vscode.workspace.textDocuments.filter(
    (document) => isOpenValues(document) && document.getText().includes('bundleUrl'),
  );
  const openUris = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const found: vscode.TextDocument[] = [...open];
  const files = await yamlFiles();
  if (files.length >= MAX_FILES) {
    void vscode.window.showWarningMessage(
      translate(
        'This workspace has very many YAML files: the first {0} were looked into.',
        MAX_FILES,
      ),
    );
  }
  for (const uri of files) {
    if (openUris.has(uri.toString())) continue;
    if (await mentionsLink(uri)) found.push(await vscode.workspace.openTextDocument(uri));
  }
  return found;
}

async function yamlFiles(): Promise<readonly vscode.Uri[]> {
  try {
    const excluded = `**/{${excludedFolders.join()}}/**`;
    return await vscode.workspace.findFiles(YAML_FILES, excluded, MAX_FILES);
  } catch {
    // The search is a program of its own, which some installations lack.
    const found: vscode.Uri[] = [];
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) await walk(uri, 0, found);
    return found;
  }
}

const MAX_DEPTH = 12;

async function walk(folder: vscode.Uri, depth: number, found: vscode.Uri[]): Promise<void> {
  for (const [name, type] of await vscode.workspace.fs.readDirectory(folder)) {
    if (found.length >= MAX_FILES) return;
    const uri = vscode.Uri.joinPath(folder, name);
    if (type === vscode.FileType.File && /\.ya?ml$/i.test(name)) found.push(uri);
    // Links are not followed: they could lead round in circles.
    const isEntered = type === vscode.FileType.Directory && !excludedFolders.includes(name);
    if (isEntered && depth < MAX_DEPTH) await walk(uri, depth + 1, found);
  }
}

async function mentionsLink(uri: vscode.Uri): Promise<boolean> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_FILE_BYTES) return false;
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return text.includes('bundleUrl');
  } catch {
    return false;
  }
}

import * as vscode from 'vscode';
import type { Choice, WindowUi } from '../../common/windowUi';
import { translate } from '../notifications';
import { isEditable } from '../openDocument';
import { walkFiles } from '../walkFiles';

const YAML_FILES = '**/*.{yaml,yml}';
const excludedFolders = ['node_modules', '.git', 'vendor', 'dist'];

/** YAML files of a workspace that are searched. Large deployment repositories have fewer. */
const MAX_FILES = 2000;
const MAX_FILE_BYTES = 1024 * 1024;
/** Most files that are visited if VS Code's own search can't run. */
const MAX_WALKED = 100_000;

/** Returns whether a document can be a values file. */
function isYaml({ languageId, uri }: vscode.TextDocument): boolean {
  return (
    languageId === 'yaml' ||
    languageId === 'helm' ||
    languageId === 'dockercompose' ||
    /\.ya?ml$/i.test(uri.path)
  );
}

/** Returns whether a document is a writable values file, unlike the old side of a diff editor. */
export function isOpenValues(document: vscode.TextDocument): boolean {
  return isYaml(document) && !document.isClosed && isEditable(document);
}

/** Returns the range between two offsets of a document. */
export function toRange(document: vscode.TextDocument, start: number, end: number): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Asks for a values file: an open one, one of the workspace, or any other file. */
export async function chooseValuesFile(
  ui: Pick<WindowUi, 'choose'>,
): Promise<vscode.TextDocument | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const open = vscode.workspace.textDocuments.filter(isOpenValues);
  const openUris = new Set(open.map(({ uri }) => uri.toString()));
  const inWorkspace = (await yamlFiles()).filter(
    (uri) => /values[^/]*$/i.test(uri.path) && !openUris.has(uri.toString()),
  );
  const activeFirst = [...open].sort((a, b) => Number(b === active) - Number(a === active));
  const choice = (uri: vscode.Uri, description?: string): Choice<vscode.Uri | 'another'> => ({
    label: vscode.workspace.asRelativePath(uri),
    value: uri,
    description,
  });
  const chosen = await ui.choose(translate('Insert the Deployment Configuration Into'), [
    ...activeFirst.map(({ uri }) => choice(uri, translate('open'))),
    ...inWorkspace.map((uri) => choice(uri)).sort((a, b) => a.label.localeCompare(b.label)),
    { label: translate('Another file…'), icon: 'file', value: 'another' },
  ]);
  const uri = chosen === 'another' ? await chooseFile() : chosen;
  return uri && vscode.workspace.openTextDocument(uri);
}

/** Asks for a file on any file system, unlike the dialog of {@link WindowUi}. */
async function chooseFile(): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: translate('Choose a Values File'),
      filters: { YAML: ['yaml', 'yml'] },
    })) ?? [];
  return file;
}

/** Returns the YAML files, open or in the workspace, that contain a bundle link. */
export async function filesWithLinks(
  ui: Pick<WindowUi, 'warn'>,
): Promise<readonly vscode.TextDocument[]> {
  const open = vscode.workspace.textDocuments.filter(
    (document) => isOpenValues(document) && document.getText().includes('bundleUrl'),
  );
  const openUris = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const found: vscode.TextDocument[] = [...open];
  const files = await yamlFiles();
  if (files.length >= MAX_FILES) {
    void ui.warn(
      translate(
        'This workspace has too many YAML files. Only the first {0} were searched.',
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
    // The file search runs a separate program, which some installations lack.
    const isWanted = ({ path }: vscode.Uri): boolean => /\.ya?ml$/i.test(path);
    const isEntered = (name: string): boolean => !excludedFolders.includes(name);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found = folders.map(({ uri }) => walkFiles(uri, MAX_WALKED, isWanted, isEntered));
    return (await Promise.all(found)).flat().slice(0, MAX_FILES);
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

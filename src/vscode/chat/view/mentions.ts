import * as vscode from 'vscode';
import type { Conversation } from '../../assistant/conversation';
import type { Clock, NewId } from '../../common/ports';
import type { ContextItem } from '../../context/contextItem';
import { problemsText, rankFiles, terminalText, textItem } from '../../context/mentionItems';
import { baseName } from '../../context/workspacePath';
import { mentionKinds, type MentionKind, type MentionView } from '../../shared/protocol';
import { attachSelections, selectedNow, showRefusal, type AttachPorts } from '../attachSelections';
import { wholeOf } from '../editorSelection';
import { plainText, translate } from '../notifications';
import { openFiles, WorkspaceFiles } from './workspaceFiles';
import { readTerminal } from './readTerminal';
import { describeProblems, shownProblems } from './shownProblems';

interface MentionPorts extends AttachPorts {
  readonly conversation: Pick<
    Conversation,
    'addContextItems' | 'contextItems' | 'removeContextItem'
  >;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Files that one list offers. */
const MAX_FILES_LISTED = 50;
/** Files that are remembered by the ids of their lists; older lists are not on screen any more. */
const MAX_REMEMBERED = 4 * MAX_FILES_LISTED;

/** What `#…` in a question can attach: what there is of it now, and attaching it. */
export class Mentions {
  readonly #ports: MentionPorts;
  readonly #files: WorkspaceFiles;
  readonly #offered = new Map<string, vscode.Uri>();
  /** The terminal or the file that an item of the next question tells of, by the item's id. */
  readonly #origins = new Map<string, vscode.Terminal | string>();

  constructor(ports: MentionPorts) {
    this.#ports = ports;
    this.#files = new WorkspaceFiles(ports.clock);
  }

  /** All kinds that begin with the query, or files by a part of their path. */
  async list(kind: MentionKind | undefined, query: string): Promise<MentionView[]> {
    if (kind === 'file') return this.#listFiles(query);
    const kinds = kind === undefined ? mentionKinds : [kind];
    return kinds
      .filter((name) => name.startsWith(query.toLowerCase()))
      .map((name) => ({
        id: name,
        kind: name,
        label: `#${name}`,
        isGroup: name === 'file',
        ...described(name),
      }));
  }

  /** Attaches what a list offered, as it is now; says so where there is nothing any more. */
  async add(mentionId: string): Promise<void> {
    const uri = this.#offered.get(mentionId);
    if (uri) await this.#addFile(uri);
    else if (mentionId === 'selection') this.#addSelection();
    else if (mentionId === 'problems') this.#addProblems();
    else if (mentionId === 'terminal') await this.#addTerminal();
  }

  async #listFiles(query: string): Promise<MentionView[]> {
    const found = await this.#files.find(query);
    return rankFiles(query, found, MAX_FILES_LISTED).map(({ path, uri }) => {
      const name = baseName(path);
      return {
        id: this.#remember(uri),
        kind: 'file',
        label: name,
        detail: path.slice(0, -name.length).replace(/\/$/, ''),
        isGroup: false,
      };
    });
  }

  #remember(uri: vscode.Uri): string {
    const id = this.#ports.newId();
    this.#offered.set(id, uri);
    for (const old of this.#offered.keys()) {
      if (this.#offered.size <= MAX_REMEMBERED) break;
      this.#offered.delete(old);
    }
    return id;
  }

  async #addFile(uri: vscode.Uri): Promise<void> {
    const name = baseName(uri.path);
    let document: vscode.TextDocument;
    try {
      const limitBytes = this.#ports.maxSelectionBytes();
      const sizeBytes = await sizeOnDisk(uri);
      if (sizeBytes > limitBytes) {
        // Not opened first: VS Code would hold all of it in memory.
        void showRefusal({ reason: 'too-large', label: name, sizeBytes, limitBytes });
        return;
      }
      document = await vscode.workspace.openTextDocument(uri);
    } catch {
      // VS Code says no for what is binary, gone, or larger than it opens.
      say(translate('{0} could not be read as text, so it was not attached.', name));
      return;
    }
    if (document.getText().trim() === '') say(translate('{0} is empty.', name));
    else attachSelections(this.#ports, [wholeOf(document)]);
  }

  #addSelection(): void {
    const selections = selectedNow();
    if (selections) attachSelections(this.#ports, selections);
    else say(translate('Select code or text in an editor first, then add it.'));
  }

  #addProblems(): void {
    const { problems, label, origin } = shownProblems();
    const text = problemsText(problems, this.#ports.maxSelectionBytes());
    if (text === '') say(translate('There are no problems to attach.'));
    else this.#addText(origin, label, text);
  }

  async #addTerminal(): Promise<void> {
    const terminal = vscode.window.activeTerminal;
    const output = terminal ? await readTerminal(terminal) : '';
    const text = terminalText(output, this.#ports.maxSelectionBytes());
    if (!terminal || text === '') say(translate('The terminal shows nothing to attach.'));
    else this.#addText(terminal, translate('Terminal: {0}', terminal.name), text);
  }

  /** In the place of what the same thing said before, which others may be called like. */
  #addText(origin: vscode.Terminal | string, label: string, text: string): void {
    const { conversation, newId } = this.#ports;
    const isOlder = ({ id, label: itsLabel, target }: ContextItem): boolean =>
      itsLabel === label && !target && (this.#origins.get(id) ?? origin) === origin;
    for (const item of conversation.contextItems) {
      if (isOlder(item)) conversation.removeContextItem(item.id);
    }
    for (const id of this.#origins.keys()) {
      if (!conversation.contextItems.some((item) => item.id === id)) this.#origins.delete(id);
    }
    const item = textItem(newId(), label, text);
    this.#origins.set(item.id, origin);
    conversation.addContextItems([item]);
  }
}

/** Of a file that no editor holds; an open one is judged by its text, which may not be saved yet. */
async function sizeOnDisk(uri: vscode.Uri): Promise<number> {
  const isOpen = vscode.workspace.textDocuments.some(
    (document) => document.uri.toString() === uri.toString(),
  );
  return isOpen ? 0 : (await vscode.workspace.fs.stat(uri)).size;
}

type Described = Pick<MentionView, 'detail' | 'isUnavailable'>;

const nothing = (detail: string): Described => ({ detail, isUnavailable: true });

/** What there is of a kind now, or why there is nothing. */
function described(kind: MentionKind): Described {
  switch (kind) {
    case 'selection':
      return describeSelection();
    case 'file': {
      const hasFiles =
        (vscode.workspace.workspaceFolders ?? []).length > 0 || openFiles().length > 0;
      return hasFiles
        ? { detail: translate('Choose a file') }
        : nothing(translate('No folder and no file is open'));
    }
    case 'problems':
      return describeProblems() ?? nothing(translate('There are no problems'));
    case 'terminal': {
      const terminal = vscode.window.activeTerminal;
      return terminal ? { detail: terminal.name } : nothing(translate('No terminal is open'));
    }
  }
}

function describeSelection(): Described {
  const [first, ...more] = selectedNow() ?? [];
  if (!first) return nothing(translate('Nothing is selected'));
  const name = baseName(first.document.path);
  if (more.length > 0) return { detail: translate('{0} selections in {1}', more.length + 1, name) };
  const { startLine, endLine } = first;
  return {
    detail:
      startLine === endLine
        ? translate('{0}, line {1}', name, startLine + 1)
        : translate('{0}, lines {1}–{2}', name, startLine + 1, endLine + 1),
  };
}

function say(text: string): void {
  void vscode.window.showInformationMessage(plainText(text));
}

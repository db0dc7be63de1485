import * as vscode from 'vscode';
import type { ShownPackages } from '../../../common/localDocsApi';
import type { Clock } from '../../../common/ports';
import type { ContextItem } from '../../../chat/context/contextItem';
import { offeredFiles } from '../../../chat/context/fileRanking';
import { problemsText } from '../../../chat/context/problemsText';
import { textItem } from '../../../chat/context/selectionItem';
import { terminalText } from '../../../chat/context/terminalText';
import { baseName } from '../../../chat/context/documentPaths';
import { matchingPackages } from '../../../chat/context/coveredPackages';
import {
  mentionGroups,
  mentionKinds,
  type MentionKind,
  type MentionView,
} from '../../../shared/protocol';
import { attachSelections, selectedNow, type AttachPorts } from '../askCommands';
import { attachFile } from '../attachFile';
import { say, translate } from '../../notifications';
import { openFiles, WorkspaceFiles } from './workspaceFiles';
import { describeProblems, readTerminal, shownProblems } from './mentionSources';

interface MentionPorts extends AttachPorts {
  /** Returns the installed packages, while questions go to them. */
  readonly packages: () => ShownPackages | undefined;
  readonly clock: Clock;
}

/** Maximum number of files or packages in one list. */
const MAX_LISTED = 50;
/** Maximum number of offered files and packages that are remembered. Older lists are no longer on screen. */
const MAX_REMEMBERED = 4 * MAX_LISTED;
/** Longest wait for the list of packages, which a service on this machine gives. */
const PACKAGES_LIMIT_MS = 10_000;

/**
 * Lists and attaches what `#…` in a question can name: the selection, files, problems, the
 * terminal, and the installed package that the question is narrowed to.
 */
export class Mentions {
  readonly #ports: MentionPorts;
  readonly #files: WorkspaceFiles;
  /** Offered files and names of packages, by the ID of the mention. */
  readonly #offered = new Map<string, vscode.Uri | string>();
  /** The terminal or file that an attached item came from, by the ID of the item. */
  readonly #origins = new Map<string, vscode.Terminal | string>();

  constructor(ports: MentionPorts) {
    this.#ports = ports;
    this.#files = new WorkspaceFiles(ports.clock);
  }

  /**
   * Returns the kinds that begin with the query or, for the kinds `file` and `package`, those whose path or
   * name matches.
   */
  async list(kind: MentionKind | undefined, query: string): Promise<MentionView[]> {
    if (kind === 'file') return this.#listFiles(query);
    const packages = this.#ports.packages();
    if (kind === 'package') return packages ? this.#listPackages(packages, query) : [];
    const kinds = kind === undefined ? mentionKinds : [kind];
    return kinds
      .filter((name) => name !== 'package' || packages !== undefined)
      .filter((name) => name.startsWith(query.toLowerCase()))
      .map((name) => ({
        id: name,
        kind: name,
        label: `#${name}`,
        isGroup: mentionGroups.some((group) => group === name),
        ...described(name),
      }));
  }

  /** Attaches an offered mention with its current content, or shows a message if it has none. */
  async add(mentionId: string): Promise<void> {
    const offered = this.#offered.get(mentionId);
    if (typeof offered === 'string') this.#ports.conversation.pending.setPackage(offered);
    else if (offered) await attachFile(this.#ports, offered);
    else if (mentionId === 'selection') this.#addSelection();
    else if (mentionId === 'problems') this.#addProblems();
    else if (mentionId === 'terminal') await this.#addTerminal();
  }

  async #listFiles(query: string): Promise<MentionView[]> {
    const found = await this.#files.find(query);
    const { offered, withheld } = offeredFiles(query, found, MAX_LISTED);
    return [
      ...offered.map(({ path, uri }): MentionView => {
        const name = baseName(path);
        const detail = path.slice(0, -name.length).replace(/\/$/, '');
        return { id: this.#remember(uri), kind: 'file', label: name, detail, isGroup: false };
      }),
      ...withheld.map(({ path }): MentionView => ({
        id: this.#ports.newId(),
        kind: 'file',
        label: baseName(path),
        detail: translate('Not offered because files like this usually contain secrets'),
        isGroup: false,
        isUnavailable: true,
      })),
    ];
  }

  async #listPackages(packages: ShownPackages, query: string): Promise<MentionView[]> {
    const found = await packages.packages(AbortSignal.timeout(PACKAGES_LIMIT_MS));
    return matchingPackages(found.packages, query)
      .slice(0, MAX_LISTED)
      .map(({ name, version, description }) => ({
        id: this.#remember(name),
        kind: 'package',
        label: name,
        detail: description === '' ? version : `${version} · ${description}`,
        isGroup: false,
      }));
  }

  #remember(offered: vscode.Uri | string): string {
    const id = this.#ports.newId();
    this.#offered.set(id, offered);
    for (const old of this.#offered.keys()) {
      if (this.#offered.size <= MAX_REMEMBERED) break;
      this.#offered.delete(old);
    }
    return id;
  }

  #addSelection(): void {
    const selections = selectedNow();
    if (selections) attachSelections(this.#ports, selections);
    else say(translate('Select code or text in an editor first.'));
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
    if (!terminal || text === '') say(translate('The terminal has no text to attach.'));
    else this.#addText(terminal, translate('Terminal: {0}', terminal.name), text);
  }

  /** Attaches text in place of the older text of the same origin. Two origins can share a label. */
  #addText(origin: vscode.Terminal | string, label: string, text: string): void {
    const { conversation, newId } = this.#ports;
    const isOlder = ({ id, label: itsLabel, target }: ContextItem): boolean =>
      itsLabel === label && !target && (this.#origins.get(id) ?? origin) === origin;
    for (const item of conversation.pending.draft.contextItems) {
      if (isOlder(item)) conversation.pending.removeContextItem(item.id);
    }
    for (const id of this.#origins.keys()) {
      if (!conversation.pending.draft.contextItems.some((item) => item.id === id))
        this.#origins.delete(id);
    }
    const item = textItem(newId(), label, text);
    this.#origins.set(item.id, origin);
    conversation.pending.addContextItems([item]);
  }
}

type Described = Pick<MentionView, 'detail' | 'isUnavailable'>;

const nothing = (detail: string): Described => ({ detail, isUnavailable: true });

/** Returns what a kind of mention would attach now, or why it has nothing to attach. */
function described(kind: MentionKind): Described {
  switch (kind) {
    case 'selection':
      return describeSelection();
    case 'file': {
      const hasFiles =
        (vscode.workspace.workspaceFolders ?? []).length > 0 || openFiles().length > 0;
      return hasFiles
        ? { detail: translate('Choose a file') }
        : nothing(translate('No folder or file is open'));
    }
    case 'problems':
      return describeProblems() ?? nothing(translate('There are no problems'));
    case 'package':
      return { detail: translate('Ask about one installed package only') };
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

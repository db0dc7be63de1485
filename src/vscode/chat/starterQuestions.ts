import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Emitter, type Event } from '../../common/event';
import type { Clock } from '../../common/ports';
import {
  MAX_STARTER_QUESTIONS,
  type StarterFile,
  starterQuestions,
  generalQuestions,
} from '../../chat/context/starterQuestions';
import type { SiteView } from '../../shared/protocol';
import { translate } from '../notifications';
import { startOf } from './editorSelection';

interface StarterQuestionPorts {
  readonly site: { readonly view: SiteView; readonly onDidChange: Event<void> };
  readonly clock: Clock;
}

/**
 * Pause after the last change before the questions are updated, because typing changes the errors
 * constantly.
 */
const DELAY_MS = 400;

/**
 * The suggested questions of an empty chat: questions about the active editor's file, then general
 * ones. No request is sent for them.
 */
export class StarterQuestions implements Disposable {
  readonly #ports: StarterQuestionPorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #questions: readonly string[];
  #waiting: AbortController | undefined;

  /** Fires when {@link questions} change. */
  readonly onDidChange = this.#changed.event;

  constructor(ports: StarterQuestionPorts) {
    this.#ports = ports;
    this.#questions = this.#make();
    const { window, languages, workspace } = vscode;
    this.#store.add(window.onDidChangeActiveTextEditor(() => this.#refreshSoon()));
    this.#store.add(
      languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => isActive(uri))) this.#refreshSoon();
      }),
    );
    this.#store.add(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (isActive(uri)) this.#refreshSoon();
      }),
    );
    // Made without a pause, because the chat view sends the questions with the event of the site.
    this.#store.add(ports.site.onDidChange(() => (this.#questions = this.#make())));
  }

  get questions(): readonly string[] {
    return this.#questions;
  }

  dispose(): void {
    this.#waiting?.abort();
    this.#store.dispose();
  }

  #refreshSoon(): void {
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#ports.clock.delay(DELAY_MS, waiting.signal).then(
      () => this.#refresh(),
      () => {
        // A later change restarted the pause, or the window closes.
      },
    );
  }

  #refresh(): void {
    const questions = this.#make();
    if (questions.join('\n') === this.#questions.join('\n')) return;
    this.#questions = questions;
    this.#changed.fire();
  }

  #make(): readonly string[] {
    const { view } = this.#ports.site;
    const general = generalQuestions(view, translate);
    if (general.length === 0) return general;
    const file = activeFile(view.label);
    const own = file ? starterQuestions(file, translate) : [];
    return [...own, ...general].slice(0, MAX_STARTER_QUESTIONS);
  }
}

function isActive(uri: vscode.Uri): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
}

/**
 * Returns the file of the active editor. Returns undefined if no editor is open or it shows output.
 */
function activeFile(siteName: string): StarterFile | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.uri.scheme === 'output') return undefined;
  return {
    languageId: document.languageId,
    text: startOf(document),
    errors: vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
      .toSorted((a, b) => a.range.start.compareTo(b.range.start))
      .map(({ message }) => message),
    siteName,
  };
}

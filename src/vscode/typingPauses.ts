import type * as vscode from 'vscode';
import type { Disposable } from '../common/disposable';

const PAUSE_MS = 300;

/** Runs work on edited documents after a pause in typing. */
export class TypingPauses implements Disposable {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Runs the work after a pause. Until then, a later call for the document takes its place. */
  after(uri: vscode.Uri, work: () => void): void {
    this.cancel(uri);
    const key = uri.toString();
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        work();
      }, PAUSE_MS),
    );
  }

  cancel(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

import * as vscode from 'vscode';
import { plainText } from '../notifications';

export interface ProgressReport {
  readonly message: string;
  /** 0 to 100 of the whole; absent leaves the bar as it is. */
  readonly percent?: number;
}

/**
 * Runs a task under a notification that can be cancelled. The bar never goes back.
 * @returns undefined if it was cancelled. What the task throws otherwise is thrown on.
 */
export async function withProgress<T>(
  title: string,
  task: (report: (progress: ProgressReport) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: plainText(title),
      cancellable: true,
    },
    async (progress, token) => {
      const registration = token.onCancellationRequested(() => {
        controller.abort(new Error('Cancelled'));
      });
      let shown = 0;
      const report = ({ message, percent = shown }: ProgressReport): void => {
        const increment = Math.max(0, percent - shown);
        shown += increment;
        progress.report({ message, ...(increment > 0 ? { increment } : {}) });
      };
      try {
        return await task(report, controller.signal);
      } catch (error) {
        if (controller.signal.aborted) return undefined;
        throw error;
      } finally {
        registration.dispose();
      }
    },
  );
}

import type { ExportUi } from './exportUi';

interface ProgressPorts {
  readonly ui: Pick<ExportUi, 'progress'>;
  /** Aborts when the window closes or the extension is switched off. */
  readonly lifetime: AbortSignal;
}

/** What a task under a notification tells. */
interface TaskReport {
  readonly message: string;
  /** 0 to 100 of the whole; absent leaves the bar as it is. */
  readonly percent?: number | undefined;
}

/**
 * Runs a task under a notification that can be cancelled; the window's end cancels it too. The bar
 * never goes back.
 * @returns undefined if it was cancelled. What the task throws otherwise is thrown on.
 */
export async function withProgress<T>(
  { ui, lifetime }: ProgressPorts,
  title: string,
  task: (report: (report: TaskReport) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return ui.progress(title, async (show, cancelled) => {
    const signal = AbortSignal.any([cancelled, lifetime]);
    const incrementTo = growingBar();
    try {
      return await task(({ message, percent }) => {
        show({ message, ...incrementTo(percent) });
      }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

/** How far a bar has to grow for each next percentage: it never moves back. */
export function growingBar(): (percent: number | undefined) => { readonly increment?: number } {
  let shown = 0;
  return (percent = shown) => {
    const increment = Math.max(0, percent - shown);
    shown += increment;
    return increment > 0 ? { increment } : {};
  };
}

import type { Log } from '../common/ports';

/** Runs a command, and shows the error that it throws. The code that shows errors loads with the first one. */
export async function showFailure(log: Log, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { showError } = await import('./errorActions');
    await showError(error, log);
  }
}

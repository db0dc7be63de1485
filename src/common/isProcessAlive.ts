import { systemErrorCode } from './errorCode';

/**
 * Returns whether a process with this ID exists on this machine. The process of another account, or an
 * elevated one on Windows, exists too, although it can't be signaled (`EPERM`).
 */
export function isProcessAlive(processId: number): boolean {
  try {
    // Signal 0 sends nothing. It only checks that the process exists.
    return process.kill(processId, 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

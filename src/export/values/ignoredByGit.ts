/** Asks git whether it ignores a file. Uses `node:child_process`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Exit code of `git check-ignore` for a file that is not ignored. */
const NOT_IGNORED = 1;

/**
 * Returns whether git ignores a file. It ignores no file that it tracks, even if a pattern matches.
 *
 * VS Code's git extension has `checkIgnore` for this, but it takes the end of its process for the end
 * of the process's output. While other processes run, it often says of an ignored file that it isn't.
 * @param git path of git.
 * @param root absolute path of the working tree.
 * @param file absolute path in the working tree.
 * @throws Error if git cannot be started or cannot tell, with what it said.
 */
export async function isIgnoredByGit(git: string, root: string, file: string): Promise<boolean> {
  try {
    await run(git, ['check-ignore', '--quiet', '--', file], { cwd: root, windowsHide: true });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_IGNORED) return false;
    throw error;
  }
}

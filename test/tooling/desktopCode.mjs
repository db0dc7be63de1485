// @ts-check
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { onPath } from './processes.mjs';
import { SetupError } from './setup.mjs';

/** Paths of the program relative to the folder of the script `code` that a desktop install puts on `PATH`. */
const programs = {
  win32: ['../Code.exe', '../Code - Insiders.exe'],
  darwin: ['../../../MacOS/Electron'],
  linux: ['../code', '../code-insiders'],
};

/**
 * Finds desktop VS Code: `VSCODE_EXECUTABLE`, else the program behind `code` on `PATH`.
 *
 * @returns {string | undefined} `undefined` also where `code` is what a remote terminal has on its `PATH`,
 *   which cannot load an extension under development
 * @throws {SetupError} where `VSCODE_EXECUTABLE` names nothing
 */
export function findDesktopCode() {
  const chosen = process.env.VSCODE_EXECUTABLE;
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen;
    throw new SetupError(`VSCODE_EXECUTABLE names ${chosen}, which does not exist.`);
  }
  const script = onPath('code');
  if (script === undefined) return undefined;
  const folder = path.dirname(realpathSync(script));
  /** @type {Record<string, string[]>} */
  const byPlatform = programs;
  return (byPlatform[process.platform] ?? [])
    .map((program) => path.join(folder, program))
    .find((program) => existsSync(program));
}

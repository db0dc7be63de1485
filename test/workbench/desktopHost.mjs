// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HostStartError, quietSettings } from '../tooling/codeServer.mjs';
import { findDesktopCode } from '../tooling/desktopCode.mjs';
import { cacheFolder } from '../tooling/setup.mjs';
import { makeTempFolder, removeTempFolder } from '../tooling/tempFolders.mjs';

/**
 * @returns {Promise<string | undefined>} desktop VS Code where it is installed, or where `VSCODE_DOWNLOAD=1`
 *   (`VSCODE_VERSION`, stable by default); never
 *   without a display
 */
export async function desktopCode() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return undefined;
  const found = findDesktopCode();
  if (found !== undefined || process.env.VSCODE_DOWNLOAD !== '1') return found;
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  try {
    return await downloadAndUnzipVSCode({
      version: process.env.VSCODE_VERSION ?? 'stable',
      cachePath: path.join(cacheFolder(), 'vscode'),
    });
  } catch (error) {
    throw new HostStartError(`desktop VS Code could not be downloaded: ${String(error)}`);
  }
}

/**
 * Runs the part of the suite that drives no page in desktop VS Code.
 *
 * @param {object} options
 * @param {string} options.executable
 * @param {string} options.extension its folder
 * @param {string} options.suiteEntry
 * @param {string} options.workspace
 * @param {Record<string, string>} options.env of the extension host, besides ours
 * @param {import('./suiteRun.mjs').SuiteRunner} options.runner
 * @throws {HostStartError}
 */
export async function runInDesktopHost({
  executable,
  extension,
  suiteEntry,
  workspace,
  env,
  runner,
}) {
  const { runTests } = await import('@vscode/test-electron');
  const profile = await makeTempFolder('docs-assistant-desktop');
  const userFolder = path.join(profile, 'data', 'User');
  await mkdir(userFolder, { recursive: true });
  await writeFile(path.join(userFolder, 'settings.json'), JSON.stringify(quietSettings));
  try {
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: extension,
      extensionTestsPath: suiteEntry,
      extensionTestsEnv: env,
      launchArgs: [
        workspace,
        `--user-data-dir=${path.join(profile, 'data')}`,
        `--extensions-dir=${path.join(profile, 'extensions')}`,
        '--disable-workspace-trust',
        '--skip-welcome',
        '--skip-release-notes',
      ],
    });
  } catch (error) {
    if (!runner.hasStarted(0)) throw new HostStartError(`desktop VS Code: ${String(error)}`);
    runner.fail(`desktop VS Code: ${String(error)}`);
  } finally {
    await removeTempFolder(profile);
  }
  if (!runner.hasStarted(0))
    throw new HostStartError('desktop VS Code ended before the suite began');
  if (!runner.hasEnded(0)) runner.fail('desktop VS Code ended before the suite did');
}

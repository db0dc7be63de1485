// @ts-check
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launchChromium } from '../tooling/chromium.mjs';
import { HostStartError, startCodeServer } from '../tooling/codeServer.mjs';
import { repoRoot } from '../tooling/paths.mjs';
import {
  SetupError,
  codeServers,
  ensureChromium,
  ensureCodeServer,
  ensureHeadlessChromium,
} from '../tooling/setup.mjs';
import { scaledMs, waitFor } from '../tooling/speed.mjs';
import { perform, takeScreenshots } from './pageActions.mjs';

/** @typedef {import('./suiteRun.mjs').SuiteRunner} SuiteRunner */

const VIEWPORT = { width: 1280, height: 800 };

/**
 * Settings that keep VS Code's TypeScript from loading whole projects. Its servers took a ninth of the layer's processor
 * time, for files that the tests only open.
 */
const SETTINGS = { 'typescript.tsserver.useSyntaxServer': 'always' };

/**
 * The programs of a host in code-server.
 *
 * @typedef {object} WebInstall
 * @property {Awaited<ReturnType<typeof ensureCodeServer>>} server
 * @property {string} browser
 */

/**
 * Finds or installs what a host in code-server needs.
 *
 * @param {keyof typeof codeServers} release
 * @param {boolean} headless whether nobody looks at the browser
 * @returns {Promise<WebInstall>}
 * @throws {HostStartError}
 */
export async function installForWeb(release, headless) {
  try {
    const [server, browser] = await Promise.all([
      ensureCodeServer(codeServers[release]),
      headless ? ensureHeadlessChromium() : ensureChromium(),
    ]);
    return { server, browser };
  } catch (error) {
    throw error instanceof SetupError ? new HostStartError(error.message) : error;
  }
}

/**
 * Runs the suite in code-server, in a browser that the suite can drive, one load of the window per phase.
 *
 * @param {object} options
 * @param {keyof typeof codeServers} options.release of code-server
 * @param {WebInstall} options.install
 * @param {string} options.artifacts folder of logs and screenshots
 * @param {string} options.extension its folder
 * @param {string} options.suiteEntry
 * @param {string} options.workspace
 * @param {Record<string, string>} options.env of the extension host, besides ours
 * @param {SuiteRunner} options.runner
 * @param {boolean} options.headless
 * @param {boolean} [options.isRestricted] whether the window is in Restricted Mode; false by default
 * @param {Readonly<Record<number, string>>} options.languages of the loads of the window that are not in
 *   English, by the number of reloads before
 * @throws {HostStartError} where no suite came up in the window; a later phase that does not is a failure
 */
export async function runInWebHost({
  release,
  install,
  artifacts,
  extension,
  suiteEntry,
  workspace,
  env,
  runner,
  headless,
  isRestricted = false,
  languages,
}) {
  const server = await startCodeServer({
    installed: install.server,
    // The suite needs no network, and none should decide how it ends.
    env: { ...process.env, ...env, EXTENSIONS_GALLERY: '{}' },
    // Extensions can register models since VS Code 1.104.
    extensions: release === 'newest' ? [path.join(repoRoot, 'test/workbench/modelExtension')] : [],
    logFile: path.join(artifacts, 'host.log'),
    settings: SETTINGS,
    isForTests: true,
    isRestricted,
  });
  const browser = await launchChromium({ headless, program: install.browser });
  try {
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    /** @type {string[]} */
    const consoleLines = [];
    context.on('console', (line) => consoleLines.push(`${line.type()}: ${line.text()}`));
    context.on('weberror', (error) => consoleLines.push(`uncaught: ${String(error.error())}`));
    // A reload asks whether the page may be left.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    /** @type {string | undefined} */
    let gone;
    page.on('crash', () => (gone = 'the page crashed'));
    server.child.once('exit', (code) => (gone = `the VS Code server ended with ${code}`));

    const development = { extensionDevelopmentPath: extension };
    const otherWindowUrl = server.openUrl(workspace, development);
    runner.servePage((command) => perform(page, command, { otherWindowUrl, artifacts }));
    runner.onFailure = (title) =>
      takeScreenshots(page, artifacts, title).then((files) =>
        files.forEach((file) => runner.print(`      ${file}`)),
      );
    /** @param {string} what @param {() => boolean} isSo @param {number} limitMs */
    const until = (what, isSo, limitMs) =>
      waitFor(
        what,
        () => {
          if (gone !== undefined) throw new Error(gone);
          return isSo();
        },
        { limitMs },
      );

    try {
      const payload = { ...development, extensionTestsPath: suiteEntry };
      await page.goto(server.openUrl(workspace, payload), { timeout: scaledMs(60_000) });
      for (let phase = 0; phase < runner.phaseCount; phase++) {
        const language = languages[phase];
        // Without a language pack, VS Code's own texts stay English. Extensions follow the language.
        if (language !== undefined) {
          await page.addInitScript(
            `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => '${language}', set: () => {} });`,
          );
        }
        if (phase > 0) await page.reload({ timeout: scaledMs(60_000) });
        const upLimitMs = scaledMs(phase === 0 ? 120_000 : 60_000);
        await until('the suite to start in the window', () => runner.hasStarted(phase), upLimitMs);
        await until('the suite to end', () => runner.hasEnded(phase), runner.phaseLimitMs);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await takeScreenshots(page, artifacts, 'host').catch(() => undefined);
      if (!runner.hasStarted(0)) throw new HostStartError(reason);
      runner.fail(`the window: ${reason}`);
    }
    await writeFile(path.join(artifacts, 'console.log'), `${consoleLines.join('\n')}\n`);
  } finally {
    await browser.close();
    await server.stop();
  }
}

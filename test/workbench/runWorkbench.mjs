// @ts-check
/**
 * Runs the workbench layer on what is in the `.vsix`: in desktop VS Code where one can be had, and in
 * two releases of code-server with a browser that the suite can drive. The oldest runs everything,
 * the newest asking, a follow-up, a reload during a reply, a static export with its preview, a reply by a
 * model that another extension registers, a switch of docs sites, the tools for agents, the MCP server and `@docs`.
 * A window of the oldest in Restricted Mode runs `suite/restricted`, unless `--grep` names tests.
 * With two cores or more, one window more than cores run side by side, and the oldest shares its tests between two
 * windows. The output of each window is printed as a whole.
 *
 * Flags: `--grep <text>`; `--extension <folder>` runs on a folder instead of the package; `--headed` shows the
 * browser, one window after the other; `--host desktop`, `oldest`, `newest` or `restricted` runs in one only.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HostStartError } from '../tooling/codeServer.mjs';
import { layers, writeResult } from '../tooling/layers.mjs';
import { ListeningError } from '../tooling/listening.mjs';
import { vsixFile, workbenchArtifacts } from '../tooling/paths.mjs';
import { stopAll, stopAllOnExit } from '../tooling/processes.mjs';
import { SetupError, codeServers } from '../tooling/setup.mjs';
import { scaledMs } from '../tooling/speed.mjs';
import { makeTempFolder } from '../tooling/tempFolders.mjs';
import { unpackVsix } from '../tooling/vsix.mjs';
import { desktopCode, runInDesktopHost } from './desktopHost.mjs';
import { prepareHostRun } from './hostRun.mjs';
import { findWindows, hostNames, languagesOf, releaseOf, suiteEntry, testsOf } from './hosts.mjs';
import { OutputTurns } from './outputTurns.mjs';
import { SuiteRunner } from './suiteRun.mjs';
import { installForWeb, runInWebHost } from './webHost.mjs';

/** @typedef {import('./hosts.mjs').HostName} HostName */
/** @typedef {import('./hosts.mjs').SuiteWindow} SuiteWindow */
/** @typedef {import('./webHost.mjs').WebInstall} WebInstall */

const HOST_ATTEMPTS = 2;

/** @returns {Promise<string>} the extension's folder, unpacked */
async function unpackedExtension() {
  if (!existsSync(vsixFile()))
    throw new SetupError('There is no package to test: run npm run package.');
  return unpackVsix(vsixFile(), await makeTempFolder('docs-assistant-vsix'));
}

/**
 * Runs windows in their order, some of them side by side. One that breaks keeps no other from its end.
 *
 * @param {readonly SuiteWindow[]} windows
 * @param {number} atATime
 * @param {(suiteWindow: SuiteWindow) => Promise<void>} run
 */
async function runSideBySide(windows, atATime, run) {
  const waiting = [...windows];
  const runWaiting = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, runWaiting));
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken?.status === 'rejected') throw broken.reason;
}

const output = new OutputTurns((line) => console.log(line));

async function runWorkbench() {
  const { values: flags } = parseArgs({
    options: {
      grep: { type: 'string', short: 'g' },
      extension: { type: 'string' },
      headed: { type: 'boolean', default: false },
      host: { type: 'string' },
    },
  });
  if (flags.host !== undefined && !hostNames.some((name) => name === flags.host)) {
    throw new SetupError(`--host ${flags.host}: the hosts are ${hostNames.join(', ')}.`);
  }
  const isWanted = (/** @type {HostName} */ name) =>
    flags.host === undefined || flags.host === name;
  await rm(workbenchArtifacts, { recursive: true, force: true });
  await mkdir(workbenchArtifacts, { recursive: true });
  const extension = flags.extension ? path.resolve(flags.extension) : await unpackedExtension();
  const headless = !flags.headed;
  // A window that somebody looks at has the focus alone.
  const cores = os.availableParallelism();
  // One window more than cores, because a window often waits for its own frames and timers.
  const atATime = headless && cores > 1 ? cores + 1 : 1;
  // Tests that are named are rarely worth the start of a second window.
  const windows = await findWindows(atATime > 1 && flags.grep === undefined);
  const totals = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const failures = [];

  /**
   * @param {SuiteWindow} suiteWindow
   * @param {(line: string) => void} print
   * @param {(run: import('./hostRun.mjs').HostRun, runner: SuiteRunner) => Promise<void>} runIn
   */
  const runSuite = async (suiteWindow, print, runIn) => {
    const grep = flags.grep ?? testsOf[suiteWindow.host];
    const runner = new SuiteRunner(suiteWindow.phases, {
      testLimitMs: scaledMs(layers.workbench.testLimitMs),
      phaseLimitMs: scaledMs(layers.workbench.layerLimitMs),
      grep,
      print,
    });
    const driverUrl = await runner.start();
    const { run, stop } = await prepareHostRun(suiteWindow, extension, driverUrl);
    try {
      await runIn(run, runner);
    } finally {
      await Promise.all([runner.stop(), stop()]);
    }
    for (const [index, failure] of runner.failures.entries()) print(`\n${index + 1}) ${failure}`);
    failures.push(...runner.failures);
    totals.passed += runner.counts.passed;
    totals.failed += runner.counts.failed;
    totals.skipped += runner.counts.skipped;
  };

  const executable = isWanted('desktop') ? await desktopCode() : undefined;
  if (flags.host === 'desktop' && executable === undefined) {
    throw new SetupError(
      'No desktop VS Code was found: set VSCODE_EXECUTABLE, or VSCODE_DOWNLOAD=1.',
    );
  }
  if (executable !== undefined) {
    const { print, end } = output.begin();
    print(`\ndesktop VS Code: ${executable}`);
    for (const suiteWindow of windows.filter(({ host }) => host === 'desktop')) {
      await runSuite(suiteWindow, print, (run, runner) =>
        runInDesktopHost({ executable, extension, suiteEntry, ...run, runner }),
      );
    }
    end();
  }

  const webWindows = windows.filter(
    // Tests that are named are rarely those of Restricted Mode, and each host takes its time to start.
    ({ host }) =>
      host !== 'desktop' &&
      isWanted(host) &&
      (host !== 'restricted' || flags.host === host || flags.grep === undefined),
  );
  /** @type {Map<keyof typeof codeServers, WebInstall>} */
  const installs = new Map();
  // One after the other: two at a time would be in each other's way.
  for (const release of new Set(webWindows.map(({ host }) => releaseOf(host))))
    installs.set(release, await installForWeb(release, headless));

  /** @param {SuiteWindow} suiteWindow */
  const runInWeb = async (suiteWindow) => {
    const { host, name } = suiteWindow;
    const release = releaseOf(host);
    const install = installs.get(release);
    if (install === undefined) throw new Error(`${release} is not installed`);
    const place = `code-server ${codeServers[release].version} (${name})`;
    const { print, end } = output.begin();
    try {
      for (let attempt = 1; ; attempt++) {
        print(`\n${place}:`);
        const startedAt = Date.now();
        try {
          await runSuite(suiteWindow, print, (run, runner) =>
            runInWebHost({
              release,
              install,
              extension,
              suiteEntry,
              ...run,
              runner,
              headless,
              isRestricted: host === 'restricted',
              languages: languagesOf[host] ?? {},
            }),
          );
          print(`${place}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
          return;
        } catch (error) {
          if (!(error instanceof HostStartError) || attempt === HOST_ATTEMPTS) throw error;
          print(`${error.message}; trying once more`);
        }
      }
    } finally {
      end();
    }
  };
  await runSideBySide(webWindows, atATime, runInWeb);
  return { ...totals, failures };
}

stopAllOnExit();
process.on('exit', () => output.flush());
const startedAt = Date.now();
const spent = () => ({ durationMs: Date.now() - startedAt });
try {
  const totals = await runWorkbench();
  await writeResult('workbench', { ...totals, ...spent() });
  process.exitCode = totals.failed > 0 ? 1 : 0;
  if (totals.failed > 0) console.log(`logs and screenshots: ${workbenchArtifacts}`);
} catch (error) {
  if (error instanceof HostStartError || error instanceof SetupError) {
    console.error(error.message);
    const none = { passed: 0, failed: 0, skipped: 0, ...spent() };
    const unavailable = error instanceof HostStartError ? 'host-start' : 'setup';
    await writeResult('workbench', { ...none, unavailable, reason: error.message });
  } else if (error instanceof ListeningError) {
    // Our own product or proxy doesn't start, which is a failure on any machine.
    console.error(error.message);
    await writeResult('workbench', { passed: 0, failed: 1, skipped: 0, ...spent() });
  } else {
    throw error;
  }
  process.exitCode = 1;
} finally {
  await stopAll();
}

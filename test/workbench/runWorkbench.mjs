// @ts-check
/**
 * Runs the workbench layer on what is in the `.vsix`: in desktop VS Code where one can be had, and in
 * code-server with a browser that the suite can drive.
 *
 * Flags: `--grep <text>`; `--extension <folder>` runs on a folder instead of the package; `--headed` shows the
 * browser; `--host web` or `--host desktop` runs in one only.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HostStartError } from '../tooling/codeServer.mjs';
import { layers, writeResult } from '../tooling/layers.mjs';
import { ListeningError, startListening } from '../tooling/listening.mjs';
import { startLocalService } from '../tooling/localService.mjs';
import { repoRoot, vsixFile, workbenchArtifacts } from '../tooling/paths.mjs';
import { stopAll, stopAllOnExit } from '../tooling/processes.mjs';
import { SetupError } from '../tooling/setup.mjs';
import { scaledMs } from '../tooling/speed.mjs';
import { makeTempFolder } from '../tooling/tempFolders.mjs';
import { unpackVsix } from '../tooling/vsix.mjs';
import { desktopCode, runInDesktopHost } from './desktopHost.mjs';
import { SuiteRunner } from './suiteRun.mjs';
import { runInWebHost } from './webHost.mjs';

const built = path.join(repoRoot, 'out', 'test', 'workbench');
const HOST_ATTEMPTS = 2;

/** @param {string} folder of the bundled suite @returns {Promise<string[]>} its test files, in name order */
async function testFiles(folder) {
  const names = await readdir(path.join(built, folder)).catch(() => []);
  const files = names.filter((name) => name.endsWith('.test.cjs')).sort();
  return files.map((name) => path.join(built, folder, name));
}

/** @returns {Promise<string>} the extension's folder, unpacked */
async function unpackedExtension() {
  if (!existsSync(vsixFile()))
    throw new SetupError('There is no package to test: run npm run package.');
  return unpackVsix(vsixFile(), await makeTempFolder('docs-assistant-vsix'));
}

/**
 * Starts the service that ships in the package, and the fault proxy before it.
 *
 * @param {string} extension its folder
 */
async function startService(extension) {
  const logFile = path.join(workbenchArtifacts, 'service.log');
  const { site } = await startLocalService(path.join(extension, 'dist'), { logFile });
  const program = path.join(repoRoot, 'out/test/fakes/faultProxyProcess.js');
  const { line } = await startListening('the fault proxy', [program, site.url], { logFile });
  return { site: { ...site, url: String(line.url) }, faultProxyUrl: String(line.controlUrl) };
}

async function runWorkbench() {
  const { values: flags } = parseArgs({
    options: {
      grep: { type: 'string', short: 'g' },
      extension: { type: 'string' },
      headed: { type: 'boolean', default: false },
      host: { type: 'string' },
    },
  });
  await rm(workbenchArtifacts, { recursive: true, force: true });
  await mkdir(workbenchArtifacts, { recursive: true });
  const extension = flags.extension ? path.resolve(flags.extension) : await unpackedExtension();
  const suiteEntry = path.join(built, 'index.cjs');
  const testLimitMs = scaledMs(layers.workbench.testLimitMs);
  const limits = {
    testLimitMs,
    phaseLimitMs: scaledMs(layers.workbench.layerLimitMs),
    ...(flags.grep === undefined ? {} : { grep: flags.grep }),
  };
  const inHost = await testFiles('suite');
  const phases = [
    [...inHost, ...(await testFiles('suite/ui'))],
    ...(await testFiles('suite/reload')).map((file) => [file]),
  ];

  const totals = { passed: 0, failed: 0, skipped: 0 };
  /**
   * @param {SuiteRunner} runner
   * @param {boolean} hasPage
   * @param {(workspace: string, env: Record<string, string>) => Promise<void>} runIn given the
   *   variables that the extension host must have
   */
  const runHost = async (runner, hasPage, runIn) => {
    const workspace = path.join(await makeTempFolder('docs-assistant-workspace'), 'parcels');
    await cp(path.join(repoRoot, 'src/localService/sample/workspace'), workspace, {
      recursive: true,
    });
    const { site, faultProxyUrl } = await startService(extension);
    const driverUrl = await runner.start();
    /** @type {import('./pageProtocol').SuiteEnvironment} */
    const suite = { driverUrl, hasPage, site, faultProxyUrl };
    const env = {
      DOCS_ASSISTANT_SUITE: JSON.stringify(suite),
      DOCS_ASSISTANT_LOCAL_SERVICE: JSON.stringify(site),
    };
    try {
      await runIn(workspace, env);
    } finally {
      await Promise.all([runner.stop(), stopAll()]);
    }
    for (const [index, failure] of runner.failures.entries())
      console.log(`\n${index + 1}) ${failure}`);
    totals.passed += runner.counts.passed;
    totals.failed += runner.counts.failed;
    totals.skipped += runner.counts.skipped;
  };

  const executable = flags.host === 'web' ? undefined : await desktopCode();
  if (flags.host === 'desktop' && executable === undefined) {
    throw new SetupError(
      'No desktop VS Code was found: set VSCODE_EXECUTABLE, or VSCODE_DOWNLOAD=1.',
    );
  }
  if (executable !== undefined) {
    console.log(`\ndesktop VS Code: ${executable}`);
    const runner = new SuiteRunner([inHost], limits);
    await runHost(runner, false, (workspace, env) =>
      runInDesktopHost({ executable, extension, suiteEntry, workspace, env, runner }),
    );
  }
  for (let attempt = 1; flags.host !== 'desktop'; attempt++) {
    console.log('\ncode-server:');
    const runner = new SuiteRunner(phases, limits);
    try {
      await runHost(runner, true, (workspace, env) =>
        runInWebHost({ extension, suiteEntry, workspace, env, runner, headless: !flags.headed }),
      );
      break;
    } catch (error) {
      if (!(error instanceof HostStartError) || attempt === HOST_ATTEMPTS) throw error;
      console.log(`${error.message}; trying once more`);
    }
  }
  return totals;
}

stopAllOnExit();
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
    // What we ship, or our own proxy, does not start: a failure, wherever it runs.
    console.error(error.message);
    await writeResult('workbench', { passed: 0, failed: 1, skipped: 0, ...spent() });
  } else {
    throw error;
  }
  process.exitCode = 1;
} finally {
  await stopAll();
}

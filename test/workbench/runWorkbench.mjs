// @ts-check
/**
 * Runs the workbench layer on what is in the `.vsix`: in desktop VS Code where one can be had, and in
 * two releases of code-server with a browser that the suite can drive. The oldest runs everything,
 * the newest asking, a follow-up, a reload during a reply, a static export with its preview, a reply by a
 * model that another extension registers, docs sites, the tools for agents, `@docs`, docs questions, and each other
 * place to ask from.
 * A window of the oldest in Restricted Mode runs `suite/restricted`, unless `--grep` names tests.
 *
 * Flags: `--grep <text>`; `--extension <folder>` runs on a folder instead of the package; `--headed` shows the
 * browser; `--host desktop`, `oldest`, `newest` or `restricted` runs in one only.
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
import { SetupError, codeServers } from '../tooling/setup.mjs';
import { scaledMs } from '../tooling/speed.mjs';
import { makeTempFolder } from '../tooling/tempFolders.mjs';
import { unpackVsix } from '../tooling/vsix.mjs';
import { desktopCode, runInDesktopHost } from './desktopHost.mjs';
import { SuiteRunner } from './suiteRun.mjs';
import { runInWebHost } from './webHost.mjs';

const built = path.join(repoRoot, 'out', 'test', 'workbench');
const HOST_ATTEMPTS = 2;
/** Languages of the loads of the window that are not in English, by the number of reloads before. */
const languages = { 4: 'de' };

/** @typedef {'desktop' | 'oldest' | 'newest' | 'restricted'} HostName */

/** Tests that run in the newest release too. */
const newestTests =
  '/the packaged extension|sends a code selection|continues the thread|reply that runs when|after the reload shows what|a static export, the whole way|a reply by a model|the docs tools, called through|@docs|a problem with a package|terminal, without its colors|menu is opened in the explorer|notebook cell with the error|docs sites|a set-up link, and Check Setup|the MCP server of the window|Copy MCP Configuration|opens a changed page as readable|docs questions in the Test Explorer/';

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
  // Tests that look at a running reply hold it by the proxy.
  const { site } = await startLocalService(path.join(extension, 'dist'), { logFile, paceMs: 0 });
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
  const inWindow = await testFiles('suite/ui');
  const reloadFiles = await testFiles('suite/reload');
  /** @type {Record<HostName, string[][]>} test files of each load of the window */
  const phasesOf = {
    desktop: [inHost],
    // Extensions can register models since VS Code 1.104.
    oldest: [[...inHost, ...inWindow.filter((file) => !/[/\\]models\./.test(file))], []],
    newest: [
      [
        ...inHost,
        ...inWindow.filter((file) =>
          /[/\\](?:agentTools|ask|compareBundles|docsParticipant|entryPoints|mcpServer|models|questions|setUpLink|sites|staticExport)\./.test(
            file,
          ),
        ),
      ],
      [],
    ],
    restricted: [await testFiles('suite/restricted')],
  };
  for (const file of reloadFiles) {
    const reloads = Number.parseInt(path.basename(file), 10);
    (phasesOf.oldest[reloads] ??= []).push(file);
    if (reloads === 0 || path.basename(file).startsWith('1a-'))
      phasesOf.newest[reloads]?.push(file);
  }

  const totals = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const failures = [];
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
    failures.push(...runner.failures);
    totals.passed += runner.counts.passed;
    totals.failed += runner.counts.failed;
    totals.skipped += runner.counts.skipped;
  };

  /** @type {readonly HostName[]} */
  const hosts = ['desktop', 'oldest', 'newest', 'restricted'];
  if (flags.host !== undefined && !hosts.some((name) => name === flags.host)) {
    throw new SetupError(`--host ${flags.host}: the hosts are ${hosts.join(', ')}.`);
  }
  const isWanted = (/** @type {HostName} */ name) =>
    flags.host === undefined || flags.host === name;

  const executable = isWanted('desktop') ? await desktopCode() : undefined;
  if (flags.host === 'desktop' && executable === undefined) {
    throw new SetupError(
      'No desktop VS Code was found: set VSCODE_EXECUTABLE, or VSCODE_DOWNLOAD=1.',
    );
  }
  if (executable !== undefined) {
    console.log(`\ndesktop VS Code: ${executable}`);
    const runner = new SuiteRunner(phasesOf.desktop, limits);
    await runHost(runner, false, (workspace, env) =>
      runInDesktopHost({ executable, extension, suiteEntry, workspace, env, runner }),
    );
  }
  for (const host of /** @type {const} */ (['oldest', 'newest', 'restricted'])) {
    const isRestricted = host === 'restricted';
    const release = isRestricted ? 'oldest' : host;
    // Tests that are named are rarely its own, and each host takes its time to start.
    if (isRestricted && flags.grep !== undefined && flags.host === undefined) continue;
    for (let attempt = 1; isWanted(host); attempt++) {
      console.log(
        `\ncode-server ${codeServers[release].version}${isRestricted ? ' in Restricted Mode' : ''}:`,
      );
      const chosen = host === 'newest' ? { grep: newestTests, ...limits } : limits;
      const runner = new SuiteRunner(phasesOf[host], chosen);
      const headless = !flags.headed;
      try {
        await runHost(runner, true, (workspace, env) =>
          runInWebHost({
            ...{ release, extension, suiteEntry, workspace, env, runner, headless, isRestricted },
            languages: host === 'oldest' ? languages : {},
          }),
        );
        break;
      } catch (error) {
        if (!(error instanceof HostStartError) || attempt === HOST_ATTEMPTS) throw error;
        console.log(`${error.message}; trying once more`);
      }
    }
  }
  return { ...totals, failures };
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

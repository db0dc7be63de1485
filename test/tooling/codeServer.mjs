// @ts-check
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startListening } from './listening.mjs';
import { scaledMs, waitFor } from './speed.mjs';
import { makeTempFolder, removeTempFolder } from './tempFolders.mjs';

/** Settings that turn off welcome pages, requests to other hosts, and prompts that wait for a user. */
export const quietSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** Settings that keep a window in Restricted Mode, because VS Code doesn't ask whether to trust the folder. */
const restrictedSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/** Error for a VS Code host that did not start, as opposed to a test that fails. */
export class HostStartError extends Error {
  /** @param {string} reason completes "host did not start: …" */
  constructor(reason) {
    super(`host did not start: ${reason}`);
    this.name = 'HostStartError';
  }
}

/**
 * @typedef {object} CodeServer
 * @property {string} url origin, without a slash at its end
 * @property {(workspace: string, payload: Record<string, string>) => string} openUrl the address to open in a
 *   browser; paths in `payload` that begin with `/` are taken as folders or files of this machine
 * @property {(settings: Record<string, unknown>) => Promise<void>} changeSettings sets user settings on top of
 *   those that it was started with
 * @property {() => Promise<void>} stop ends it and clears its data away
 * @property {import('node:child_process').ChildProcess} child
 */

/** @param {string} folder @returns {string} with forward slashes and one in front, as URIs have it */
const uriPath = (folder) => {
  const forward = folder.replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
};

/**
 * Copies extensions to the folder of installed extensions of VS Code's server.
 *
 * @param {string} folder
 * @param {readonly string[]} extensions
 */
async function installExtensions(folder, extensions) {
  await mkdir(folder, { recursive: true });
  const installed = [];
  for (const extension of extensions) {
    const { publisher, name, version } = JSON.parse(
      await readFile(path.join(extension, 'package.json'), 'utf8'),
    );
    const relativeLocation = `${publisher}.${name}-${version}`;
    const target = path.join(folder, relativeLocation);
    await cp(extension, target, { recursive: true });
    installed.push({
      identifier: { id: `${publisher}.${name}` },
      version,
      relativeLocation,
      location: { $mid: 1, path: uriPath(target), scheme: 'file' },
      metadata: { isApplicationScoped: false, installedTimestamp: 0, source: 'vsix' },
    });
  }
  await writeFile(path.join(folder, 'extensions.json'), JSON.stringify(installed));
}

/**
 * Starts VS Code's server on loopback, with fresh data that is removed when it stops.
 *
 * Pages and connections must bring a random token, so that no other page in the user's browser can reach a
 * server which runs code.
 *
 * @param {object} options
 * @param {{ server: string, node: string }} options.installed as `ensureCodeServer` returned it
 * @param {number} [options.port] 0 (the default) picks a free one
 * @param {Record<string, unknown>} [options.settings] user settings on top of `quietSettings`
 * @param {readonly string[]} [options.extensions] folders of extensions to install, besides those under development
 * @param {NodeJS.ProcessEnv} [options.env] inherited by the extension host, which also gets
 *   `DOCS_ASSISTANT_HOST_DATA`: the folder of all that the server writes
 * @param {string} [options.logFile] file for its output; by default, the output is dropped
 * @param {boolean} [options.isForTests] whether tests run in it; false by default
 * @param {boolean} [options.isRestricted] whether windows are in Restricted Mode; false by default
 * @returns {Promise<CodeServer>}
 * @throws {HostStartError}
 */
export async function startCodeServer({
  installed,
  port = 0,
  settings = {},
  extensions = [],
  env = process.env,
  logFile,
  isForTests = false,
  isRestricted = false,
}) {
  const dataFolder = await makeTempFolder('docs-assistant-host');
  const trust = isRestricted ? restrictedSettings : {};
  /** @type {CodeServer['changeSettings']} */
  const changeSettings = async (more) => {
    const content = JSON.stringify({ ...quietSettings, ...trust, ...settings, ...more }, null, 2);
    // A window on a remote machine reads settings of scope `machine` from `Machine`, the rest from `User`.
    for (const scope of ['User', 'Machine']) {
      const folder = path.join(dataFolder, 'data', scope);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'settings.json'), content);
    }
  };
  await changeSettings({});

  await installExtensions(path.join(dataFolder, 'extensions'), extensions);

  const token = randomBytes(16).toString('hex');
  const hostScript = fileURLToPath(new URL('codeServerHost.mjs', import.meta.url));
  const hostEnv = { ...env, DOCS_ASSISTANT_HOST_DATA: dataFolder };
  const hostOptions = JSON.stringify({
    dataFolder,
    port,
    token,
    isForTests,
    isRestricted,
    server: installed.server,
  });
  let host;
  try {
    host = await startListening('the VS Code server', [hostScript, hostOptions], {
      env: hostEnv,
      logFile,
      node: installed.node,
    });
    const boundPort = Number(host.line.port);
    const url = `http://127.0.0.1:${boundPort}`;
    await waitFor(
      'the VS Code server to answer',
      () =>
        fetch(`${url}/?tkn=${token}`, { redirect: 'manual' }).then(
          (response) => response.status < 400,
          () => false,
        ),
      { limitMs: scaledMs(60_000) },
    );
    /** @type {CodeServer['openUrl']} */
    const openUrl = (workspace, payload) => {
      const entries = Object.entries(payload).map(([name, value]) => [
        name,
        path.isAbsolute(value) ? `vscode-remote://127.0.0.1:${boundPort}${uriPath(value)}` : value,
      ]);
      const address = new URL(url);
      address.searchParams.set('tkn', token);
      address.searchParams.set('folder', uriPath(workspace));
      address.searchParams.set('payload', JSON.stringify(entries));
      return address.href;
    };
    const { stop, child } = host;
    return {
      url,
      openUrl,
      changeSettings,
      child,
      stop: () => stop().then(() => removeTempFolder(dataFolder)),
    };
  } catch (error) {
    await host?.stop();
    await removeTempFolder(dataFolder);
    throw new HostStartError(error instanceof Error ? error.message : String(error));
  }
}

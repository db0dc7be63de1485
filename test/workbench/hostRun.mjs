// @ts-check
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureInstalledWorkspaces } from '../tooling/installedWorkspaces.mjs';
import { startListening } from '../tooling/listening.mjs';
import { startLocalService } from '../tooling/localService.mjs';
import { repoRoot, workbenchArtifacts } from '../tooling/paths.mjs';
import { makeTempFolder } from '../tooling/tempFolders.mjs';

/**
 * Files and variables of one window, separate so that another one can run beside it.
 *
 * @typedef {object} HostRun
 * @property {string} workspace a copy of the sample workspace
 * @property {string} artifacts the folder of its logs and screenshots
 * @property {Record<string, string>} env variables that its extension host must have
 */

/**
 * Starts the service that ships in the package, and the fault proxy before it.
 *
 * @param {string} extension its folder
 * @param {string} logFile
 */
async function startService(extension, logFile) {
  // Tests that look at a running reply hold it by the proxy.
  const service = await startLocalService(path.join(extension, 'dist'), { logFile, paceMs: 0 });
  const program = path.join(repoRoot, 'out/test/fakes/faultProxyProcess.js');
  const proxy = await startListening('the fault proxy', [program, service.site.url], { logFile });
  return {
    site: { ...service.site, url: String(proxy.line.url) },
    faultProxyUrl: String(proxy.line.controlUrl),
    stop: () => Promise.all([service.stop(), proxy.stop()]),
  };
}

/**
 * Makes the workspace of a window and starts its service.
 *
 * @param {import('./hosts.mjs').SuiteWindow} suiteWindow
 * @param {string} extension its folder
 * @param {string} driverUrl
 * @returns {Promise<{ run: HostRun, stop: () => Promise<unknown> }>}
 */
export async function prepareHostRun({ host, name }, extension, driverUrl) {
  const artifacts = path.join(workbenchArtifacts, name);
  await mkdir(artifacts, { recursive: true });
  const workspace = path.join(await makeTempFolder('docs-assistant-workspace'), 'parcels');
  const sample = path.join(repoRoot, 'src/service/sample/workspace');
  const [service, installed] = await Promise.all([
    startService(extension, path.join(artifacts, 'service.log')),
    ensureInstalledWorkspaces(),
    cp(sample, workspace, { recursive: true }),
  ]);
  const { site, faultProxyUrl, stop } = service;
  /** @type {import('./pageProtocol').SuiteEnvironment} */
  const suite = {
    driverUrl,
    hasPage: host !== 'desktop',
    site,
    faultProxyUrl,
  };
  if (installed !== undefined) suite.installed = installed;
  const env = {
    DOCS_ASSISTANT_SUITE: JSON.stringify(suite),
    DOCS_ASSISTANT_LOCAL_SERVICE: JSON.stringify(site),
    // A model server of this machine would be offered in tests that know nothing of it.
    DOCS_ASSISTANT_MODEL_PORTS: '',
    // Nobody reads along, and each piece of a reply is laid out and drawn.
    DOCS_ASSISTANT_REPLY_PACE: '0',
  };
  return { run: { workspace, artifacts, env }, stop };
}

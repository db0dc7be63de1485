// @ts-check
/**
 * `npm start`: builds, starts the local docs service over the sample docs, and opens VS Code on a copy of the
 * sample workspace with the extension loaded and connected. Ctrl-C stops all of it.
 *
 * `PORT` sets the port of the docs service, `VSCODE_EXECUTABLE` the desktop VS Code to use; `--web` takes
 * code-server although there is a desktop one.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HostStartError, quietSettings, startCodeServer } from './codeServer.mjs';
import { findDesktopCode } from './desktopCode.mjs';
import { ListeningError } from './listening.mjs';
import { startLocalService } from './localService.mjs';
import { repoRoot } from './paths.mjs';
import { isStopping, run, start, stopAll, stopAllOnExit } from './processes.mjs';
import { SetupError, ensureCodeServer, ensureNodeModules } from './setup.mjs';
import { makeTempFolder } from './tempFolders.mjs';

const DEFAULT_PORT = 4310;

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** @returns {Promise<number>} `PORT`, else the usual one, else 0 (any) where that is taken */
async function servicePort() {
  const wanted = process.env.PORT;
  if (wanted === undefined || wanted === '') return (await isFree(DEFAULT_PORT)) ? DEFAULT_PORT : 0;
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SetupError(
      `PORT=${wanted} is no port. Give a number from 0 (any that is free) to 65535.`,
    );
  }
  if (port !== 0 && !(await isFree(port))) {
    throw new SetupError(
      `Port ${port} is in use. Stop what listens there, or choose another: PORT=0 npm start takes any that is free.`,
    );
  }
  return port;
}

/** @returns {string | undefined} desktop VS Code, where there is one and a display to show it on */
function desktop() {
  const { DISPLAY, WAYLAND_DISPLAY, VSCODE_EXECUTABLE } = process.env;
  const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
  return hasDisplay || Boolean(VSCODE_EXECUTABLE) ? findDesktopCode() : undefined;
}

/** Pace of exports in milliseconds per page, slow enough to watch the count of pages grow. */
const EXPORT_PACE_MS = 80;

/** @param {string} executable @param {string} workspace @param {NodeJS.ProcessEnv} env */
async function openDesktop(executable, workspace, env) {
  const profile = await makeTempFolder('docs-assistant-profile');
  const userFolder = path.join(profile, 'data', 'User');
  await mkdir(userFolder, { recursive: true });
  await writeFile(path.join(userFolder, 'settings.json'), JSON.stringify(quietSettings, null, 2));
  // If root runs Electron, it needs a flag that turns the sandbox off.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    ...asRoot,
    '--new-window',
    `--extensionDevelopmentPath=${repoRoot}`,
    `--user-data-dir=${path.join(profile, 'data')}`,
    `--extensions-dir=${path.join(profile, 'extensions')}`,
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-workspace-trust',
    workspace,
  ];
  const child = start(executable, args, { env, stdio: 'ignore' });
  console.log(`Opening ${executable}`);
  return child;
}

/** @param {string} workspace @param {NodeJS.ProcessEnv} env */
async function openCodeServer(workspace, env) {
  console.log(
    'No desktop VS Code here (no `code` on PATH, no VSCODE_EXECUTABLE): using code-server.',
  );
  const server = await startCodeServer({ installed: await ensureCodeServer(), env });
  console.log(`\nOpen: ${server.openUrl(workspace, { extensionDevelopmentPath: repoRoot })}\n`);
  return server.child;
}

async function startAll() {
  const { values: flags } = parseArgs({ options: { web: { type: 'boolean', default: false } } });
  const port = await servicePort();
  const executable = flags.web ? undefined : desktop();
  await ensureNodeModules();
  console.log('building…');
  const built = await run(process.execPath, ['esbuild.mjs'], { cwd: repoRoot });
  if (built.code !== 0) throw new SetupError('The build failed: see above.');

  const { site } = await startLocalService(path.join(repoRoot, 'dist'), {
    port,
    exportPaceMs: EXPORT_PACE_MS,
  });
  console.log(`Local docs service: ${site.url} (domain ${site.domain})`);
  // VS Code opens a copy, so that experiments leave the clone as it is.
  const workspace = path.join(await makeTempFolder('docs-assistant-sample'), 'parcels');
  await cp(path.join(repoRoot, 'src/service/sample/workspace'), workspace, {
    recursive: true,
  });

  // The window tells this service who writes its replies, because it started no service of its own.
  const preset = JSON.stringify({ ...site, takesWriter: true });
  const env = { ...process.env, DOCS_ASSISTANT_LOCAL_SERVICE: preset };
  const host =
    executable === undefined
      ? await openCodeServer(workspace, env)
      : await openDesktop(executable, workspace, env);
  console.log('Select some code, run "Ask Docs Assistant" and ask.');
  console.log('Run "Export Static Site…" to export the sample docs. Ctrl-C stops everything.');
  await new Promise((resolve, reject) => {
    host.once('error', (error) =>
      reject(new SetupError(`VS Code did not start: ${error.message}`)),
    );
    host.once('exit', resolve);
  });
  console.log(isStopping() ? 'Stopped.' : 'VS Code was closed.');
}

stopAllOnExit();
try {
  await startAll();
} catch (error) {
  const isForPeople = [SetupError, HostStartError, ListeningError].some(
    (kind) => error instanceof kind,
  );
  console.error(isForPeople && error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await stopAll();

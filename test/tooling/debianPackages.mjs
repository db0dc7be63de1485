// @ts-check
import os from 'node:os';
import path from 'node:path';
import { onPath, run } from './processes.mjs';

/** Limit of an installation. It ends what hangs, so that the tests are skipped. */
const INSTALL_LIMIT_MS = 200_000;

/**
 * Installs packages of Debian where that can be done without asking (root, apt-get), and starts none of their services.
 * A lock keeps other test processes from doing so at the same time. Prints why it fails, and never throws.
 *
 * @param {readonly string[]} wanted
 * @param {string} isThere command of a shell that succeeds if another process has installed them
 */
export async function installDebianPackages(wanted, isThere) {
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) return;
  console.log(`installing ${wanted.join(', ')} (apt-get)…`);
  // Without a run level, the packages' scripts start no service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const lock = path.join(os.tmpdir(), 'docs-assistant-apt.lock');
  const get =
    'apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60';
  // Another process may have installed them while this one waited for the lock.
  const script = `${isThere} && exit 0
${get} update -qq
${get} install -y --no-install-recommends ${wanted.join(' ')}`;
  const [command, args] =
    onPath('flock') === undefined ? ['sh', ['-c', script]] : ['flock', [lock, 'sh', '-c', script]];
  const { code, tail } = await run(
    /** @type {string} */ (command),
    /** @type {string[]} */ (args),
    { env, quiet: true, limitMs: INSTALL_LIMIT_MS },
  );
  if (code !== 0) console.log(`could not install ${wanted.join(', ')}:\n${tail.slice(-1_000)}`);
}

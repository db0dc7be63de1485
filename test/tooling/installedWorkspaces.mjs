// @ts-check
/**
 * Workspaces with the same ten packages as npm, pnpm and Yarn's Plug'n'Play lay them out. Each package manager installs
 * its own from the registry, once per user, so that later runs need no network.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from './paths.mjs';
import { npmCommand, run } from './processes.mjs';
import { SetupError, ensureCached, installFlags, npm, runOverNetwork } from './setup.mjs';

const packageNames = [
  'commander',
  'hono',
  'valibot',
  'markdown-it',
  'yauzl',
  'send',
  'robots-parser',
  'ipaddr.js',
  'github-slugger',
  'srcset',
];

/** Exact versions of the package managers that run on Node 20. */
const managers = { pnpm: '10.34.8', '@yarnpkg/cli-dist': '4.18.1' };

/** The file of each layout that its package manager writes last. */
const lastFiles = {
  npm: 'node_modules/yauzl/package.json',
  pnpm: 'node_modules/yauzl/package.json',
  pnp: '.pnp.cjs',
};

/** @returns {string} the manifest of each workspace, with the versions that this project has */
function manifestText() {
  const versionOf = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(path.join(repoRoot, 'node_modules', name, 'package.json'), 'utf8'))
      .version;
  const dependencies = Object.fromEntries(packageNames.map((name) => [name, versionOf(name)]));
  return `${JSON.stringify({ name: 'shop', private: true, dependencies }, null, 2)}\n`;
}

/** @returns {Promise<string>} the URL of the registry that npm is set up with, which Yarn doesn't read */
async function registry() {
  const { command, args, shell } = npmCommand();
  const options = { quiet: true, shell };
  const { code, tail } = await run(command, [...args, 'config', 'get', 'registry'], options);
  const [url] = /https?:\S+/.exec(tail) ?? [];
  if (code !== 0 || url === undefined) throw new SetupError('npm does not name its registry.');
  return url;
}

/** @param {string} folder @param {string} manifest */
async function installAll(folder, manifest) {
  const tools = Object.entries(managers).map(([name, version]) => `${name}@${version}`);
  const managerFolder = path.join(folder, 'managers');
  for (const name of ['managers', ...Object.keys(lastFiles)]) {
    await mkdir(path.join(folder, name));
    const text = name === 'managers' ? '{"private":true}\n' : manifest;
    await writeFile(path.join(folder, name, 'package.json'), text);
  }
  await npm('install pnpm and Yarn', [...installFlags, ...tools], { cwd: managerFolder });
  await npm('install the packages by npm', installFlags, { cwd: path.join(folder, 'npm') });
  const program = (/** @type {string} */ file) => path.join(managerFolder, 'node_modules', file);
  await runOverNetwork(
    'install the packages by pnpm',
    process.execPath,
    [
      program('pnpm/bin/pnpm.cjs'),
      'install',
      '--ignore-scripts',
      '--ignore-workspace',
      '--package-import-method=copy',
      `--store-dir=${path.join(managerFolder, 'store')}`,
    ],
    { cwd: path.join(folder, 'pnpm'), quiet: true },
  );
  const pnp = path.join(folder, 'pnp');
  // Yarn takes a folder without a lockfile for a part of the project above it.
  await writeFile(path.join(pnp, 'yarn.lock'), '');
  const env = Object.assign({}, process.env, {
    YARN_NPM_REGISTRY_SERVER: await registry(),
    YARN_UNSAFE_HTTP_WHITELIST: '*',
    YARN_NODE_LINKER: 'pnp',
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_SCRIPTS: 'false',
    YARN_ENABLE_TELEMETRY: 'false',
  });
  await runOverNetwork(
    'install the packages by Yarn',
    process.execPath,
    [program('@yarnpkg/cli-dist/bin/yarn.js'), 'install'],
    { cwd: pnp, quiet: true, env },
  );
  await rm(managerFolder, { recursive: true, force: true });
}

/**
 * Returns the folder with a workspace for each layout: `npm`, `pnpm` and `pnp`. Without a registry, and with nothing
 * in the cache, it says so and returns undefined.
 *
 * @returns {Promise<string | undefined>}
 */
export async function ensureInstalledWorkspaces() {
  const manifest = manifestText();
  const wanted = createHash('sha256')
    .update(JSON.stringify([manifest, managers]))
    .digest('hex')
    .slice(0, 12);
  try {
    return await ensureCached(
      `installed-workspaces-${wanted}`,
      "ten packages by npm, pnpm and Yarn's Plug'n'Play (about 30 MB, once per user)",
      (folder) =>
        Object.entries(lastFiles).every(([name, file]) =>
          existsSync(path.join(folder, name, file)),
        ),
      (folder) => installAll(folder, manifest),
    );
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(
      `\nNOT TESTED: installed packages as npm, pnpm and Yarn lay them out.\n${error.message}\n`,
    );
    return undefined;
  }
}

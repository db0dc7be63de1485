// @ts-check
/**
 * `npm run package`: production build, `docs-assistant-<version>.vsix` and, for npm, the command line as
 * `docs-assistant-<version>.tgz` and the service of a company as `docs-assistant-service-<version>.tgz`, then their checks.
 * `--no-build` packs what `esbuild.mjs --production --metafile` has built.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkVsix, entriesOfVsix } from './checkVsix.mjs';
import { checkCliPackage, cliPackageFile, filesOf, packCli } from './cliPackage.mjs';
import { repoRoot, vsixFile } from './paths.mjs';
import { checkServicePackage, packService, servicePackageFile } from './servicePackage.mjs';
import { run, stopAllOnExit } from './processes.mjs';
import { parseAddresses, publishedManifest, publishedReadme } from './publishing.mjs';
import { SetupError, ensureNodeModules } from './setup.mjs';

/** Files and folders of the clone that ship, besides the manifest and the README. */
const shipped = [
  ...['dist', 'l10n', 'media', 'CHANGELOG.md', 'LICENSE', '.vscodeignore'],
  'docs-questions.schema.json',
];

/**
 * Copies the files that ship into a new folder. There, the manifest and the README get the URLs of the
 * publisher.
 *
 * @returns {Promise<string>} the folder
 */
async function stagePackage() {
  const folder = path.join(repoRoot, 'out/package');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const names = (await readdir(repoRoot)).filter((name) => /^package\.nls.*\.json$/.test(name));
  for (const name of [...shipped, ...names]) {
    await cp(path.join(repoRoot, name), path.join(folder, name), { recursive: true });
  }
  await leaveOutCommandLine(path.join(folder, 'dist'));
  const read = (/** @type {string} */ name) => readFile(path.join(repoRoot, name), 'utf8');
  const addresses = parseAddresses(JSON.parse(await read('publishing.json')));
  const manifest = publishedManifest(JSON.parse(await read('package.json')), addresses);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await writeFile(
    path.join(folder, 'README.md'),
    publishedReadme(await read('README.md'), addresses),
  );
  return folder;
}

/**
 * Deletes the files that only the command line and the service use. They have packages of their own. The extension
 * starts only its MCP server, which is a separate entry.
 *
 * @param {string} dist
 */
async function leaveOutCommandLine(dist) {
  const shared = new Set(filesOf(dist, entriesOfVsix));
  const unused = filesOf(dist, ['cli.js']).filter((file) => !shared.has(file));
  for (const file of unused) await rm(path.join(dist, file));
  await rm(path.join(dist, 'service'), { recursive: true });
}

async function makePackage() {
  await ensureNodeModules();
  if (!process.argv.includes('--no-build')) {
    const build = ['esbuild.mjs', '--production', '--metafile'];
    const { code } = await run(process.execPath, build, { cwd: repoRoot });
    if (code !== 0) throw new SetupError('The build failed: see above.');
  }
  const { createVSIX } = await import('@vscode/vsce');
  // No file of node_modules ships, because the bundles contain the used code.
  await createVSIX({
    cwd: await stagePackage(),
    packagePath: vsixFile(),
    dependencies: false,
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
  });
  await packCli(cliPackageFile());
  await packService(servicePackageFile());
  const problems = [
    ...(await checkVsix(vsixFile())),
    ...(await checkCliPackage(cliPackageFile())),
    ...(await checkServicePackage(servicePackageFile())),
  ];
  for (const problem of problems) console.error(`package: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

stopAllOnExit();
try {
  await makePackage();
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}

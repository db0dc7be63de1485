// @ts-check
/**
 * `npm run package`: production build, `docs-assistant-<version>.vsix` and, for npm, the command line as
 * `docs-assistant-<version>.tgz`, then the checks of both.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkVsix } from './checkVsix.mjs';
import { checkCliPackage, cliPackageFile, packCli } from './cliPackage.mjs';
import { repoRoot, vsixFile } from './paths.mjs';
import { SetupError, ensureNodeModules } from './setup.mjs';

/**
 * Writes the README of the package, with the light pictures alone: vsce makes the addresses of images
 * absolute, but not those of a `<source>`, which would lead nowhere outside the repository.
 *
 * @returns {string} its path, relative to the clone
 */
function writeReadme() {
  const text = readFileSync(path.join(repoRoot, 'README.md'), 'utf8');
  const file = 'out/README.md';
  mkdirSync(path.join(repoRoot, 'out'), { recursive: true });
  writeFileSync(path.join(repoRoot, file), text.replace(/^ *<source .*\n/gm, ''));
  return file;
}

async function makePackage() {
  await ensureNodeModules();
  const { createVSIX } = await import('@vscode/vsce');
  // Runs the script vscode:prepublish. Nothing of node_modules ships: the bundles hold what is used.
  await createVSIX({
    cwd: repoRoot,
    packagePath: vsixFile(),
    dependencies: false,
    readmePath: writeReadme(),
  });
  await packCli(cliPackageFile());
  const problems = [...(await checkVsix(vsixFile())), ...(await checkCliPackage(cliPackageFile()))];
  for (const problem of problems) console.error(`package: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

try {
  await makePackage();
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}

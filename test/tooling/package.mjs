// @ts-check
/** `npm run package`: production build, `docs-assistant-<version>.vsix`, then the checks of `checkVsix.mjs`. */
import { checkVsix } from './checkVsix.mjs';
import { repoRoot, vsixFile } from './paths.mjs';
import { SetupError, ensureNodeModules } from './setup.mjs';

async function makePackage() {
  await ensureNodeModules();
  const { createVSIX } = await import('@vscode/vsce');
  // Runs the script vscode:prepublish. Nothing of node_modules ships: the bundles hold what is used.
  await createVSIX({ cwd: repoRoot, packagePath: vsixFile(), dependencies: false });
  const problems = await checkVsix(vsixFile());
  for (const problem of problems) console.error(`package: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

try {
  await makePackage();
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}

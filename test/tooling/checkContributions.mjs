// @ts-check
/** `npm run check:contributions`: Compares package.json and package.nls.json with contributions.ts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contributionProblems } from './contributionProblems.mjs';
import { repoRoot } from './paths.mjs';

/**
 * @typedef {import('./contributionProblems.mjs').Contributions} Contributions
 * @typedef {Record<'exportCommands' | 'exportViews' | 'exportSettings' | 'workspaceSettings', Record<string, string>>} OfExport
 */

/** @returns {Promise<Contributions & OfExport>} */
async function readContributions() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [path.join(repoRoot, 'src/common/contributions.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(path.join(repoRoot, name), 'utf8'));
const { exportCommands, exportViews, exportSettings, workspaceSettings, ...asking } =
  await readContributions();
const code = {
  ...asking,
  commands: { ...asking.commands, ...exportCommands },
  views: { ...asking.views, ...exportViews },
  settings: { ...asking.settings, ...workspaceSettings, ...exportSettings },
};
const problems = contributionProblems(read('package.json'), read('package.nls.json'), code);
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? 'the manifest and the code agree' : `${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

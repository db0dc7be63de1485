// @ts-check
/** `npm run check:contributions`: Compares package.json and package.nls.json with the code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contributionProblems } from './contributionProblems.mjs';
import { repoRoot } from './paths.mjs';

/**
 * @typedef {import('./contributionProblems.mjs').Contributions} Contributions
 * @typedef {Record<'exportCommands' | 'questionCommands' | 'packageCommands' | 'exportViews' | 'exportSettings' | 'workspaceSettings', Record<string, string>>} OfExport
 */

/**
 * @param {string} file of the source, relative to the clone
 * @returns {Promise<any>} its module
 */
async function importSource(file) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [path.join(repoRoot, file)],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(path.join(repoRoot, name), 'utf8'));
/** @type {Contributions & OfExport} */
const {
  exportCommands,
  questionCommands,
  packageCommands,
  exportViews,
  exportSettings,
  workspaceSettings,
  ...asking
} = await importSource('src/common/contributions.ts');
const { toolDefinitions } = await importSource('src/docsTools/toolDefinitions.ts');
const code = {
  ...asking,
  tools: toolDefinitions,
  commands: { ...asking.commands, ...exportCommands, ...questionCommands, ...packageCommands },
  views: { ...asking.views, ...exportViews },
  settings: { ...asking.settings, ...workspaceSettings, ...exportSettings },
};
const problems = contributionProblems(read('package.json'), read('package.nls.json'), code);
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? 'the manifest and the code agree' : `${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

// @ts-check
/** `npm run check:contributions`: package.json, package.nls.json and contributions.ts tell the same story. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contributionProblems } from './contributionProblems.mjs';
import { repoRoot } from './paths.mjs';

/** @returns {Promise<import('./contributionProblems.mjs').Contributions>} */
async function readContributions() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [path.join(repoRoot, 'src/workbench/contributions.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(path.join(repoRoot, name), 'utf8'));
const code = await readContributions();
const problems = contributionProblems(read('package.json'), read('package.nls.json'), code);
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? 'the manifest and the code agree' : `${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

// @ts-check
/**
 * `node test/bench/proof/proofEval.mjs <folder> [file] [--half chosen|held] [--wrong]`: measures how well the
 * proof of replies tells the claims of `claims.txt` apart, or of another file beside it, over the docs sets in
 * the folder and two of npm. `--wrong` lists the claims that were judged wrongly.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repoRoot } from '../../tooling/paths.mjs';
import { cacheFolder } from '../../tooling/setup.mjs';
import { bundled } from '../bundled.mjs';
import { fetchSet, readSets } from '../retrieval/fetchSets.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' }, wrong: { type: 'boolean', default: false } },
});
/** @type {typeof import('./proofEval')} */
const { proveClaims, proveReplies } = await bundled('proof/proofEval.ts');
const file = positionals[1] ?? path.join(repoRoot, 'test/bench/proof/claims.txt');
const text = await readFile(file, 'utf8');
const prove = /^\? /m.test(text) ? proveReplies : proveClaims;
/** @type {import('../retrieval/fetchSets.mjs').DocsSet} */
const undici = {
  name: 'undici',
  from: 'npm',
  package: 'undici',
  version: '7.30.2',
  docs: 'docs/docs',
  license: 'MIT',
  closed: true,
};
/** Folders of the sets that come from npm, by name. */
const folders = new Map();
for (const set of [...(await readSets()), undici]) {
  if (text.includes(`@ ${set.name}/`)) {
    const folder = await fetchSet(set, path.join(cacheFolder(), 'eval-docs'));
    folders.set(set.name, folder);
  }
}
const all = await prove((page) => {
  const [name = '', ...rest] = page.split('/');
  const folder = folders.get(name);
  return folder === undefined
    ? path.join(positionals[0] ?? '../shared/retrieval', page)
    : path.join(folder, ...rest);
}, file);
const halves = { chosen: true, held: false };
for (const [name, isChosenOn] of Object.entries(halves)) {
  if (values.half !== undefined && values.half !== name) continue;
  const verdicts = all.filter(({ claim }) => claim.isChosenOn === isChosenOn);
  const kinds = [...new Set(verdicts.map(({ claim }) => claim.kind))].sort();
  console.log(`\nHalf: ${name}`);
  /** @param {string} label @param {typeof verdicts} rows */
  const row = (label, rows) => {
    const marked = rows.filter(({ isMarked }) => isMarked).length;
    const share = ((100 * marked) / rows.length).toFixed(0);
    console.log(`${label.padEnd(24)} ${marked} of ${rows.length} marked (${share} %)`);
  };
  for (const kind of kinds) {
    row(
      kind,
      verdicts.filter(({ claim }) => claim.kind === kind),
    );
  }
  row(
    'all false',
    verdicts.filter(({ claim }) => claim.kind !== 'true'),
  );
  if (values.wrong) {
    for (const { claim, isMarked, reasons } of verdicts) {
      if (isMarked !== (claim.kind === 'true')) continue;
      console.log(`  ${claim.kind}: ${claim.text} (${claim.section}) ${reasons.join('; ')}`);
    }
  }
}

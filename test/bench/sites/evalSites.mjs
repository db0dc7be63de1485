// @ts-check
/**
 * `npm run eval -- sites [name…] [--misses] [--pictures]`: builds sites with VitePress, Docusaurus, MkDocs and our own
 * export, enhances them, serves them with nginx, `docs-assistant host` and a plain server, and asks them in Chromium. It
 * prints how often the box has a page that answers, beside the engine on the same docs, and what the browser, the policy
 * and axe complain of. `--pictures` saves what the box shows in `out/screenshots`. What this machine lacks is named at
 * the end.
 */
import { execFileSync } from 'node:child_process';
import { repoRoot } from '../../tooling/paths.mjs';
import { ensureHeadlessChromium } from '../../tooling/setup.mjs';
import { bundled } from '../bundled.mjs';
import { builtSite, MissingTool, siteNames, siteQuestions } from './builtSites.mjs';

/** @returns {Promise<typeof import('./siteEval')>} */
const measurement = () => bundled('sites/siteEval.ts');

const header = [
  'Site',
  'Pages',
  'Host',
  'Questions: first',
  'in five',
  'listed',
  'Searches: first',
  'in five',
  'listed',
  'Complaints',
];

/**
 * @param {readonly string[]} wanted beginnings of the names of sites, or none for all
 * @param {{ misses: boolean, pictures: boolean }} options
 * @returns {Promise<string[][]>} rows of a table
 */
export async function evalSites(wanted, { misses, pictures }) {
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], {
    cwd: repoRoot,
    stdio: 'ignore',
  });
  process.env.CHROME_PATH = await ensureHeadlessChromium();
  const { evalSite, rates, sampleSite } = await measurement();
  const rows = [header];
  const skipped = [];
  /** @param {string} site @param {string} pages @param {string} host @param {import('./siteEval').Outcomes} outcomes @param {string} complaints */
  const add = (site, pages, host, { questions, searches }, complaints) => {
    const [asked, searched] = [rates(questions), rates(searches)];
    const counts = [asked, searched]
      .flatMap(({ first, inFive, listed }) => [first, inFive, listed])
      .map(String);
    rows.push([site, pages, host, ...counts, complaints]);
    if (!misses) return;
    for (const {
      asked: { q, accept },
      pages: found,
    } of [...questions, ...searches]) {
      if (found[0] !== undefined && accept.includes(found[0])) continue;
      console.log(`  ${site}, ${host}: ${q}\n    wanted  ${accept.join(', ')}`);
      console.log(`    got     ${found.slice(0, 5).join('\n            ')}`);
    }
  };
  const isWanted = (/** @type {string} */ name) =>
    wanted.length === 0 ||
    wanted.some((start) => name.toLowerCase().startsWith(start.toLowerCase()));
  for (const name of [...siteNames, 'Our export'].filter(isWanted)) {
    try {
      const site = name === 'Our export' ? await sampleSite() : await builtSite(name);
      const outcomes = await evalSite(site, await siteQuestions(site.questions), pictures);
      for (const { host, complaints, ...found } of outcomes.hosts) {
        add(name, String(outcomes.pages), host, found, String(complaints.length));
        for (const complaint of complaints) console.log(`  ${name}, ${host}: ${complaint}`);
        if (complaints.length > 0) process.exitCode = 1;
      }
      add(name, '', 'the engine on Markdown', outcomes.engine, '');
      if (!outcomes.isRestored) {
        console.error(`${name}: a second run or --remove left other bytes`);
        process.exitCode = 1;
      }
      skipped.push(...outcomes.skipped.map((host) => `${name} on ${host}`));
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error;
      skipped.push(`${name}: ${error.message}`);
    }
  }
  for (const what of skipped) console.error(`SKIPPED: ${what}`);
  return rows;
}

// @ts-check
/**
 * `npm run l10n`: Writes `l10n/bundle.l10n.json`, the English texts of the host, the panel, the local
 * docs service and the command line, removes unused texts from the translations, and lists
 * the texts that they lack. With `--check`, writes nothing and fails where the bundle is out of date or a
 * translation differs from its source. With `--accept`, stores the English texts of the manifest that
 * the translations belong to, so that a later check finds changes of them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { translatedTexts } from './l10nSources.mjs';
import { repoRoot } from './paths.mjs';
import { glossaryTerms, translationProblems } from './translationProblems.mjs';

const BUNDLE = 'l10n/bundle.l10n.json';
const MANIFEST = 'package.nls.json';
/** File with the English texts of the manifest as they were translated. A changed text keeps its key. */
const ACCEPTED = 'l10n/acceptedManifest.json';

/** @param {string} file @returns {string} its text; empty where it is missing */
function readText(file) {
  try {
    return readFileSync(path.join(repoRoot, file), 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} file @returns {Record<string, string>} */
const readTexts = (file) => JSON.parse(readText(file) || '{}');

/**
 * Returns the texts in the form that VS Code reads. l10n-dev sees only direct calls of
 * `vscode.l10n.t`, so it gets one such call for each text.
 *
 * @param {Iterable<string>} texts
 */
async function bundleOf(texts) {
  const calls = [...texts].sort().map((text) => `vscode.l10n.t(${JSON.stringify(text)});`);
  const contents = `import * as vscode from 'vscode';\n${calls.join('\n')}`;
  return getL10nJson([{ extension: '.ts', contents }]);
}

/** @param {Record<string, string>} texts @returns {string} the contents of their file */
const printed = (texts) => `${JSON.stringify(texts, null, 2)}\n`;

/** @param {string} file @param {Record<string, string>} texts */
function writeTexts(file, texts) {
  writeFileSync(path.join(repoRoot, file), printed(texts));
}

/** @returns {string[]} languages that there is a translation for */
function languages() {
  const names = [...readdirSync(repoRoot), ...readdirSync(path.join(repoRoot, 'l10n'))];
  const found = names.flatMap(
    (name) => /^(?:package\.nls|bundle\.l10n)\.([\w-]+)\.json$/.exec(name)?.[1] ?? [],
  );
  return [...new Set(found)].sort();
}

/** @param {string} language @param {Record<string, string>} bundle @returns {string[]} */
function problemsOf(language, bundle) {
  const terms = glossaryTerms(readText(`docs/glossary.${language}.md`));
  const [manifest, translatedManifest] = [MANIFEST, `package.nls.${language}.json`].map(readTexts);
  /** @type {Record<string, string>} */
  const titles = {};
  for (const [key, title] of Object.entries(manifest ?? {})) {
    const own = translatedManifest?.[key];
    if (key.startsWith('command.') && own !== undefined) titles[title] = own;
  }
  const file = `l10n/bundle.l10n.${language}.json`;
  const shared = { terms, titles };
  return [
    ...translationProblems(`package.nls.${language}.json`, {
      source: manifest ?? {},
      translated: translatedManifest ?? {},
      ...shared,
    }),
    ...translationProblems(file, { source: bundle, translated: readTexts(file), ...shared }),
  ];
}

/** @returns {string[]} texts of the manifest that changed since they were translated */
function changedTexts() {
  const accepted = readTexts(ACCEPTED);
  return Object.entries(readTexts(MANIFEST))
    .filter(([key, text]) => accepted[key] !== text)
    .map(([key]) => `${MANIFEST}: “${key}” changed: translate it, then npm run l10n -- --accept`);
}

const isCheck = process.argv.includes('--check');
const { texts, problems } = translatedTexts();
const bundle = /** @type {Record<string, string>} */ (await bundleOf(texts.keys()));
if (!isCheck) {
  writeTexts(BUNDLE, bundle);
  for (const language of languages()) {
    const file = `l10n/bundle.l10n.${language}.json`;
    const known = Object.entries(readTexts(file)).filter(([key]) => bundle[key] !== undefined);
    writeTexts(file, Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1))));
  }
} else if (readText(BUNDLE) !== printed(bundle)) {
  problems.push(`${BUNDLE} is out of date: npm run l10n`);
}
const lost = [...texts.keys()].filter((text) => bundle[text] !== text);
for (const text of lost)
  problems.push(`${texts.get(text)}: l10n-dev reads this text in another way`);
if (process.argv.includes('--accept')) writeTexts(ACCEPTED, readTexts(MANIFEST));
problems.push(...changedTexts());
for (const language of languages()) problems.push(...problemsOf(language, bundle));
for (const problem of problems) console.error(problem);
console.log(
  `${texts.size} texts in ${languages().length + 1} languages: ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

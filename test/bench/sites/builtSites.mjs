// @ts-check
/**
 * Builds real sites of docs: VitePress and Docusaurus from npm, MkDocs from Debian. The docs come from npm packages, each
 * in the version in which its questions were written. Everything is done once and kept in the user's cache.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onPath, run } from '../../tooling/processes.mjs';
import { cacheFolder } from '../../tooling/setup.mjs';
import { makeTempFolder, removeTempFolder } from '../../tooling/tempFolders.mjs';
import { fetchWorkspace } from '../installed/fetchPackages.mjs';
import { fetchSet } from '../retrieval/fetchSets.mjs';

/**
 * @typedef {object} BuiltSite
 * @property {string} name
 * @property {'npm' | 'undici' | 'import' | 'sample'} questions
 * @property {string} docs folder with the docs as Markdown, which the engine reads for a comparison
 * @property {string} site folder with the site. The evaluation copies it.
 * @property {string} basePath path at which the site expects to be hosted, such as `/undici`, or nothing
 * @property {string} start address of the page that the questions are asked on
 * @property {(page: string) => string} routeOf returns the path of the page that a Markdown file became, without its ending
 */

/**
 * @typedef {object} SiteRecipe
 * @property {string} name
 * @property {BuiltSite['questions']} questions
 * @property {string} basePath
 * @property {string} start
 * @property {string} docs folder of the Markdown below the site's own
 * @property {string} built folder of the site below the site's own
 * @property {Record<string, string>} files text files that the generator needs
 * @property {readonly { from: import('../retrieval/fetchSets.mjs').DocsSet, to: string }[]} parts docs, and where they go
 * @property {Record<string, string>} packages generator's packages
 * @property {(tools: string) => readonly string[]} command
 * @property {(page: string) => string} routeOf
 */

/** Error for something that this machine lacks. The site is left out, and the message says why. */
export class MissingTool extends Error {}

/** @param {string} name @param {string} version @param {string} docs @param {string} license */
const fromNpm = (name, version, docs, license) => ({
  name,
  from: /** @type {const} */ ('npm'),
  package: name,
  version,
  docs,
  license,
  closed: false,
});

/** @param {string} page */
const withoutEnding = (page) =>
  page.replace(/\.mdx?$/, '').replace(/(?:^|\/)(?:index|README)$/, '');

const undiciHome = '# undici\n\nAn HTTP client for Node.js. Choose a page of its API.\n';

/** @param {string} theme lines of the configuration @returns {Pick<SiteRecipe, 'files' | 'parts' | 'questions' | 'packages' | 'routeOf' | 'basePath' | 'start' | 'docs' | 'built' | 'command'>} */
const mkdocs = (theme) => ({
  questions: 'import',
  basePath: '',
  start: '/',
  docs: 'docs',
  built: 'site',
  files: {
    'mkdocs.yml': `site_name: eslint-plugin-import\n${theme}`,
    'docs/index.md': '# eslint-plugin-import\n\nRules for imports. Choose one of them.\n',
  },
  parts: [{ from: fromNpm('eslint-plugin-import', '2.32.0', 'docs', 'MIT'), to: 'docs' }],
  packages: {},
  command: () => {
    const program = onPath('mkdocs');
    if (program === undefined)
      throw new MissingTool(
        'mkdocs is not installed (Debian: apt-get install mkdocs mkdocs-material)',
      );
    return [program, 'build', '-q', '-d', 'site'];
  },
  routeOf: withoutEnding,
});

/** @type {readonly SiteRecipe[]} */
const recipes = [
  {
    name: 'VitePress',
    questions: 'npm',
    basePath: '',
    start: '/',
    docs: 'docs',
    built: 'docs/.vitepress/dist',
    files: {
      'docs/.vitepress/config.mjs':
        "export default { title: 'npm', ignoreDeadLinks: true, themeConfig: { search: { provider: 'local' } } };\n",
      'docs/index.md': '# npm\n\nThe package manager of Node.js. Choose a command.\n',
    },
    parts: [{ from: fromNpm('npm', '11.21.2', 'docs/content', 'Artistic-2.0'), to: 'docs' }],
    packages: { vitepress: '1.6.4' },
    command: (tools) => [
      process.execPath,
      path.join(tools, 'vitepress/bin/vitepress.js'),
      'build',
      'docs',
    ],
    routeOf: withoutEnding,
  },
  {
    name: 'Docusaurus',
    questions: 'undici',
    basePath: '/undici',
    start: '/undici/',
    docs: '.',
    built: 'build',
    files: {
      'docusaurus.config.js': `module.exports = {
  title: 'undici', url: 'https://docs.example', baseUrl: '/undici/', onBrokenLinks: 'ignore', onBrokenAnchors: 'ignore',
  markdown: { format: 'detect', hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } },
  presets: [['classic', { blog: false, pages: false, docs: {
    routeBasePath: '/', sidebarPath: './sidebars.js', lastVersion: 'current', versions: { current: { label: '7.x' } },
  } }]],
  themeConfig: {
    colorMode: { respectPrefersColorScheme: true },
    navbar: { title: 'undici', items: [{ type: 'docsVersionDropdown' }] },
  },
};
`,
      'sidebars.js': "module.exports = { docs: [{ type: 'autogenerated', dirName: '.' }] };\n",
      'versions.json': '["6.x"]\n',
      'versioned_sidebars/version-6.x-sidebars.json':
        '{"docs":[{"type":"autogenerated","dirName":"."}]}\n',
      'docs/README.md': undiciHome,
      'versioned_docs/version-6.x/README.md': undiciHome,
    },
    parts: [
      { from: fromNpm('undici', '7.30.2', 'docs/docs', 'MIT'), to: 'docs' },
      { from: fromNpm('undici', '6.29.1', 'docs/docs', 'MIT'), to: 'versioned_docs/version-6.x' },
    ],
    packages: {
      '@docusaurus/core': '3.10.2',
      '@docusaurus/preset-classic': '3.10.2',
      react: '19.2.0',
      'react-dom': '19.2.0',
    },
    command: (tools) => [
      process.execPath,
      path.join(tools, '@docusaurus/core/bin/docusaurus.mjs'),
      'build',
    ],
    routeOf: (page) =>
      withoutEnding(page.replace(/^docs\//, '').replace(/^versioned_docs\/version-/, '')),
  },
  {
    name: 'MkDocs Material',
    ...mkdocs(`site_url: https://docs.example/
theme:
  name: material
  font: false
  palette:
    - { media: '(prefers-color-scheme: light)', scheme: default }
    - { media: '(prefers-color-scheme: dark)', scheme: slate }
`),
  },
  { name: 'MkDocs, Read the Docs', ...mkdocs('theme: readthedocs\n') },
];

/** Names of the sites that {@link builtSite} builds. */
export const siteNames = recipes.map(({ name }) => name);

/**
 * Returns a site, which is built first unless that has been done.
 * @param {string} name one of {@link siteNames}
 * @returns {Promise<BuiltSite>}
 * @throws {MissingTool} if the machine lacks the generator
 */
export async function builtSite(name) {
  const recipe = recipes.find((each) => each.name === name);
  if (recipe === undefined) throw new Error(`No site ${name}`);
  const { questions, basePath, start, docs, built, routeOf } = recipe;
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 8);
  const folder = path.join(
    cacheFolder(),
    'eval-sites',
    `${name.replace(/\W+/g, '-').toLowerCase()}-${hash}`,
  );
  if (!existsSync(folder)) await build(recipe, folder);
  return {
    name,
    questions,
    docs: path.join(folder, docs),
    site: path.join(folder, built),
    basePath,
    start,
    routeOf,
  };
}

/** @param {SiteRecipe} recipe @param {string} folder */
async function build({ name, files, parts, packages, built, command }, folder) {
  console.log(`building the site of ${name}, once per user…`);
  await mkdir(path.dirname(folder), { recursive: true });
  const partial = await makeTempFolder('site.partial', path.dirname(folder));
  try {
    for (const { from, to } of parts) {
      const docs = await fetchSet(from, path.join(cacheFolder(), 'eval-docs'));
      await cp(docs, path.join(partial, to), { recursive: true });
    }
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(partial, file)), { recursive: true });
      await writeFile(path.join(partial, file), content);
    }
    let tools = '';
    if (Object.keys(packages).length > 0) {
      const workspace = await fetchWorkspace(
        { name: name.toLowerCase(), packages },
        path.join(cacheFolder(), 'eval-sites'),
        { hasBinaries: true },
      );
      tools = path.join(workspace, 'node_modules');
      await writeFile(path.join(partial, 'package.json'), '{"private":true}\n');
      await symlink(tools, path.join(partial, 'node_modules'));
    }
    const [program = '', ...args] = command(tools);
    const env = { ...process.env, DOCUSAURUS_DISABLE_TELEMETRY: '1', NO_UPDATE_NOTIFIER: '1' };
    const { code, tail } = await run(program, args, { cwd: partial, env, quiet: true });
    if (code !== 0 || !existsSync(path.join(partial, built)))
      throw new Error(`${name} could not be built.\n${tail.slice(-2_000)}`);
    await rename(partial, folder).catch((error) => {
      // Another process may have been faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await removeTempFolder(partial);
  }
}

/**
 * @typedef {{ readonly q: string, readonly accept: readonly string[] }} AskedQuestion
 * @typedef {{ readonly questions: readonly AskedQuestion[], readonly searches: readonly AskedQuestion[] }} SiteQuestions
 */

/** @param {BuiltSite['questions']} name @returns {Promise<SiteQuestions>} */
export async function siteQuestions(name) {
  const file = fileURLToPath(new URL('questions.json', import.meta.url));
  return JSON.parse(await readFile(file, 'utf8'))[name];
}

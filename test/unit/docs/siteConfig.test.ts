import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../src/common/ports';
import { readSiteConfig, type SiteConfig } from '../../../src/docs/siteConfig/siteConfig';

/**
 * Reads the configuration of a folder that has one file.
 * @param docs folder of the docs in it.
 */
async function configOf(file: string, text: string, docs = ''): Promise<SiteConfig> {
  const folder = await mkdtemp(path.join(tmpdir(), 'site-config-'));
  try {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
    return await readSiteConfig(path.join(folder, docs), silentLog);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the language of a docs folder', () => {
  for (const [file, text, expected] of [
    ['docusaurus.config.js', "module.exports = { i18n: { defaultLocale: 'pt-BR' } };", 'pt-BR'],
    ['docusaurus.config.js', 'module.exports = { i18n: 7 };', ''],
    ['mkdocs.yml', 'theme:\n  name: material\n  language: de\n', 'de'],
    ['mkdocs.yml', 'theme: readthedocs\n', ''],
  ] as const) {
    it(`is “${expected}” by ${file}: ${text.replace(/\s+/g, ' ')}`, async () => {
      assert.equal((await configOf(file, text)).language, expected);
    });
  }
});

describe('the folder and the URL of the pages of Docusaurus', () => {
  for (const [what, code] of [
    [
      'typed configuration',
      "const config: Config = { baseUrl: '/x/', presets: [['classic', { docs: { path: 'guides', routeBasePath: '/learn' } } satisfies Options]] };\nexport default config;",
    ],
    [
      'function',
      "export default async function create() {\n  const options = { docs: { path: 'guides', routeBasePath: 'learn' } };\n  return { baseUrl: process.env.BASE ?? '/x/', presets: [['classic', options]] };\n}",
    ],
    [
      'values with fallbacks',
      "const own = { path: 'guides', route: '', base: null };\nmodule.exports = { baseUrl: own.base ?? '/x/', presets: [['classic', { docs: { path: own.path ?? 'docs', routeBasePath: own.route || 'learn' } }]] };",
    ],
  ] as const) {
    it(`are those of its ${what}`, async () => {
      const { contentFolder, basePaths } = await configOf('docusaurus.config.ts', code);
      assert.equal(contentFolder, 'guides');
      assert.deepEqual(basePaths.slice(0, 2), ['x/learn', 'learn']);
    });
  }
});

describe('the configuration of VitePress', () => {
  const sidebar = (link: string): string => `themeConfig: { sidebar: [{ link: '${link}' }] }`;

  for (const [srcDir, generator] of [
    ['docs', 'vitepress'],
    ['./docs/', 'vitepress'],
    ['guides', undefined],
  ] as const) {
    it(`above the docs is ${generator ? 'theirs' : 'not theirs'} if its pages are in “${srcDir}”`, async () => {
      const code = `export default { srcDir: '${srcDir}', ${sidebar('/a')} };`;
      const config = await configOf('.vitepress/config.js', code, 'docs');
      assert.equal(config.generator, generator);
      assert.equal(config.contentFolder, '');
    });
  }

  it('tells the language of the pages in the navigation of each language', async () => {
    const code = `export default { locales: { root: { ${sidebar('/a')} }, uk: { ${sidebar('/uk/a')} } } };`;
    const { navigation } = await configOf('.vitepress/config.js', code);
    assert.deepEqual(
      navigation.map((entry) => [entry.kind, entry.kind === 'edition' ? entry.language : '']),
      [
        ['page', ''],
        ['edition', 'uk'],
      ],
    );
  });
});

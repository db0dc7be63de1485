import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../src/common/ports';
import { readSiteConfig, type SiteConfig } from '../../../src/docs/siteConfig/siteConfig';

/** Reads the configuration of a folder that has one file. */
async function configOf(file: string, text: string): Promise<SiteConfig> {
  const folder = await mkdtemp(path.join(tmpdir(), 'site-config-'));
  try {
    await writeFile(path.join(folder, file), text);
    return await readSiteConfig(folder, silentLog);
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

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../src/common/ports';
import { readSiteConfig } from '../../../src/docs/siteConfig/siteConfig';

describe('the language of a docs folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'site-config-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const [file, text, expected] of [
    ['docusaurus.config.js', "module.exports = { i18n: { defaultLocale: 'pt-BR' } };", 'pt-BR'],
    ['docusaurus.config.js', 'module.exports = { i18n: 7 };', ''],
    ['mkdocs.yml', 'theme:\n  name: material\n  language: de\n', 'de'],
    ['mkdocs.yml', 'theme: readthedocs\n', ''],
  ] as const) {
    it(`is “${expected}” by ${file}: ${text.replace(/\s+/g, ' ')}`, async () => {
      await writeFile(path.join(folder, file), text);
      assert.equal((await readSiteConfig(folder, silentLog)).language, expected);
    });
  }
});

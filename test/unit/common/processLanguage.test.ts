import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { environmentLanguage, speak } from '../../../src/common/processLanguage';
import { setNumberLanguage, sizeText } from '../../../src/shared/units';

describe('environmentLanguage', () => {
  const cases: [string, Readonly<Record<string, string>>, string][] = [
    ['the choice of the extension host first', { DOCS_ASSISTANT_LANGUAGE: 'fr', LANG: 'de' }, 'fr'],
    ['LC_ALL before the others', { LANG: 'en_US.UTF-8', LC_ALL: 'de_DE.UTF-8' }, 'de-DE'],
    ['LC_MESSAGES before LANG', { LANG: 'en_US.UTF-8', LC_MESSAGES: 'de_AT@euro' }, 'de-AT'],
    ['LANG where LC_ALL is empty', { LC_ALL: '', LANG: 'de' }, 'de'],
    ['English for the C locale', { LANG: 'C.UTF-8' }, 'en'],
    ['English for a path', { LANG: '../../secrets' }, 'en'],
    ['English where nothing is set', {}, 'en'],
  ];
  for (const [what, env, language] of cases) {
    // Shows faults.md Q3.
    it(`takes ${what}`, () => assert.equal(environmentLanguage(env), language));
  }
});

describe('speak', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-l10n-'));
    const texts = { '{0} pages': '{0} Seiten', Copy: 'Kopieren', Open: 1 };
    await writeFile(path.join(folder, 'bundle.l10n.de.json'), JSON.stringify(texts));
  });
  afterEach(async () => {
    setNumberLanguage('en');
    await rm(folder, { recursive: true });
  });

  it('translates with the bundle of the language, and leaves other texts English', () => {
    const t = speak('de-AT', [folder]);
    assert.equal(t('{0} pages', 3), '3 Seiten');
    assert.equal(t('Copy'), 'Kopieren');
    assert.equal(t('Fetch {0}', 'docs'), 'Fetch docs');
    assert.equal(t('Open'), 'Open');
  });

  it('writes numbers as the language does', () => {
    speak('de', [folder]);
    assert.equal(sizeText(4_213_000), '4,3 MB');
  });

  // Shows faults.md Q1, Q2.
  it('is English for a language without a bundle, and for one that is damaged', async () => {
    await writeFile(path.join(folder, 'bundle.l10n.fr.json'), '{ "Copy"');
    for (const language of ['en', 'it', 'fr'])
      assert.equal(speak(language, [folder])('Copy'), 'Copy');
  });
});

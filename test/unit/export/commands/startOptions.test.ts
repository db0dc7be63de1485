import assert from 'node:assert/strict';
import {
  enterStartOptions,
  leftOutText,
  readSitePaths,
} from '../../../../src/export/commands/startOptions';
import { plainTranslate } from '../../../../src/common/errors';
import { ScriptedUi } from '../../../fakes/scriptedUi';

describe('readSitePaths', () => {
  for (const [text, paths] of [
    ['', []],
    [' , ', []],
    ['/guides', ['/guides']],
    ['guides/, /api', ['/api', '/guides']],
    ['/a /b\n/a', ['/a', '/b']],
    ['https://docs.example.com/guides/start?x#y', ['/guides/start']],
    ['/', ['/']],
    ['/%C3%BCber', ['/%C3%BCber']],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(paths)}`, () => {
      assert.deepEqual(readSitePaths(text), { ok: true, paths });
    });
  }

  for (const text of ['/a/../b', '/a?x=1', '/a#b', 'ftp://x/y', `/${'x'.repeat(600)}`]) {
    it(`refuses ${text.slice(0, 20)}`, () => {
      assert.deepEqual(readSitePaths(`/fine, ${text}`), { ok: false, wrong: text });
    });
  }
});

describe('enterStartOptions', () => {
  it('stays open until the label and the paths are valid', async () => {
    const ui = new ScriptedUi();
    const many = Array.from({ length: 101 }, (_, index) => `/p${index}`).join(' ');
    ui.answer('v'.repeat(201), 'v2', many, '/a/../b', '/a');
    assert.deepEqual(await enterStartOptions(ui), { label: 'v2', paths: ['/a'] });
    assert.deepEqual(
      ui.remarks.map(({ text }) => text),
      [
        'Labels can be up to 200 characters.',
        'You can name up to 100 paths.',
        '“/a/../b” is not a path of a site. Enter a path such as /guides.',
      ],
    );
  });
});

describe('leftOutText', () => {
  const said = (...leftOut: ('label' | 'paths')[]) =>
    leftOutText({ apiUrl: 'https://api.example.com', leftOut }, plainTranslate);

  it('says which option the service does not accept, and the consequence', () => {
    assert.equal(said(), undefined);
    assert.match(said('label') ?? '', /^api\.example\.com doesn’t take version labels\./);
    assert.match(said('paths') ?? '', /doesn’t take paths, so the whole site is exported\.$/);
    assert.match(said('label', 'paths') ?? '', /takes neither version labels nor paths/);
  });
});

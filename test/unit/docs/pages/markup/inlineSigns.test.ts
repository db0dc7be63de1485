import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

describe('Signs in a text', () => {
  const cases: readonly [what: string, source: string, text: string][] = [
    [
      'of icons go, with their attributes and spaces',
      '[:octicons-gear-16: Set up](a.md) :material-owl:{ .lg } &nbsp; now :simple-x:\n# :fontawesome-solid-egg: Eggs',
      '[Set up](a.md) now \n# Eggs',
    ],
    [
      'that mean yes or no stay as text',
      '| :material-check: | :material-close: Never | :heavy_check_mark: | :x: |',
      '| ✔️ | ❌ Never | ✔️ | ❌ |',
    ],
    [
      'of icons go from headings of all generators',
      '## :material-check: Install\n\n## {% octicon "gear" %} Settings\n\n## {{< icon "owl" >}} Owls\n\n## {{ x }}',
      '## Install\n\n## Settings\n\n## Owls\n\n## {{ x }}',
    ],
    ['are keys', 'Press ++ctrl+alt+del++ or ++f1++.', 'Press `Ctrl+Alt+Del` or `F1`.'],
    ['are the language of code', 'Call `#!py run()`.', 'Call `run()`.'],
    ['tell what is abbreviated', 'An API.\n\n*[API]: Interface\n', 'An API.\n\n\n'],
  ];
  for (const [what, source, text] of cases) {
    it(what, () => {
      assert.equal(readPage('a.md', source).text, text);
    });
  }

  const kept = [
    '`:material-check:` and ``++ctrl++``',
    '```\n:x: ++tab++\n```',
    'C++ or i++, ++bar++, :owl: and a:x:b',
    '`#!/bin/sh`',
  ];
  for (const source of kept) {
    it(`stay in ${JSON.stringify(source)}`, () => {
      assert.equal(readPage('a.md', source).text, source);
    });
  }
});

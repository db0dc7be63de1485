import assert from 'node:assert/strict';
import { contextItemType } from '../../../../src/chat/context/selectionItem';

describe('contextItemType', () => {
  for (const [languageId, fileName] of [
    ['markdown', 'README.md'],
    ['mdx', 'page.mdx'],
    ['plaintext', 'notes.txt'],
    ['plaintext', 'LICENSE'],
    ['plaintext', 'Untitled-1'],
    ['plaintext', 'page.mdx'],
    ['restructuredtext', 'index.rst'],
    ['asciidoc', 'guide.adoc'],
    ['latex', 'paper.tex'],
    ['bibtex', 'refs.bib'],
    ['git-commit', 'COMMIT_EDITMSG'],
    ['scminput', 'scm0'],
  ] as const) {
    it(`calls ${languageId} in ${fileName} a text selection`, () => {
      assert.equal(contextItemType(languageId, fileName), 'textSelection');
    });
  }

  for (const [languageId, fileName] of [
    ['typescript', 'pay.ts'],
    ['python', 'pay.py'],
    ['json', 'data.json'],
    ['yaml', 'values.yaml'],
    ['html', 'index.html'],
    ['plaintext', 'rows.csv'],
    ['plaintext', 'service.PROTO'],
    ['a-language-nobody-knows', 'x'],
  ] as const) {
    it(`calls ${languageId} in ${fileName} code`, () => {
      assert.equal(contextItemType(languageId, fileName), 'code');
    });
  }
});

import assert from 'node:assert/strict';
import { fileProblems, requiredFiles, startupFiles } from '../../tooling/checkVsix.mjs';

describe('fileProblems', () => {
  it('says nothing where all that must be there is, with chunks and sample pages', () => {
    const extra = [
      'extension/dist/chunks/askSession-AB12CD.js',
      'extension/dist/sampleDocs/v2/en/sdk/python.mdx',
      'extension/dist/webview/codicon.ttf',
    ];
    assert.deepEqual(fileProblems([...requiredFiles, ...extra]), []);
  });

  it('names a file that is missing', () => {
    const names = requiredFiles.filter((name) => name !== 'extension/dist/extension.js');
    assert.deepEqual(fileProblems(names), ['missing: extension/dist/extension.js']);
  });

  const strays = [
    'extension/dist/extension.js.map',
    'extension/dist/chunks/a-1.js.map',
    'extension/dist/sampleDocs/notes.test.ts',
    'extension/out/test/unit/a.test.js',
    'extension/src/extension.ts',
    'extension/.env',
  ];
  for (const stray of strays) {
    it(`names ${stray}, which has no business there`, () => {
      assert.deepEqual(fileProblems([...requiredFiles, stray]), [`unexpected: ${stray}`]);
    });
  }
});

describe('startupFiles', () => {
  it('follows static imports through chunks, and neither import() nor what is external', () => {
    const outputs = {
      'dist/extension.js': {
        bytes: 1,
        imports: [
          { path: 'dist/chunks/a.js', kind: 'import-statement' },
          { path: 'dist/chunks/lazy.js', kind: 'dynamic-import' },
          { path: 'vscode', kind: 'import-statement', external: true },
        ],
      },
      'dist/chunks/a.js': {
        bytes: 1,
        imports: [
          { path: 'dist/chunks/b.js', kind: 'import-statement' },
          { path: 'dist/extension.js', kind: 'import-statement' },
        ],
      },
      'dist/chunks/b.js': { bytes: 1, imports: [] },
      'dist/chunks/lazy.js': { bytes: 1, imports: [] },
    };
    assert.deepEqual(startupFiles({ outputs }, 'dist/extension.js'), [
      'dist/extension.js',
      'dist/chunks/a.js',
      'dist/chunks/b.js',
    ]);
  });
});

import assert from 'node:assert/strict';
import { affectedTests } from '../../tooling/changedTests.mjs';

/** Imports of a small clone, by file. */
const imports: Record<string, string[]> = {
  'src/common/text.ts': [],
  'src/chat/thread.ts': ['src/common/text.ts'],
  'src/shared/protocol.ts': [],
  'webview/reply/sources.ts': ['src/shared/protocol.ts'],
  'test/builders/threads.ts': ['src/chat/thread.ts'],
  'test/unit/chat/thread.test.ts': ['test/builders/threads.ts'],
  'test/unit/common/text.test.ts': ['src/common/text.ts'],
  'test/unit/webview/reply/sources.test.ts': ['webview/reply/sources.ts'],
  'test/service/chat/exchange.test.ts': ['src/chat/thread.ts'],
  'test/service/service/cli.test.ts': [],
  'test/webview/harness.ts': ['src/shared/protocol.ts'],
  'test/webview/keyboard.test.ts': ['test/webview/harness.ts'],
  'test/webview/thread/asking.test.ts': ['test/webview/harness.ts'],
  'test/webview/reply/sources.test.ts': ['test/webview/harness.ts'],
  'test/webview/history/history.test.ts': ['test/webview/harness.ts'],
};
const graph = {
  files: Object.keys(imports),
  importsOf: (file: string) => imports[file] ?? [],
};
const texts: Record<string, string> = {
  'test/service/service/cli.test.ts': "const program = 'dist/localService.js';",
  'test/service/chat/exchange.test.ts': "readFile('test/fixtures/stream.txt')",
};

const affectedBy = (...changed: string[]) =>
  affectedTests(changed, graph, (file) => texts[file] ?? '');

describe('affectedTests', () => {
  it('chooses the tests whose imports lead to a changed file, and those that run the build', () => {
    assert.deepEqual(affectedBy('src/chat/thread.ts'), {
      unit: ['test/unit/chat/thread.test.ts'],
      service: ['test/service/chat/exchange.test.ts', 'test/service/service/cli.test.ts'],
      webview: [],
    });
  });

  it('chooses the webview tests of the room of a changed file, and two of the whole view', () => {
    assert.deepEqual(affectedBy('webview/reply/sources.ts'), {
      unit: ['test/unit/webview/reply/sources.test.ts'],
      service: [],
      webview: [
        'test/webview/keyboard.test.ts',
        'test/webview/reply/sources.test.ts',
        'test/webview/thread/asking.test.ts',
      ],
    });
  });

  it('chooses a changed test, and the tests that import a changed helper', () => {
    assert.deepEqual(affectedBy('test/unit/common/text.test.ts', 'test/builders/threads.ts').unit, [
      'test/unit/chat/thread.test.ts',
      'test/unit/common/text.test.ts',
    ]);
    assert.equal(affectedBy('test/webview/harness.ts').webview.length, 4);
  });

  it('chooses the tests that name a changed fixture', () => {
    assert.deepEqual(affectedBy('test/fixtures/stream.txt').service, [
      'test/service/chat/exchange.test.ts',
    ]);
  });

  it('chooses nothing for prose', () => {
    assert.deepEqual(affectedBy('README.md'), { unit: [], service: [], webview: [] });
  });
});

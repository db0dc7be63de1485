import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { ImportGraph } from '../../tooling/importGraph.mjs';

/** The layer runs in the clone's top folder. */
const repoRoot = process.cwd();

describe('the rules between rooms', function () {
  this.timeout(60_000);

  // The rules that need types are off: they take most of the time and are not what is tested.
  const eslint = new ESLint({
    cwd: repoRoot,
    overrideConfig: [
      tseslint.configs.disableTypeChecked,
      { languageOptions: { parserOptions: { projectService: false } } },
    ] as never,
  });

  /** Lints a text as if it were the file, and returns the rules about rooms and comments that it breaks. */
  async function brokenRules(filePath: string, code: string): Promise<string[]> {
    const results = await eslint.lintText(code, { filePath });
    const messages = results.flatMap((result) => result.messages);
    assert.deepEqual(
      messages.filter(({ fatal }) => fatal === true).map(({ message }) => message),
      [],
    );
    const rules = messages.flatMap(({ ruleId }) => ruleId ?? []);
    return rules.filter((rule) => /^(?:rooms|comments)\//.test(rule));
  }

  const graph = new ImportGraph(repoRoot, ['src']);

  /** Returns a specifier that leads from one folder to some file of another. */
  function someFileOf(folder: string, fromFolder: string): string {
    const file = graph.files.find((known) => known.startsWith(`${folder}/`)) ?? assert.fail(folder);
    return path.posix.relative(fromFolder, file.replace(/\.ts$/, ''));
  }

  /** Returns a file of the folder that another file there imports, and a specifier of the latter. */
  function someImport(folder: string): { imported: string; importer: string } {
    for (const importer of graph.files) {
      const imported = graph
        .importsOf(importer)
        .find((file) => path.posix.dirname(file) === folder);
      if (path.posix.dirname(importer) === folder && imported !== undefined) {
        return { imported, importer: `./${path.posix.basename(importer, '.ts')}` };
      }
    }
    return assert.fail(folder);
  }

  const cycle = someImport('src/shared');
  const broken: Record<string, [rule: string, filePath: string, code: string]> = {
    'vscode outside its room': [
      'rooms/allowed-imports',
      'src/chat/scratch.ts',
      "import type { Uri } from 'vscode';\nexport type Place = Uri;\n",
    ],
    'vscode in a test that is not a workbench test': [
      'rooms/allowed-imports',
      'test/unit/scratch.test.ts',
      "import type { Uri } from 'vscode';\nexport type Place = Uri;\n",
    ],
    'the view importing the chat': [
      'rooms/allowed-imports',
      'webview/scratch.ts',
      `import * as chat from '${someFileOf('src/chat', 'webview')}';\nexport const all = chat;\n`,
    ],
    'shared code importing Node': [
      'rooms/allowed-imports',
      'src/shared/scratch.ts',
      "import path from 'node:path';\nexport const { sep } = path;\n",
    ],
    'the chat importing the export': [
      'rooms/allowed-imports',
      'src/chat/scratch.ts',
      `import type * as job from '${someFileOf('src/export', 'src/chat')}';\nexport type Job = typeof job;\n`,
    ],
    'a room reached by import()': [
      'rooms/allowed-imports',
      'src/chat/scratch.ts',
      `export const load = () => import('${someFileOf('src/export', 'src/chat')}');\n`,
    ],
    'the toolkit in a second file': [
      'rooms/allowed-imports',
      'webview/scratch.ts',
      "import { vsCodeButton } from '@vscode/webview-ui-toolkit';\nexport const button = vsCodeButton;\n",
    ],
    'a cycle of types alone': [
      'rooms/no-cycles',
      cycle.imported,
      `import type * as importer from '${cycle.importer}';\nexport type Cycle = typeof importer;\n`,
    ],
    'the disk in a file that does not say so': [
      'rooms/named-outside',
      'src/chat/scratch.ts',
      "import { readFile } from 'node:fs/promises';\nexport const read = readFile;\n",
    ],
    'a doc comment that begins as a fragment': [
      'comments/whole-sentences',
      'src/common/scratch.ts',
      '/** Of the thread, in order. */\nexport const messages = [];\n',
    ],
    'a doc comment of a function without a verb': [
      'comments/whole-sentences',
      'src/common/scratch.ts',
      '/** The first message. */\nexport function first(): undefined {\n  return undefined;\n}\n',
    ],
  };
  for (const [what, [rule, filePath, code]] of Object.entries(broken)) {
    it(`fails on ${what}`, async () => {
      assert.deepEqual(await brokenRules(filePath, code), [rule]);
    });
  }

  it('passes a file that keeps every rule', async () => {
    const code = `// Reads the disk: threads are files.
import { readFile } from 'node:fs/promises';
import * as common from '${someFileOf('src/common', 'src/chat')}';

/** Returns the text of a file. */
export async function textOf(file: string): Promise<string> {
  return (await readFile(file, 'utf8')) + String(common);
}
`;
    assert.deepEqual(await brokenRules('src/chat/scratch.ts', code), []);
  });
});

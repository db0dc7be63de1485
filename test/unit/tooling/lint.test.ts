// Runs oxlint as a process of its own, in a folder of files that break its rules.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { makeTempFolder, removeTempFolder } from '../../tooling/tempFolders.mjs';
import { coreCases, testCases, typescriptCases } from './lintCases';

/** The layer runs in the clone's top folder. */
const repoRoot = process.cwd();

const configSchema = v.looseObject({
  jsPlugins: v.array(v.string()),
  overrides: v.array(v.looseObject({ rules: v.optional(v.record(v.string(), v.unknown()), {}) })),
});

const outputSchema = v.object({
  diagnostics: v.array(v.looseObject({ code: v.optional(v.string(), ''), filename: v.string() })),
});

/** Files that break no rule, which others import. */
const soundFiles: Record<string, string> = {
  'src/common/shapes.ts': 'export interface Shape {\n  one: string;\n}\nexport const two = 2;\n',
  'src/export/job.ts':
    'export const job = 1;\nexport const both = (one: object) => ({ ...one, job });\n',
  'src/chat/sound.ts': `// Reads the disk: threads are files.
import { readFile } from 'node:fs/promises';
import { two } from '../common/shapes';

/** Returns the text of a file. */
export async function textOf(file: string, _unused: string): Promise<string> {
  return \`\${await readFile(file, 'utf8')} \${two}\`;
}
`,
  'webview/view.ts': "export const view = 'view';\n",
  'test/unit/sound.test.ts': "it('passes', () => {\n  [1].at(0)!.toFixed();\n});\n",
  'esbuild.mjs':
    '/** Prints a text. @param {string} text */\nfunction print(text) {\n  console.log(text);\n}\nprint(process.version);\n',
};

/** The rules of our own and those of single rooms, each with a file that breaks it. */
const placedCases: Record<string, readonly [rule: string, filePath: string, code: string]> = {
  'vscode outside its room': [
    'rooms(allowed-imports)',
    'src/chat/a.ts',
    "import type { Uri } from 'vscode';\nexport type Place = Uri;\n",
  ],
  'vscode in a test that is not a workbench test': [
    'rooms(allowed-imports)',
    'test/unit/a.test.ts',
    "import type { Uri } from 'vscode';\nexport type Place = Uri;\n",
  ],
  'the view importing the chat': [
    'rooms(allowed-imports)',
    'webview/a.ts',
    "import * as chat from '../src/chat/sound';\nexport const all = chat;\n",
  ],
  'shared code importing Node': [
    'rooms(allowed-imports)',
    'src/shared/a.ts',
    "import path from 'node:path';\nexport const { sep } = path;\n",
  ],
  'the chat importing the export': [
    'rooms(allowed-imports)',
    'src/chat/b.ts',
    "import type * as job from '../export/job';\nexport type Job = typeof job;\n",
  ],
  'a room reached by import()': [
    'rooms(allowed-imports)',
    'src/chat/c.ts',
    "export const load = () => import('../export/job');\n",
  ],
  'a room reached by the type of an import': [
    'rooms(allowed-imports)',
    'src/chat/d.ts',
    "export type { job } from '../export/job';\n",
  ],
  'the toolkit in a second file': [
    'rooms(allowed-imports)',
    'webview/b.ts',
    "import { vsCodeButton } from '@vscode/webview-ui-toolkit';\nexport const button = vsCodeButton as unknown;\n",
  ],
  'a cycle of types alone': [
    'rooms(no-cycles)',
    'src/common/cycleA.ts',
    "import type * as other from './cycleB';\nexport type Cycle = typeof other;\n",
  ],
  'the other half of the cycle': [
    'rooms(no-cycles)',
    'src/common/cycleB.ts',
    "export type { Cycle } from './cycleA';\n",
  ],
  'the disk in a file that does not say so': [
    'rooms(named-outside)',
    'src/chat/e.ts',
    "import { readFile } from 'node:fs/promises';\nexport const read = readFile;\n",
  ],
  'a doc comment that begins as a fragment': [
    'comments(whole-sentences)',
    'src/common/f.ts',
    '/** Of the thread, in order. */\nexport const messages = [];\n',
  ],
  'a doc comment of a function without a verb': [
    'comments(whole-sentences)',
    'src/common/g.ts',
    '/** The first message. */\nexport function first(): undefined {\n  return undefined;\n}\n',
  ],
  'a comment of a test that begins as a fragment': [
    'comments(whole-sentences)',
    'test/unit/m.test.ts',
    '/** What the reader sees. */\nexport const shown = [];\n',
  ],
  'a function of a script without a verb': [
    'comments(whole-sentences)',
    'test/tooling/n.mjs',
    '/** The first message. */\nexport function first() {\n  return undefined;\n}\n',
  ],
  'a word of a build that readers puzzle over': [
    'comments(whole-sentences)',
    'webview/code/o.mjs',
    '/** The patterns and, likewise, the names. */\nexport const all = [];\n',
  ],
  'a literal that is spread': [
    'spreads(listed-fields)',
    'src/common/p.ts',
    'export const place = { line: 1, ...{ column: 2 } };\n',
  ],
  'a field that is spread if it is known': [
    'spreads(listed-fields)',
    'src/common/q.ts',
    'export const place = (line?: number) => ({ ...(line === undefined ? {} : { line }) });\n',
  ],
  'a network of its own in the chat': [
    'eslint(no-restricted-globals)',
    'src/chat/h.ts',
    "export const ask = () => fetch('/');\n",
  ],
  'a clock of its own in the chat': [
    'eslint(no-restricted-properties)',
    'src/chat/i.ts',
    'export const now = () => Date.now();\n',
  ],
  'a timer of its own in the local docs service': [
    'eslint(no-restricted-globals)',
    'src/service/export/i.ts',
    'export const later = (run: () => void) => setTimeout(run, 1);\n',
  ],
  'chance of its own in an export': [
    'eslint(no-restricted-properties)',
    'src/export/job/i.ts',
    'export const some = () => Math.random();\n',
  ],
  'a method that is wrong in Node 20': [
    'eslint(no-restricted-properties)',
    'src/common/j.ts',
    "export const isUrl = URL.canParse('a');\n",
  ],
  'a name that JavaScript does not know': [
    'eslint(no-undef)',
    'test/tooling/k.mjs',
    'export const one = unknownName;\n',
  ],
  'a comment that switches a rule off for nothing': [
    '',
    'src/common/l.ts',
    '// eslint-disable-next-line no-control-regex -- nothing is there\nexport const one = 1;\n',
  ],
};

/** Returns each case of a rule with the file that holds it. */
function inFiles(
  cases: typeof coreCases,
  plugin: string,
  extension = '.ts',
  folder = 'src/common',
) {
  return Object.entries(cases).flatMap(([rule, codes]) =>
    [codes].flat().map((code, index) => ({
      what: `${plugin}(${rule})`,
      rule: `${plugin}(${rule})`,
      filePath: `${folder}/${rule}-${index}${extension}`,
      code: `${code}\n`,
    })),
  );
}

const cases = [
  ...inFiles(typescriptCases, 'typescript'),
  ...inFiles(coreCases, 'eslint'),
  ...inFiles(testCases, 'jest', '.test.ts', 'test/unit'),
  ...Object.entries(placedCases).map(([what, [rule, filePath, code]]) => ({
    what,
    rule,
    filePath,
    code,
  })),
];

describe('npm run lint', function () {
  this.timeout(60_000);

  let folder: string;
  let configured: string[];
  /** Rules that a file breaks, by its path. */
  const broken = new Map<string, string[]>();

  before(async () => {
    folder = await makeTempFolder('lint');
    const config = v.parse(
      configSchema,
      JSON.parse(await readFile(path.join(repoRoot, '.oxlintrc.json'), 'utf8')),
    );
    configured = config.overrides.flatMap(({ rules }) => Object.keys(rules));
    const jsPlugins = config.jsPlugins.map((plugin) => path.join(repoRoot, plugin));
    const files: Record<string, string> = {
      ...soundFiles,
      ...Object.fromEntries(cases.map(({ filePath, code }) => [filePath, code])),
      '.oxlintrc.json': JSON.stringify({ ...config, jsPlugins }),
      'tsconfig.json': JSON.stringify({
        extends: './src/tsconfig.base.json',
        compilerOptions: {
          lib: ['ES2023', 'DOM'],
          types: ['node', 'mocha'],
          typeRoots: [path.join(repoRoot, 'node_modules/@types')],
        },
        include: ['src', 'test', 'webview'],
      }),
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    const base = 'src/tsconfig.base.json';
    await copyFile(path.join(repoRoot, base), path.join(folder, base));

    // Outside the clone, oxlint doesn't find the program that knows the types.
    const typed = path.join(
      repoRoot,
      `node_modules/@oxlint-tsgolint/${process.platform}-${process.arch}`,
      process.platform === 'win32' ? 'tsgolint.exe' : 'tsgolint',
    );
    const program = path.join(repoRoot, 'node_modules/oxlint/bin/oxlint');
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        [program, '--format', 'json'],
        { cwd: folder, env: { ...process.env, OXLINT_TSGOLINT_PATH: typed }, maxBuffer: 10 ** 8 },
        (error, stdout, stderr) => {
          if (error?.code === 1 && stdout.startsWith('{')) resolve(stdout);
          else reject(new Error(`It gives no list: ${stdout}${stderr}`));
        },
      );
    });
    for (const { filename, code } of v.parse(outputSchema, JSON.parse(output)).diagnostics) {
      const file = filename.replaceAll('\\', '/');
      broken.set(file, [...(broken.get(file) ?? []), code]);
    }
  });

  after(() => removeTempFolder(folder));

  for (const { what, rule, filePath, code } of cases) {
    it(`fails on ${what} in ${filePath}`, () => {
      const rules = broken.get(filePath) ?? [];
      assert.ok(rules.includes(rule), `${JSON.stringify(rules)} in\n${code}`);
    });
  }

  it('passes files that keep every rule', () => {
    for (const file of Object.keys(soundFiles)) assert.deepEqual(broken.get(file) ?? [], []);
  });

  it('has a case for each rule that needs TypeScript', () => {
    const names = configured.filter((rule) => rule.startsWith('typescript/'));
    assert.deepEqual(
      [...new Set(names)].sort(),
      Object.keys(typescriptCases)
        .map((rule) => `typescript/${rule}`)
        .sort(),
    );
  });
});

import eslint from '@eslint/js';
import mocha from 'eslint-plugin-mocha';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Domain code gets time, randomness and the network as ports, so that tests can fake them. */
const bareGlobals = [
  { name: 'fetch', message: 'Take a Fetch port.' },
  { name: 'setTimeout', message: 'Take a Clock port.' },
  { name: 'setInterval', message: 'Take a Clock port.' },
  { name: 'crypto', message: 'Take a NewId port.' },
];
const urlProperties = [
  { object: 'URL', property: 'canParse', message: 'Use parseUrl: canParse is wrong in Node 20.' },
];
const bareProperties = [
  ...urlProperties,
  { object: 'Date', property: 'now', message: 'Take a Clock port.' },
];

const noVscode = {
  name: 'vscode',
  message: 'Only src/extension.ts and src/workbench import vscode.',
};
const noToolkit = {
  name: '@vscode/webview-ui-toolkit',
  message: 'The toolkit is archived: import it in webview/toolkit.ts alone.',
};

/** @param {{name: string, message: string}[]} paths @param {{group: string[], message: string}[]} patterns */
const layer = (paths, patterns = []) => ({
  'no-restricted-imports': ['error', { paths, patterns }],
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', 'src/localService/sample/', 'test/fixtures/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/extension.ts', 'src/workbench/**'],
    rules: layer(
      [noVscode, noToolkit],
      [{ group: ['**/workbench/*'], message: 'Domain code does not know the workbench.' }],
    ),
  },
  {
    files: ['src/extension.ts', 'src/workbench/**/*.ts'],
    rules: layer(
      [noToolkit],
      [{ group: ['**/webview/*'], message: 'Host and webview share src/shared only.' }],
    ),
  },
  {
    files: ['src/shared/**/*.ts'],
    rules: layer(
      [noVscode, noToolkit],
      [
        { group: ['node:*'], message: 'src/shared runs in the webview too.' },
        { group: ['../*'], message: 'src/shared imports nothing else of ours.' },
      ],
    ),
  },
  {
    files: [
      'src/assistant/**/*.ts',
      'src/context/**/*.ts',
      'src/shared/**/*.ts',
      'src/staticExport/**/*.ts',
    ],
    rules: {
      'no-restricted-globals': ['error', ...bareGlobals],
      'no-restricted-properties': ['error', ...bareProperties],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/assistant/**', 'src/context/**', 'src/shared/**', 'src/staticExport/**'],
    rules: { 'no-restricted-properties': ['error', ...urlProperties] },
  },
  {
    files: ['webview/**/*.ts'],
    rules: layer(
      [noVscode, noToolkit],
      [
        { group: ['node:*'], message: 'The webview runs in a browser.' },
        {
          regex: '^\\.\\./(\\.\\./)?src/(?!shared/)',
          message: 'The webview imports src/shared and libraries, nothing else of ours.',
        },
      ],
    ),
  },
  { files: ['webview/toolkit.ts'], rules: layer([noVscode]) },
  {
    files: ['test/**/*.test.ts'],
    plugins: { mocha },
    languageOptions: { globals: globals.mocha },
    rules: {
      'mocha/no-exclusive-tests': 'error',
      'mocha/no-pending-tests': 'error',
      'mocha/no-identical-title': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['test/tooling/**/*.mjs', 'test/bench/**/*', 'esbuild.mjs', 'src/localService/cli.ts'],
    rules: { 'no-console': 'off' },
  },
);

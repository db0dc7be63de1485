import eslint from '@eslint/js';
import mocha from 'eslint-plugin-mocha';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import commentRules from './test/tooling/commentRules.mjs';
import roomRules from './test/tooling/roomRules.mjs';

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
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    plugins: { rooms: roomRules, comments: commentRules },
    rules: {
      'rooms/allowed-imports': 'error',
      'rooms/no-cycles': 'error',
      'rooms/named-outside': 'error',
      'comments/whole-sentences': 'error',
      'max-lines': ['error', 700],
    },
  },
  {
    files: ['test/**/*.ts'],
    plugins: { rooms: roomRules },
    rules: { 'rooms/allowed-imports': 'error' },
  },
  {
    files: ['src/{chat,export,shared,site}/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...bareGlobals],
      'no-restricted-properties': ['error', ...bareProperties],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/{chat,export,shared,site}/**'],
    rules: { 'no-restricted-properties': ['error', ...urlProperties] },
  },
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
    files: [
      'test/tooling/**/*.mjs',
      'test/bench/**/*',
      'esbuild.mjs',
      'src/localService/server/cli.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);

// @ts-check
/**
 * The rooms of the source code, and which rooms each may import, as docs/architecture.md shows them. Lint
 * (`roomRules.mjs`) and the test of that document read this table.
 */

/**
 * Rooms by name. A room's folder holds its files; the first room whose folder matches is the file's.
 *
 * @type {Readonly<Record<string, { folder: string, mayImport: readonly string[] }>>}
 */
export const rooms = {
  shared: { folder: 'src/shared', mayImport: [] },
  common: { folder: 'src/common', mayImport: ['shared'] },
  site: { folder: 'src/site', mayImport: ['common', 'shared'] },
  chat: { folder: 'src/chat', mayImport: ['site', 'common', 'shared'] },
  docs: { folder: 'src/docs', mayImport: ['common', 'shared'] },
  export: { folder: 'src/export', mayImport: ['docs', 'site', 'common', 'shared'] },
  enhance: {
    folder: 'src/enhance',
    mayImport: ['export', 'docs', 'site', 'common', 'shared'],
  },
  company: {
    folder: 'src/service/company',
    mayImport: ['docsTools', 'service', 'export', 'docs', 'common', 'shared'],
  },
  host: { folder: 'src/host', mayImport: ['enhance', 'export', 'common', 'shared'] },
  service: { folder: 'src/service', mayImport: ['docs', 'common', 'shared'] },
  docsTools: { folder: 'src/docsTools', mayImport: ['chat', 'site', 'common', 'shared'] },
  questions: {
    folder: 'src/questions',
    mayImport: ['docsTools', 'chat', 'site', 'common', 'shared'],
  },
  cli: {
    folder: 'src/cli',
    mayImport: [
      'questions',
      'docsTools',
      'chat',
      'export',
      'enhance',
      'host',
      'service',
      'docs',
      'site',
      'common',
      'shared',
    ],
  },
  vscode: {
    folder: 'src/vscode',
    mayImport: [
      'questions',
      'docsTools',
      'chat',
      'export',
      'enhance',
      'service',
      'docs',
      'site',
      'common',
      'shared',
    ],
  },
  extension: { folder: 'src', mayImport: ['vscode', 'chat', 'site', 'common', 'shared'] },
  siteBox: {
    folder: 'webview/site',
    mayImport: ['webview', 'chat', 'docs', 'site', 'common', 'shared'],
  },
  webview: { folder: 'webview', mayImport: ['shared'] },
};

/** The only files outside `src/vscode` and the workbench tests that may import `vscode`. */
export const vscodeImporters = ['src/extension.ts', 'src/vscode/', 'test/workbench/'];

/** The only file that may import the archived toolkit. */
export const toolkitImporter = 'webview/toolkit.ts';

/** Modules of Node that touch the disk, the network, a process or a thread. */
export const outsideModules =
  /^node:(?:fs|net|http|https|http2|dns|tls|dgram|child_process|worker_threads|cluster)(?:\/|$)/;

/**
 * Returns the room of a file, or undefined for a file outside of all rooms, such as a test.
 *
 * @param {string} file relative to the clone, with forward slashes
 */
export function roomOf(file) {
  return Object.keys(rooms).find((name) => file.startsWith(`${rooms[name]?.folder ?? ''}/`));
}

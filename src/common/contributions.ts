/**
 * Names that `package.json` and the code share, and the types of their values.
 * `npm run check:contributions` compares the two in both directions. This file doesn't import
 * `vscode`, so that tools can load it in plain Node.
 */

/** Returns the manifest's full names of commands, views, settings or context keys, by their short names. */
function ofExtension<const Name extends string>(
  ...names: readonly Name[]
): { readonly [Short in Name]: `docsAssistant.${Short}` };
function ofExtension(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `docsAssistant.${name}`]));
}

export const commands = ofExtension(
  'ask',
  'addSelection',
  'askProblem',
  'askTerminal',
  'askFiles',
  'askCell',
  'moveChat',
  'continueThread',
  'askKeptDocs',
  'focusChat',
  'newThread',
  'openThread',
  'showShortcuts',
  'showRequest',
  'stopReply',
  'retryReply',
  'switchSite',
  'filterDocs',
  'showFeatures',
  'setUpSite',
  'copySetUpLink',
  'copyAskLink',
  'checkSetup',
  'copyMcpConfiguration',
  'setAssistantKey',
  'removeAssistantKey',
  'chooseDocs',
  'askInstalledPackages',
  'startLocalService',
  'answerWith',
  'stopLocalService',
  'openSettings',
  'openLog',
  'reportIssue',
);

export type CommandId = (typeof commands)[keyof typeof commands];

/** Names of the language model tools, by the method of the docs tools that answers a call. */
export const languageModelTools = {
  ask: 'docsAssistant_ask',
  search: 'docsAssistant_search',
  readPage: 'docsAssistant_readPage',
  checkClaims: 'docsAssistant_checkClaims',
} as const;

/** Id of the MCP server definition provider. */
export const { mcp: mcpProvider } = ofExtension('mcp');

/** Ids of views and of their containers. */
export const views = {
  container: 'docsAssistant',
  chat: 'docsAssistant.chat',
} as const;

/** IDs of the participants in VS Code's own chat. */
export const chatParticipants = ofExtension('docs');

/** Settings are named `docsAssistant.<name>`. */
export const SETTINGS_SECTION = 'docsAssistant';

/** Full names of the settings. */
export const settings = ofExtension(
  'baseUrl',
  'domain',
  'fp',
  'retrievalPageSize',
  'docsRoot',
  'maxSelectionSize',
  'openSourcesIn',
  'historySizeLimit',
  'timeoutSeconds',
  'logLevel',
);

/** Settings that only a workspace or a folder has. `recommendedSites.ts` checks their values. */
export const workspaceSettings = ofExtension('recommendedSites');

/** Short names of the settings. */
export type SettingName = keyof typeof settings;

/** Places where sources can open. `auto` prefers the page's own file in the workspace. */
export const sourcePlaces = ['auto', 'browser', 'simpleBrowser', 'file'] as const;

export type SourcePlace = (typeof sourcePlaces)[number];

/** Log levels, from the fewest lines to the most. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevelSetting = (typeof logLevels)[number];

/** Context keys that `when` clauses in `package.json` read. */
export const contextKeys = ofExtension(
  'isConfigured',
  'isLocalServiceRunning',
  'canAnswerWith',
  'isReplyRunning',
  'canRetry',
  'hasAdminKey',
  'hasExports',
  'hasCompletedExport',
  'canStartAgain',
  'canWatchExport',
  'isWatchingExport',
  'isPreviewRunning',
  'hasComparison',
);

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** Ids of the static export commands. Each loads the export feature when it first runs. */
export const exportCommands = ofExtension(
  'setAdminKey',
  'removeAdminKey',
  'exportSite',
  'startAgain',
  'watchExport',
  'stopWatching',
  'removeExport',
  'getBundleLink',
  'renewLink',
  'downloadBundle',
  'openBundle',
  'checkBundle',
  'enhanceBundle',
  'saveReport',
  'previewBundle',
  'askBundle',
  'compareBundles',
  'showComparison',
  'showAllChanges',
  'showComparisonReport',
  'copyComparison',
  'saveComparison',
  'saveRedirects',
  'closeComparison',
  'generateHosting',
  'openPreview',
  'stopPreview',
  'insertDeployment',
  'copyDeployment',
  'renewAndUpdate',
  'openDeployed',
  'changeDeployed',
  'addExportWorkflow',
);

export type ExportCommandId = (typeof exportCommands)[keyof typeof exportCommands];

/** Ids of the static export views. */
export const exportViews = ofExtension('exports', 'comparison');

/**
 * Scheme of the documents with the readable texts of compared pages. The manifest names it in an
 * activation event, so that editors of an earlier window are restored.
 */
export const COMPARED_PAGE_SCHEME = 'docs-assistant-page';

/** Scheme of the documents of comparisons. */
export const COMPARISON_SCHEME = 'docs-assistant-comparison';

/** Scheme of the reports of *Check Bundle*. */
export const CHECK_REPORT_SCHEME = 'docs-assistant-report';

/** Full names of the static export settings. `src/export/commands/settings.ts` checks their values. */
export const exportSettings = {
  apiUrl: 'docsAssistant.apiUrl',
  exportDomain: 'docsAssistant.exportDomain',
  linkMustLastHours: 'docsAssistant.deployment.linkMustLastHours',
  markSecrets: 'docsAssistant.deployment.markSecrets',
} as const;

/** Ids of the commands about docs questions. Each loads the feature when it first runs. */
export const questionCommands = ofExtension(
  'addDocsQuestion',
  'addMissedQuestions',
  'compareQuestions',
);

export type QuestionCommandId = (typeof questionCommands)[keyof typeof questionCommands];

/** Ids of the commands about packages. Each loads the feature when it first runs. */
export const packageCommands = ofExtension('whatChanges');

/** Scheme of the documents that compare versions of packages. */
export const PACKAGE_COMPARISON_SCHEME = 'docs-assistant-packages';

/** Id of the test controller, which `when` clauses of the Test Explorer read. */
export const QUESTION_TESTS = 'docsQuestions';

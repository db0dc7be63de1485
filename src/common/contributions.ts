/**
 * Names that `package.json` and the code share, and the types of their values.
 * `npm run check:contributions` compares the two in both directions. This file doesn't import
 * `vscode`, so that tools can load it in plain Node.
 */

/** Returns the manifest's full name of a command, view, setting or context key. */
function ofExtension<Name extends string>(name: Name): `docsAssistant.${Name}` {
  return `docsAssistant.${name}`;
}

/** Ids of the commands. */
export const commands = {
  ask: ofExtension('ask'),
  addSelection: ofExtension('addSelection'),
  askProblem: ofExtension('askProblem'),
  askTerminal: ofExtension('askTerminal'),
  askFiles: ofExtension('askFiles'),
  askCell: ofExtension('askCell'),
  moveChat: ofExtension('moveChat'),
  continueThread: ofExtension('continueThread'),
  askKeptDocs: ofExtension('askKeptDocs'),
  focusChat: ofExtension('focusChat'),
  newThread: ofExtension('newThread'),
  openThread: ofExtension('openThread'),
  showShortcuts: ofExtension('showShortcuts'),
  showRequest: ofExtension('showRequest'),
  stopReply: ofExtension('stopReply'),
  retryReply: ofExtension('retryReply'),
  switchSite: ofExtension('switchSite'),
  filterDocs: ofExtension('filterDocs'),
  showFeatures: ofExtension('showFeatures'),
  setUpSite: ofExtension('setUpSite'),
  copySetUpLink: ofExtension('copySetUpLink'),
  copyAskLink: ofExtension('copyAskLink'),
  checkSetup: ofExtension('checkSetup'),
  copyMcpConfiguration: ofExtension('copyMcpConfiguration'),
  setAssistantKey: ofExtension('setAssistantKey'),
  removeAssistantKey: ofExtension('removeAssistantKey'),
  chooseDocs: ofExtension('chooseDocs'),
  askInstalledPackages: ofExtension('askInstalledPackages'),
  startLocalService: ofExtension('startLocalService'),
  answerWith: ofExtension('answerWith'),
  stopLocalService: ofExtension('stopLocalService'),
  openSettings: ofExtension('openSettings'),
  openLog: ofExtension('openLog'),
  reportIssue: ofExtension('reportIssue'),
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

/** Names of the language model tools, by the method of the docs tools that answers a call. */
export const languageModelTools = {
  ask: 'docsAssistant_ask',
  search: 'docsAssistant_search',
  readPage: 'docsAssistant_readPage',
  checkClaims: 'docsAssistant_checkClaims',
} as const;

/** Id of the MCP server definition provider. */
export const mcpProvider = ofExtension('mcp');

/** Ids of views and of their containers. */
export const views = {
  container: 'docsAssistant',
  chat: ofExtension('chat'),
} as const;

/** IDs of the participants in VS Code's own chat. */
export const chatParticipants = { docs: ofExtension('docs') } as const;

/** Settings are named `docsAssistant.<name>`. */
export const SETTINGS_SECTION = 'docsAssistant';

/** Full names of the settings. */
export const settings = {
  baseUrl: ofExtension('baseUrl'),
  domain: ofExtension('domain'),
  fp: ofExtension('fp'),
  retrievalPageSize: ofExtension('retrievalPageSize'),
  docsRoot: ofExtension('docsRoot'),
  maxSelectionSize: ofExtension('maxSelectionSize'),
  openSourcesIn: ofExtension('openSourcesIn'),
  historySizeLimit: ofExtension('historySizeLimit'),
  timeoutSeconds: ofExtension('timeoutSeconds'),
  logLevel: ofExtension('logLevel'),
} as const;

/** Settings that only a workspace or a folder has. `recommendedSites.ts` checks their values. */
export const workspaceSettings = { recommendedSites: ofExtension('recommendedSites') } as const;

/** Short names of the settings. */
export type SettingName = keyof typeof settings;

/** Places where sources can open. `auto` prefers the page's own file in the workspace. */
export const sourcePlaces = ['auto', 'browser', 'simpleBrowser', 'file'] as const;

export type SourcePlace = (typeof sourcePlaces)[number];

/** Log levels, from the fewest lines to the most. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevelSetting = (typeof logLevels)[number];

/** Context keys that `when` clauses in `package.json` read. */
export const contextKeys = {
  isConfigured: ofExtension('isConfigured'),
  isLocalServiceRunning: ofExtension('isLocalServiceRunning'),
  canAnswerWith: ofExtension('canAnswerWith'),
  isReplyRunning: ofExtension('isReplyRunning'),
  canRetry: ofExtension('canRetry'),
  hasAdminKey: ofExtension('hasAdminKey'),
  hasExports: ofExtension('hasExports'),
  hasCompletedExport: ofExtension('hasCompletedExport'),
  canStartAgain: ofExtension('canStartAgain'),
  canWatchExport: ofExtension('canWatchExport'),
  isWatchingExport: ofExtension('isWatchingExport'),
  isPreviewRunning: ofExtension('isPreviewRunning'),
  hasComparison: ofExtension('hasComparison'),
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** Ids of the static export commands. Each loads the export feature when it first runs. */
export const exportCommands = {
  setAdminKey: ofExtension('setAdminKey'),
  removeAdminKey: ofExtension('removeAdminKey'),
  exportSite: ofExtension('exportSite'),
  startAgain: ofExtension('startAgain'),
  watchExport: ofExtension('watchExport'),
  stopWatching: ofExtension('stopWatching'),
  removeExport: ofExtension('removeExport'),
  getBundleLink: ofExtension('getBundleLink'),
  renewLink: ofExtension('renewLink'),
  downloadBundle: ofExtension('downloadBundle'),
  openBundle: ofExtension('openBundle'),
  checkBundle: ofExtension('checkBundle'),
  enhanceBundle: ofExtension('enhanceBundle'),
  saveReport: ofExtension('saveReport'),
  previewBundle: ofExtension('previewBundle'),
  askBundle: ofExtension('askBundle'),
  compareBundles: ofExtension('compareBundles'),
  showComparison: ofExtension('showComparison'),
  showAllChanges: ofExtension('showAllChanges'),
  showComparisonReport: ofExtension('showComparisonReport'),
  copyComparison: ofExtension('copyComparison'),
  saveComparison: ofExtension('saveComparison'),
  saveRedirects: ofExtension('saveRedirects'),
  closeComparison: ofExtension('closeComparison'),
  generateHosting: ofExtension('generateHosting'),
  openPreview: ofExtension('openPreview'),
  stopPreview: ofExtension('stopPreview'),
  insertDeployment: ofExtension('insertDeployment'),
  copyDeployment: ofExtension('copyDeployment'),
  renewAndUpdate: ofExtension('renewAndUpdate'),
  openDeployed: ofExtension('openDeployed'),
  changeDeployed: ofExtension('changeDeployed'),
  addExportWorkflow: ofExtension('addExportWorkflow'),
} as const;

export type ExportCommandId = (typeof exportCommands)[keyof typeof exportCommands];

/** Ids of the static export views. */
export const exportViews = {
  exports: ofExtension('exports'),
  comparison: ofExtension('comparison'),
} as const;

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
  apiUrl: ofExtension('apiUrl'),
  exportDomain: ofExtension('exportDomain'),
  linkMustLastHours: ofExtension('deployment.linkMustLastHours'),
  markSecrets: ofExtension('deployment.markSecrets'),
} as const;

/** Ids of the commands about docs questions. Each loads the feature when it first runs. */
export const questionCommands = {
  addDocsQuestion: ofExtension('addDocsQuestion'),
  addMissedQuestions: ofExtension('addMissedQuestions'),
  compareQuestions: ofExtension('compareQuestions'),
} as const;

export type QuestionCommandId = (typeof questionCommands)[keyof typeof questionCommands];

/** Ids of the commands about packages. Each loads the feature when it first runs. */
export const packageCommands = { whatChanges: ofExtension('whatChanges') } as const;

/** Scheme of the documents that compare versions of packages. */
export const PACKAGE_COMPARISON_SCHEME = 'docs-assistant-packages';

/** Id of the test controller, which `when` clauses of the Test Explorer read. */
export const QUESTION_TESTS = 'docsQuestions';

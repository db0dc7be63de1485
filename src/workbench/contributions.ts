/**
 * The names under which `package.json` and the code know the same things, and the types of each.
 * `npm run check:contributions` compares the two, both ways. Imports no `vscode`, so that tools
 * can read it in plain Node.
 */

/** Ids of the commands. */
export const commands = {
  ask: 'docsAssistant.ask',
  addSelection: 'docsAssistant.addSelection',
  focusChat: 'docsAssistant.focusChat',
  newThread: 'docsAssistant.newThread',
  openThread: 'docsAssistant.openThread',
  stopReply: 'docsAssistant.stopReply',
  retryReply: 'docsAssistant.retryReply',
  setUpSite: 'docsAssistant.setUpSite',
  setAssistantKey: 'docsAssistant.setAssistantKey',
  removeAssistantKey: 'docsAssistant.removeAssistantKey',
  startLocalService: 'docsAssistant.startLocalService',
  stopLocalService: 'docsAssistant.stopLocalService',
  openSettings: 'docsAssistant.openSettings',
  openLog: 'docsAssistant.openLog',
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

/** Ids of views and of their containers. */
export const views = {
  container: 'docsAssistant',
  chat: 'docsAssistant.chat',
} as const;

/** Settings are named `docsAssistant.<name>`. */
export const SETTINGS_SECTION = 'docsAssistant';

/** Full names of the settings. */
export const settings = {
  baseUrl: 'docsAssistant.baseUrl',
  domain: 'docsAssistant.domain',
  fp: 'docsAssistant.fp',
  retrievalPageSize: 'docsAssistant.retrievalPageSize',
  filterVersion: 'docsAssistant.filter.version',
  filterLanguage: 'docsAssistant.filter.language',
  filterGroups: 'docsAssistant.filter.groups',
  docsRoot: 'docsAssistant.docsRoot',
  maxSelectionSize: 'docsAssistant.maxSelectionSize',
  timeoutSeconds: 'docsAssistant.timeoutSeconds',
  logLevel: 'docsAssistant.logLevel',
} as const;

/** What each setting holds once it is checked. */
export interface SettingTypes {
  readonly baseUrl: string;
  readonly domain: string;
  readonly fp: string;
  readonly retrievalPageSize: number;
  readonly filterVersion: string;
  readonly filterLanguage: string;
  readonly filterGroups: readonly string[];
  readonly docsRoot: string;
  /** Kilobytes (1000 bytes) of UTF-8. */
  readonly maxSelectionSize: number;
  readonly timeoutSeconds: number;
  readonly logLevel: LogLevelSetting;
}

export type SettingName = keyof SettingTypes;

/** From the fewest lines to the most. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevelSetting = (typeof logLevels)[number];

/** Context keys that `when` clauses in `package.json` read. */
export const contextKeys = {
  isConfigured: 'docsAssistant.isConfigured',
  isLocalServiceRunning: 'docsAssistant.isLocalServiceRunning',
  isReplyRunning: 'docsAssistant.isReplyRunning',
  canRetry: 'docsAssistant.canRetry',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

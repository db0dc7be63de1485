/**
 * The names under which `package.json` and the code know the same things, and the types of each.
 * `npm run check:contributions` compares the two, both ways. Imports no `vscode`, so that tools
 * can read it in plain Node.
 */

/** A name in the manifest. Written once, as all of them are loaded at the start. */
export function ofExtension<Name extends string>(name: Name): `docsAssistant.${Name}` {
  return `docsAssistant.${name}`;
}

/** Ids of the commands. */
export const commands = {
  ask: ofExtension('ask'),
  addSelection: ofExtension('addSelection'),
  focusChat: ofExtension('focusChat'),
  newThread: ofExtension('newThread'),
  openThread: ofExtension('openThread'),
  showShortcuts: ofExtension('showShortcuts'),
  stopReply: ofExtension('stopReply'),
  retryReply: ofExtension('retryReply'),
  setUpSite: ofExtension('setUpSite'),
  setAssistantKey: ofExtension('setAssistantKey'),
  removeAssistantKey: ofExtension('removeAssistantKey'),
  startLocalService: ofExtension('startLocalService'),
  stopLocalService: ofExtension('stopLocalService'),
  openSettings: ofExtension('openSettings'),
  openLog: ofExtension('openLog'),
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

/** Ids of views and of their containers. */
export const views = {
  container: 'docsAssistant',
  chat: ofExtension('chat'),
} as const;

/** Settings are named `docsAssistant.<name>`. */
export const SETTINGS_SECTION = 'docsAssistant';

/** Full names of the settings. */
export const settings = {
  baseUrl: ofExtension('baseUrl'),
  domain: ofExtension('domain'),
  fp: ofExtension('fp'),
  retrievalPageSize: ofExtension('retrievalPageSize'),
  filterVersion: ofExtension('filter.version'),
  filterLanguage: ofExtension('filter.language'),
  filterGroups: ofExtension('filter.groups'),
  docsRoot: ofExtension('docsRoot'),
  maxSelectionSize: ofExtension('maxSelectionSize'),
  openSourcesIn: ofExtension('openSourcesIn'),
  historySizeLimit: ofExtension('historySizeLimit'),
  timeoutSeconds: ofExtension('timeoutSeconds'),
  logLevel: ofExtension('logLevel'),
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
  readonly openSourcesIn: SourcePlace;
  /** Megabytes (1,000,000 bytes). */
  readonly historySizeLimit: number;
  readonly timeoutSeconds: number;
  readonly logLevel: LogLevelSetting;
}

export type SettingName = keyof SettingTypes;

/** Where sources open; `auto` is the page's own file where the workspace has it. */
export const sourcePlaces = ['auto', 'browser', 'simpleBrowser', 'file'] as const;

export type SourcePlace = (typeof sourcePlaces)[number];

/** From the fewest lines to the most. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevelSetting = (typeof logLevels)[number];

/** Context keys that `when` clauses in `package.json` read. */
export const contextKeys = {
  isConfigured: ofExtension('isConfigured'),
  isLocalServiceRunning: ofExtension('isLocalServiceRunning'),
  isReplyRunning: ofExtension('isReplyRunning'),
  canRetry: ofExtension('canRetry'),
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

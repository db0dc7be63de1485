/**
 * The names of static export that `package.json` and the code share, apart from those of asking,
 * and like them without `vscode` (see `contributions.ts`).
 */
import { ofExtension } from './contributions';

/** Ids of the commands. All of them load the export feature when they first run. */
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
  saveReport: ofExtension('saveReport'),
  previewBundle: ofExtension('previewBundle'),
  openPreview: ofExtension('openPreview'),
  stopPreview: ofExtension('stopPreview'),
  insertDeployment: ofExtension('insertDeployment'),
  copyDeployment: ofExtension('copyDeployment'),
  renewAndUpdate: ofExtension('renewAndUpdate'),
  showFeatures: ofExtension('showFeatures'),
} as const;

export type ExportCommandId = (typeof exportCommands)[keyof typeof exportCommands];

/** Ids of the views. */
export const exportViews = { exports: ofExtension('exports') } as const;

/** Full names of the settings, read by `export/exportSettings.ts`. */
export const exportSettings = {
  apiUrl: ofExtension('apiUrl'),
  exportDomain: ofExtension('exportDomain'),
  deploymentType: ofExtension('deployment.type'),
  deploymentAssistant: ofExtension('deployment.assistant'),
  linkMustLastHours: ofExtension('deployment.linkMustLastHours'),
} as const;

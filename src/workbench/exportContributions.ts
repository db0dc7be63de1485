/**
 * The names of static export that `package.json` and the code share, apart from those of asking,
 * and like them without `vscode` (see `contributions.ts`).
 */

/** Ids of the commands. All of them load the export feature when they first run. */
export const exportCommands = {
  setAdminKey: 'docsAssistant.setAdminKey',
  removeAdminKey: 'docsAssistant.removeAdminKey',
  exportSite: 'docsAssistant.exportSite',
  watchExport: 'docsAssistant.watchExport',
  stopWatching: 'docsAssistant.stopWatching',
  removeExport: 'docsAssistant.removeExport',
  getBundleLink: 'docsAssistant.getBundleLink',
  renewLink: 'docsAssistant.renewLink',
  downloadBundle: 'docsAssistant.downloadBundle',
  openBundle: 'docsAssistant.openBundle',
  checkBundle: 'docsAssistant.checkBundle',
  saveReport: 'docsAssistant.saveReport',
  previewBundle: 'docsAssistant.previewBundle',
  openPreview: 'docsAssistant.openPreview',
  stopPreview: 'docsAssistant.stopPreview',
  insertDeployment: 'docsAssistant.insertDeployment',
  copyDeployment: 'docsAssistant.copyDeployment',
  renewAndUpdate: 'docsAssistant.renewAndUpdate',
  showFeatures: 'docsAssistant.showFeatures',
} as const;

export type ExportCommandId = (typeof exportCommands)[keyof typeof exportCommands];

/** Ids of the views. */
export const exportViews = { exports: 'docsAssistant.exports' } as const;

/** Full names of the settings, read by `export/exportSettings.ts`. */
export const exportSettings = {
  apiUrl: 'docsAssistant.apiUrl',
  exportDomain: 'docsAssistant.exportDomain',
  deploymentType: 'docsAssistant.deployment.type',
  deploymentSearch: 'docsAssistant.deployment.search',
  deploymentAssistant: 'docsAssistant.deployment.assistant',
  deploymentAnalytics: 'docsAssistant.deployment.analytics',
  deploymentApiPlayground: 'docsAssistant.deployment.apiPlayground',
  linkMustLastHours: 'docsAssistant.deployment.linkMustLastHours',
} as const;

import * as vscode from 'vscode';
import type { DeploymentType, FeatureSwitches } from '../staticExport/featureAvailability';
import { exportSettings } from './exportContributions';

/** Where the site runs, and what is set up there. */
export interface Deployment {
  readonly type: DeploymentType;
  readonly switches: FeatureSwitches;
}

/** Read anew each time. What is not a setting's value counts as its default. */
export function deployment(): Deployment {
  const configuration = vscode.workspace.getConfiguration(undefined, null);
  const type = configuration.get<unknown>(exportSettings.deploymentType);
  const isOn = (setting: string): boolean => configuration.get<unknown>(setting) !== false;
  return {
    type: type === 'airGapped' || type === 'clientHosted' ? type : 'cloud',
    switches: {
      search: isOn(exportSettings.deploymentSearch),
      assistant: isOn(exportSettings.deploymentAssistant),
      analytics: isOn(exportSettings.deploymentAnalytics),
      apiPlayground: isOn(exportSettings.deploymentApiPlayground),
    },
  };
}

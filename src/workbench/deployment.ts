import * as vscode from 'vscode';
import type { Deployment } from '../staticExport/featureAvailability';
import { exportSettings } from './exportContributions';

/** Read anew each time. What is not a setting's value counts as its default. */
export function deployment(): Deployment {
  const configuration = vscode.workspace.getConfiguration(undefined, null);
  const type = configuration.get<unknown>(exportSettings.deploymentType);
  return {
    type: type === 'airGapped' || type === 'clientHosted' ? type : 'cloud',
    isAssistantOn: configuration.get<unknown>(exportSettings.deploymentAssistant) !== false,
  };
}

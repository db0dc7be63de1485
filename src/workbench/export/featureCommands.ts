import * as vscode from 'vscode';
import { availability, type FeatureAvailability } from '../../staticExport/featureSentences';
import { deployment } from '../deployment';
import { commands } from '../contributions';
import { exportSettings } from '../exportContributions';
import { translate } from '../notifications';

const icons = {
  available: '$(pass)',
  off: '$(circle-slash)',
  unavailable: '$(error)',
} as const;

const switches = {
  search: exportSettings.deploymentSearch,
  assistant: exportSettings.deploymentAssistant,
  analytics: exportSettings.deploymentAnalytics,
  apiPlayground: exportSettings.deploymentApiPlayground,
} as const;

/** *Show Feature Availability*: the documented table for this deployment, with its switches. */
export async function showFeatures(): Promise<void> {
  for (;;) {
    const { type, switches: set } = deployment();
    const names = {
      cloud: translate('a cloud site'),
      clientHosted: translate('a client-hosted site'),
      airGapped: translate('an air-gapped site'),
    };
    const chosen = await vscode.window.showQuickPick(
      [
        ...availability(type, set).map((row) => ({
          label: `${icons[row.state]} ${translate(row.label)}`,
          description: stateOf(row),
          detail: [row.reason, row.alternative]
            .flatMap((sentence) => (sentence === undefined ? [] : [translate(sentence)]))
            .join(' '),
          run: (): Promise<boolean> => turn(row),
        })),
        {
          label: `$(settings-gear) ${translate('Change the Kind of Deployment…')}`,
          run: async (): Promise<boolean> => {
            await vscode.commands.executeCommand(
              commands.openSettings,
              exportSettings.deploymentType,
            );
            return false;
          },
        },
      ],
      {
        title: translate('What Is Available for {0}', names[type]),
        placeHolder: translate('Choose what is configurable to turn it on or off'),
        matchOnDetail: true,
      },
    );
    if (!chosen || !(await chosen.run())) return;
  }
}

function stateOf({ state, isConfigurable }: FeatureAvailability): string {
  if (state === 'unavailable') return translate('unavailable');
  if (!isConfigurable) return translate('available');
  return state === 'available' ? translate('on (configurable)') : translate('off (configurable)');
}

/** Turns a configurable feature over. @returns true to show the table again. */
async function turn({ feature, isConfigurable, state }: FeatureAvailability): Promise<boolean> {
  if (!isConfigurable || feature === 'staticExport') return true;
  await vscode.workspace
    .getConfiguration(undefined, null)
    .update(switches[feature], state !== 'available', vscode.ConfigurationTarget.Global);
  return true;
}

import * as vscode from 'vscode';
import { availability, type FeatureAvailability } from '../../staticExport/featureSentences';
import { deployment } from '../deployment';
import { commands } from '../contributions';
import { exportSettings } from '../exportContributions';
import { translate } from '../notifications';

const icons = {
  available: '$(pass)',
  configurable: '$(question)',
  off: '$(circle-slash)',
  unavailable: '$(error)',
} as const;

/** *Show Feature Availability*: the documented table for this deployment, with its one switch. */
export async function showFeatures(): Promise<void> {
  for (;;) {
    const site = deployment();
    const names = {
      cloud: translate('a cloud site'),
      clientHosted: translate('a client-hosted site'),
      airGapped: translate('an air-gapped site'),
    };
    const chosen = await vscode.window.showQuickPick(
      [
        ...availability(site).map((row) => ({
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
        title: translate('What Is Available for {0}', names[site.type]),
        placeHolder: translate(
          'Choose the assistant to turn it on or off where it is configurable',
        ),
        matchOnDetail: true,
      },
    );
    if (!chosen || !(await chosen.run())) return;
  }
}

function stateOf({ state, hasSwitch }: FeatureAvailability): string {
  switch (state) {
    case 'unavailable':
      return translate('unavailable');
    case 'configurable':
      return translate('configurable');
    case 'off':
      return translate('off (configurable)');
    case 'available':
      return hasSwitch ? translate('on (configurable)') : translate('available');
  }
}

/** Turns the assistant over where it is configurable. @returns true to show the table again. */
async function turn({ hasSwitch, state }: FeatureAvailability): Promise<boolean> {
  if (!hasSwitch) return true;
  await vscode.workspace
    .getConfiguration(undefined, null)
    .update(
      exportSettings.deploymentAssistant,
      state !== 'available',
      vscode.ConfigurationTarget.Global,
    );
  return true;
}

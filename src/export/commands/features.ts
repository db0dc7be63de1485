/** *Show Feature Availability*: the documented table for the user's deployment. */
import { commands, exportSettings } from '../../common/contributions';
import {
  featureState,
  hasSwitch,
  type SiteDeployment,
  type Feature,
  type FeatureState,
} from '../../site/featureAvailability';
import type { ExportUi } from './ui';

/** Names of the rows, in the order of the documented table. */
const labels = {
  search: 'Documentation search',
  assistant: 'AI assistant',
  analytics: 'Web analytics',
  apiPlayground: 'API playground (“Try it”)',
  staticExport: 'Static export bundle',
} as const satisfies Record<Feature, string>;

const reasons = {
  unavailable:
    'It needs the platform’s cloud, and an air-gapped deployment has no outbound network access.',
  off: 'Your settings turn it off for this environment.',
  configurable: 'It depends on how your environment is set up.',
  available: 'It depends on how your environment is set up. Your settings turn it on.',
} as const;

const alternatives = {
  search:
    'The local docs service can search the same docs on this machine. A site’s bundle can also contain its own search.',
  assistant:
    'The local docs service can answer from the same docs on this machine, without a network.',
  analytics: 'The logs of the server that hosts the bundle show which pages people read.',
  apiPlayground: 'Copy the requests from the API pages and send them with any HTTP client.',
} as const satisfies Record<Exclude<Feature, 'staticExport'>, string>;

/** One row of the table. All texts are English, for translation. */
export interface FeatureAvailability {
  readonly feature: Feature;
  readonly label: (typeof labels)[Feature];
  readonly state: FeatureState;
  /** Whether a setting turns the feature on and off. */
  readonly hasSwitch: boolean;
  /** Reason why the feature is missing or optional. Absent if it is always available. */
  readonly reason?: (typeof reasons)[keyof typeof reasons];
  /** Replacement for the feature. Absent if the feature is available. */
  readonly alternative?: (typeof alternatives)[keyof typeof alternatives];
}

/**
 * Returns the rows for a deployment, in the order of the documented table.
 *
 * @see platform-api.md § What the service does, 6
 */
export function availability(deployment: SiteDeployment): readonly FeatureAvailability[] {
  const features = Object.keys(labels) as Feature[];
  return features.map((feature) => {
    const state = featureState(feature, deployment);
    const isSwitched = hasSwitch(feature, deployment.type);
    const reason = state === 'available' && !isSwitched ? undefined : reasons[state];
    return {
      feature,
      label: labels[feature],
      state,
      hasSwitch: isSwitched,
      ...(reason === undefined ? {} : { reason }),
      ...(state === 'available' || feature === 'staticExport'
        ? {}
        : { alternative: alternatives[feature] }),
    };
  });
}

interface FeaturePorts {
  readonly ui: ExportUi;
  /** Reads the deployment from the settings. */
  readonly deployment: () => SiteDeployment;
  /** Saves in the settings whether the assistant is on. */
  readonly setAssistant: (isOn: boolean) => Promise<void>;
}

const icons = {
  available: 'pass',
  configurable: 'question',
  off: 'circle-slash',
  unavailable: 'error',
} as const;

/** Shows the table, and again after each change of its one switch, until the user closes it. */
export async function showFeatures({ ui, deployment, setAssistant }: FeaturePorts): Promise<void> {
  const { translate: t } = ui;
  for (;;) {
    const site = deployment();
    const names = {
      cloud: t('a Cloud Site'),
      clientHosted: t('a Client-Hosted Site'),
      airGapped: t('an Air-Gapped Site'),
    };
    const chosen = await ui.choose<FeatureAvailability | 'settings'>(
      t('Features of {0}', names[site.type]),
      [
        ...availability(site).map((row) => ({
          icon: icons[row.state],
          label: t(row.label),
          description: stateText(row, ui),
          detail: [row.reason, row.alternative]
            .flatMap((sentence) => (sentence === undefined ? [] : [t(sentence)]))
            .join(' '),
          value: row,
        })),
        {
          icon: 'settings-gear',
          label: t('Change the Deployment Type…'),
          value: 'settings',
        },
      ],
      t('Select the AI assistant to turn it on or off, if it is configurable'),
    );
    if (chosen === undefined) return;
    if (chosen === 'settings') {
      await ui.runCommand(commands.openSettings, exportSettings.deploymentType);
      return;
    }
    if (chosen.hasSwitch) await setAssistant(chosen.state !== 'available');
  }
}

function stateText({ state, hasSwitch: isSwitched }: FeatureAvailability, ui: ExportUi): string {
  const { translate: t } = ui;
  switch (state) {
    case 'unavailable':
      return t('unavailable');
    case 'configurable':
      return t('configurable');
    case 'off':
      return t('off (configurable)');
    case 'available':
      return isSwitched ? t('on (configurable)') : t('available');
  }
}

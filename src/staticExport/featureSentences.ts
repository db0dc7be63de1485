import {
  featureState,
  isConfigurable,
  type DeploymentType,
  type Feature,
  type FeatureState,
  type FeatureSwitches,
} from './featureAvailability';

/** One row of *Show Feature Availability*. All texts are English, for translation. */
export interface FeatureAvailability {
  readonly feature: Feature;
  /** The feature's name. */
  readonly label: string;
  readonly state: FeatureState;
  /** The switch of the setting `docsAssistant.deployment.<feature>` says whether it is there. */
  readonly isConfigurable: boolean;
  /** Why it is not there, or that a switch can turn it off; absent where it is always there. */
  readonly reason?: string;
  /** What does the same without it; absent while it is there. */
  readonly alternative?: string;
}

/** The rows' order and names, as the documented table has them. */
const labels: Readonly<Record<Feature, string>> = {
  search: 'Documentation search',
  assistant: 'AI assistant',
  analytics: 'Web analytics',
  apiPlayground: 'API playground (“Try it”)',
  staticExport: 'Static export bundle',
};

const reasons = {
  unavailable:
    'An air-gapped deployment has no outbound network access, and this needs the platform’s cloud.',
  off: 'The settings say that it is not set up in this environment.',
  configurable: 'It depends on how the environment is set up; the settings say that it is.',
} as const;

const alternatives: Readonly<Record<Exclude<Feature, 'staticExport'>, string>> = {
  search:
    'The local docs service finds pages of the same docs on this machine; a site can bring a search of its own in its bundle.',
  assistant:
    'The local docs service answers questions over the same docs on this machine, without any network.',
  analytics: 'The logs of the server that hosts the bundle tell which pages are read.',
  apiPlayground: 'The requests shown on the API pages can be copied and sent with any HTTP client.',
};

/**
 * What the deployment offers, in the order of the documented table.
 *
 * @see platform-api.md § What the service does, 6
 */
export function availability(
  type: DeploymentType,
  switches: FeatureSwitches,
): readonly FeatureAvailability[] {
  const features = Object.keys(labels) as Feature[];
  return features.map((feature) => {
    const state = featureState(feature, type, switches);
    const configurable = isConfigurable(feature, type);
    const reason = reasonFor(state, configurable);
    return {
      feature,
      label: labels[feature],
      state,
      isConfigurable: configurable,
      ...(reason === undefined ? {} : { reason }),
      ...(state === 'available' || feature === 'staticExport'
        ? {}
        : { alternative: alternatives[feature] }),
    };
  });
}

function reasonFor(state: FeatureState, configurable: boolean): string | undefined {
  if (state !== 'available') return reasons[state];
  return configurable ? reasons.configurable : undefined;
}

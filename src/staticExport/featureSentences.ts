import {
  featureState,
  hasSwitch,
  type Deployment,
  type Feature,
  type FeatureState,
} from './featureAvailability';

/** One row of *Show Feature Availability*. All texts are English, for translation. */
export interface FeatureAvailability {
  readonly feature: Feature;
  /** The feature's name. */
  readonly label: string;
  readonly state: FeatureState;
  /** True where a setting says whether it is there. */
  readonly hasSwitch: boolean;
  /** Why it is not there, or on what it depends; absent where it is always there. */
  readonly reason?: string;
  /** What does the same without it; absent while it surely is there. */
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
  configurable: 'It depends on how the environment is set up.',
  available: 'It depends on how the environment is set up. The settings say that it is there.',
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
export function availability(deployment: Deployment): readonly FeatureAvailability[] {
  const features = Object.keys(labels) as Feature[];
  return features.map((feature) => {
    const state = featureState(feature, deployment);
    const isSwitched = hasSwitch(feature, deployment.type);
    const reason = reasonFor(state, isSwitched);
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

function reasonFor(state: FeatureState, isSwitched: boolean): string | undefined {
  return state === 'available' && !isSwitched ? undefined : reasons[state];
}

/**
 * What a deployment offers. Read at start-up, so it is small; its sentences are in
 * `featureSentences.ts`.
 */

/** Where the docs site runs, as the setting `docsAssistant.deployment.type` says it. */
export type DeploymentType = 'cloud' | 'clientHosted' | 'airGapped';

export type Feature = 'search' | 'assistant' | 'analytics' | 'apiPlayground' | 'staticExport';

/** Whether what depends on the environment's setup is set up there. Counts only where it does. */
export type FeatureSwitches = Readonly<Record<Exclude<Feature, 'staticExport'>, boolean>>;

/** `off` is by a switch of ours; `unavailable` is by the deployment, whatever the switch says. */
export type FeatureState = 'available' | 'off' | 'unavailable';

/**
 * Where a feature is configurable, and where it is not available at all; elsewhere it is
 * available.
 *
 * @see platform-api.md § What the service does, 6
 */
const exceptions: Partial<
  Record<Feature, Partial<Record<DeploymentType, 'configurable' | 'unavailable'>>>
> = {
  search: { clientHosted: 'configurable', airGapped: 'unavailable' },
  assistant: { clientHosted: 'configurable', airGapped: 'unavailable' },
  analytics: { clientHosted: 'configurable', airGapped: 'unavailable' },
  apiPlayground: { airGapped: 'configurable' },
};

/** True where the state of the feature is the switch's to say. */
export function isConfigurable(feature: Feature, type: DeploymentType): boolean {
  return exceptions[feature]?.[type] === 'configurable';
}

/** State of one feature in a deployment. */
export function featureState(
  feature: Feature,
  type: DeploymentType,
  switches: FeatureSwitches,
): FeatureState {
  const exception = exceptions[feature]?.[type];
  if (exception === 'unavailable') return 'unavailable';
  const isOff = exception === 'configurable' && feature !== 'staticExport' && !switches[feature];
  return isOff ? 'off' : 'available';
}

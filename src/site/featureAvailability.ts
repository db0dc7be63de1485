/**
 * What a deployment offers. Read at start-up, so it is small; its sentences are in
 * `featureSentences.ts`.
 */

/** Where the docs site runs, as the setting `docsAssistant.deployment.type` says it. */
export type DeploymentType = 'cloud' | 'clientHosted' | 'airGapped';

export type Feature = 'search' | 'assistant' | 'analytics' | 'apiPlayground' | 'staticExport';

/** Where the docs site runs, and what the settings say of it. */
export interface Deployment {
  readonly type: DeploymentType;
  /** Whether the assistant is set up in the environment. Counts only where it is configurable. */
  readonly isAssistantOn: boolean;
}

/**
 * `configurable` depends on the environment's setup, which nothing here can tell. Only of the
 * assistant the settings say it, as questions are sent or not: it is `available` or `off` then.
 */
export type FeatureState = 'available' | 'off' | 'configurable' | 'unavailable';

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

/** True where the setting `docsAssistant.deployment.assistant` counts. */
export function hasSwitch(feature: Feature, type: DeploymentType): boolean {
  return feature === 'assistant' && exceptions[feature]?.[type] === 'configurable';
}

/** Returns the state of one feature in a deployment. */
export function featureState(feature: Feature, { type, isAssistantOn }: Deployment): FeatureState {
  if (hasSwitch(feature, type)) return isAssistantOn ? 'available' : 'off';
  return exceptions[feature]?.[type] ?? 'available';
}

/**
 * Features that a deployment offers. This file is small because it is loaded at startup. The
 * sentences are in `featureSentences.ts`.
 */

/** Deployment types, as the setting `docsAssistant.deployment.type` names them. */
export type DeploymentType = 'cloud' | 'clientHosted' | 'airGapped';

export type Feature = 'search' | 'assistant' | 'analytics' | 'apiPlayground' | 'staticExport';

/** Deployment of the docs site, as the settings describe it. */
export interface SiteDeployment {
  readonly type: DeploymentType;
  /** Whether the assistant is set up in the environment. Counts only where it is configurable. */
  readonly isAssistantOn: boolean;
}

/**
 * State of a feature. `configurable` depends on the environment's setup, which is unknown here. The
 * settings answer it for the assistant only, which is then `available` or `off`.
 */
export type FeatureState = 'available' | 'off' | 'configurable' | 'unavailable';

/**
 * Deployments in which a feature is configurable or not available. It is available in all others.
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

/** Returns whether the setting `docsAssistant.deployment.assistant` applies. */
export function hasSwitch(feature: Feature, type: DeploymentType): boolean {
  return feature === 'assistant' && exceptions[feature]?.[type] === 'configurable';
}

/** Returns the state of one feature in a deployment. */
export function featureState(
  feature: Feature,
  { type, isAssistantOn }: SiteDeployment,
): FeatureState {
  if (hasSwitch(feature, type)) return isAssistantOn ? 'available' : 'off';
  return exceptions[feature]?.[type] ?? 'available';
}

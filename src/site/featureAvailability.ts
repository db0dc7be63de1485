/**
 * Features that a deployment offers. This file is small because it is loaded at startup. The
 * sentences are in `features.ts`.
 */
import * as v from 'valibot';
import type { Parsed } from '../shared/schemas';

/** Deployment types, as the documented table has them. */
export const deploymentTypes = ['cloud', 'clientHosted', 'airGapped'] as const;

export type DeploymentType = (typeof deploymentTypes)[number];

export type Feature = 'search' | 'assistant' | 'analytics' | 'apiPlayground' | 'staticExport';

/** Schema of where a docs site runs, as the reader describes it. */
export const deploymentSchema = v.object({
  type: v.picklist(deploymentTypes),
  /** Whether the assistant is set up in the environment. Counts only where it is configurable. */
  isAssistantOn: v.boolean(),
});

export type SiteDeployment = Parsed<typeof deploymentSchema>;

/** Deployment of a site of which the reader has said nothing. */
export const cloudDeployment: SiteDeployment = { type: 'cloud', isAssistantOn: true };

/**
 * State of a feature. `configurable` depends on the environment's setup, which is unknown here. The
 * reader answers it for the assistant only, which is then `available` or `off`.
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

/** Returns whether the reader says if the feature is on. */
export function hasSwitch(feature: Feature, type: DeploymentType): boolean {
  return feature === 'assistant' && exceptions[feature]?.[type] === 'configurable';
}

export function featureState(
  feature: Feature,
  { type, isAssistantOn }: SiteDeployment,
): FeatureState {
  if (hasSwitch(feature, type)) return isAssistantOn ? 'available' : 'off';
  return exceptions[feature]?.[type] ?? 'available';
}

/** *Show Feature Availability*: the documented table for the deployment of a site. */
import { DocsAssistantError } from '../common/errors';
import { exportCommands } from '../common/contributions';
import type { PickRow, WindowUi } from '../common/windowUi';
import {
  featureState,
  hasSwitch,
  cloudDeployment,
  deploymentTypes,
  type DeploymentType,
  type SiteDeployment,
  type Feature,
  type FeatureState,
} from './featureAvailability';
import type { HostedSite } from './keptSite';

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
  off: 'You turned it off for this site.',
  configurable: 'It depends on how your environment is set up.',
  available: 'It depends on how your environment is set up. You turned it on for this site.',
} as const;

const alternatives = {
  search:
    'The local docs service can search the same docs on this machine. A site’s bundle can have a search of its own, see below.',
  assistant:
    'The local docs service can answer from the same docs on this machine, without a network. A site’s bundle can answer from its own pages, see below.',
  analytics: 'The logs of the server that hosts the bundle show which pages people read.',
  apiPlayground: 'Copy the requests from the API pages and send them with any HTTP client.',
} as const satisfies Record<Exclude<Feature, 'staticExport'>, string>;

/** One row of the table. All texts are English, for translation. */
interface FeatureAvailability {
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
      reason,
      alternative:
        state === 'available' || feature === 'staticExport' ? undefined : alternatives[feature],
    };
  });
}

/** The newest bundle of a site on this machine. */
export interface SiteBundle {
  /** Absolute path of its folder. */
  readonly folder: string;
  /** Search and answers of its pages. Absent if they have none. */
  readonly assistant?:
    | {
        /** Time at which they were added or renewed, in milliseconds since the epoch. */
        readonly since: number;
        /** URL of the docs service that answers first. Absent if the files answer alone. */
        readonly service?: string | undefined;
      }
    | undefined;
}

interface FeaturePorts {
  readonly ui: WindowUi;
  /** Returns the hosted site that is asked, as it is kept now. */
  readonly site: () => HostedSite | undefined;
  /** Keeps where the site runs. */
  readonly setDeployment: (site: HostedSite, deployment: SiteDeployment) => Promise<void>;
  readonly bundleOf: (site: HostedSite) => Promise<SiteBundle | undefined>;
}

const icons = {
  available: 'pass',
  configurable: 'question',
  off: 'circle-slash',
  unavailable: 'error',
} as const;

/** Names of the deployment types, in English, for translation. */
export const deploymentNames = {
  cloud: 'Cloud',
  clientHosted: 'Client-hosted',
  airGapped: 'Air-gapped',
} as const satisfies Record<DeploymentType, string>;

const typeDetails = {
  cloud: 'On the docs platform. Everything is available.',
  clientHosted:
    'On your own servers with outbound network. Search, assistant and analytics depend on how the environment is set up.',
  airGapped:
    'On servers without outbound network. Features that need the platform’s cloud are unavailable. The local docs service can answer questions instead.',
} as const satisfies Record<DeploymentType, string>;

/**
 * Shows the table of the hosted site that is asked, and again after each change of where it runs,
 * until the reader closes it.
 * @throws {DocsAssistantError} `not-configured`.
 */
export async function showFeatures(ports: FeaturePorts): Promise<void> {
  const { ui, site, setDeployment, bundleOf } = ports;
  const { translate: t } = ui;
  for (;;) {
    const asked = site();
    if (!asked) throw new DocsAssistantError('not-configured');
    const deployment = asked.deployment ?? cloudDeployment;
    const bundle = await bundleOf(asked);
    const picked = await ui.pick<FeatureAvailability | 'type' | 'bundle'>({
      title: t('Features of {0}', asked.label ?? asked.domain),
      placeholder: t('Select the AI assistant to turn it on or off, if it is configurable'),
      rows: [
        {
          icon: 'server-environment',
          label: t('Deployment Type…'),
          description: t(deploymentNames[deployment.type]),
          value: 'type',
        },
        ...availability(deployment).map((row) => ({
          icon: icons[row.state],
          label: t(row.label),
          description: stateText(row, ui),
          detail: [row.reason, row.alternative]
            .flatMap((sentence) => (sentence === undefined ? [] : [t(sentence)]))
            .join(' '),
          value: row,
        })),
        bundleRow(bundle, ui),
      ],
    });
    if (!picked) return;
    const { value } = picked;
    if (value === 'type') {
      const type = await pickType(ui, deployment.type);
      if (type !== undefined) await setDeployment(asked, { ...deployment, type });
    } else if (value === 'bundle') {
      const node = bundle && { kind: 'site', folder: bundle.folder };
      await ui.runCommand(exportCommands.enhanceBundle, ...(node ? [node] : []));
      return;
    } else if (value.hasSwitch) {
      await setDeployment(asked, { ...deployment, isAssistantOn: value.state !== 'available' });
    }
  }
}

/** Returns the row about search and answers of the site's own bundle, which every deployment can have. */
function bundleRow(
  bundle: SiteBundle | undefined,
  { translate: t, language }: WindowUi,
): PickRow<'bundle'> {
  const label = t('Search and answers in the bundle');
  const value = 'bundle';
  if (!bundle?.assistant) {
    return {
      icon: 'add',
      label,
      description: bundle ? t('not added') : t('no bundle on this machine'),
      detail: bundle
        ? t(
            'Select to add them to {0}. They work on any host, also without a network.',
            bundle.folder,
          )
        : t(
            'Export the site, or select to choose a bundle. They work on any host, also without a network.',
          ),
      value,
    };
  }
  const { since, service } = bundle.assistant;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(since);
  return {
    icon: 'pass',
    label,
    description: t('since {0}', date),
    detail:
      service === undefined
        ? t('The files of the site answer. Select to renew or remove it: {0}', bundle.folder)
        : t(
            'The docs service {0} answers, or the files when it is away. Select to renew or remove it: {1}',
            service,
            bundle.folder,
          ),
    value,
  };
}

async function pickType(
  ui: WindowUi,
  current: DeploymentType,
): Promise<DeploymentType | undefined> {
  const { translate: t } = ui;
  const picked = await ui.pick<DeploymentType>({
    title: t('Deployment Type'),
    placeholder: t('Choose where the docs site runs'),
    rows: deploymentTypes.map((type) => ({
      icon: type === current ? 'check' : 'blank',
      label: t(deploymentNames[type]),
      detail: t(typeDetails[type]),
      value: type,
    })),
  });
  return picked?.value;
}

function stateText({ state, hasSwitch: isSwitched }: FeatureAvailability, ui: WindowUi): string {
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

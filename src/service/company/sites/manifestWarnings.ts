import type { Manifest } from './manifestSchema';
import { restrictedVersions } from './siteAudience';

/** Returns sentences for the operator about what a manifest without errors names in vain. */
export function manifestWarnings({ signIn, sites }: Manifest, env: NodeJS.ProcessEnv): string[] {
  return sites.flatMap((site) => {
    const { domain, groups, refresh } = site;
    const variable = refresh?.webhook?.secretVariable;
    const warnings: string[] = [];
    if (variable !== undefined && (env[variable] ?? '') === '') {
      warnings.push(
        `The site ${domain} refuses its webhook: the environment variable ${variable} isn't set or is empty`,
      );
    }
    if (!signIn && (groups !== undefined || restrictedVersions(site).length > 0)) {
      warnings.push(
        `The site ${domain} has "groups" but nobody is in a group: the manifest has no "signIn"`,
      );
    }
    return warnings;
  });
}

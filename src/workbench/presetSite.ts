import * as v from 'valibot';
import { isLoopbackHost } from '../common/address';
import type { LocalSite } from './activeSite';

/** The environment variable by which `npm start` and the tests name a local service that runs. */
export const PRESET_SITE_VARIABLE = 'DOCS_ASSISTANT_LOCAL_SERVICE';

const schema = v.object({
  url: v.pipe(
    v.string(),
    v.url(),
    v.check((url) => isLoopbackHost(new URL(url).hostname)),
  ),
  domain: v.string(),
  key: v.string(),
  adminKey: v.optional(v.string()),
  label: v.optional(v.string()),
});

/** A local service in JSON; undefined for anything else and for what is not on this machine. */
export function parsePresetSite(json: string | undefined): LocalSite | undefined {
  if (json === undefined) return undefined;
  try {
    const { adminKey, label, ...site } = v.parse(schema, JSON.parse(json));
    return {
      ...site,
      ...(adminKey === undefined ? {} : { adminKey }),
      ...(label === undefined ? {} : { label }),
    };
  } catch {
    return undefined;
  }
}

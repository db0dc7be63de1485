/**
 * A docs site that the reader keeps, as it is stored in VS Code's global state. This file is small
 * because it is loaded at the start. `sites.ts` changes what is stored.
 */
import * as v from 'valibot';
import { isDomain, parseBaseUrl } from '../common/http/address';
import type { Memento } from '../common/ports';
import { withoutUndefined, type WithoutUndefined } from '../common/withoutUndefined';
import { extra, parsedAs } from '../shared/schemas';
import { deploymentSchema } from './featureAvailability';

/** Prefix of the keys that hold a kept site each. */
export const SITE_KEY = 'site:';

/** Key of the ID of the site that a workspace asks, in the workspace's own state. */
export const CHOSEN_SITE = 'site';

const text = (longest: number) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(longest));
/** Milliseconds since the epoch. An unreadable time only changes the order of the list. */
const time = v.fallback(v.pipe(v.number(), v.safeInteger()), 0);

/** Maximum length of the name that the reader gives to a site. */
export const MAX_LABEL_LENGTH = 100;

export const hostedSiteSchema = v.object({
  /** Base URL as `parseApiAddress` returns it. */
  baseUrl: v.pipe(
    v.string(),
    v.maxLength(2000),
    v.check((url) => {
      const parsed = parseBaseUrl(url);
      return parsed.ok && parsed.baseUrl === url;
    }),
  ),
  /** The identifier in the endpoint's path (platform-api.md § Create an Assistant message). */
  domain: v.pipe(v.string(), v.check(isDomain)),
  /** Name that the reader gave to the site. */
  label: extra(text(MAX_LABEL_LENGTH)),
  /** `anonymous` or a unique user identifier. Without it, the one of the settings is sent. */
  fp: extra(text(200)),
  /** Deployment of the site. Absent for the cloud of the docs platform. */
  deployment: extra(deploymentSchema),
});

const keptSiteSchema = v.object({
  schemaVersion: v.literal(1),
  /** Our ID, unique for this installation. */
  id: text(200),
  ...hostedSiteSchema.entries,
  addedAt: time,
  usedAt: time,
});

/** A site of the docs platform. */
export type HostedSite = Readonly<WithoutUndefined<v.InferOutput<typeof hostedSiteSchema>>>;

/** A site of the docs platform that the reader keeps. */
export type KeptSite = Readonly<WithoutUndefined<v.InferOutput<typeof keptSiteSchema>>>;

/** Returns whether both are one site: threads and keys of the one belong to the other. */
export function isSameSite(
  a: Pick<HostedSite, 'baseUrl' | 'domain'>,
  b: Pick<HostedSite, 'baseUrl' | 'domain'>,
): boolean {
  return a.baseUrl === b.baseUrl && a.domain === b.domain;
}

/** Returns the kept site with that ID, or undefined if there is none that can be read. */
export function readKeptSite(memento: Pick<Memento, 'get'>, id: unknown): KeptSite | undefined {
  if (typeof id !== 'string') return undefined;
  const site = parsedAs(keptSiteSchema, memento.get(SITE_KEY + id));
  return site?.id === id ? withoutUndefined(site) : undefined;
}

/** Returns the kept sites that can be read. The one that was used last comes first. */
export function readKeptSites(memento: Pick<Memento, 'get' | 'keys'>): readonly KeptSite[] {
  return memento
    .keys()
    .flatMap((key) =>
      key.startsWith(SITE_KEY) ? (readKeptSite(memento, key.slice(SITE_KEY.length)) ?? []) : [],
    )
    .sort((a, b) => b.usedAt - a.usedAt || b.addedAt - a.addedAt);
}

/**
 * Returns the site that was chosen in a workspace, or undefined if none was and the settings name
 * one. If there is neither, returns the site that was last used in any window and makes it the
 * workspace's choice.
 */
export function chosenSite(
  global: Pick<Memento, 'get' | 'keys'>,
  workspace: Pick<Memento, 'get' | 'update'>,
  hasSettingsSite: boolean,
): KeptSite | undefined {
  const chosen = readKeptSite(global, workspace.get(CHOSEN_SITE));
  if (chosen || hasSettingsSite) return chosen;
  const [last] = readKeptSites(global);
  if (last) void workspace.update(CHOSEN_SITE, last.id);
  return last;
}

/** The folder that `src/enhance` adds to a site, as far as others read it. Reads it with `node:fs`. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { parseBaseUrl } from '../../common/http/address';
import type { Parsed } from '../../shared/schemas';

/** Folder of everything that the assistant adds to a site, besides its tags. */
export const ASSISTANT_FOLDER = '_docs-assistant';

/** File in the folder that says what it is. */
export const ASSISTANT_MANIFEST = 'manifest.json';

const GENERATOR = 'docs-assistant';

const serviceSchema = v.object({
  /** Base URL, or the path of a service at the site's own origin. */
  url: v.pipe(v.string(), v.maxLength(2000)),
  /** The identifier in the endpoint's path. */
  site: v.pipe(v.string(), v.maxLength(253)),
});

/** Docs service that the box of a site asks. */
export type AskedService = Parsed<typeof serviceSchema>;

const manifestSchema = v.object({
  generator: v.literal(GENERATOR),
  service: v.fallback(v.optional(serviceSchema), undefined),
});

/** Returns the content of the manifest. It is the same for the same service. */
export function assistantManifest(service: AskedService | undefined): string {
  return `${JSON.stringify({ generator: GENERATOR, service })}\n`;
}

/** Search and answers that a site has. */
export interface SiteAssistant {
  /** Service that the box asks first. Absent if it answers from the files alone. */
  readonly service?: AskedService | undefined;
  /** Time at which they were added or renewed, in milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Reads what search and answers a site has.
 * @returns undefined if it has none, or if something else has the folder's name.
 */
export async function readSiteAssistant(root: string): Promise<SiteAssistant | undefined> {
  const file = path.join(root, ASSISTANT_FOLDER, ASSISTANT_MANIFEST);
  try {
    const { service } = v.parse(manifestSchema, JSON.parse(await readFile(file, 'utf8')));
    return { service, since: (await stat(file)).mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * Returns the origin that a service of another host has, such as `https://docs.example.com`.
 * @returns undefined for a service at the site's own origin, and for a URL that the box wouldn't ask either.
 */
export function originOfService({ url }: AskedService): string | undefined {
  const parsed = parseBaseUrl(url);
  return parsed.ok ? parsed.origin : undefined;
}

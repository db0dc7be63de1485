import * as v from 'valibot';
import { readDocsFile } from '../docsFolder';
import { printable, type SitePage } from './siteSurvey';

export interface SiteTitle {
  readonly name: string;
  /** One sentence; may be empty. */
  readonly description: string;
}

/** Of the docs folder's `docs.json`, as documentation tools name it, all that we read. */
const docsJsonSchema = v.object({
  name: v.optional(v.fallback(v.string(), ''), ''),
  description: v.optional(v.fallback(v.string(), ''), ''),
});
const MAX_DOCS_JSON_BYTES = 1024 * 1024;

/**
 * What the site is called: as `docs.json` in the docs folder says, else the home page's title, else
 * a name from the host: `docs.parcelwren.com` to `Parcelwren`.
 */
export async function readSiteTitle(
  root: string,
  siteHost: string,
  home: SitePage | undefined,
): Promise<SiteTitle> {
  const { name, description } = await readDocsJson(root);
  const ownTitle = home?.file === 'index.html' ? home.title : '';
  return {
    name: printable(name) || ownTitle || nameFromHost(siteHost),
    description: printable(description),
  };
}

async function readDocsJson(root: string): Promise<v.InferOutput<typeof docsJsonSchema>> {
  const none = { name: '', description: '' };
  const bytes = await readDocsFile(root, 'docs.json', MAX_DOCS_JSON_BYTES);
  if (!bytes) return none;
  try {
    const parsed = v.safeParse(docsJsonSchema, JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.output : none;
  } catch {
    return none;
  }
}

function nameFromHost(siteHost: string): string {
  const labels = siteHost.replace(/:\d+$/, '').split('.');
  const isGeneral = /^(?:www|docs?|developers?|dev|help|support|learn|api)$/i.test(labels[0] ?? '');
  const label = (isGeneral && labels.length > 1 ? labels[1] : labels[0]) ?? siteHost;
  return label.charAt(0).toUpperCase() + label.slice(1);
}

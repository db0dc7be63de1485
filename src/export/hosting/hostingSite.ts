/** Facts about a site that its host needs. They are plain data, so that a worker can post them. */
import type { ImmutableGroup } from './immutableFiles';
import type { PolicyNeeds } from './policy/policyNeeds';
import type { RedirectRules } from './redirectRules';

export interface HostingSite {
  /** Decoded path under which the site is hosted, such as `/docs`. Empty for the root of a host. */
  readonly basePath: string;
  readonly pages: number;
  /** Whether the site has its own `404.html`. */
  readonly hasNotFoundPage: boolean;
  readonly immutable: readonly ImmutableGroup[];
  /** Folders in which, and below which, all files belong to such groups. None is inside another. */
  readonly wholeFolders: readonly string[];
  /** Extensions of the files that aren't pages, in lower case, sorted. */
  readonly extensions: readonly string[];
  /** Folders with a page of their own and no page of the same name beside them, sorted. */
  readonly folders: readonly string[];
  /** Folders with a page of their own beside a page of the same name, sorted. */
  readonly doubleFolders: readonly string[];
  /** Paths of pages that look like files, such as `node.js` for `node.js.html`, sorted. */
  readonly dottedPages: readonly string[];
  /**
   * Paths of pages with a `?`, which nginx doesn't encode in redirects, sorted. As in the URL, the page of a folder
   * has `/` at its end.
   */
  readonly questionPages: readonly string[];
  readonly redirects: RedirectRules;
  readonly needs: PolicyNeeds;
  /** Number of files that couldn't be read. The policy doesn't cover them. */
  readonly unreadFiles: number;
}

export interface HostingFile {
  /** Name in the folder that the user chooses. */
  readonly name: string;
  readonly content: string;
}

/** Hosts for which configurations can be written. */
export const hostingServers = [
  'nginx',
  'caddy',
  'apache',
  'netlify',
  'cloudflare',
  'cloudfront',
] as const;

export type HostingServer = (typeof hostingServers)[number];

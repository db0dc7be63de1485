/** A version of the site that requests are answered from: its record, and the version in memory. */
import * as v from 'valibot';
import { redirectRules, type RedirectRule } from '../export/hosting/redirectRules';
import type { Redirect } from '../export/hosting/redirects';
import { FOREVER, FRESH } from '../export/hosting/servers/common';
import { decodedPath, encodedPath, SiteAddresses } from '../export/hosting/siteAddresses';
import { count } from '../shared/schemas';

/** Schema of the record beside the files of a version. */
export const versionRecordSchema = v.object({
  schemaVersion: v.literal(1),
  /** Path of the site's root below the folder of the files, with `/`. Empty if it is that folder. */
  root: v.pipe(v.string(), v.regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\\\0]*$/)),
  /** Decoded path that the pages expect to be hosted under. */
  basePath: v.string(),
  policy: v.pipe(v.string(), v.regex(/^[ -~]+$/)),
  /** Folders and extensions of files that browsers keep. */
  immutable: v.array(v.object({ folder: v.string(), extension: v.string() })),
  /** Path from the root, size in bytes and digest of each file. */
  files: v.array(v.tuple([v.string(), count, v.string()])),
});

export type VersionRecord = v.InferOutput<typeof versionRecordSchema>;

/** Matches identifiers of versions. */
export const versionIdPattern = /^[0-9a-f]{16}$/;

/** Returns the key by which a file finds its group. */
function groupKey(folder: string, extension: string): string {
  return `${folder}/*.${extension}`;
}

export interface VersionFile {
  /** Path below the folder of the site, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Digest of the content. */
  readonly digest: string;
  readonly isPage: boolean;
  /** Value of `Cache-Control`. */
  readonly caching: string;
}

/** Answer to a request for an address of the site. */
type VersionAnswer =
  | { readonly kind: 'file'; readonly file: VersionFile }
  | { readonly kind: 'redirect'; readonly status: 301 | 302; readonly location: string }
  | { readonly kind: 'missing' };

const missing = { kind: 'missing' } as const;

interface VersionOptions {
  /** Identifier of the version in its data folder. */
  readonly id: string;
  readonly record: VersionRecord;
  /** Absolute path of the folder with the files. */
  readonly folder: string;
  readonly label: string | undefined;
  readonly redirects: readonly Redirect[];
  readonly uses: VersionUses;
  /** Path at which the site is hosted, instead of that of its pages. Decoded. */
  readonly basePath: string | undefined;
}

/** Counts the requests that use the files of a version. With other redirects it is another version of the same files. */
export class VersionUses {
  #count = 0;
  #unused: (() => void) | undefined;

  /** Returns a function that ends a use. The files stay until nothing uses them. */
  hold(): () => void {
    this.#count += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#count -= 1;
      if (this.#count === 0) this.#unused?.();
    };
  }

  /** Resolves when nothing uses the files. */
  async whenUnused(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#unused = resolve));
  }
}

export class SiteVersion {
  readonly id: string;
  readonly label: string | undefined;
  readonly folder: string;
  readonly basePath: string;
  readonly policy: string;
  /** Requests that use the files. */
  readonly uses: VersionUses;
  readonly pages: number;
  readonly #addresses: SiteAddresses;
  readonly #files = new Map<string, readonly [sizeBytes: number, digest: string]>();
  readonly #immutable: ReadonlySet<string>;
  readonly #redirects = new Map<string, RedirectRule>();

  constructor({ id, record, folder, label, redirects, uses, basePath }: VersionOptions) {
    this.id = id;
    this.label = label;
    this.folder = folder;
    this.uses = uses;
    this.basePath = basePath ?? record.basePath;
    this.policy = record.policy;
    for (const [path, sizeBytes, digest] of record.files)
      this.#files.set(path, [sizeBytes, digest]);
    this.#addresses = new SiteAddresses(this.#files.keys());
    this.pages = this.#addresses.pages.size;
    this.#immutable = new Set(
      record.immutable.map(({ folder: name, extension }) => groupKey(name, extension)),
    );
    const { rules } = redirectRules(redirects, this.#addresses, this.basePath);
    for (const rule of rules) for (const form of rule.forms) this.#redirects.set(form, rule);
  }

  /** Page that readers see if there is none at an address. */
  get notFoundPage(): VersionFile | undefined {
    return this.#file('404.html', true);
  }

  /**
   * Returns the answer to an address, by the rules of the generated hosting configurations.
   * @param pathname path of the URL as the request has it.
   * @param search query with its `?`, or empty.
   */
  answer(pathname: string, search: string): VersionAnswer {
    const path = decodedPath(pathname);
    if (path === undefined) return missing;
    const rule = this.#redirects.get(path);
    if (rule) {
      // A target with a query or a fragment keeps it. Others get the query of the request.
      const query = /[?#]/.test(rule.to) ? '' : search;
      return { kind: 'redirect', status: rule.status, location: rule.to + query };
    }
    const { basePath } = this;
    const home = `${encodedPath(basePath)}/${search}`;
    if (basePath !== '' && path === '/') return { kind: 'redirect', status: 302, location: home };
    if (basePath !== '' && path === basePath) {
      return { kind: 'redirect', status: 301, location: home };
    }
    if (!path.startsWith(`${basePath}/`)) return missing;
    const found = this.#addresses.answer(path.slice(basePath.length + 1));
    if (found === undefined) return missing;
    if (found.movedTo !== undefined) {
      const location = encodedPath(`${basePath}/${found.movedTo}`) + search;
      return { kind: 'redirect', status: 301, location };
    }
    const file = this.#file(found.file, found.isPage);
    return file ? { kind: 'file', file } : missing;
  }

  #file(path: string, isPage: boolean): VersionFile | undefined {
    const found = this.#files.get(path);
    if (!found) return undefined;
    const [sizeBytes, digest] = found;
    const slash = path.lastIndexOf('/');
    const key = groupKey(path.slice(0, Math.max(0, slash)), path.slice(path.lastIndexOf('.') + 1));
    const caching = !isPage && this.#immutable.has(key) ? FOREVER : FRESH;
    return { path, sizeBytes, digest, isPage, caching };
  }
}

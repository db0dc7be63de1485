/** Makes a version of a bundle: downloads, checks and unpacks it, and reads what serving it needs. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RequestTimeouts } from '../common/http/guardedRequest';
import type { Clock, Fetch, Log, NewId } from '../common/ports';
import { unpackBundle } from '../export/archive/unpack';
import { inOrder, listSiteFiles } from '../export/check/siteFiles';
import { downloadBundle } from '../export/download/bundleDownload';
import type { LinkSource } from '../export/download/bundleLink';
import { writeError } from '../export/exportErrors';
import type { HostingSite } from '../export/hosting/hostingSite';
import { contentSecurityPolicy } from '../export/hosting/policy/contentSecurityPolicy';
import { isServed } from '../export/hosting/siteAddresses';
import type { VersionFolder } from './versionFolder';
import type { VersionRecord } from './siteVersion';

/**
 * Maximum length of the policy. Proxies in front of the host refuse a response whose headers are larger than a page of
 * memory, 4 KB with nginx, and the other headers take some of it.
 */
const MAX_POLICY = 3000;

/** Characters of a version's identifier, which is the start of a SHA-256 in hex. */
const ID_LENGTH = 16;

/** Characters of a digest: 128 bits in base64. */
const DIGEST_LENGTH = 22;

export interface PreparePorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly random: () => number;
  readonly timeouts: RequestTimeouts;
  /** Absolute path of the built `hashWorker.ts`. */
  readonly hashScript: string;
  /** Reads all pages of a site. @throws {ExportError} `no-pages` */
  readonly survey: (root: string, signal: AbortSignal) => Promise<HostingSite>;
  /** Adds search and answers to the pages of a site. Undefined if it is served as it came. */
  readonly enhance?: ((root: string, signal: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Prepares the version that a link leads to. An archive that is kept already isn't unpacked again.
 *
 * @returns the version's identifier. Its folder is complete then.
 * @throws {ExportError} the errors of downloading, unpacking and surveying.
 * @throws the signal's reason.
 */
export async function prepareVersion(
  link: LinkSource,
  folder: VersionFolder,
  ports: PreparePorts,
  signal: AbortSignal,
): Promise<string> {
  await folder.make();
  const { archive } = folder;
  const { sha256 } = await downloadBundle({
    link,
    target: archive,
    overwrite: true,
    // A host that is killed goes on with the download after its restart.
    keepsPart: true,
    fetch: ports.fetch,
    clock: ports.clock,
    log: ports.log,
    random: ports.random,
    timeouts: ports.timeouts,
    hashScript: ports.hashScript,
    signal,
    onProgress: () => undefined,
  });
  // The same archive with and without search and answers is two versions.
  const digest = ports.enhance
    ? createHash('sha256').update(`${sha256} enhanced`).digest('hex')
    : sha256;
  const id = digest.slice(0, ID_LENGTH);
  try {
    const isKept = folder.kept.some((kept) => kept.id === id);
    if (isKept && (await folder.load(id, signal))) return id;
    await unpackVersion(id, folder, ports, signal);
    return id;
  } finally {
    await rm(archive, { force: true }).catch(() => undefined);
  }
}

async function unpackVersion(
  id: string,
  folder: VersionFolder,
  { newId, survey, enhance }: PreparePorts,
  signal: AbortSignal,
): Promise<void> {
  const place = folder.unfinished(id);
  await folder.discard(id);
  try {
    await mkdir(place).catch((error: unknown) => {
      throw writeError(error, place);
    });
    const { siteRoot } = await unpackBundle({
      archive: folder.archive,
      target: path.join(place, 'site'),
      newId,
      signal,
      onProgress: () => undefined,
    });
    const root = path.relative(path.join(place, 'site'), siteRoot).split(path.sep).join('/');
    await enhance?.(siteRoot, signal);
    const site = await survey(siteRoot, signal);
    await folder.finish(id, await recordOf(siteRoot, { root, site }, signal));
  } finally {
    await folder.discard(id);
  }
}

/** Returns the record of a version whose files are in a folder. */
export async function recordOf(
  folder: string,
  { root, site }: Pick<VersionRecord, 'root'> & { readonly site: HostingSite },
  signal: AbortSignal,
): Promise<VersionRecord> {
  return {
    schemaVersion: 1,
    root,
    basePath: site.basePath,
    policy: contentSecurityPolicy(site.needs, MAX_POLICY).value,
    immutable: site.immutable.map(({ folder: name, extension }) => ({ folder: name, extension })),
    files: await digests(folder, signal),
  };
}

/** Returns the files that a host serves, with the digests of their contents. */
async function digests(root: string, signal: AbortSignal): Promise<VersionRecord['files']> {
  const listed = await listSiteFiles(root, signal);
  const served = listed.files.filter(({ path: file }) => isServed(file));
  const files: VersionRecord['files'] = [];
  const hashed = inOrder(served, signal, async ({ path: file, sizeBytes }) => {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path.join(root, file)), hash, { signal });
    return [file, sizeBytes, hash.digest('base64url').slice(0, DIGEST_LENGTH)] as const;
  });
  for await (const [file, size, digest] of hashed) files.push([file, size, digest]);
  return files;
}

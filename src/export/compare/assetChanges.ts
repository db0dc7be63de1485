/** Compares the files of two bundles that are not pages. Uses `node:fs`. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { compareText } from '../../common/text/strings';
import { inOrder, type SiteFile } from '../check/siteFiles';
import type { AssetEntry, ChangedAsset } from './comparison';
import { withoutHash } from './pageAddress';

interface AssetChanges {
  readonly added: readonly AssetEntry[];
  readonly removed: readonly AssetEntry[];
  readonly changed: readonly ChangedAsset[];
  readonly unchanged: number;
  /** Paths of assets that can't be read in one of the bundles. They count as unchanged. */
  readonly unreadable: readonly string[];
}

interface AssetSide {
  readonly root: string;
  readonly assets: readonly SiteFile[];
}

/** Bytes of each file that are compared at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Compares assets by path. A removed and an added asset count as one changed asset if their paths
 * differ only by a hash in the name, and no other asset has that path.
 */
export async function compareAssets(
  before: AssetSide,
  after: AssetSide,
  signal: AbortSignal,
): Promise<AssetChanges> {
  const fresh = new Map(after.assets.map((asset) => [asset.path, asset]));
  const gone: SiteFile[] = [];
  const both: { readonly old: SiteFile; readonly now: SiteFile }[] = [];
  for (const old of before.assets) {
    const now = fresh.get(old.path);
    if (now && fresh.delete(old.path)) both.push({ old, now });
    else gone.push(old);
  }

  const changed: ChangedAsset[] = [];
  const unreadable: string[] = [];
  let unchanged = 0;
  const compared = inOrder(both, signal, async ({ old, now }) => {
    const isSame =
      old.sizeBytes === now.sizeBytes &&
      (await haveSameBytes(
        path.join(before.root, old.path),
        path.join(after.root, now.path),
        old.sizeBytes,
      ));
    return { old, now, isSame };
  });
  for await (const { old, now, isSame } of compared) {
    if (isSame === undefined) unreadable.push(old.path);
    if (isSame === false) changed.push(changeOf(old, now));
    else unchanged++;
  }

  const goneByName = byPlainName(gone);
  const removed = new Set(gone);
  for (const [name, now] of byPlainName([...fresh.values()])) {
    const old = goneByName.get(name);
    if (!old || !now) continue;
    removed.delete(old);
    fresh.delete(now.path);
    changed.push(changeOf(old, now));
  }
  return {
    added: [...fresh.values()],
    removed: [...removed],
    changed: changed.sort((a, b) => compareText(a.after, b.after)),
    unchanged,
    unreadable,
  };
}

function changeOf(old: SiteFile, now: SiteFile): ChangedAsset {
  return {
    before: old.path,
    after: now.path,
    sizeBefore: old.sizeBytes,
    sizeAfter: now.sizeBytes,
  };
}

/**
 * Returns files whose names contain a hash, by their path without the hash. A path that several
 * files share maps to undefined.
 */
function byPlainName(files: readonly SiteFile[]): Map<string, SiteFile | undefined> {
  const byName = new Map<string, SiteFile | undefined>();
  for (const file of files) {
    const name = withoutHash(file.path);
    if (name !== file.path) byName.set(name, byName.has(name) ? undefined : file);
  }
  return byName;
}

/** Returns whether two files of the same size are equal, or undefined if one can't be read. */
async function haveSameBytes(
  one: string,
  other: string,
  sizeBytes: number,
): Promise<boolean | undefined> {
  try {
    await using first = await open(one);
    await using second = await open(other);
    // Most assets are small, and a site has thousands of them.
    const chunkBytes = Math.min(sizeBytes + 1, CHUNK_BYTES);
    const a = Buffer.alloc(chunkBytes);
    const b = Buffer.alloc(chunkBytes);
    for (;;) {
      const read = await Promise.all([first.read(a), second.read(b)]);
      const [{ bytesRead }, { bytesRead: otherRead }] = read;
      if (bytesRead !== otherRead) return false;
      if (bytesRead === 0) return true;
      if (!a.subarray(0, bytesRead).equals(b.subarray(0, bytesRead))) return false;
    }
  } catch {
    return undefined;
  }
}

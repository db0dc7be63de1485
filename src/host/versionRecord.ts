/** A version of a site that the host keeps: what it needs to know of the files, to serve them without reading them. */
import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Schema of the record beside the files of a version. */
export const versionRecordSchema = v.object({
  schemaVersion: v.literal(1),
  /** SHA-256 of the archive, lower-case hex. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
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

/** Returns the identifier of a version. Archives with the same bytes are the same version. */
export function versionId(sha256: string): string {
  return sha256.slice(0, 16);
}

/** Matches identifiers of versions. */
export const versionIdPattern = /^[0-9a-f]{16}$/;

/** Returns the key by which a file finds its group. */
export function groupKey(folder: string, extension: string): string {
  return `${folder}/*.${extension}`;
}

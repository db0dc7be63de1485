/** Names of files and folders that are safe on every file system, whatever they stand for. */
import { createHash } from 'node:crypto';

/** Where threads without a site are kept. No site's folder has this name. */
const NO_SITE_FOLDER = 'no-site';

/** Where records go that cannot be read. */
export const SET_ASIDE_FOLDER = 'set-aside';

/** One case only: some file systems know no other. */
const plainName = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Names of devices on Windows, with whatever extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const hashedName = /^_[0-9a-f]{32}$/;

/** The id itself where it can be a file's name, else a hash of it. */
export function safeName(id: string): string {
  return isPlain(id) ? id : `_${hash(id, 32)}`;
}

function isPlain(id: string): boolean {
  return plainName.test(id) && !deviceName.test(id);
}

/** A folder's name that a person can read, and that no two sites share. */
export function siteFolder(siteId: string): string {
  if (siteId === '') return NO_SITE_FOLDER;
  const readable = siteId
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-|-$/g, '');
  return `${readable || 'site'}-${hash(siteId, 12)}`;
}

export function recordName(thread: string, unique: string): string {
  return `${thread}.${safeName(unique)}.json`;
}

/** The mark of a deleted thread, which stays where it is. `time` in milliseconds. */
export function deletedName(thread: string, time: number): string {
  return `${thread}.${Math.max(0, Math.round(time))}.deleted`;
}

/** The folder with the content of the files that a thread's questions took along. */
export function filesName(thread: string): string {
  return `${thread}.files`;
}

/** What a name in a site's folder stands for; `thread` is the thread's {@link safeName}. */
export type FolderEntry =
  | { readonly kind: 'record' | 'files'; readonly thread: string }
  | { readonly kind: 'deleted'; readonly thread: string; readonly deletedAt: number };

/** @returns undefined for a name that none of the functions above made. */
export function parseEntry(name: string): FolderEntry | undefined {
  const [thread, second, third, ...rest] = name.split('.');
  if (thread === undefined || second === undefined || rest.length > 0) return undefined;
  if (!isPlain(thread) && !hashedName.test(thread)) return undefined;
  if (third === undefined) return second === 'files' ? { kind: 'files', thread } : undefined;
  if (third === 'json') return { kind: 'record', thread };
  if (third !== 'deleted' || !/^\d{1,16}$/.test(second)) return undefined;
  return { kind: 'deleted', thread, deletedAt: Number(second) };
}

/** The thread's id, if its name tells it. */
export function idOfName(thread: string): string | undefined {
  return isPlain(thread) ? thread : undefined;
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

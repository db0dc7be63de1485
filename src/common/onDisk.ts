/** Tells what a path leads to, reads it, and makes folders. Links are followed, and what can't be read isn't there. */
import { createReadStream, type Stats } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as v from 'valibot';
import { parsedAs } from '../shared/schemas';
import { parsedJson } from './text/strings';

/** Returns whether a path leads to a file, a folder or anything else. */
export function exists(path: string): Promise<boolean> {
  return leadsTo(path, () => true);
}

/** Returns whether a path leads to a folder. */
export function isFolder(path: string): Promise<boolean> {
  return leadsTo(path, (found) => found.isDirectory());
}

/** Returns whether a path leads to a regular file. */
export function isFile(path: string): Promise<boolean> {
  return leadsTo(path, (found) => found.isFile());
}

/**
 * Returns the content of what the user names, or undefined if it has more than `maxBytes`. A pipe or a device such as
 * `/dev/zero` tells no size, and may have no end.
 */
export async function readUpTo(file: string, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns what a JSON file has, or undefined for one that is missing, damaged or of something else. */
export async function readJson<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return parsedAs(schema, parsedJson(text));
}

/**
 * Creates a folder, and those above it that are missing. It is for folders that the user names: in Linux's `/proc`, the
 * `recursive` of Node's `mkdir` never ends.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !(await exists(parent))) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
}

function leadsTo(path: string, isWanted: (found: Stats) => boolean): Promise<boolean> {
  return stat(path).then(isWanted, () => false);
}

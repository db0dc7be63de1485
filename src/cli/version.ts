/** Reads the manifest with `node:fs`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';

const manifestSchema = v.object({ version: v.string() });

/** Returns the version of the package that `dist` belongs to. */
export async function readVersion(distFolder: string): Promise<string> {
  const text = await readFile(path.join(distFolder, '..', 'package.json'), 'utf8');
  return v.parse(manifestSchema, JSON.parse(text)).version;
}

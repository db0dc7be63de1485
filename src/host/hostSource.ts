/** Reads what a deployment wants to serve: values files, a link file and redirects. Uses `node:fs`. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { systemErrorCode } from '../common/errorCode';
import { plainTranslate } from '../common/errors';
import { readUpTo } from '../common/onDisk';
import { ExportError } from '../export/exportErrors';
import { redirectFileSchema, type Redirect } from '../export/hosting/redirects';
import { readDeploymentKeys, type DeploymentKeys } from '../export/values/deploymentKeys';
import { HostProblem } from './hostProblem';

/** Files of a deployment, as absolute paths. */
export interface SourceFiles {
  /** Values files. A key of a later one counts, as with Helm. */
  readonly values: readonly string[];
  /** File that has only the link, such as a mounted secret. It counts more than `bundleUrl`. */
  readonly link?: string | undefined;
  /** File that `bundle diff --redirects` wrote. */
  readonly redirects?: string | undefined;
}

/** Site that the values ask for. */
export type WantedSite =
  | { readonly isOn: false }
  | {
      readonly isOn: true;
      /** Presigned link. It is a secret. */
      readonly url: string;
      /** Pinned version. */
      readonly label: string | undefined;
      readonly redirects: readonly Redirect[];
    };

/**
 * Returns a text that changes when one of the files does, also behind a symbolic link that was swapped. A large file of
 * redirects is read only then.
 */
export async function sourceStamp({ values, link, redirects }: SourceFiles): Promise<string> {
  const stamps = [...values, link, redirects].map(async (file) => {
    if (file === undefined) return '';
    return stat(file).then(
      ({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs].join(':'),
      (error: unknown) => systemErrorCode(error) ?? '',
    );
  });
  return (await Promise.all(stamps)).join(' ');
}

const labelSchema = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)));

/** Returns what the files want. @throws {HostProblem} */
export async function readWanted(files: SourceFiles): Promise<WantedSite> {
  let keys: DeploymentKeys = { enabled: undefined, bundleUrl: undefined, version: undefined };
  for (const file of files.values) {
    const own = keysOf(await read(file), path.basename(file));
    keys = {
      enabled: own.enabled ?? keys.enabled,
      bundleUrl: own.bundleUrl ?? keys.bundleUrl,
      version: own.version ?? keys.version,
    };
  }
  if (keys.enabled === false) return { isOn: false };
  if (keys.enabled !== true) {
    throw new HostProblem('values-incomplete', 'staticExport.enabled isn’t true');
  }
  const url = files.link === undefined ? keys.bundleUrl : (await read(files.link)).trim();
  if (typeof url !== 'string' || url === '') {
    throw new HostProblem('values-incomplete', 'staticExport.bundleUrl is missing');
  }
  const label = v.safeParse(labelSchema, keys.version);
  if (!label.success) throw new HostProblem('values-invalid', 'staticExport.version isn’t a text');
  return { isOn: true, url, label: label.output, redirects: await redirectsOf(files) };
}

function keysOf(text: string, name: string): DeploymentKeys {
  try {
    return readDeploymentKeys(text, name);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const reason = error.details.reason?.(plainTranslate) ?? 'it can’t be read.';
    throw new HostProblem('values-invalid', `${name}: ${reason}`);
  }
}

async function redirectsOf({ redirects: file }: SourceFiles): Promise<readonly Redirect[]> {
  if (file === undefined) return [];
  const text = await read(file);
  try {
    return v.parse(redirectFileSchema, JSON.parse(text)).redirects;
  } catch {
    throw new HostProblem('redirects-invalid', path.basename(file));
  }
}

/** Maximum size of each file. 100,000 redirects fit. */
const MAX_BYTES = 20_000_000;

async function read(file: string): Promise<string> {
  try {
    const bytes = await readUpTo(file, MAX_BYTES);
    if (bytes) return bytes.toString('utf8');
  } catch (error) {
    const code = systemErrorCode(error) ?? 'unknown';
    throw new HostProblem('values-unreadable', `${path.basename(file)}, ${code}`);
  }
  throw new HostProblem('values-unreadable', `${path.basename(file)} is too large`);
}

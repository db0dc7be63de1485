/** Exports the site of the local docs service over HTTP, as a client does. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Parser } from 'tar';
import { unpackBundle } from '../../../src/export/archive/unpack';
import { type LocalService, startLocalService } from '../../../src/service/server/server';
import { assistantKey } from '../chat/asking';
import { until } from './localServiceAsking';
import { sampleDocs } from './sampleService';

export const adminKey = 'local_admin_test_0123456789';

export type Fields = Readonly<Record<string, unknown>>;
type Service = Pick<LocalService, 'url'>;

export const JOBS = '/v1/static-export/jobs';

/**
 * Sends a request with the admin key. `init` changes headers, method or the body. Each request has
 * its own connection, because the service can close a kept one while it renders for seconds.
 */
export function call(service: Service, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${adminKey}`,
      connection: 'close',
      ...(init.headers as Record<string, string> | undefined),
    },
  });
}

export function start(service: Service, body: unknown, headers = {}): Promise<Response> {
  return call(service, JOBS, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export async function fieldsOf(response: Response, status: number): Promise<Fields> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  // The wire is what these tests are about: what they read of it, they check.
  return JSON.parse(text) as Fields;
}

/** Returns the sentence of a JSON error. */
export async function errorOf(response: Response, status: number): Promise<string> {
  const { error, ...others } = await fieldsOf(response, status);
  assert.deepEqual(others, {});
  assert.ok(typeof error === 'string' && /^[A-Z].*[.:}]$/s.test(error), String(error));
  return error;
}

export async function startJob(service: Service, domain = 'sample'): Promise<string> {
  const { jobId } = await fieldsOf(await start(service, { domain }), 202);
  assert.ok(typeof jobId === 'string');
  return jobId;
}

export async function statusOf(service: Service, jobId: string): Promise<Fields> {
  return fieldsOf(await call(service, `${JOBS}/${jobId}`), 200);
}

/** Resolves with the job once its fields are these. */
export async function whenJob(service: Service, jobId: string, wanted: Fields): Promise<Fields> {
  let fields: Fields = {};
  await until(async () => {
    fields = await statusOf(service, jobId);
    return Object.entries(wanted).every(([name, value]) => fields[name] === value);
  });
  return fields;
}

export async function exportSite(service: Service): Promise<string> {
  const jobId = await startJob(service);
  await whenJob(service, jobId, { status: 'completed' });
  return jobId;
}

export function askForBundle(service: Service, jobId: string): Promise<Response> {
  return call(service, `${JOBS}/${jobId}/bundle`, { method: 'POST' });
}

export interface BundleFields extends Fields {
  readonly bundleUrl: string;
  readonly expiresAt: string;
}

export async function bundleOf(service: Service, jobId: string): Promise<BundleFields> {
  const fields = await fieldsOf(await askForBundle(service, jobId), 200);
  const { bundleUrl, expiresAt } = fields;
  assert.ok(typeof bundleUrl === 'string' && typeof expiresAt === 'string');
  return { ...fields, bundleUrl, expiresAt };
}

/** Bytes behind a link. */
export async function bytesOf(link: string): Promise<Buffer> {
  const response = await fetch(link);
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

/** Exports the sample docs and unpacks the bundle in a folder. @returns the root of the site. */
export async function unpackedSample(folder: string): Promise<string> {
  const service = await startLocalService({
    docs: sampleDocs,
    domain: 'sample',
    key: assistantKey,
    adminKey,
    paceMs: 0,
  });
  try {
    const { bundleUrl } = await bundleOf(service, await exportSite(service));
    const archive = path.join(folder, 'sample.tar.gz');
    await writeFile(archive, await bytesOf(bundleUrl));
    const { siteRoot } = await unpackBundle({
      archive,
      target: path.join(folder, 'sample'),
      newId: () => 'unpacking',
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    return siteRoot;
  } finally {
    await service.stop();
  }
}

/** Returns the files of a `.tar.gz` with their text, in their order. */
export async function filesOf(archive: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      assert.equal(entry.type, 'File');
      void entry.concat().then((bytes) => files.set(entry.path, bytes.toString()));
    },
  });
  await pipeline(Readable.from([archive]), parser);
  return files;
}

/** Returns the times of the files of a `.tar.gz`, in seconds since the epoch. */
export async function timesOf(archive: Buffer): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      times.set(entry.path, Number(entry.mtime) / 1000);
      entry.resume();
    },
  });
  await pipeline(Readable.from([archive]), parser);
  return times;
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Starts the service of a company in this process, with keys, and a provider of tokens. */
import http from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { systemClock } from '../../../src/common/clock';
import {
  type CompanyService,
  type CompanyServiceOptions,
  startCompanyService,
} from '../../../src/service/company/companyService';
import { type Backend, openBackend } from '../../../src/service/company/backend';
import { jsonLog } from '../../../src/service/company/jsonLog';
import { createKey } from '../../../src/service/company/keys';
import { readManifest } from '../../../src/service/company/sites/manifest';
import type { KeyRecord, Stores } from '../../../src/service/company/stores';
import { readReply, type Reply, userMessage } from '../service/localServiceAsking';

/** Pages of docs. */
export const payments =
  '# Refunds\n\n## Refund a payment\n\nA refund takes five days and is free.\n';
export const shipping =
  '# Labels\n\n## Print a label\n\nPrint a label before noon to ship it today.\n';

/** A question that {@link payments} answers, as a client sends it. */
export const question = {
  fp: 'anonymous',
  messages: [
    { id: 'm', role: 'user', parts: [{ type: 'text', text: 'How long does a refund take?' }] },
  ],
};

/** A manifest as YAML reads it. JSON is YAML, too. */
export type WrittenManifest = Readonly<Record<string, unknown>>;

export interface Company extends CompanyService {
  readonly stores: Stores;
  /** Returns what the service has logged. */
  log(): string;
  newKey(record?: Partial<KeyRecord>): Promise<string>;
  change(manifest: WrittenManifest): void;
  get(path: string, key?: string, init?: RequestInit): Promise<Response>;
  post(path: string, key: string, body: unknown): Promise<Response>;
  ask(domain: string, key: string, question: string, fields?: object): Promise<Reply>;
  /** Stops the service and removes its data. */
  end(): Promise<void>;
}

function parsed(manifest: WrittenManifest) {
  const read = readManifest(JSON.stringify(manifest));
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.manifest;
}

interface CompanyOptions extends Partial<CompanyServiceOptions> {
  /** URL of the database. Without it, the service keeps its data in files. */
  readonly database?: string;
  /** URL of a replica of the database. */
  readonly replica?: string;
}

export async function startCompany(
  manifest: WrittenManifest,
  { database, replica, ...options }: CompanyOptions = {},
): Promise<Company> {
  const dataFolder =
    options.dataFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-company-')));
  let lines = '';
  const log = jsonLog((line) => (lines += line), systemClock);
  const backend: Backend =
    options.backend ??
    (await openBackend({
      folder: dataFolder,
      databaseUrl: database,
      replicaUrl: replica,
      clock: systemClock,
      log,
    }));
  const { stores } = backend;
  const service = await startCompanyService({
    manifest: parsed(manifest),
    manifestFolder: dataFolder,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    fetch: (url, init) => fetch(url, init),
    log,
    onEnded: (request) => log.request(request),
    env: {},
    version: '0.0.0',
    ...options,
    dataFolder,
    backend,
  });
  await service.whenStarted();
  const authorized = (key: string | undefined): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  const post = (url: string, key: string, body: unknown): Promise<Response> =>
    fetch(`${service.url}${url}`, {
      method: 'POST',
      headers: { ...authorized(key), 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    ...service,
    stores,
    log: () => lines,
    newKey: async (record = {}) => {
      const wanted = { kind: 'assistant' as const, name: 'test', ...record };
      return (await createKey(stores.keys, wanted, systemClock.now())).key;
    },
    change: (changed) => service.apply(parsed(changed)),
    get: (url, key, init = {}) =>
      fetch(`${service.url}${url}`, {
        ...init,
        headers: { ...authorized(key), ...Object.fromEntries(new Headers(init.headers)) },
      }),
    post,
    ask: async (domain, key, question, fields = {}) => {
      const body = { fp: 'anonymous', messages: [userMessage(question)], ...fields };
      return readReply(await post(`/v2/assistant/${domain}/message`, key, body));
    },
    end: async () => {
      await service.stop(100);
      if (options.dataFolder === undefined) {
        await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

/** An OpenID Connect provider on this machine. */
export interface Provider {
  readonly issuer: string;
  /** Signs a token. Claims replace those of a valid token, and null removes one. */
  token(claims?: Readonly<Record<string, unknown>>, algorithm?: 'RS256' | 'HS256'): Promise<string>;
  stop(): Promise<void>;
}

export const audience = 'docs-service';

export async function startProvider(): Promise<Provider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const server = http.createServer((request, response) => {
    const body =
      request.url === '/.well-known/openid-configuration'
        ? { issuer, jwks_uri: `${issuer}/keys` }
        : { keys: [jwk] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    token: (claims = {}, algorithm = 'RS256') => {
      const now = Math.floor(Date.now() / 1000);
      const all: Record<string, unknown> = {
        iss: issuer,
        aud: audience,
        sub: 'ada',
        iat: now,
        exp: now + 600,
        ...claims,
      };
      const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      const key = algorithm === 'RS256' ? privateKey : new TextEncoder().encode(jwk.n);
      return new SignJWT(kept).setProtectedHeader({ alg: algorithm, kid: 'k1' }).sign(key);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

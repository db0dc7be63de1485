/** The stores of the service. Each has an implementation on disk and one in PostgreSQL. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { RequestLimiter, RequestLimits } from '../server/requestChecks';
import type { ThreadStore } from '../server/serviceThreads';

/** Milliseconds after which a thread that nobody continues is removed. */
export const THREAD_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Schema of the stored turns of a thread. */
export const turnsSchema = v.array(
  v.object({
    question: v.string(),
    citedRoutes: v.array(v.string()),
    reply: v.optional(v.string()),
  }),
);

/** Schema of a key as it is stored: without its text, which only its owner has. */
export const keyRecordSchema = v.object({
  /** Short name by which operators tell keys apart and revoke them. Tells nothing of the key. */
  id: v.string(),
  kind: v.picklist(['assistant', 'admin']),
  name: v.string(),
  /** Domains of the sites that an assistant key is for. All open sites if absent. */
  sites: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  /** Requests of an assistant key in an hour. Only the limits of the organization if absent. */
  requestsPerHour: v.optional(v.number()),
  /** Milliseconds since the epoch. */
  createdAt: v.number(),
  expiresAt: v.optional(v.number()),
});

export type KeyRecord = Readonly<v.InferOutput<typeof keyRecordSchema>>;

/** Stores keys by the hash of their text. */
export interface KeyRecords {
  find(hash: string): Promise<KeyRecord | undefined>;
  list(): Promise<readonly KeyRecord[]>;
  add(hash: string, record: KeyRecord): Promise<void>;
  /** Returns whether there was such a key. */
  remove(id: string): Promise<boolean>;
}

/** A question that the docs had no source for, in one week. */
export interface Miss {
  readonly domain: string;
  /** ISO week, such as `2026-W48`. */
  readonly week: string;
  readonly question: string;
  readonly count: number;
}

/** Stores the questions that the docs don't answer. */
export interface MissRecords {
  add(miss: Omit<Miss, 'count'>): Promise<void>;
  list(domain: string | undefined, week: string | undefined): Promise<readonly Miss[]>;
}

/** All stores of a service. */
export interface Stores {
  readonly keys: KeyRecords;
  readonly misses: MissRecords;
  /** Returns the threads of a site as one audience sees it, and of a person, whom the scope names. */
  threadsOf(scope: string): ThreadStore;
  /** Returns counters with these limits, which can change with the manifest. */
  countsWith(limits: RequestLimits): RequestLimiter;
  /** Resolves if the stores can be used. @throws if not. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the owner of a thread: only who sends the same `fp` from the same scope can continue it. */
export function ownerOf(scope: string, fp: string): string {
  return createHash('sha256')
    .update(JSON.stringify([scope, fp]))
    .digest('hex');
}

/** A store can't be reached now. The request can be sent again. */
export class StoreDown extends Error {
  override readonly name = 'StoreDown';
}

import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Number of requests in a fixed window of time. */
interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Limits for one organization, identified by its key, and for one IP address. */
export interface RequestLimits {
  readonly organization: RequestLimit;
  readonly address: RequestLimit;
}

/** Limits of the API document (platform-api.md § Limits). */
export const documentedLimits: RequestLimits = {
  organization: { requests: 10_000, seconds: 60 * 60 },
  address: { requests: 10_000, seconds: 24 * 60 * 60 },
};

/** Counts a request of an organization, an address or a key. Rejects with a `RateLimiterRes` beyond the limit. */
type Limiter = (id: string) => Promise<unknown>;

/** Returns what counts requests for one kind of limit. */
export type LimiterOf = (kind: 'organization' | 'address' | 'key', limit: RequestLimit) => Limiter;

/**
 * Counts requests. Each call returns 0 if the request is allowed, or else the whole seconds to
 * wait, at least 1.
 */
export class RequestLimiter {
  readonly #limiterOf: LimiterOf;
  readonly #organization: Limiter;
  readonly #address: Limiter;
  /** Counters of single keys by their limit. */
  readonly #keys = new Map<number, Limiter>();

  constructor({ organization, address }: RequestLimits, limiterOf: LimiterOf = inMemory) {
    this.#limiterOf = limiterOf;
    this.#organization = limiterOf('organization', organization);
    this.#address = limiterOf('address', address);
  }

  countOrganization(key: string): Promise<number> {
    return secondsToWait(this.#organization, key);
  }

  countAddress(address: string): Promise<number> {
    return secondsToWait(this.#address, address);
  }

  /** Counts a request against the own limit of a key. */
  countKey(id: string, requestsPerHour: number): Promise<number> {
    const known = this.#keys.get(requestsPerHour);
    const ofLimit =
      known ?? this.#limiterOf('key', { requests: requestsPerHour, seconds: 60 * 60 });
    if (!known) this.#keys.set(requestsPerHour, ofLimit);
    return secondsToWait(ofLimit, id);
  }
}

const inMemory: LimiterOf = (_kind, { requests: points, seconds: duration }) => {
  const limiter = new RateLimiterMemory({ points, duration });
  return (id) => limiter.consume(id);
};

async function secondsToWait(count: Limiter, id: string): Promise<number> {
  try {
    await count(id);
    return 0;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
  }
}

/** Maximum size of a request body in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/**
 * Maximum size of a question in bytes. It can carry files of 20 MB, and base64 makes them a third
 * longer.
 */
export const MAX_QUESTION_BYTES = 32 * 1024 * 1024;

/** Rejects requests without a JSON content type with 415. */
export const requireJson: MiddlewareHandler = async (c, next) => {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    return c.json({ error: 'Send the request as "Content-Type: application/json".' }, 415);
  }
  await next();
  return undefined;
};

/** Returns the value of a JSON body, or the sentence about one that isn't JSON. */
export async function jsonBody(
  c: Context,
): Promise<{ readonly body: unknown } | { readonly error: string }> {
  try {
    return { body: JSON.parse(await c.req.text()) };
  } catch {
    return { error: 'The request body is not valid JSON.' };
  }
}

/** Rejects bodies that are too large with 413 before they are read completely. */
export const limitBody = limit(MAX_BODY_BYTES);

/** Rejects questions that are too large with 413. */
export const limitQuestion = limit(MAX_QUESTION_BYTES);

function limit(maxSize: number): MiddlewareHandler {
  const checked = bodyLimit({
    maxSize,
    onError: (c) =>
      c.json({ error: `The request is larger than ${maxSize} bytes.` }, 413, {
        // The rest of the body is not read, so this connection cannot be used again.
        Connection: 'close',
      }),
  });
  return (c, next) => {
    const { url, method, headers, body, signal } = c.req.raw;
    // Hono copies a request without a length after it has read it. Those of the server can't be copied.
    if (body && !headers.has('content-length')) {
      // The type of browsers lacks what Node demands for a stream.
      const init: RequestInit & { readonly duplex: 'half' } = {
        method,
        headers,
        body,
        signal,
        duplex: 'half',
      };
      c.req.raw = new Request(url, init);
    }
    return checked(c, next);
  };
}

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** One fixed window of requests. */
export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** What one organisation (its key) and one address may ask. */
export interface RequestLimits {
  readonly organization: RequestLimit;
  readonly address: RequestLimit;
}

/** platform-api.md § Limits. */
export const documentedLimits: RequestLimits = {
  organization: { requests: 10_000, seconds: 60 * 60 },
  address: { requests: 10_000, seconds: 24 * 60 * 60 },
};

/** Counts requests. Each call answers 0, or the whole seconds (at least 1) to wait before the next. */
export class RequestLimiter {
  readonly #organization: RateLimiterMemory;
  readonly #address: RateLimiterMemory;

  constructor(limits: RequestLimits) {
    this.#organization = limiter(limits.organization);
    this.#address = limiter(limits.address);
  }

  countOrganization(key: string): Promise<number> {
    return secondsToWait(this.#organization, key);
  }

  countAddress(address: string): Promise<number> {
    return secondsToWait(this.#address, address);
  }
}

function limiter({ requests, seconds }: RequestLimit): RateLimiterMemory {
  return new RateLimiterMemory({ points: requests, duration: seconds });
}

async function secondsToWait(limiterOfKind: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiterOfKind.consume(key);
    return 0;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
  }
}

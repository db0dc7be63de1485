/** Checks the tokens of people: JWTs of an OpenID Connect provider. */
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as v from 'valibot';
import { errorCodeOrName } from '../../common/errorCode';
import { fetchError } from '../../common/http/responseErrors';
import type { Fetch, Log } from '../../common/ports';
import type { Manifest } from './sites/manifestSchema';

/** Somebody who is signed in. */
interface Person {
  /** Identifies the person at the provider. */
  readonly subject: string;
  readonly groups: readonly string[];
}

type SignInSettings = NonNullable<Manifest['signIn']>;

/** Algorithms with a public key. A token without a signature, or signed with a shared secret, is refused. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];
/** Maximum groups of a person that count. */
const MAX_GROUPS = 1000;
const CLOCK_TOLERANCE_S = 30;

const discoverySchema = v.object({ issuer: v.string(), jwks_uri: v.pipe(v.string(), v.url()) });
const groupsSchema = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((one) => [one]),
  ),
]);

/** Codes of errors about the provider's keys. Other errors of the library are about the token. */
const ofProvider = new Set<string>([
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSTimeout.code,
]);

/** Matches what can only be a token. */
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The provider can't be asked for its keys, so nothing is known about a token. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown';
}

/** Checks tokens of one provider, whose keys are fetched with the first token. */
export class SignIn {
  readonly #settings: SignInSettings;
  readonly #fetch: Fetch;
  readonly #log: Log;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(
    settings: SignInSettings,
    { fetch, log }: { readonly fetch: Fetch; readonly log: Log },
  ) {
    this.#settings = settings;
    this.#fetch = fetch;
    this.#log = log;
  }

  /** Returns whether a bearer value has the form of a token. */
  isToken(given: string): boolean {
    return tokenForm.test(given);
  }

  /**
   * Returns whose token it is, or undefined for one that isn't valid.
   * @throws {ProviderDown}
   */
  async personOf(token: string): Promise<Person | undefined> {
    const { issuer, audience, groupsClaim } = this.#settings;
    const keys = await this.#keysOfProvider();
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      const groups = v.safeParse(groupsSchema, payload[groupsClaim] ?? []);
      if (!groups.success) {
        this.#noteRefusal(`its claim "${groupsClaim}" is no list of texts`);
        return undefined;
      }
      if (payload.sub === undefined) return undefined;
      return { subject: payload.sub, groups: groups.output.slice(0, MAX_GROUPS) };
    } catch (error) {
      if (error instanceof errors.JOSEError && !ofProvider.has(error.code)) {
        const claim = 'claim' in error ? `, claim "${String(error.claim)}"` : '';
        this.#noteRefusal(error.code + claim);
        return undefined;
      }
      throw this.#down(`its keys can't be had (${errorCodeOrName(error)})`);
    }
  }

  #noteRefusal(reason: string): void {
    this.#log.info(`A token was refused: ${reason}`);
  }

  #down(reason: string): ProviderDown {
    this.#log.warn(`The provider of signIn can't be used: ${reason}`);
    return new ProviderDown();
  }

  #keysOfProvider(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#discover().catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const { issuer } = this.#settings;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(10_000);
    const response = await this.#fetch(url, { signal, redirect: 'error' }).catch(
      (error: unknown) => {
        const reason = fetchError(error, url).details.causeCode ?? errorCodeOrName(error);
        throw this.#down(`${url} can't be fetched (${reason})`);
      },
    );
    if (!response.ok) throw this.#down(`${url} answers with status ${response.status}`);
    const read = v.safeParse(discoverySchema, await response.json().catch(() => undefined));
    if (!read.success) throw this.#down(`${url} is no configuration of OpenID Connect`);
    const found = read.output;
    // Providers differ in whether their issuer ends with a slash.
    if (found.issuer !== issuer) throw this.#down(`${url} names the issuer "${found.issuer}"`);
    return createRemoteJWKSet(new URL(found.jwks_uri), {
      [customFetch]: (from, init) => this.#fetch(from, init),
    });
  }
}

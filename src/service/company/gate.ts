/** Decides who may ask what: by keys, and by the groups of people who are signed in. */
import type { Context } from 'hono';
import { KEY_PREFIX } from '../../common/http/companyApi';
import { bearerOf, notAdmin, notAssistant } from '../server/keys';
import type { KeyHolder } from '../server/apiRoutes';
import type { KnownKeys } from './keys';
import type { SignIn } from './signIn';
import type { HostedSite } from './sites/hostedSite';
import type { RequestLimiter } from '../server/requestChecks';
import type { KeyRecord } from './stores';

/** Who sends a request. */
export type Caller =
  | { readonly kind: 'key'; readonly key: KeyRecord }
  | { readonly kind: 'person'; readonly subject: string; readonly groups: readonly string[] };

interface GatePorts {
  readonly keys: KnownKeys;
  readonly counts: () => RequestLimiter;
  readonly signIn: () => SignIn | undefined;
  readonly sites: () => ReadonlyMap<string, HostedSite>;
}

/** All keys of a service belong to one organization. */
const ORGANIZATION = 'organization';
const SIGN_IN_INSTEAD = 'If you sign in, send a token of the provider.';
const NOT_SIGNED_IN = 'This token is not valid. Sign in again.';

/** Returns the groups in which a caller is. Assistant keys are public, so they are in none. */
export function groupsOf(caller: Caller): readonly string[] {
  return caller.kind === 'person' ? caller.groups : [];
}

/** Names a caller in logs. */
export function nameOf(caller: Caller): string {
  return caller.kind === 'key' ? `key ${caller.key.id}` : `person ${caller.subject}`;
}

/** Returns what identifies a caller's threads. Keys are shared, so the `fp` of a request tells people apart. */
export function ownerOfThreads(caller: Caller): string {
  return caller.kind === 'key' ? '' : caller.subject;
}

export class Gate {
  readonly #ports: GatePorts;

  constructor(ports: GatePorts) {
    this.#ports = ports;
  }

  /** Returns who asks a question, or the sentence that says what is wrong with the key. */
  async callerOf(c: Context): Promise<Caller | { readonly problem: string }> {
    const given = bearerOf(c.req.header('authorization'));
    const signIn = this.#ports.signIn();
    if (given !== undefined && signIn?.isToken(given) === true) {
      const person = await signIn.personOf(given);
      return person ? { kind: 'person', ...person } : { problem: NOT_SIGNED_IN };
    }
    const key = given === undefined ? undefined : await this.#ports.keys.find(given);
    if (key?.kind === 'assistant') return { kind: 'key', key };
    const problem = notAssistant(given, KEY_PREFIX);
    return { problem: signIn ? `${problem} ${SIGN_IN_INSTEAD}` : problem };
  }

  /** Returns why an `Authorization` header is not that of an admin key, or undefined if it is. */
  async adminProblem(header: string | undefined): Promise<string | undefined> {
    const given = bearerOf(header);
    const key = given === undefined ? undefined : await this.#ports.keys.find(given);
    return key?.kind === 'admin' ? undefined : notAdmin(given, KEY_PREFIX);
  }

  /** Returns the sites that a caller may ask. */
  sitesOf(caller: Caller): HostedSite[] {
    const named = caller.kind === 'key' ? caller.key.sites : undefined;
    return [...this.#ports.sites().values()].filter(
      (site) =>
        (named === undefined || named.includes(site.entry.domain)) && site.isFor(groupsOf(caller)),
    );
  }

  /** Returns a site that a caller may ask. Without a domain, the only one that the caller may ask. */
  siteOf(caller: Caller, domain: string): HostedSite | undefined {
    const sites = this.sitesOf(caller);
    if (domain === '') return sites.length === 1 ? sites[0] : undefined;
    return sites.find(({ entry }) => entry.domain === domain);
  }

  /** Returns what the limits count for a caller. */
  countingOf(caller: Caller): Pick<KeyHolder, 'organization' | 'countOwn'> {
    const limit = caller.kind === 'key' ? caller.key.requestsPerHour : undefined;
    return {
      organization: ORGANIZATION,
      countOwn: () =>
        caller.kind === 'key' && limit !== undefined
          ? this.#ports.counts().countKey(caller.key.id, limit)
          : Promise.resolve(0),
    };
  }
}

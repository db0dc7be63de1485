import * as v from 'valibot';

/** Longest name of a site, version, language or group. */
const MAX_NAME = 200;
const MAX_SITES = 1000;

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const name = v.pipe(text, v.maxLength(MAX_NAME, `must have at most ${MAX_NAME} characters`));
const groups = v.pipe(v.array(name), v.minLength(1, 'must name a group'));
const count = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1));
const limit = v.strictObject({ requests: count, seconds: count });

/** Source of a site's pages. */
const source = v.variant('kind', [
  /** A folder of Markdown or MDX. Its changes are taken over at once. */
  v.strictObject({ kind: v.literal('folder'), path: text }),
  /** A git repository, of which the newest commit of a branch is checked out. */
  v.strictObject({
    kind: v.literal('git'),
    url: text,
    branch: v.optional(name),
    /** Folder of the docs in the repository. */
    path: v.optional(text),
  }),
  /** The archive of an exported site: a file, or an HTTPS link to one. */
  v.strictObject({ kind: v.literal('bundle'), from: text }),
  /** A public docs site, which is fetched. */
  v.strictObject({ kind: v.literal('site'), url: text }),
]);

const version = v.union([
  name,
  v.strictObject({
    name,
    /** Folder whose pages are of this version, if the pages and their paths don't say so. */
    folder: v.optional(text),
    /** Groups that may see the version. Everybody who may see the site if absent. */
    groups: v.optional(groups),
  }),
]);

const site = v.strictObject({
  domain: v.pipe(
    v.string(),
    v.regex(
      /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
      'can only have lowercase letters, digits and hyphens, such as "payments-api"',
    ),
    v.maxLength(100, 'must have at most 100 characters'),
  ),
  name: v.optional(name),
  source,
  /** Versions that the site has. Pages of other versions are left out. All versions if absent. */
  versions: v.optional(v.array(version)),
  /** Languages that the site has. Pages in other languages are left out. All languages if absent. */
  languages: v.optional(v.array(name)),
  /** Groups that may ask the site. Everybody with a key if absent. */
  groups: v.optional(groups),
  refresh: v.optional(
    v.strictObject({
      /** Time between two refreshes, such as `30m`, `6h` or `1d`. */
      every: v.optional(
        v.pipe(v.string(), v.regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a time such as "30m" or "6h"')),
      ),
      /** Whether a signed request can start a refresh. */
      webhook: v.optional(
        v.strictObject({
          /** Environment variable with the secret that signs the requests. */
          secretVariable: v.pipe(
            v.string(),
            v.regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable'),
          ),
        }),
      ),
      /** Command and its arguments, which run before the pages are read, without a shell. */
      command: v.optional(v.pipe(v.array(text), v.minLength(1, 'must name a command'))),
    }),
  ),
});

/** Schema of `service.yaml`, of which `test/tooling/serviceSchema.mjs` makes the JSON schema. */
export const manifestSchema = v.strictObject({
  /** Base URL at which readers reach the service. By default, the address that it listens on. */
  url: v.optional(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/, 'must be an HTTP URL')),
  ),
  /** Number of proxies before the service, whose X-Forwarded-For header tells the address of a reader. */
  trustedProxies: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  /** Limits of requests. Those of the API document by default. */
  limits: v.optional(
    v.strictObject({ organization: v.optional(limit), address: v.optional(limit) }),
  ),
  /** Sign-in of people by tokens of an OpenID Connect provider. */
  signIn: v.optional(
    v.strictObject({
      issuer: text,
      audience: text,
      /** Claim of a token that lists the groups of a person. */
      groupsClaim: v.optional(name, 'groups'),
      /** Scopes that clients ask the provider for, such as `api://docs/.default`. */
      scopes: v.optional(v.array(v.pipe(name, v.regex(/^\S+$/, 'must have no spaces'))), []),
    }),
  ),
  sites: v.pipe(
    v.array(site),
    v.minLength(1, 'must have a site'),
    v.maxLength(MAX_SITES, `must have at most ${MAX_SITES} sites`),
  ),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;
export type ManifestSite = Manifest['sites'][number];
export type ManifestSource = ManifestSite['source'];

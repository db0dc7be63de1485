import * as v from 'valibot';

/** Longest name of a site, version, language or group. */
const MAX_NAME = 200;
const MAX_SITES = 1000;

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const name = v.pipe(text, v.maxLength(MAX_NAME, `must have at most ${MAX_NAME} characters`));
const groups = v.pipe(v.array(name), v.minLength(1, 'must name a group'));
const wholeNumber = v.pipe(v.number(), v.integer('must be a whole number'));
const count = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'));
const limit = v.strictObject({
  requests: v.pipe(count, v.description('Number of requests that are answered in the time.')),
  seconds: v.pipe(count, v.description('The time in seconds.')),
});

/** Source of a site's pages. */
const source = v.variant('kind', [
  v.strictObject({
    kind: v.pipe(
      v.literal('folder'),
      v.description('A folder of Markdown or MDX. Its changes are taken over by themselves.'),
    ),
    path: v.pipe(text, v.description('Path of the folder, from the folder of this file.')),
  }),
  v.strictObject({
    kind: v.pipe(
      v.literal('git'),
      v.description('A git repository, of which the newest commit of a branch is checked out.'),
    ),
    url: v.pipe(text, v.description('URL or path from which git clones the repository.')),
    branch: v.pipe(
      v.optional(name),
      v.description('Branch of the docs. By default, the one that the repository names.'),
    ),
    path: v.pipe(v.optional(text), v.description('Folder of the docs in the repository.')),
  }),
  v.strictObject({
    kind: v.pipe(v.literal('bundle'), v.description('The archive of an exported site.')),
    from: v.pipe(text, v.description('File of the archive, or an HTTPS link to it.')),
  }),
  v.strictObject({
    kind: v.pipe(v.literal('site'), v.description('A public docs site, which is fetched.')),
    url: v.pipe(text, v.description('URL of the docs of the site.')),
  }),
]);

const version = v.union([
  name,
  v.strictObject({
    name: v.pipe(name, v.description('Name of the version, as pages and their paths have it.')),
    folder: v.pipe(
      v.optional(text),
      v.description(
        "Folder whose pages are of this version, if the pages and their paths don't say so.",
      ),
    ),
    groups: v.pipe(
      v.optional(groups),
      v.description('Groups that may see the version. By default, all who may see the site.'),
    ),
  }),
]);

/** Identifies a site in URLs and in keys. */
export const domainSchema = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'can only have lowercase letters, digits and hyphens, such as "payments-api"',
  ),
  v.maxLength(100, 'must have at most 100 characters'),
);

const site = v.strictObject({
  domain: v.pipe(
    domainSchema,
    v.description('Identifies the site in URLs, such as "payments-api".'),
  ),
  name: v.pipe(v.optional(name), v.description('Name for people. By default, the domain.')),
  source: v.pipe(source, v.description("Where the site's pages come from.")),
  versions: v.pipe(
    v.optional(v.array(version)),
    v.description('Versions of the site. Pages of other versions are left out. All by default.'),
  ),
  languages: v.pipe(
    v.optional(v.array(name)),
    v.description('Languages of the site. Pages in other languages are left out. All by default.'),
  ),
  groups: v.pipe(
    v.optional(groups),
    v.description('Groups that may ask the site. By default, everybody with a key.'),
  ),
  refresh: v.pipe(
    v.optional(
      v.strictObject({
        every: v.pipe(
          v.optional(
            v.pipe(
              v.string(),
              v.regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a time such as "30m" or "6h"'),
            ),
          ),
          v.description('Time between two refreshes, such as "30m", "6h" or "1d".'),
        ),
        webhook: v.pipe(
          v.optional(
            v.strictObject({
              secretVariable: v.pipe(
                v.string(),
                v.regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable'),
                v.description('Environment variable with the secret of the webhook.'),
              ),
            }),
          ),
          v.description('Lets a webhook of a git host start a refresh.'),
        ),
        command: v.pipe(
          v.optional(v.pipe(v.array(text), v.minLength(1, 'must name a command'))),
          v.description(
            'Command and its arguments, which run before the pages are read, without a shell.',
          ),
        ),
      }),
    ),
    v.description('When the docs are read again.'),
  ),
});

/** Schema of `service.yaml`, of which `npm run schema` makes the JSON schema. Editors show its descriptions. */
export const manifestSchema = v.strictObject({
  url: v.pipe(
    v.optional(
      v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/, 'must be an HTTP URL')),
    ),
    v.description(
      'Base URL at which readers reach the service. By default, the address that it listens on.',
    ),
  ),
  trustedProxies: v.pipe(
    v.optional(v.pipe(wholeNumber, v.minValue(0, 'must be at least 0')), 0),
    v.description(
      'Number of proxies before the service, whose X-Forwarded-For header tells the address of a reader.',
    ),
  ),
  limits: v.pipe(
    v.optional(
      v.strictObject({
        organization: v.pipe(
          v.optional(limit),
          v.description('Limit of all requests together. By default, 10,000 an hour.'),
        ),
        address: v.pipe(
          v.optional(limit),
          v.description('Limit of the requests from one address. By default, 10,000 a day.'),
        ),
      }),
    ),
    v.description('Limits of requests.'),
  ),
  signIn: v.pipe(
    v.optional(
      v.strictObject({
        issuer: v.pipe(text, v.description('Issuer of the tokens, as the provider names it.')),
        audience: v.pipe(text, v.description('Audience that a token must name.')),
        groupsClaim: v.pipe(
          v.optional(name, 'groups'),
          v.description('Claim of a token that lists the groups of a person.'),
        ),
        scopes: v.pipe(
          v.optional(v.array(v.pipe(name, v.regex(/^\S+$/, 'must have no spaces'))), []),
          v.description('Scopes that clients ask the provider for, such as "api://docs/.default".'),
        ),
      }),
    ),
    v.description('Sign-in of people by tokens of an OpenID Connect provider.'),
  ),
  sites: v.pipe(
    v.array(site),
    v.minLength(1, 'must have a site'),
    v.maxLength(MAX_SITES, `must have at most ${MAX_SITES} sites`),
    v.description('The docs sites that the service answers for.'),
  ),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;
export type ManifestSite = Manifest['sites'][number];
export type ManifestSource = ManifestSite['source'];

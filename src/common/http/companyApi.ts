/** Names that the service of a company and its clients share. */

/** Start of each key of the service. */
export const KEY_PREFIX = 'docs';

/** Realm of the challenge with which the service refuses a request without a valid key (RFC 9110 § 11.5). */
export const SERVICE_REALM = 'docs-assistant-service';

/** Path of the facts for clients that sign in (RFC 9728 § 3). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Path of the list of sites that a key or a person may ask. */
export const SERVICE_SITES = '/service/v1/sites';

/** Path of the questions without an answer. */
export const SERVICE_MISSES = '/service/v1/misses';

/** Path of the MCP servers, behind which the domain of a site comes. */
export const SERVICE_MCP = '/mcp';

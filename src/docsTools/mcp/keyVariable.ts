/** Environment variable of the assistant key, for the command line and for the MCP server. */
export const KEY_VARIABLE = 'DOCS_ASSISTANT_KEY';

/** Stands where the reader puts the key, in clients that can't refer to the environment. */
export const KEY_PLACEHOLDER = '<your assistant key>';

/**
 * Returns whether a key is the reference or the placeholder of a configuration, which the client
 * passed on as it stands. Clients do that silently for references that they can't resolve.
 */
export function isUnresolvedKey(key: string): boolean {
  return key === KEY_PLACEHOLDER || /^(?:\$\{.*\}|\$\w+|\{env:.*\})$/.test(key);
}

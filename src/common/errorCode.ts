/** Returns the system's code of a failed operation, such as `ENOENT`; undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^E[A-Z0-9_]+$/.test(code) ? code : undefined;
}

/** Returns the code of an error, or the name of its class if it has none, for logs and messages. */
export function errorCodeOrName(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : 'unknown');
}

/** Returns what an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

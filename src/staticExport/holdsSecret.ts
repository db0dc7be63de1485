import { SHORTEST_SECRET } from '../common/redact';

/**
 * True for a text that holds the secret, even percent-encoded or in another case: what a service
 * would have us keep or pass on is refused then (faults.md F2, F6).
 */
export function holdsSecret(text: string, secret: string): boolean {
  if (secret.length < SHORTEST_SECRET) return false;
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  const wanted = secret.toLowerCase();
  return [text, decoded].some((form) => form.toLowerCase().includes(wanted));
}

import { plainTranslate, type Translate } from '../errors';

export type SecretKind =
  | 'private-key'
  | 'token'
  | 'key'
  | 'secret'
  | 'password'
  | 'url-password'
  | 'login'
  | 'jwt'
  | 'webhook'
  | 'signed-link';

/** A secret that a scan found in a text. It holds the place of the secret, never the secret. */
export interface Finding {
  /** Name of the rule, such as `stripe-key`. */
  readonly rule: string;
  /** Range in UTF-16 code units. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** Name of the service that gives out such secrets, such as `Stripe`. */
  readonly service?: string;
  /** English name of the secret, such as `Stripe key`. */
  readonly label: string;
}

/** Part of a finding that a rule knows by itself. */
export interface SecretType {
  readonly rule: string;
  readonly kind: SecretKind;
  readonly service?: string;
}

export function finding(type: SecretType, start: number, end: number): Finding {
  return { ...type, start, end, label: secretName(type, plainTranslate) };
}

/** Returns the name of a secret in the reader's language, such as `GitHub token`. */
export function secretName(
  { kind, service }: Pick<Finding, 'kind' | 'service'>,
  t: Translate,
): string {
  switch (kind) {
    case 'private-key':
      return t('private key');
    case 'token':
      return service === undefined ? t('token') : t('{0} token', service);
    case 'key':
      return service === undefined ? t('key') : t('{0} key', service);
    case 'secret':
      return service === undefined ? t('secret') : t('{0} secret', service);
    case 'password':
      return t('password');
    case 'url-password':
      return t('password in a URL');
    case 'login':
      return t('user name and password');
    case 'jwt':
      return t('JSON Web Token');
    case 'webhook':
      return t('{0} webhook', service ?? '');
    case 'signed-link':
      return t('presigned link');
  }
}

/**
 * Returns the findings in order and without overlaps. Findings that overlap become one with the whole
 * range, because what remained of one of them would give a part away. A finding that knows its service
 * names it.
 */
export function joinedFindings(findings: readonly Finding[]): Finding[] {
  const joined: Finding[] = [];
  for (const next of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (!last || next.start >= last.end) {
      joined.push(next);
      continue;
    }
    const named = last.service === undefined && next.service !== undefined ? next : last;
    joined[joined.length - 1] = { ...named, start: last.start, end: Math.max(last.end, next.end) };
  }
  return joined;
}

/** Returns the text with `[redacted: …]` in place of each finding, and nothing else changed. */
export function redactedText(text: string, findings: readonly Finding[]): string {
  let result = '';
  let end = 0;
  for (const { start, end: next, label } of joinedFindings(findings)) {
    result += `${text.slice(end, start)}[redacted: ${label}]`;
    end = next;
  }
  return result + text.slice(end);
}

/** The docs service that the box of an enhanced site asks: read from what people type, and refused with a reason. */
import { isDomain, parseApiAddress } from '../common/http/address';
import type { Translate } from '../common/errors';
import { parseUrl } from '../shared/links';
import { keyKind, parseSiteInput } from '../site/siteInput';

/** Docs service with the platform's API. Everything in it stands in the site's files, for everyone to read. */
export interface BoxService {
  /** Base URL without a slash at its end, or a path such as `/_docs-assistant/service` at the site's own origin. */
  readonly baseUrl: string;
  /** The identifier in the endpoint's path. */
  readonly domain: string;
  /** Assistant key, which the contract calls public. */
  readonly key: string;
}

/** Texts that people type for a service. Blank texts count as missing. */
interface TypedService {
  readonly service: string;
  readonly site?: string | undefined;
  readonly key?: string | undefined;
}

/** Origin that stands for the site's own, which is not known before the site is hosted. */
const OWN_ORIGIN = 'https://site.invalid';

type Outcome<Value> = { readonly ok: true; readonly value: Value } | Refused;
interface Refused {
  readonly ok: false;
  /** Sentence in the reader's language. It never repeats a key. */
  readonly message: string;
}

const refused = (message: string): Refused => ({ ok: false, message });

/** Reads the URL of a service, its site and its key. */
export function parseBoxService(typed: TypedService, t: Translate): Outcome<BoxService> {
  const address = parseServiceUrl(typed.service, t);
  if (!address.ok) return address;
  const { baseUrl } = address.value;
  const domain = parseServiceSite(typed.site ?? '', address.value.domain, t);
  if (!domain.ok) return domain;
  const key = parsePublicKey(typed.key ?? '', t);
  return key.ok ? { ok: true, value: { baseUrl, domain: domain.value, key: key.value } } : key;
}

/** Reads a base URL, a path at the site's own origin, or either with the path of the message endpoint. */
export function parseServiceUrl(
  text: string,
  t: Translate,
): Outcome<{ readonly baseUrl: string; readonly domain?: string | undefined }> {
  const trimmed = text.trim();
  const isPath = trimmed.startsWith('/');
  if (isPath && parseUrl(trimmed, OWN_ORIGIN)?.origin !== OWN_ORIGIN)
    return refused(t('“{0}” is not a path. Enter one such as /_docs-assistant/service.', trimmed));
  const parsed = parseApiAddress(isPath ? OWN_ORIGIN + trimmed : trimmed, 'assistant');
  if (!parsed.ok) return refused(t(parsed.message, parsed.detail ?? ''));
  const { baseUrl, domain } = parsed;
  return {
    ok: true,
    value: { baseUrl: isPath ? baseUrl.slice(OWN_ORIGIN.length) : baseUrl, domain },
  };
}

/** Reads the site's domain. @param known domain in the URL of the service. */
export function parseServiceSite(
  text: string,
  known: string | undefined,
  t: Translate,
): Outcome<string> {
  if (text.trim() === '' && known !== undefined && isDomain(known))
    return { ok: true, value: known };
  if (text.trim() === '') return refused(t('Name the docs site at the service by its domain.'));
  const parsed = parseSiteInput(text);
  return parsed.ok
    ? { ok: true, value: parsed.domain }
    : refused(t(parsed.message, parsed.detail ?? ''));
}

/** Reads the assistant key. Keys of other kinds are secret, and everyone could read them in the site's files. */
export function parsePublicKey(text: string, t: Translate): Outcome<string> {
  const parsed = keyKind(text);
  if (!parsed.ok) {
    return refused(parsed.reason === 'empty' ? t('Enter the assistant key.') : t(parsed.message));
  }
  switch (parsed.kind) {
    case 'assistant':
      return { ok: true, value: parsed.key };
    case 'admin':
      return refused(
        t(
          'This looks like an admin key, which must stay secret. Everyone can read the key in the pages. Use an assistant key, which looks like <prefix>_dsc_<letters and digits>.',
        ),
      );
    case 'user':
      return refused(
        t(
          'This looks like a user key. Use an assistant key, which looks like <prefix>_dsc_<letters and digits>.',
        ),
      );
  }
}

/** What people type or paste for the site to export: its bare host name, checked and cleaned. */
import { parseUrl } from '../../common/parseUrl';

/** `message` is English, with `{0}` for `detail`; translate it. */
export interface DomainRefusal {
  readonly ok: false;
  readonly message: string;
  readonly detail: string;
}

/** `isCleaned`: something beside the host name was entered and left out. */
export interface ExportDomain {
  readonly ok: true;
  readonly exportDomain: string;
  readonly isCleaned: boolean;
}

const sentences = {
  empty: 'Enter the site’s host name, such as docs.example.com.',
  'not-a-host': '“{0}” is not a host name. Enter one such as docs.example.com.',
} as const;

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^${label}(?:\\.${label})*$`);

/**
 * Finds the bare host name that the export API wants, without scheme, slash, path or port
 * (field-notes.md § Static export).
 */
export function parseExportDomain(text: string): ExportDomain | DomainRefusal {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, message: sentences.empty, detail: '' };
  const refusal: DomainRefusal = {
    ok: false,
    message: sentences['not-a-host'],
    detail: trimmed.length <= 80 ? trimmed : `${trimmed.slice(0, 79)}…`,
  };
  const typed = trimmed.toLowerCase();
  // A bare name never passes the URL parser, which takes digits for an IP address.
  const found = isHostName(typed) ? typed : hostInAddress(trimmed);
  if (found === undefined || !isHostName(found)) return refusal;
  return { ok: true, exportDomain: found, isCleaned: found !== typed };
}

/**
 * True where it looks as if the assistant's domain, an identifier, was meant, which the export API
 * does not know.
 */
export function looksLikeAssistantDomain(exportDomain: string, assistantDomain: string): boolean {
  return exportDomain === assistantDomain.toLowerCase() || !exportDomain.includes('.');
}

function isHostName(text: string): boolean {
  return text.length <= 253 && hostName.test(text);
}

function hostInAddress(text: string): string | undefined {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (/\s/.test(text) || (hasScheme && !/^https?:/i.test(text))) return undefined;
  const address = hasScheme ? text : `https://${text.replace(/^\/+/, '')}`;
  return parseUrl(address)?.hostname.replace(/\.$/, '');
}

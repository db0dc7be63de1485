/** Problems of a host, as its health page and its log tell them. The texts are English, like those of every HTTP API. */
import { systemErrorCode } from '../common/errorCode';
import { plainTranslate, ReportedError } from '../common/errors';
import { redact } from '../common/http/redact';
import { isTransient, ExportError } from '../export/exportErrors';

/**
 * Sentences of the problems: what happened, and what to do. They are on the health page, which anybody may read, so they
 * name no host and no file. The log has those.
 */
const sentences = {
  'values-unreadable':
    'A values file, the link file or the file of redirects can’t be read. Check that it is mounted and that this user may read it.',
  'values-invalid': 'A values file can’t be used. Correct it. The host reads it again by itself.',
  'values-incomplete':
    'The values have no static export. Set staticExport.enabled to true and staticExport.bundleUrl to the link of the bundle.',
  'redirects-invalid':
    'The file of redirects can’t be used. Use a file that “bundle diff --redirects” wrote.',
  'link-refused': 'The bundle link can’t be used. Set staticExport.bundleUrl to another link.',
  'link-expired':
    'The bundle link has expired. Generate the bundle again and set staticExport.bundleUrl to the new link.',
  'store-refused':
    'The file server refused the download. Generate the bundle again and set staticExport.bundleUrl to the new link.',
  'store-unreachable':
    'The file server of the bundle can’t be reached or failed. The host tries again by itself.',
  'archive-refused':
    'The bundle is not an archive, is unsafe or has no pages, so it is not served. Export the site again.',
  'archive-damaged': 'The bundle is damaged or incomplete. Export the site again if this stays.',
  'disk-full':
    'The data folder has no space for the bundle. Make room. The host tries again by itself.',
  'data-not-writable': 'The data folder can’t be written. Check its permissions and its mount.',
  'data-in-use':
    'Another host uses the data folder. Give each host a folder of its own, or stop the other one.',
  unexpected: 'The bundle can’t be served because of an unexpected error. The log has its name.',
} as const;

type HostProblemCode = keyof typeof sentences;

/** Problems that may pass without a change of the values. */
const passing: ReadonlySet<HostProblemCode> = new Set([
  'values-unreadable',
  'store-refused',
  'store-unreachable',
  'archive-damaged',
  'disk-full',
  'data-not-writable',
  'unexpected',
]);

/** A reason why the host can't take over what its values name. */
export class HostProblem extends Error {
  override readonly name = 'HostProblem';

  constructor(
    readonly code: HostProblemCode,
    /** Names for the log, such as those of a host and a file. It contains no link. */
    readonly detail = '',
  ) {
    super(sentences[code]);
  }

  /** Whether another try may succeed without a change of the values. */
  get isPassing(): boolean {
    return passing.has(this.code);
  }
}

/** Problems of the codes of a download and of an archive. Others are transient or unexpected. */
const byExportCode: Readonly<Partial<Record<string, HostProblemCode>>> = {
  'link-refused': 'link-refused',
  'link-expired': 'link-expired',
  'store-refused': 'store-refused',
  'download-broken': 'store-unreachable',
  'download-under-way': 'data-in-use',
  'bundle-changed': 'store-unreachable',
  'bundle-size-wrong': 'archive-damaged',
  'broken-archive': 'archive-damaged',
  'not-an-archive': 'archive-refused',
  'unsafe-archive': 'archive-refused',
  'no-pages': 'archive-refused',
  'disk-full': 'disk-full',
  'not-writable': 'data-not-writable',
};

/** Returns the problem that an error is for the host. */
export function problemOf(error: unknown): HostProblem {
  if (error instanceof HostProblem) return error;
  if (!(error instanceof ReportedError)) {
    const code = systemErrorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
      return new HostProblem('disk-full', code);
    }
    return new HostProblem('unexpected', code ?? (error instanceof Error ? error.name : ''));
  }
  const { code, details } = error;
  const own = byExportCode[code] ?? (isTransient(error) ? 'store-unreachable' : 'unexpected');
  const names: (string | undefined)[] = [details.host, details.causeCode];
  if (details.status !== undefined) names.push(`HTTP ${details.status}`);
  if (error instanceof ExportError) {
    names.push(error.details.entry, error.details.reason?.(plainTranslate));
  }
  if (own === 'unexpected' || own === 'store-unreachable') names.unshift(code);
  return new HostProblem(own, redact(names.filter((name) => name !== undefined).join(', ')));
}

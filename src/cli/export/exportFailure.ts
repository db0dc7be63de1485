import type { ReportedError, Translate } from '../../common/errors';
import { describeExportError, ExportError, type ExportErrorCode } from '../../export/exportErrors';
import { plainLine } from '../../shared/characters';
import { exitCodes, type Failure } from '../context';

/** Exit code of each error of static export. */
const exitCodesByError: Readonly<Record<ExportErrorCode, number>> = {
  'no-admin-key': exitCodes.key,
  'admin-key-rejected': exitCodes.key,
  'export-forbidden': exitCodes.plan,
  'export-redirected': exitCodes.notSetUp,
  'bad-export-domain': exitCodes.notFound,
  'export-not-found': exitCodes.service,
  'unknown-job': exitCodes.notFound,
  'job-failed': exitCodes.jobFailed,
  'job-not-completed': exitCodes.notFound,
  'start-unclear': exitCodes.service,
  'export-rate-limited': exitCodes.rateLimit,
  'bad-answer': exitCodes.service,
  'local-service-stopped': exitCodes.service,
  'link-refused': exitCodes.service,
  'link-expired': exitCodes.service,
  'store-refused': exitCodes.service,
  'download-broken': exitCodes.service,
  'download-under-way': exitCodes.file,
  'bundle-changed': exitCodes.service,
  'bundle-size-wrong': exitCodes.service,
  'not-an-archive': exitCodes.notFound,
  'unsafe-archive': exitCodes.notFound,
  'broken-archive': exitCodes.notFound,
  'disk-full': exitCodes.file,
  'not-writable': exitCodes.file,
  'not-readable': exitCodes.notFound,
  'already-exists': exitCodes.file,
  'file-gone': exitCodes.notFound,
  'values-not-usable': exitCodes.file,
  'workspace-not-trusted': exitCodes.unexpected,
  'preview-failed': exitCodes.unexpected,
  'check-failed': exitCodes.unexpected,
  'compare-failed': exitCodes.unexpected,
  'enhance-failed': exitCodes.unexpected,
  'no-pages': exitCodes.notFound,
  'assistant-folder-taken': exitCodes.file,
};

/** Returns the message and the exit code for an error of static export, or undefined for others. */
export function exportFailure(error: ReportedError, t: Translate): Failure | undefined {
  if (!(error instanceof ExportError)) return undefined;
  const { code, message, retryAt } = describeExportError(error, t);
  return {
    exitCode: exitCodesByError[error.code],
    code,
    message: plainLine(ownSentence(error, t) ?? message),
    retryAt,
  };
}

/**
 * Returns the sentence for an error whose usual sentence mentions VS Code, or undefined for others.
 */
function ownSentence({ code, details }: ExportError, t: Translate): string | undefined {
  const { host = '', otherHost = '?', path = '', exportDomain = '', serviceMessage } = details;
  const said = (sentence: string): string =>
    serviceMessage === undefined ? sentence : `${sentence} (${serviceMessage})`;
  switch (code) {
    case 'no-admin-key':
      return t('Set DOCS_ASSISTANT_ADMIN_KEY to the admin key of {0}, then try again.', host);
    case 'admin-key-rejected':
      return said(
        t(
          '{0} rejected the admin key. It is wrong, expired or revoked. Put another key into DOCS_ASSISTANT_ADMIN_KEY.',
          host,
        ),
      );
    case 'export-not-found':
      return said(
        t(
          '{0} found no export API at this URL, or no site “{1}” (HTTP {2}). Check --api-url and --domain.',
          host,
          exportDomain,
          details.status ?? '?',
        ),
      );
    case 'unknown-job':
      // The ID of the job can be one that a person typed.
      return said(
        t(
          'This export job doesn’t exist or no longer exists at {0}. Check its ID. Start a new export if the ID is correct.',
          host,
        ),
      );
    case 'export-redirected':
      return t(
        '{0} redirects to {1}, and the admin key was not sent there. If {1} is correct, set it with --api-url.',
        host,
        otherHost,
      );
    case 'download-under-way':
      return t(
        'Another download to “{0}” is running. Wait for it, or choose another name with --output.',
        path,
      );
    case 'already-exists':
      return t(
        '“{0}” already exists and was not changed. Choose another name with --output.',
        path,
      );
    case 'file-gone':
      return t('{0} doesn’t exist.', details.path ?? details.entry ?? '');
    case 'bad-answer':
      return t(
        '{0} sent an invalid response: “{1}” is missing or wrong. Check --api-url.',
        host,
        details.field ?? '',
      );
    case 'store-refused':
      return t(
        'The file server at {0} refused the download ({1}), even with a new link. Ask the administrator of the docs platform.',
        host,
        details.causeCode ?? details.status ?? '?',
      );
    case 'download-broken':
      return t(
        'The download from {0} failed too often. Run the same command again to continue.',
        host,
      );
    case 'compare-failed':
      return t('The comparison failed ({0}).', details.causeCode ?? '?');
    case 'enhance-failed':
      return t(
        'Changing “{0}” failed ({1}). Run the command again, or remove search and answers with --remove.',
        path,
        details.causeCode ?? '?',
      );
    case 'check-failed':
      return t('The check failed ({0}).', details.causeCode ?? '?');
    default:
      return undefined;
  }
}

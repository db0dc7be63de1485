import path from 'node:path';
import { systemErrorCode } from '../common/errorCode';
import {
  describedBy,
  describeError,
  withServiceMessage,
  type ErrorDescription,
  type ErrorTable,
} from '../common/describeError';
import { plainTranslate, ReportedError, type ErrorDetails, type Translate } from '../common/errors';
import type { ErrorAction, ErrorCode } from '../shared/errorInfo';

/** Codes of export errors. They must not change, because stored records contain them. */
export const exportErrorCodes = [
  'no-admin-key',
  'admin-key-rejected',
  'export-forbidden',
  'export-redirected',
  'bad-export-domain',
  'export-not-found',
  'unknown-job',
  'job-failed',
  'job-not-completed',
  'start-unclear',
  'export-rate-limited',
  'bad-answer',
  'local-service-stopped',
  'link-refused',
  'link-expired',
  'store-refused',
  'download-broken',
  'download-under-way',
  'bundle-changed',
  'bundle-size-wrong',
  'not-an-archive',
  'unsafe-archive',
  'broken-archive',
  'disk-full',
  'not-writable',
  'not-readable',
  'already-exists',
  'file-gone',
  'values-not-usable',
  'workspace-not-trusted',
  'preview-failed',
  'check-failed',
  'compare-failed',
  'enhance-failed',
  'no-pages',
  'assistant-folder-taken',
] as const;

export type ExportErrorCode = (typeof exportErrorCodes)[number];

/** Actions that only static export has, besides those of the chat. */
const exportActionNames = [
  'set-admin-key',
  'renew-link',
  'get-bundle',
  'trust-workspace',
  'start-again',
] as const;

export type ExportAction = ErrorAction | (typeof exportActionNames)[number];

/** Values for an error's sentence. They are already redacted, sanitized and cut. */
interface ExportErrorDetails extends ErrorDetails {
  /** Host name of the site, such as `docs.example.com`. */
  readonly exportDomain?: string | undefined;
  /** Second host, if the sentence compares two. */
  readonly otherHost?: string | undefined;
  /** Missing or invalid field of a response. */
  readonly field?: string | undefined;
  /** Name of an archive's entry or of a file, but never a whole path on this machine. */
  readonly entry?: string | undefined;
  /** File or folder that the user chose. */
  readonly path?: string | undefined;
  readonly reason?: Reason | undefined;
}

/** Says a reason in the reader's language, as a part of the error's sentence. */
export type Reason = (t: Translate) => string;

/** A failure of static export. */
export class ExportError extends ReportedError {
  override readonly name = 'ExportError';

  constructor(
    override readonly code: ExportErrorCode,
    override readonly details: ExportErrorDetails = {},
  ) {
    super(code, details);
  }
}

/** Description of an error of static export, or of a request that it made. */
export type ExportErrorInfo = ErrorDescription<string, ExportAction>;

const hostOf = (details: ExportErrorDetails): string => details.host ?? 'the docs platform';
const said = withServiceMessage;
const nameOf = (details: ExportErrorDetails): string => details.path ?? details.entry ?? '';

const descriptions: ErrorTable<ExportErrorCode, ExportAction, ExportErrorDetails> = {
  'no-admin-key': {
    message: (t, d) => t('No admin key is set for {0}. Set the key, then try again.', hostOf(d)),
    actions: ['set-admin-key'],
  },
  'admin-key-rejected': {
    message: (t, d) =>
      said(
        t(
          '{0} rejected the admin key. It is wrong, expired or revoked. Set a new key to track the export again.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['set-admin-key'],
  },
  'export-forbidden': {
    message: (t, d) =>
      said(
        t(
          '{0} refused the export. Static export needs the Enterprise plan. The admin key may also belong to another organization, or your network may not be allowed. Ask the administrator of the docs platform.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['set-admin-key', 'open-log'],
  },
  'export-redirected': {
    message: (t, d) =>
      t(
        '{0} redirects to {1}, and the admin key is not sent there. If {1} is correct, set it as the URL of the export API and set a key for it.',
        hostOf(d),
        d.otherHost ?? '?',
      ),
    actions: ['open-settings'],
  },
  'bad-export-domain': {
    message: (t, d) =>
      said(
        t(
          'The docs platform can’t export “{0}”. Enter the site’s host name, such as docs.example.com.',
          d.exportDomain ?? '',
        ),
        d,
      ),
    actions: [],
  },
  'export-not-found': {
    message: (t, d) =>
      said(
        t(
          '{0} found no export API at this URL, or no site “{1}” (HTTP {2}). Check the URL of the export API and the host name of the site.',
          hostOf(d),
          d.exportDomain ?? '',
          d.status ?? '?',
        ),
        d,
      ),
    actions: ['open-settings', 'open-log'],
  },
  'unknown-job': {
    message: (t, d) =>
      said(t('This export job no longer exists at {0}. Start a new export.', hostOf(d)), d),
    actions: ['start-again'],
  },
  'job-failed': {
    message: (t, d) => said(t('The export of {0} failed.', d.exportDomain ?? ''), d),
    actions: ['start-again', 'open-log'],
  },
  'job-not-completed': {
    message: (t) => t('The export hasn’t completed yet, so there is no bundle.'),
    actions: [],
  },
  'start-unclear': {
    message: (t, d) =>
      d.field !== undefined
        ? t(
            '{0} responded to the start of the export without a job, but it may have started. Check the URL of the export API, and check the platform’s dashboard before you start another one.',
            hostOf(d),
          )
        : t(
            '{0} did not confirm the start of the export, but it may have started. Check the platform’s dashboard before you start another one.',
            hostOf(d),
          ),
    actions: ['open-log'],
  },
  'export-rate-limited': {
    message: (t, d) => said(t('Too many requests to {0}.', hostOf(d)), d),
    actions: [],
  },
  'bad-answer': {
    message: (t, d) =>
      t(
        '{0} sent an invalid response: “{1}” is missing or wrong. Check the URL of the export API.',
        hostOf(d),
        d.field ?? '',
      ),
    actions: ['open-settings', 'open-log'],
  },
  'local-service-stopped': {
    message: (t) =>
      t('This export needs the local docs service, which isn’t running. Start it, then try again.'),
    actions: ['start-local-service'],
  },
  'link-refused': {
    message: (t, d) => t('The bundle link can’t be used: {0}', d.reason?.(t) ?? ''),
    actions: ['open-log'],
  },
  'link-expired': {
    message: (t) => t('The bundle link has expired, and so has the renewed link.'),
    actions: ['renew-link'],
  },
  'store-refused': {
    message: (t, d) =>
      t(
        'The file server at {0} refused the download ({1}). Renew the link. If that doesn’t help, ask the administrator of the docs platform.',
        hostOf(d),
        d.causeCode ?? d.status ?? '?',
      ),
    actions: ['renew-link'],
  },
  'download-broken': {
    message: (t, d) =>
      t(
        'The download from {0} failed too often. The next try continues where it stopped.',
        hostOf(d),
      ),
    actions: ['get-bundle', 'open-log'],
  },
  'download-under-way': {
    message: (t, d) =>
      t(
        'Another download to “{0}” is running, perhaps in another window. Wait for it, or choose another name.',
        nameOf(d),
      ),
    actions: [],
  },
  'bundle-changed': {
    message: (t) =>
      t('The bundle kept changing on the server during the download. Try again later.'),
    actions: ['get-bundle'],
  },
  'bundle-size-wrong': {
    message: (t) =>
      t(
        'The bundle doesn’t have the announced size, so the download is incomplete. Download it again.',
      ),
    actions: ['get-bundle'],
  },
  'not-an-archive': {
    message: (t, d) =>
      // The file server of a download has a host. A file on this machine has none.
      d.host !== undefined
        ? t(
            '{0} sent a web page or another file instead of the bundle. Check whether your network or proxy asks you to sign in, then try again.',
            d.host,
          )
        : t(
            '“{0}” can’t be unpacked. It must be a tar, tar.gz or zip archive that isn’t empty.',
            nameOf(d),
          ),
    actions: ['get-bundle'],
  },
  'unsafe-archive': {
    message: (t, d) =>
      t(
        'The archive is unsafe and was not unpacked: “{0}” {1}.',
        d.entry ?? nameOf(d),
        d.reason?.(t) ?? '',
      ),
    actions: [],
  },
  'broken-archive': {
    message: (t, d) =>
      t('“{0}” is damaged or incomplete, so it was not unpacked. Download it again.', nameOf(d)),
    actions: ['get-bundle'],
  },
  'disk-full': {
    message: (t, d) =>
      t('The disk has no space for “{0}”. Free some space, then try again.', nameOf(d)),
    actions: [],
  },
  'not-writable': {
    message: (t, d) =>
      d.causeCode === 'ENAMETOOLONG'
        ? t('The name “{0}” is too long. Choose a shorter name.', nameOf(d))
        : d.causeCode === 'ENOENT'
          ? t(
              '“{0}” can’t be written ({1}), because it doesn’t exist. Create it, or choose another folder.',
              nameOf(d),
              d.causeCode,
            )
          : t(
              '“{0}” can’t be written ({1}). Choose another folder.',
              nameOf(d),
              d.causeCode ?? '?',
            ),
    actions: [],
  },
  'not-readable': {
    message: (t, d) =>
      t('“{0}” can’t be read ({1}). Check its permissions.', nameOf(d), d.causeCode ?? '?'),
    actions: [],
  },
  'already-exists': {
    message: (t, d) => t('“{0}” already exists and was not changed.', nameOf(d)),
    actions: [],
  },
  'file-gone': {
    message: (t, d) => t('“{0}” no longer exists. Download the bundle again.', nameOf(d)),
    actions: ['get-bundle'],
  },
  'values-not-usable': {
    message: (t, d) =>
      t('“{0}” was not changed: {1}', nameOf(d), d.reason?.(t) ?? t('it can’t be edited.')),
    actions: [],
  },
  'workspace-not-trusted': {
    message: (t) => t('Exporting needs a trusted workspace.'),
    actions: ['trust-workspace'],
  },
  'preview-failed': {
    message: (t, d) => t('The preview can’t start ({0}).', d.causeCode ?? '?'),
    actions: ['open-log'],
  },
  'no-pages': {
    message: (t, d) => t('“{0}” has no pages. Choose the folder of an unpacked bundle.', nameOf(d)),
    actions: [],
  },
  'assistant-folder-taken': {
    message: (t, d) =>
      t(
        'The site already has “{0}”, which isn’t from Docs Assistant. Rename it, then try again.',
        nameOf(d),
      ),
    actions: [],
  },
  'check-failed': {
    message: (t, d) =>
      t('The check of “{0}” failed ({1}). See the log for details.', nameOf(d), d.causeCode ?? '?'),
    actions: ['open-log'],
  },
  'enhance-failed': {
    message: (t, d) =>
      t(
        'Changing “{0}” failed ({1}). Run the command again, or remove search and answers. See the log for details.',
        nameOf(d),
        d.causeCode ?? '?',
      ),
    actions: ['open-log'],
  },
  'compare-failed': {
    message: (t, d) =>
      t(
        'The comparison with “{0}” failed ({1}). See the log for details.',
        nameOf(d),
        d.causeCode ?? '?',
      ),
    actions: ['open-log'],
  },
};

/** Returns the description of an error for users. Other errors use {@link describeError}. */
export function describeExportError(
  error: unknown,
  translate: Translate = plainTranslate,
): ExportErrorInfo {
  return error instanceof ExportError
    ? describedBy(descriptions, error, translate)
    : describeError(error, translate);
}

/** Codes of temporary failures (faults.md B9, B13, C7). */
const transientCodes: ReadonlySet<string> = new Set<ErrorCode | ExportErrorCode>([
  'export-rate-limited',
  'bad-answer',
  'offline',
  'timed-out',
  'service-down',
  'connection-lost',
  'unexpected-html',
  'proxy-refused',
  'insecure-connection',
]);

/** Returns whether the same request may succeed a moment later. */
export function isTransient(error: unknown): error is ReportedError {
  return error instanceof ReportedError && transientCodes.has(error.code);
}

/** Codes of a disk or a quota without space. */
const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Returns the error to report for a failed write next to `target`: `disk-full`, or `not-writable`
 * with the folder, or a name that is too long, and the system's code. Returns other errors unchanged.
 */
export function writeError(error: unknown, target: string): unknown {
  const causeCode = systemErrorCode(error);
  if (causeCode === undefined || error instanceof ExportError) return error;
  const isOfName = noSpaceCodes.has(causeCode) || causeCode === 'ENAMETOOLONG';
  return new ExportError(noSpaceCodes.has(causeCode) ? 'disk-full' : 'not-writable', {
    path: isOfName ? path.basename(target) : path.dirname(target),
    causeCode,
    cause: error,
  });
}

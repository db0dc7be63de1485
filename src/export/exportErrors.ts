import {
  describeError,
  DocsAssistantError,
  plainTranslate,
  type ErrorDetails,
  type Translate,
} from '../common/errors';
import type { ErrorAction } from '../shared/errorInfo';

/** What can go wrong while exporting. Stable: logs, tests and stored records rely on the words. */
export const exportErrorCodes = [
  'no-admin-key',
  'admin-key-rejected',
  'export-forbidden',
  'export-redirected',
  'bad-export-domain',
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
] as const;

export type ExportErrorCode = (typeof exportErrorCodes)[number];

/** Ways out that only static export has, beside those of asking. */
export const exportActionNames = [
  'set-admin-key',
  'renew-link',
  'get-bundle',
  'trust-workspace',
  'start-again',
] as const;

export type ExportAction = ErrorAction | (typeof exportActionNames)[number];

/** What a sentence may mention. Values are redacted, harmless and cut before they get here. */
export interface ExportErrorDetails extends ErrorDetails {
  /** Host names, such as `docs.example.com`. */
  readonly exportDomain?: string | undefined;
  /** The other host, where two are compared. */
  readonly otherHost?: string | undefined;
  /** Field of an answer that is missing or wrong. */
  readonly field?: string | undefined;
  /** Name of an archive's entry, or a file's name; never a whole path of this machine. */
  readonly entry?: string | undefined;
  /** File or folder that the person chose, as they know it. */
  readonly path?: string | undefined;
  /** Why, in English, from a fixed list or with its values filled in already. */
  readonly reason?: string | undefined;
}

/** A failure of static export that a person can be told about. */
export class ExportError extends Error {
  constructor(
    readonly code: ExportErrorCode,
    readonly details: ExportErrorDetails = {},
  ) {
    super(code, { cause: details.cause });
    this.name = 'ExportError';
  }
}

/** An error in the reader's words, with what can be done about it. */
export interface ExportErrorInfo {
  /** Code of this table, or of `src/shared/errorInfo.ts`. */
  readonly code: string;
  readonly message: string;
  readonly actions: readonly ExportAction[];
  /** Milliseconds since the epoch from which a retry may succeed. */
  readonly retryAt?: number;
}

interface Description {
  readonly message: (t: Translate, details: ExportErrorDetails) => string;
  readonly actions: readonly ExportAction[];
}

const hostOf = (details: ExportErrorDetails): string => details.host ?? 'the docs platform';
const said = (sentence: string, { serviceMessage }: ExportErrorDetails): string =>
  serviceMessage === undefined ? sentence : `${sentence} (${serviceMessage})`;
const nameOf = (details: ExportErrorDetails): string => details.path ?? details.entry ?? '';

const descriptions: Record<ExportErrorCode, Description> = {
  'no-admin-key': {
    message: (t, d) => t('There is no admin key for {0} yet. Set it, then try again.', hostOf(d)),
    actions: ['set-admin-key'],
  },
  'admin-key-rejected': {
    message: (t, d) =>
      said(
        t(
          '{0} did not accept the admin key: it is wrong, expired or revoked. Set a new key; the export can then be watched again.',
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
          '{0} refused the export. Static export needs the Enterprise plan. The admin key may also be for another organization, or your network address may not be allowed. Ask whoever manages the docs platform.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['set-admin-key', 'open-log'],
  },
  'export-redirected': {
    message: (t, d) =>
      t(
        '{0} redirects to {1}. The admin key is not sent there. If that address is right, set it as the export API’s address and set a key for it.',
        hostOf(d),
        d.otherHost ?? '?',
      ),
    actions: ['open-settings'],
  },
  'bad-export-domain': {
    message: (t, d) =>
      said(
        t(
          'The docs platform cannot export “{0}”. Enter the site’s bare host name, such as docs.example.com.',
          d.exportDomain ?? '',
        ),
        d,
      ),
    actions: [],
  },
  'unknown-job': {
    message: (t, d) =>
      said(t('{0} knows no such export job any more. Start a new export.', hostOf(d)), d),
    actions: ['start-again'],
  },
  'job-failed': {
    message: (t, d) => said(t('The export of {0} failed.', d.exportDomain ?? ''), d),
    actions: ['start-again', 'open-log'],
  },
  'job-not-completed': {
    message: (t) => t('The export is not completed yet, so there is no bundle to get.'),
    actions: [],
  },
  'start-unclear': {
    message: (t, d) =>
      t(
        '{0} did not confirm the start of the export. It may have started all the same; to avoid a second one, look at the platform’s dashboard before you start again.',
        hostOf(d),
      ),
    actions: ['open-log'],
  },
  'export-rate-limited': {
    message: (t, d) => said(t('{0} asks to wait before the next request.', hostOf(d)), d),
    actions: [],
  },
  'bad-answer': {
    message: (t, d) =>
      t(
        '{0} sent an answer that cannot be used: “{1}” is missing or wrong. Check the export API’s address.',
        hostOf(d),
        d.field ?? '',
      ),
    actions: ['open-settings', 'open-log'],
  },
  'local-service-stopped': {
    message: (t) =>
      t('This export is at the local docs service, which is not running. Start it, then go on.'),
    actions: ['start-local-service'],
  },
  'link-refused': {
    message: (t, d) => t('The bundle’s link cannot be used: {0}', t(d.reason ?? '')),
    actions: ['open-log'],
  },
  'link-expired': {
    message: (t) => t('The bundle’s link has expired, and so did the one that was asked for next.'),
    actions: ['renew-link'],
  },
  'store-refused': {
    message: (t, d) =>
      t(
        'The store at {0} refused the bundle ({1}). Renew the link; if it stays so, ask whoever manages the docs platform.',
        hostOf(d),
        d.causeCode ?? d.status ?? '?',
      ),
    actions: ['renew-link'],
  },
  'download-broken': {
    message: (t, d) =>
      t(
        'The download from {0} broke off too often. What arrived is kept, and the next try goes on from there.',
        hostOf(d),
      ),
    actions: ['get-bundle', 'open-log'],
  },
  'download-under-way': {
    message: (t, d) =>
      t(
        'Another download to “{0}” is under way, perhaps in another window. Wait for it, or choose another name.',
        nameOf(d),
      ),
    actions: [],
  },
  'bundle-changed': {
    message: (t) => t('The bundle kept changing at the store while it was downloaded.'),
    actions: ['get-bundle'],
  },
  'bundle-size-wrong': {
    message: (t) =>
      t('The bundle is not as large as announced, so the download is not whole. Get it again.'),
    actions: ['get-bundle'],
  },
  'not-an-archive': {
    message: (t, d) =>
      t(
        '“{0}” is not a bundle: it is neither tar, tar.gz nor zip, or there is nothing in it.',
        nameOf(d),
      ),
    actions: ['get-bundle'],
  },
  'unsafe-archive': {
    message: (t, d) =>
      t(
        'The archive is unsafe and was not unpacked: “{0}” {1}.',
        d.entry ?? nameOf(d),
        t(d.reason ?? ''),
      ),
    actions: [],
  },
  'broken-archive': {
    message: (t, d) =>
      t('“{0}” is damaged or cut off, so it was not unpacked. Get the bundle again.', nameOf(d)),
    actions: ['get-bundle'],
  },
  'disk-full': {
    message: (t, d) =>
      t('There is no room left on the disk for “{0}”. Make room, then try again.', nameOf(d)),
    actions: [],
  },
  'not-writable': {
    message: (t, d) =>
      t('“{0}” cannot be written ({1}). Choose another folder.', nameOf(d), d.causeCode ?? '?'),
    actions: [],
  },
  'not-readable': {
    message: (t, d) =>
      t('“{0}” cannot be read ({1}). Check its permissions.', nameOf(d), d.causeCode ?? '?'),
    actions: [],
  },
  'already-exists': {
    message: (t, d) => t('“{0}” exists already and was left as it is.', nameOf(d)),
    actions: [],
  },
  'file-gone': {
    message: (t, d) => t('“{0}” is not there any more. Get the bundle again.', nameOf(d)),
    actions: ['get-bundle'],
  },
  'values-not-usable': {
    message: (t, d) =>
      t('“{0}” was left as it is: {1}', nameOf(d), t(d.reason ?? 'it cannot be edited')),
    actions: [],
  },
  'workspace-not-trusted': {
    message: (t) => t('Exporting needs a trusted workspace.'),
    actions: ['trust-workspace'],
  },
  'preview-failed': {
    message: (t, d) => t('The preview cannot start ({0}).', d.causeCode ?? '?'),
    actions: ['open-log'],
  },
  'check-failed': {
    message: (t, d) =>
      t('The check of “{0}” broke off ({1}). The log says more.', nameOf(d), d.causeCode ?? '?'),
    actions: ['open-log'],
  },
};

/** The error as a person gets it; errors of asking and unknown ones are described as there. */
export function describeExportError(
  error: unknown,
  translate: Translate = plainTranslate,
): ExportErrorInfo {
  if (!(error instanceof ExportError)) return describeError(error, translate);
  const { message, actions } = descriptions[error.code];
  const { retryAt } = error.details;
  return {
    code: error.code,
    message: message(translate, error.details),
    actions,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/** True for a failure that the same request may not meet a moment later (faults.md B9, B13, C7). */
export function isTransient(error: unknown): boolean {
  if (error instanceof ExportError) {
    return error.code === 'export-rate-limited' || error.code === 'bad-answer';
  }
  return (
    error instanceof DocsAssistantError &&
    [
      'offline',
      'timed-out',
      'service-down',
      'connection-lost',
      'unexpected-html',
      'proxy-refused',
      'insecure-connection',
    ].includes(error.code)
  );
}

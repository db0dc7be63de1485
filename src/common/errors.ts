import type { ErrorCode } from '../shared/errorInfo';
import { fill } from '../shared/fill';

/** Values that an error's sentence can mention. They are redacted and cut before they get here. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  /** Host (with port) that the request went to; never a full URL. */
  readonly host?: string | undefined;
  readonly domain?: string | undefined;
  /** The service's own sentence, redacted and at most 500 characters. */
  readonly serviceMessage?: string | undefined;
  /** Milliseconds since the epoch from which a retry may succeed. */
  readonly retryAt?: number | undefined;
  /** Documented limit that matches the service's wait (platform-api.md § Limits). */
  readonly limit?: 'organization' | 'address' | undefined;
  /** Whole seconds without a byte. */
  readonly seconds?: number | undefined;
  /** The system's cause code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly causeCode?: string | undefined;
  /** Whether the reader signs in there, instead of having a key. */
  readonly signsIn?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * A failure that a person can be told about. Each feature has a subclass with its codes and one
 * table with the sentence and the actions of each code. `code` is stable; sentences may change.
 */
export abstract class ReportedError extends Error {
  constructor(
    readonly code: string,
    readonly details: ErrorDetails,
  ) {
    super(code, { cause: details.cause });
  }
}

/** A failure of asking, or of any request. */
export class DocsAssistantError extends ReportedError {
  override readonly name = 'DocsAssistantError';

  constructor(
    override readonly code: ErrorCode,
    details: ErrorDetails = {},
  ) {
    super(code, details);
  }
}

/**
 * Puts `{0}`-style arguments into a sentence in the reader's language: `vscode.l10n.t` in the
 * workbench, {@link plainTranslate} elsewhere.
 */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** English, for tests and tools. */
export const plainTranslate: Translate = fill;

/** Returns an error of any class as one of ours: itself, or `unexpected` with the error as its cause. */
export function knownError(error: unknown): DocsAssistantError {
  return error instanceof DocsAssistantError
    ? error
    : new DocsAssistantError('unexpected', { cause: error });
}

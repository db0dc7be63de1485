/**
 * A presigned link to a bundle. Its query is a secret for as long as it lives: it is kept in
 * memory, never stored and never logged.
 *
 * @see platform-api.md § Generate export bundle
 */
export interface BundleLink {
  /** Checked by `parseBundleUrl`. */
  readonly url: string;
  /** Milliseconds since the epoch; absent where the service gave no date that can be read. */
  readonly expiresAt?: number;
  /** Size of the archive, where the service said so (field-notes.md § Static export). */
  readonly sizeBytes?: number;
}

/** The link of one export: the one at hand, and a fresh one. */
export interface LinkSource {
  readonly current: BundleLink | undefined;
  /** @throws {ExportError} as Generate export bundle fails. */
  renew(signal: AbortSignal): Promise<BundleLink>;
}

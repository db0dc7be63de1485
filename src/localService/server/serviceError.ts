/** A reason not to start the local docs service that the user can fix. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

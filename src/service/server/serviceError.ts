import { DocsError } from '../../docs/docsError';

/** A reason not to start the local docs service that the user can fix. */
export class LocalServiceError extends DocsError {
  override readonly name = 'LocalServiceError';
}

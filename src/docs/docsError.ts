/** A reason not to open or to serve docs that the user can fix. */
export class DocsError extends Error {
  override readonly name: string = 'DocsError';
}

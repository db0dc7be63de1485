import type { Log, NewId } from '../common/ports';

export interface PreviewOptions {
  /** Absolute path of the site's folder. */
  readonly root: string;
  /** Path that the site is made for, such as `/docs`; the folder is then served below it. */
  readonly basePath?: string;
  readonly log: Log;
  readonly newId: NewId;
}

export interface Preview {
  /** Unique for this installation. */
  readonly id: string;
  readonly root: string;
  /** `http://127.0.0.1:<port>/`, with the base path behind it if there is one. */
  readonly url: string;
  /** Closes the port and every connection at once. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves when the port is closed, by `stop` or because the server failed. */
  readonly whenStopped: Promise<void>;
}

export function startPreview(options: PreviewOptions): Promise<Preview> {
  return Promise.reject(new Error(options.root));
}

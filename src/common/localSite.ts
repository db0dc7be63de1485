import type { AnswersWith } from '../shared/protocol';

/** Docs service on this machine. Its keys are kept in this window's memory only. */
export interface LocalSite {
  /** Base address, loopback. */
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  /** Key of its export API. Absent if it has none. */
  readonly adminKey?: string;
  /** Name of its docs, such as a folder's name. */
  readonly label?: string;
  /** Name that its threads are stored under, if the label can change. */
  readonly threadName?: string;
  /** Absolute path of the folder of Markdown that its pages are read from. */
  readonly docsFolder?: string;
  /** Facts about its pages. Absent for a service that another process started. */
  readonly docs?: LocalDocsFacts;
  /** Whether a request can set the writer of its replies, because no window started it. */
  readonly takesWriter?: boolean;
  /** Writer of its replies. Absent if it doesn't say. */
  readonly answersWith?: AnswersWith;
}

/** Facts about the pages of a local docs service. */
interface LocalDocsFacts {
  readonly kind: 'folder' | 'bundle' | 'site' | 'installed';
  /** Absolute path of a bundle's root. */
  readonly bundleFolder?: string;
  /** URL of a public site. */
  readonly siteUrl?: string;
  /** Absolute path of the folder whose installed packages are served. */
  readonly installedFolder?: string;
  readonly pages?: number;
  /** Number of installed packages. */
  readonly packages?: number;
  /** Time of the last complete fetch or reading, in milliseconds since the epoch. */
  readonly fetchedAt?: number;
}

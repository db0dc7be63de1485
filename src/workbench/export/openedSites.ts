import type { Event } from '../../common/event';

/** A folder that a bundle was unpacked into without an export of ours: opened from disk. */
export interface OpenedSite {
  /** Absolute path of the site's root; its identity too. */
  readonly folder: string;
  readonly label: string;
}

/** The sites that *Open Bundle* made. Newest first. */
export interface OpenedSites {
  readonly list: readonly OpenedSite[];
  readonly onDidChange: Event<void>;
  add(site: OpenedSite): Promise<void>;
  forget(folder: string): Promise<void>;
}

/** A preview that runs in this window. */
export interface RunningPreview {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly siteFolder: string;
}

export interface RunningPreviews {
  readonly list: readonly RunningPreview[];
  readonly onDidChange: Event<void>;
}

/** Site roots whose check report is at hand in this window. */
export interface CheckedSites {
  has(siteFolder: string): boolean;
  readonly onDidChange: Event<void>;
}

/** What the tree hands to a command; `kind` is the start of its `viewItem`. */
export type ExportNode =
  | { readonly kind: 'export'; readonly id: string }
  | { readonly kind: 'detail'; readonly id: string; readonly name: string }
  | { readonly kind: 'site'; readonly folder: string }
  | { readonly kind: 'preview'; readonly id: string };

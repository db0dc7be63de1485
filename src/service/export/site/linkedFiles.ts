import path from 'node:path';
import type { Log } from '../../../common/ports';
import {
  docsFileProblem,
  imageTypes,
  MAX_IMAGE_BYTES,
  readDocsFile,
} from '../../../docs/sources/docsFolder';
import { isIgnoredName, isPagePath } from '../../../docs/pages/pagePath';
import type { FindingReason } from './linkFindings';
import { splitPath, type SitePaths } from './sitePaths';

interface LinkedFilesPorts {
  readonly root: string;
  readonly paths: SitePaths;
  /** Folders whose files are served at the site's root. */
  readonly publicFolders: readonly string[];
  readonly log: Log;
  /** Returns whether the site may have a file. */
  hasFile(path: string): boolean;
  write(file: { path: string; content: Uint8Array }): Promise<void>;
}

/** Maximum size in bytes of a file that pages link to. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Matches endings of files that a browser runs, or shows as a page that can load from other sites. */
const activeEnding = /\.(?:[cm]?js|css|[sx]?html?|xht|xml|xsl[t]?|swf|wasm|webmanifest)$/i;

/** Copies the images and other files to which pages link. Copies each file once. */
export class LinkedFiles {
  readonly #ports: LinkedFilesPorts;
  /** Results by path in the docs folder. */
  readonly #copied = new Map<string, Copied>();

  constructor(ports: LinkedFilesPorts) {
    this.#ports = ports;
  }

  /** Copies an image that a page shows. */
  async image(source: string): Promise<Copied> {
    if (isImage(source)) return this.#copy(source, MAX_IMAGE_BYTES);
    return (await this.#isThere(source)) ? { refused: 'no-image-type' } : {};
  }

  /** Copies a file to which a page links, if the file is safe to publish. */
  async file(source: string): Promise<Copied> {
    return this.#copy(source, isImage(source) ? MAX_IMAGE_BYTES : MAX_FILE_BYTES);
  }

  async #copy(source: string, maxBytes: number): Promise<Copied> {
    const known = this.#copied.get(source);
    if (known) return known;
    const copied = await this.#write(source, maxBytes);
    this.#copied.set(source, copied);
    return copied;
  }

  async #write(source: string, maxBytes: number): Promise<Copied> {
    const { root, paths, log } = this.#ports;
    // Most of the tried paths have no file, so the cheapest check comes first.
    if (source === '' || !(await this.#isThere(source))) return {};
    if (!this.#ports.hasFile(source)) return { refused: 'not-in-scope' };
    if (isPagePath(source) && !source.split('/').some(isIgnoredName)) {
      return { refused: 'page-left-out' };
    }
    const content = activeEnding.test(source)
      ? undefined
      : await readDocsFile(root, source, maxBytes);
    if (!content) {
      const problem = await docsFileProblem(root, source, maxBytes);
      if (problem !== 'missing') return { refused: refusals[problem] };
      if (!activeEnding.test(source)) return {};
      log.warn(`Skipped ${source}: files of this type can run scripts or load from other sites`);
      return { refused: 'active-file' };
    }
    if (/\.svg$/i.test(source) && !isStillSvg(content)) {
      log.warn(`Skipped ${source}: the image has scripts or loads from other sites`);
      return { refused: 'active-file' };
    }
    const { folder, name } = splitPath(this.#publicPath(source));
    const file = paths.file(folder, name);
    await this.#ports.write({ path: file, content });
    return { file };
  }

  async #isThere(source: string): Promise<boolean> {
    // With this maximum size, an existing file counts as too large, and only a missing file as missing.
    return (await docsFileProblem(this.#ports.root, source, -1)) !== 'missing';
  }

  /** Returns the path at which the docs' own site serves the file. */
  #publicPath(source: string): string {
    const folder = this.#ports.publicFolders.find((name) => source.startsWith(`${name}/`));
    return folder === undefined ? source : source.slice(folder.length + 1);
  }
}

/** Path of a copied file in the site, or the reason why an existing file was not copied. Empty without a file. */
interface Copied {
  readonly file?: string;
  readonly refused?: FindingReason;
}

const refusals = {
  hidden: 'hidden-file',
  linked: 'linked-file',
  large: 'large-file',
} as const;

function isImage(source: string): boolean {
  return imageTypes[path.posix.extname(source).toLowerCase()] !== undefined;
}

/**
 * Returns whether an SVG has no scripts and fetches nothing. A browser opens an SVG as a document
 * of the site, so a script in it would run as the site's own.
 */
function isStillSvg(content: Uint8Array): boolean {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return false;
  }
  if (/encoding\s*=\s*["'](?!utf-8|us-ascii|iso-8859-1)/i.test(text.slice(0, 200))) return false;
  return (
    !/<!ENTITY|<\?xml-stylesheet|<(?:[\w-]+:)?(?:script|foreignObject|iframe|embed|object|handler)\b/i.test(
      text,
    ) &&
    !/[\s"'/]on[a-z]+\s*=/i.test(text) &&
    // These are links and references other than fragments and embedded images.
    !/\b(?:href|src)\s*=\s*["']?\s*(?!["']?#|data:image\/(?:png|jpeg|gif|webp))[^"'\s>]/i.test(
      text,
    ) &&
    !/@import|url\(\s*["']?(?!#|data:image\/)/i.test(text)
  );
}

import path from 'node:path';
import type { Log } from '../../common/ports';
import {
  docsFileProblem,
  imageTypes,
  isIgnoredName,
  MAX_IMAGE_BYTES,
  readDocsFile,
} from '../docsFolder';
import { isPagePath } from '../page';
import type { FindingReason } from './linkFindings';
import { splitPath, type SitePaths } from './sitePaths';

export interface SiteFilesPorts {
  readonly root: string;
  readonly paths: SitePaths;
  /** Folders whose files have their place at the site's root. */
  readonly publicFolders?: readonly string[];
  readonly log: Log;
  write(file: { path: string; content: Uint8Array }): Promise<void>;
}

/** Bytes of a file that pages link to. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** What a browser runs, or shows as a page that may fetch from anywhere. */
const activeEnding = /\.(?:[cm]?js|css|[sx]?html?|xht|xml|xsl[t]?|swf|wasm|webmanifest)$/i;

/** Copies the images and other files that pages refer to, each once. */
export class SiteFiles {
  readonly #ports: SiteFilesPorts;
  /** By path in the docs folder. */
  readonly #copied = new Map<string, Copied>();

  constructor(ports: SiteFilesPorts) {
    this.#ports = ports;
  }

  /** Copies an image that a page shows. */
  async image(source: string): Promise<Copied> {
    if (isImage(source)) return this.#copy(source, MAX_IMAGE_BYTES);
    return (await this.#isThere(source)) ? { refused: 'no-image-type' } : {};
  }

  /** Copies a file that a page links to, if it is safe to offer. */
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
    if (source === '') return {};
    if (isPagePath(source) && !source.split('/').some(isIgnoredName)) {
      return (await this.#isThere(source)) ? { refused: 'page-left-out' } : {};
    }
    const content = activeEnding.test(source)
      ? undefined
      : await readDocsFile(root, source, maxBytes);
    if (!content) {
      const problem = await docsFileProblem(root, source, maxBytes);
      if (problem !== 'missing') return { refused: refusals[problem] };
      if (!activeEnding.test(source) || !(await this.#isThere(source))) return {};
      log.warn(`Left out ${source}: such files can run scripts or fetch from elsewhere`);
      return { refused: 'active-file' };
    }
    if (/\.svg$/i.test(source) && !isStillSvg(content)) {
      log.warn(`Left out ${source}: the image holds scripts or fetches from elsewhere`);
      return { refused: 'active-file' };
    }
    const { folder, name } = splitPath(this.#publicPath(source));
    const file = paths.file(folder, name);
    await this.#ports.write({ path: file, content });
    return { file };
  }

  async #isThere(source: string): Promise<boolean> {
    // Nothing is larger than that, so that what is there is the one problem left.
    return (await docsFileProblem(this.#ports.root, source, -1)) !== 'missing';
  }

  /** Returns the path at which the docs' own site has the file. */
  #publicPath(source: string): string {
    const folder = this.#ports.publicFolders?.find((name) => source.startsWith(`${name}/`));
    return folder === undefined ? source : source.slice(folder.length + 1);
  }
}

/** What became of a file: where it is in the site, or why it is not, if it is there at all. */
export interface Copied {
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
 * Whether an SVG only draws. Opened by itself it is a document of the site, so that a script in it
 * would run as the site's own.
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
    // Links and references to elsewhere, namespaces aside.
    !/\b(?:href|src)\s*=\s*["']?\s*(?!["']?#|data:image\/(?:png|jpeg|gif|webp))[^"'\s>]/i.test(
      text,
    ) &&
    !/@import|url\(\s*["']?(?!#|data:image\/)/i.test(text)
  );
}

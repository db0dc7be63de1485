import path from 'node:path';
import type { Log } from '../../common/ports';
import { imageTypes, isIgnoredName, MAX_IMAGE_BYTES, readDocsFile } from '../docsFolder';
import { isPagePath } from '../page';
import { splitPath, type SitePaths } from './sitePaths';

export interface SiteFilesPorts {
  readonly root: string;
  readonly paths: SitePaths;
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
  /** By path in the docs folder; `undefined` for what is left out. */
  readonly #copied = new Map<string, string | undefined>();

  constructor(ports: SiteFilesPorts) {
    this.#ports = ports;
  }

  /** @returns the image's file in the site, or `undefined` if there is none to show. */
  async image(source: string): Promise<string | undefined> {
    return isImage(source) ? this.#copy(source, MAX_IMAGE_BYTES) : undefined;
  }

  /** @returns the file in the site, or `undefined` if there is none, or none that is safe to offer. */
  async file(source: string): Promise<string | undefined> {
    if (isImage(source)) return this.image(source);
    return this.#copy(source, MAX_FILE_BYTES);
  }

  async #copy(source: string, maxBytes: number): Promise<string | undefined> {
    if (this.#copied.has(source)) return this.#copied.get(source);
    const copied = await this.#write(source, maxBytes);
    this.#copied.set(source, copied);
    return copied;
  }

  async #write(source: string, maxBytes: number): Promise<string | undefined> {
    const { root, paths, log } = this.#ports;
    if (source === '' || source.split('/').some(isIgnoredName)) return undefined;
    // A page that was left out.
    if (isPagePath(source)) return undefined;
    if (activeEnding.test(source)) {
      log.warn(`Left out ${source}: such files can run scripts or fetch from elsewhere`);
      return undefined;
    }
    const content = await readDocsFile(root, source, maxBytes);
    if (!content) return undefined;
    if (/\.svg$/i.test(source) && !isStillSvg(content)) {
      log.warn(`Left out ${source}: the image holds scripts or fetches from elsewhere`);
      return undefined;
    }
    const { folder, name } = splitPath(source);
    const file = paths.file(folder, name);
    await this.#ports.write({ path: file, content });
    return file;
  }
}

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

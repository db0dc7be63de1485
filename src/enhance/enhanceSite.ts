/** Adds search and answers to an exported site, or takes them out again. Reads pages and scripts with `node:fs`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../common/errorCode';
import type { Clock, Log } from '../common/ports';
import { workSlices } from '../common/workSlices';
import { PartWriter } from '../docs/parts/partWriter';
import { parsePage } from '../docs/pages/page';
import { chooseBundlePages } from '../docs/sources/bundleSource';
import { readPageFile } from '../docs/sources/docsFolder';
import { ASSISTANT_FOLDER } from '../export/check/assistantFolder';
import { findBasePath } from '../export/check/resolveLink';
import { isPage } from '../export/check/checkBundle';
import { MarkupReader } from '../export/check/pageLinks';
import {
  inOrder,
  listSiteFiles,
  MAX_TEXT_BYTES,
  readText,
  SiteFiles,
  type SiteFile,
} from '../export/check/siteFiles';
import { ExportError } from '../export/exportErrors';
import { isServed } from '../export/hosting/siteAddresses';
import type { SiteTask } from '../export/workerTask';
import type { BoxService } from './boxService';
import { OwnFolder } from './ownFolder';
import {
  readPageFrame,
  type TagFiles,
  type UntaggedPage,
  type UntaggedReason,
  withoutTag,
  withTag,
} from './pageTag';

interface EnhanceOptions extends SiteTask {
  /** Absolute path of the built scripts: `assistant.js`, `search.js`, `answer.js` and `service.js`. */
  readonly scripts: string;
  /** Service that the box asks first. Without it, the box answers from the files alone. */
  readonly service?: BoxService | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export interface Enhanced {
  /** Number of pages that can be found. */
  readonly indexed: number;
  readonly sections: number;
  /** Number of pages that ask to be left out of searches. */
  readonly hidden: number;
  /** Number of pages with the tag. */
  readonly tagged: number;
  readonly untagged: readonly UntaggedPage[];
  /** Files of the folder, and their size. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Adds the box with search and answers to all pages of a site. A second run replaces what the first has added.
 * @throws {ExportError} if the folder of the assistant has something else, the site has no pages, or a file can't be
 * read or written.
 */
export async function enhanceSite(options: EnhanceOptions): Promise<Enhanced> {
  const { root, signal, onProgress, scripts, service, clock, log } = options;
  const folder = await OwnFolder.open(root);
  const { files, pages } = await sitePages(root, signal);
  const chosen = chooseBundlePages(pages.map((page) => page.path)).pages;
  const totalPages = chosen.length + pages.length;
  if (chosen.length === 0) throw new ExportError('no-pages', { path: path.basename(root) });
  await folder.begin(service && { url: service.baseUrl, site: service.domain });
  const takeTurn = workSlices(clock);
  const pause = async (): Promise<void> => {
    signal.throwIfAborted();
    await takeTurn();
  };
  const writer = new PartWriter({ write: (part) => folder.addPart(part), pause });
  let hidden = 0;
  let done = 0;
  for await (const { page, source } of inOrder(chosen, signal, async (page) => {
    const file = await readPageFile(root, page, log);
    return { page, source: file?.source };
  })) {
    onProgress({ pages: done++, totalPages });
    if (source === undefined) continue;
    if (readPageFrame(source).isHidden) {
      hidden++;
      continue;
    }
    const read = parsePage(page, source);
    if (read.sections.length > 0) await writer.add(read);
  }
  const tagFiles = {
    script: await addScripts(folder, scripts, service),
    index: await writer.finish(),
  };
  const basePath = await basePathOf(root, pages, files, signal);
  const untagged: UntaggedPage[] = [];
  let tagged = 0;
  for (const { path: page } of pages) {
    onProgress({ pages: done++, totalPages });
    await pause();
    const reason = await tagPage(folder, root, page, basePath, tagFiles);
    if (reason === undefined) tagged++;
    else untagged.push({ page, reason });
  }
  onProgress({ pages: totalPages, totalPages });
  return {
    indexed: writer.pageCount,
    sections: writer.sectionCount,
    hidden,
    tagged,
    untagged,
    files: await folder.finish(),
    bytes: folder.bytes,
  };
}

/** Takes everything out that {@link enhanceSite} has added. @returns the number of pages that had the tag. */
export async function restoreSite({ root, signal, onProgress }: SiteTask): Promise<number> {
  const folder = await OwnFolder.open(root);
  if (folder.isNew) return 0;
  const { pages } = await sitePages(root, signal);
  let restored = 0;
  for (const [position, { path: page }] of pages.entries()) {
    onProgress({ pages: position, totalPages: pages.length });
    signal.throwIfAborted();
    const bytes = await readBytes(root, page);
    const plain = withoutTag(bytes);
    if (plain === bytes) continue;
    await folder.replace(page, plain);
    restored++;
  }
  await folder.remove();
  return restored;
}

async function sitePages(
  root: string,
  signal: AbortSignal,
): Promise<{ readonly files: readonly SiteFile[]; readonly pages: readonly SiteFile[] }> {
  const { files } = await listSiteFiles(root, signal);
  const others = files.filter((file) => !file.path.startsWith(`${ASSISTANT_FOLDER}/`));
  const pages = others.filter(
    (file) => isPage(file) && file.sizeBytes <= MAX_TEXT_BYTES && isServed(file.path),
  );
  return { files: others, pages };
}

function basePathOf(
  root: string,
  pages: readonly SiteFile[],
  files: readonly SiteFile[],
  signal: AbortSignal,
): Promise<string> {
  return findBasePath(
    pages,
    new SiteFiles(files),
    (some) => inOrder(some, signal, (file) => readText(root, file)),
    new MarkupReader(),
  );
}

/** Puts the tag into a page's file. @returns why the page can't have it. */
async function tagPage(
  folder: OwnFolder,
  root: string,
  page: string,
  basePath: string,
  files: TagFiles,
): Promise<UntaggedReason | undefined> {
  const bytes = await readBytes(root, page);
  // A host shows this page at any depth, where a relative address leads elsewhere.
  const isShownAnywhere = page === '404.html';
  const tagged = isShownAnywhere ? 'not-found' : withTag(bytes, page, basePath, files);
  const content = typeof tagged === 'string' ? withoutTag(bytes) : tagged;
  if (!content.equals(bytes)) await folder.replace(page, content);
  return typeof tagged === 'string' ? tagged : undefined;
}

/** Adds the scripts. The first one has the names of those that it loads when somebody opens the box. */
async function addScripts(
  folder: OwnFolder,
  scripts: string,
  service: BoxService | undefined,
): Promise<string> {
  const read = (name: string): Promise<string> =>
    readFile(path.join(scripts, `${name}.js`), 'utf8');
  const add = async (name: string): Promise<string> => folder.addScript(name, await read(name));
  const loaded = {
    search: await add('search'),
    answer: await add('answer'),
    service: service && { script: await add('service'), ...service },
  };
  return folder.addScript(
    'assistant',
    `var docsAssistantScripts=${JSON.stringify(loaded)};\n${await read('assistant')}`,
  );
}

async function readBytes(root: string, page: string): Promise<Buffer> {
  try {
    return await readFile(path.join(root, page));
  } catch (error) {
    throw new ExportError('not-readable', { path: page, causeCode: errorCodeOrName(error) });
  }
}

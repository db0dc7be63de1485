/** Reads the files of an unpacked site and collects the facts that its host needs. */
import { compareText } from '../../common/text/strings';
import {
  ASSISTANT_FOLDER,
  ASSISTANT_MANIFEST,
  originOfService,
  readSiteAssistant,
} from '../check/assistantFolder';
import { findBasePath } from '../check/resolveLink';
import { isPage } from '../check/checkBundle';
import type { FoundAddress } from '../check/findings';
import { MarkupReader } from '../check/pageLinks';
import { inOrder, listSiteFiles, readText, SiteFiles, type SiteFile } from '../check/siteFiles';
import { styleAddresses } from '../check/styleLinks';
import { parseUrl } from '../../shared/links';
import type { SiteTask } from '../workerTask';
import type { HostingSite } from './hostingSite';
import { immutableGroups, wholeFolders } from './immutableFiles';
import { PolicyCollector } from './policy/policyNeeds';
import { redirectRules } from './redirectRules';
import type { Redirect } from './redirects';
import { decodedPath, isServed, SiteAddresses } from './siteAddresses';

/** Number of pages between two progress reports. */
const PROGRESS_PAGES = 50;

export interface SurveyOptions extends SiteTask {
  readonly redirects: readonly Redirect[];
}

/**
 * Reads all pages, scripts and style sheets of a site.
 *
 * @throws {ExportError} `file-gone` if the root is not a folder.
 */
export async function surveySite(options: SurveyOptions): Promise<HostingSite> {
  const { root, redirects, signal, onProgress } = options;
  const { files, notes } = await listSiteFiles(root, signal);
  const served = files.filter(({ path }) => isServed(path));
  const pages = served.filter(isPage);
  const markup = new MarkupReader();
  const policy = new PolicyCollector();
  const downloads = new Downloads();
  let unreadFiles = notes.length;
  const read = async function* (
    some: readonly SiteFile[],
  ): AsyncGenerator<{ file: SiteFile; text: string }> {
    for await (const { file, text } of inOrder(some, signal, (each) => readText(root, each))) {
      if (text === undefined) unreadFiles++;
      else yield { file, text };
    }
  };

  const siteFiles = new SiteFiles(served);
  const writtenPath = await findBasePath(pages, siteFiles, read, markup);
  // Pages write the base path percent-encoded, but the paths of the files are decoded.
  const basePath = decodedPath(writtenPath) ?? writtenPath;
  let count = 0;
  for await (const { file, text } of read(pages)) {
    const contents = markup.read(text, 'html', (code) => policy.addInline(code, file.path));
    policy.addPage(contents, file.path);
    downloads.add(contents.found, `${basePath}/${file.path}`);
    count++;
    if (count % PROGRESS_PAGES === 0) onProgress({ pages: count, totalPages: pages.length });
  }
  onProgress({ pages: pages.length, totalPages: pages.length });
  const isLoadable = ({ path }: SiteFile): boolean => !downloads.has(`${basePath}/${path}`);
  const styles = served.filter((file) => /\.css$/i.test(file.path) && isLoadable(file));
  for await (const { file, text } of read(styles)) {
    policy.addStyle(styleAddresses(text), file.path);
  }
  const scripts = served.filter((file) => /\.m?js$/i.test(file.path) && isLoadable(file));
  for await (const { file, text } of read(scripts)) policy.addScript(text, file.path);

  const asked = (await readSiteAssistant(root))?.service;
  const askedOrigin = asked && originOfService(asked);
  if (askedOrigin !== undefined) {
    policy.addRequest(askedOrigin, `${ASSISTANT_FOLDER}/${ASSISTANT_MANIFEST}`);
  }

  const paths = served.map(({ path }) => path);
  const addresses = new SiteAddresses(paths);
  const extensions = new Set(
    served.flatMap((file) => (isPage(file) ? [] : (extensionOf(file.path) ?? []))),
  );
  const { folders, pages: all } = addresses;
  const immutable = immutableGroups(paths);
  return {
    basePath,
    pages: pages.length,
    hasNotFoundPage: siteFiles.has('404.html'),
    immutable,
    wholeFolders: wholeFolders(paths, immutable),
    extensions: [...extensions].sort(compareText),
    folders: folders.filter((folder) => !all.has(folder)).sort(compareText),
    doubleFolders: folders.filter((folder) => all.has(folder)).sort(compareText),
    dottedPages: [...all]
      .filter((page) => !page.endsWith('/') && extensions.has(extensionOf(page) ?? ''))
      .sort(compareText),
    questionPages: [...all]
      .filter((page) => page.includes('?') && !/[\\\p{Cc}]/u.test(page))
      .sort(compareText),
    redirects: redirectRules(redirects, addresses, basePath),
    needs: policy.needs(),
    unreadFiles,
  };
}

function extensionOf(path: string): string | undefined {
  return /[^/.][^/]*\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
}

/** Scripts and styles that pages only link to, such as samples to download. No page runs them. */
class Downloads {
  readonly #linked = new Set<string>();
  readonly #loaded = new Set<string>();

  add(found: readonly FoundAddress[], page: string): void {
    for (const { address, kind } of found) {
      if (!/\.(?:css|m?js)(?:[?#]|$)/i.test(address)) continue;
      const url = parseUrl(address, `https://site.invalid/${page.replace(/^\//, '')}`);
      const path = url?.hostname === 'site.invalid' ? decodedPath(url.pathname) : undefined;
      if (path !== undefined) (kind === 'link' ? this.#linked : this.#loaded).add(path);
    }
  }

  has(path: string): boolean {
    const absolute = path.startsWith('/') ? path : `/${path}`;
    return this.#linked.has(absolute) && !this.#loaded.has(absolute);
  }
}

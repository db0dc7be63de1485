import type { MarkupReader } from './pageLinks';
import { detectBasePath, rootPathOf } from './resolveLink';
import type { ReadText, SiteFile, SiteFiles } from './siteFiles';

/** Number of pages that are read to detect the site's base path. */
const SAMPLED_PAGES = 40;

/**
 * Returns the path that a site expects to be hosted at, such as `/docs`, or an empty text for the root
 * of a host. It reads some of the pages and compares their root-absolute addresses with the files.
 *
 * @param read reads the files that it is given.
 */
export async function findBasePath(
  pages: readonly SiteFile[],
  files: SiteFiles,
  read: (files: readonly SiteFile[]) => AsyncIterable<ReadText>,
  markup: MarkupReader,
): Promise<string> {
  const step = Math.max(1, Math.floor(pages.length / SAMPLED_PAGES));
  const sample = pages.filter(
    (page, position) => position % step === 0 || page.path === 'index.html',
  );
  const paths: string[] = [];
  for await (const { file, text } of read(sample)) {
    if (text === undefined) continue;
    const { found, baseHref } = markup.read(text, 'html');
    for (const { address, role } of found) {
      if (role !== undefined) continue;
      const path = rootPathOf(address, file.path, baseHref);
      if (path !== undefined) paths.push(path);
    }
  }
  return detectBasePath(paths, files);
}

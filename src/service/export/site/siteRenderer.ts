import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../../common/ports';
import type { LinkReport } from './linkFindings';
import { overviewBody, type PageContext, shownEdition } from './navigation/navigationHtml';
import { buildNavigation, readSiteTitle } from './navigation/siteNavigation';
import { pageSequence, type SiteNavigation } from './navigation/navigationModel';
import { renderBody } from './pageBody';
import { PageSources } from './pageSources';
import {
  iconFile,
  notFoundFile,
  type PageContent,
  sitePageHtml,
  type SiteFrame,
} from './pageTemplate';
import { LinkedFiles } from './linkedFiles';
import { robotsFile, searchIndexFiles, sitemapFiles } from './siteIndexes';
import { SiteLinks } from './siteLinks';
import { siteScript, themeScript } from './siteScript';
import { siteStyleSheet } from './siteStyles';
import {
  type assetNames,
  ASSETS_FOLDER,
  type SitePage,
  type SiteScope,
  type SiteSurvey,
  surveyPages,
} from './siteSurvey';
import { siteTexts } from './siteTexts';
import { readPageFile } from '../../../docs/sources/docsFolder';
import { escapeHtml } from '../../../docs/pages/pageHtml';
import { ConfigFiles } from '../../../docs/siteConfig/configFiles';
import { type FolderCategory, readCategories } from '../../../docs/siteConfig/docusaurus';
import { Redirects } from '../../../docs/siteConfig/redirects';
import { readSiteConfig, type SiteConfig } from '../../../docs/siteConfig/siteConfig';

/** A file of the site. */
export interface RenderedFile {
  /** Relative path with forward slashes, valid on every file system: `guides/start.html`. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

interface SiteOptions extends SiteScope {
  /** Real path of the docs folder. */
  readonly root: string;
  /** Host for canonical links and the sitemap, such as `docs.example.com`. */
  readonly siteHost: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Writes one file. The next file is rendered when the promise resolves. */
  write(file: RenderedFile): Promise<void>;
  /** Receives the progress when the pages have been counted, and after each page of the docs folder. */
  onProgress(pages: number, totalPages: number): void;
}

const assets: Record<(typeof assetNames)[number], string> = {
  'icon.svg': iconFile,
  'site.css': siteStyleSheet,
  'site.js': siteScript,
  'theme.js': themeScript,
};

/**
 * Renders a docs folder as a site of plain HTML, CSS and JavaScript. The site loads nothing from other sites, and
 * works below any path and from disk (`file:`). The same folder always gives the same bytes.
 *
 * If a page can't be rendered, its HTML shows the source, and the log has the error.
 * @returns the number of pages in the docs folder, and the findings about their links.
 * @throws the signal's reason when it aborts, errors of `write`, and errors of reading the folder.
 */
export async function renderSite(
  options: SiteOptions,
): Promise<{ pages: number; links: LinkReport }> {
  const { root, siteHost, signal, log } = options;
  signal.throwIfAborted();
  const config = await readSiteConfig(root, log);
  const sources = new PageSources(root, log);
  const survey = await surveyPages(root, log, signal, config, sources, options);
  const title = await readSiteTitle(root, siteHost, survey.pageAtRoute(''));
  const navigation = buildNavigation(survey, title, {
    navigation: config.navigation,
    categories: await categoriesOf(config, survey, root, log),
  });
  const indexes = searchIndexFiles(navigation, survey.paths);
  const files = new LinkedFiles({
    root,
    paths: survey.paths,
    publicFolders: config.publicFolders,
    log,
    hasFile: (path) => options.hasFile?.(path) !== false && !survey.isLeftOut(path),
    write: (file) => options.write(file),
  });
  const links = new SiteLinks({
    survey,
    files,
    config,
    redirects: new Redirects(config.redirects),
    siteHost,
    log,
    sourceOf: async (path) => (await readPageFile(root, path, log))?.source ?? '',
  });
  const missing = navigation.missing.filter((path) => !survey.isLeftOut(path));
  if (missing.length > 0) {
    const text = await new ConfigFiles(root, log).text(config.navigationFile);
    await links.noteMissing(config.navigationFile, missing, text ?? '');
  }
  const fallbackIndex = [...indexes.values()][0]?.path ?? '';
  const frame: SiteFrame = {
    siteName: title.name,
    siteHost,
    searchIndexOf: (context) => {
      const edition = shownEdition(context);
      return (edition && indexes.get(edition)?.path) ?? fallbackIndex;
    },
  };
  const put = async (path: string, content: string): Promise<void> => {
    signal.throwIfAborted();
    await options.write({ path, content });
    await nextTurn();
  };

  for (const [name, content] of Object.entries(assets))
    await put(`${ASSETS_FOLDER}/${name}`, content);
  for (const index of indexes.values()) await put(index.path, index.content());
  for (const [page, folder] of navigation.overviews) {
    const context = contextOf(navigation, page);
    const html = overviewBody(context, folder);
    await put(page.file, sitePageHtml(context, frame, { html, headings: [], isWide: true }));
  }
  let count = 0;
  options.onProgress(count, survey.pages.length);
  for (const page of survey.pages) {
    const context = contextOf(navigation, page);
    const content = await pageContent(context, sources, options, links);
    await put(page.file, sitePageHtml(context, frame, content));
    options.onProgress(++count, survey.pages.length);
  }
  await put('404.html', notFoundFile(navigation.home, title.name));
  const listed = navigation.editions.flatMap(({ root: top }) =>
    pageSequence(top).map(({ page }) => page),
  );
  const all = [...navigation.overviews.keys(), ...listed];
  for (const { path, content } of sitemapFiles(all, siteHost, survey.paths))
    await put(path, content);
  await put('robots.txt', robotsFile(siteHost));
  return { pages: count, links: links.report() };
}

/** Returns titles and positions of folders, if the site's generator has files for them. */
async function categoriesOf(
  { generator }: SiteConfig,
  { pages }: SiteSurvey,
  root: string,
  log: Log,
): Promise<ReadonlyMap<string, FolderCategory>> {
  if (generator !== 'docusaurus') return new Map();
  const folders = new Set(pages.flatMap(({ source = '' }) => foldersAbove(source)));
  return readCategories(new ConfigFiles(root, log), folders);
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

function contextOf(navigation: SiteNavigation, page: SitePage): PageContext {
  return {
    navigation,
    page,
    place: navigation.placeOf(page),
    texts: siteTexts(page.language),
  };
}

async function pageContent(
  { page, texts }: PageContext,
  sources: PageSources,
  { log }: SiteOptions,
  links: SiteLinks,
): Promise<PageContent> {
  const path = page.source ?? '';
  const title = `<h1>${escapeHtml(page.title)}</h1>\n`;
  // Links of other pages lead to this file, so it must exist even if its source no longer exists.
  const file = await sources.render(path);
  if (!file) return { html: title, headings: [], isWide: false };
  const lead =
    page.description === '' ? '' : `<p class="lead">${escapeHtml(page.description)}</p>\n`;
  try {
    const { html, headings, hasTitle } = await renderBody(page, path, file, links, texts);
    await links.endPage(path, file.source);
    const text = hasTitle
      ? html.replace(/^(\s*<h1\b[^]*?<\/h1>\n?)?/, `$1${lead.replaceAll('$', '$$$$')}`)
      : title + lead + html;
    return { html: text, headings, isWide: false };
  } catch (error) {
    await links.endPage(path, file.source);
    log.error(`Can't render ${path}`, error);
    return {
      html: `${title}<pre>${escapeHtml(await file.source())}</pre>`,
      headings: [],
      isWide: false,
    };
  }
}

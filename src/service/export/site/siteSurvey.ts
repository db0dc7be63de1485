import { setImmediate as nextTurn } from 'node:timers/promises';
import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it';
import type { Log } from '../../../common/ports';
import type { SlugRule } from '../../../common/text/headingSlugs';
import type { PageSources } from './pageSources';
import { safeName, SitePaths, splitPath } from './sitePaths';
import { pagePaths } from '../../../docs/sources/docsFolder';
import { type PageLookup, plainRoute } from '../../../docs/pages/links';
import type { DocsPage } from '../../../docs/pages/page';
import { anchorIds, headingIds, headingText } from '../../../docs/pages/headings';
import { pageHead, type PageMarkdown } from '../../../docs/pages/pageMarkdown';
import { routeOf } from '../../../docs/pages/pagePath';
import { type ConfiguredEntry, pathBelow } from '../../../docs/siteConfig/configFiles';
import { Redirects } from '../../../docs/siteConfig/redirects';
import type { SiteConfig } from '../../../docs/siteConfig/siteConfig';
import { plainLine } from '../../../shared/characters';

export interface SiteHeading {
  /** ID of the heading, or an empty string if it has none. */
  readonly id: string;
  readonly text: string;
  /** Level from 1 to 6. */
  readonly level: number;
  /** Whether the heading begins a section. A heading in a quote or list doesn't. */
  readonly isSection: boolean;
}

/** Facts about a page that stay in memory while the site is rendered. */
export interface SitePage {
  /** Path below the docs folder. Absent for a page that the site adds. */
  readonly source?: string;
  /** Path of the page in the site, such as `guides/start.html`. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly language?: string;
  /** Title in lists of pages, if the front matter has one. */
  readonly navTitle?: string;
  /** Position in its folder, from the front matter, or Infinity. */
  readonly order: number;
  /** Whether no list or navigation shows the page, so that only links lead to it. */
  readonly isHidden: boolean;
  readonly headings: readonly SiteHeading[];
  /** Rule for IDs of headings. GitHub's rule if absent. */
  readonly slugRule?: SlugRule;
  /** Further IDs that links can lead to. */
  readonly anchors?: readonly string[];
}

/** The facts about a page that decide whether readers may see it. */
export type SeenPage = Pick<DocsPage, 'path' | 'version' | 'language'>;

/** Pages and files of a docs folder that a site has. By default, it has all. */
export interface SiteScope {
  /** Paths such as `/guides`. Only pages at and below them are in the site. */
  readonly paths?: readonly string[];
  /** Returns a page as readers of the site see it, or undefined for one that isn't theirs. */
  readonly seen?: <Page extends SeenPage>(page: Page) => Page | undefined;
  /** Returns whether readers may have the image or other file at a path below the docs folder. */
  readonly hasFile?: (path: string) => boolean;
}

/** The pages of a docs folder, each with its path in the site. */
export interface SiteSurvey extends PageLookup<SitePage> {
  readonly pages: readonly SitePage[];
  readonly paths: SitePaths;
  /** Returns whether the folder has a page at a path, and the scope leaves it out. */
  isLeftOut(path: string): boolean;
  /** Returns whether the folder has a template from which code generates pages, such as `[name].md`. */
  hasDynamicPage(folder: string): boolean;
  /** Registers a page that the site adds, unless the route has a page. */
  addRoute(route: string, page: SitePage): void;
}

/** Names of files that every site has. No page can have one of these names. */
const siteFileNames = ['404.html', 'robots.txt', 'sitemap.xml'] as const;
export const ASSETS_FOLDER = 'assets';
export const assetNames = ['icon.svg', 'site.css', 'site.js', 'theme.js'] as const;

/**
 * Reads every page once and collects the facts and headings of those in the scope.
 */
export async function surveyPages(
  root: string,
  log: Log,
  signal: AbortSignal,
  config: SiteConfig,
  sources: PageSources,
  { paths: only, seen = (page) => page }: SiteScope,
): Promise<SiteSurvey> {
  const surveyed: SurveyedPage[] = [];
  const leftOut = new Set<string>();
  const marks = configuredMarks(config.navigation);
  const noPages = new Set(config.noPages);
  const aliases = new Map<string, readonly string[]>();
  for await (const path of pagePaths(root, log)) {
    signal.throwIfAborted();
    if (noPages.has(path)) continue;
    const read = await sources.survey(path);
    if (!read) continue;
    // A string that was cut out of a page's text keeps the whole text in memory. The strings of a clone
    // don't.
    const page = structuredClone(surveyPage(path, read, ruleOf(config)));
    const mark = marks.get(routeOf(path));
    const asSeen = seen({
      path,
      version: page.version ?? mark?.version,
      language: page.language ?? mark?.language,
    });
    if (!asSeen) {
      leftOut.add(plainRoute(routeOf(path)));
      continue;
    }
    const { version, language } = asSeen;
    surveyed.push({ ...page, version, language, isHidden: page.isHidden ?? mark?.isHidden });
    if (config.generator === 'docusaurus') {
      const routes = routeAliases(path, read.attributes, config.contentFolder);
      if (routes.length > 0) aliases.set(path, structuredClone(routes));
    }
    await nextTurn();
  }
  const whole = surveyed.filter(({ source = '' }) => !sources.parts.isPart(source));
  const routes = whole.map(({ source = '' }) => routeOf(source));
  const isWanted = only ? pathFilter(only, routes, config) : () => true;
  const found = whole.filter((_page, index) => isWanted(routes[index] ?? ''));
  for (const route of routes) {
    if (!isWanted(route)) leftOut.add(plainRoute(route));
  }
  const paths = new SitePaths();
  for (const name of siteFileNames) paths.file('', name);
  for (const name of assetNames) paths.file(ASSETS_FOLDER, name);
  const files = placePages(
    found.map((page) => page.source ?? ''),
    paths,
    log,
  );
  const pages = found.map((page) => ({
    ...page,
    isHidden: page.isHidden === true,
    file: files.get(page.source ?? '') ?? '',
  }));
  const { contentFolder, basePaths, publicFolders } = config;
  const dynamicFolders = new Set(
    pages
      .map(({ source = '' }) => splitPath(source))
      .filter(({ name }) => /^\[.+\]\.\w+$/.test(name))
      .map(({ folder }) => folder),
  );
  const survey = {
    pages,
    paths,
    roots: { contentFolder, basePaths, publicFolders },
    isLeftOut: (path: string) => leftOut.has(plainRoute(routeOf(path.replace(/\/+$/, '')))),
    hasDynamicPage: (folder: string) => dynamicFolders.has(folder),
    ...lookup(pages),
  };
  const rewrites = new Redirects(config.rewrites);
  for (const page of pages) {
    const path = page.source ?? '';
    const rewritten = rewrites.step(
      path.slice(contentFolder === '' ? 0 : contentFolder.length + 1),
    );
    if (rewritten !== undefined)
      survey.addRoute(routeOf(pathBelow(contentFolder, rewritten)), page);
    for (const route of aliases.get(path) ?? []) survey.addRoute(route, page);
  }
  return survey;
}

/**
 * Returns a filter for the routes at and below the paths. `/guides` and `guides` are the same path, and so are
 * `/` and `index`, which stand for the home page alone. A path can begin at the docs folder, at its folder of pages
 * or at the site's base path. The first of these readings that leads to a page counts.
 */
function pathFilter(
  only: readonly string[],
  routes: readonly string[],
  { contentFolder, basePaths }: SiteConfig,
): (route: string) => boolean {
  const tops = only.flatMap((written) => {
    const path = routeOf(pathBelow('', written));
    const belowBase = basePaths
      .filter((base) => isAtOrBelow(path, base))
      .map((base) => pathBelow('', path.slice(base.length)));
    const readings = [path, ...belowBase].flatMap((route) =>
      [route, pathBelow(contentFolder, route)]
        .map(plainRoute)
        .map((top) => ({ top, isHome: route === '' })),
    );
    return (
      readings.find((reading) => routes.some((route) => fits(plainRoute(route), reading))) ?? []
    );
  });
  return (route) => tops.some((reading) => fits(plainRoute(route), reading));
}

/** Returns whether a route is the home page, or at or below another path. */
function fits(
  route: string,
  { top, isHome }: { readonly top: string; readonly isHome: boolean },
): boolean {
  return isHome ? route === top : isAtOrBelow(route, top);
}

function isAtOrBelow(route: string, top: string): boolean {
  return top === '' || `${route}/`.startsWith(`${top}/`);
}

/** Returns the additional routes that a page's front matter sets for Docusaurus. */
function routeAliases(path: string, attributes: Attributes, contentFolder: string): string[] {
  const { folder } = splitPath(path);
  const { id, slug } = attributes;
  const routes: string[] = [];
  if (typeof id === 'string') routes.push(pathBelow(folder, id));
  if (typeof slug === 'string') {
    routes.push(pathBelow(slug.startsWith('/') ? contentFolder : folder, slug));
  }
  return routes;
}

/** Returns the rule that the site's own generator uses for IDs of headings. */
function ruleOf({ generator }: SiteConfig): SlugRule {
  return generator === 'vitepress' || generator === 'mkdocs' ? generator : 'github';
}

/** A page without its file in the site. `isHidden` is only present if the page's own front matter sets it. */
type SurveyedPage = Omit<SitePage, 'file' | 'isHidden'> & Partial<Pick<SitePage, 'isHidden'>>;

function surveyPage(
  path: string,
  { attributes, text }: PageMarkdown,
  slugRule: SlugRule,
): SurveyedPage {
  const tokens = /\.mdx$/i.test(path)
    ? mdxHeadingParser.parse(text, {})
    : headingParser.parse(text, {});
  const { title, description, version, language } = pageHead(path, attributes, tokens);
  return {
    source: path,
    title: plainLine(title) || path,
    ...navTitleOf(attributes),
    description: plainLine(description),
    version: version === undefined ? undefined : plainLine(version),
    language: language === undefined ? undefined : plainLine(language),
    order: orderOf(attributes),
    isHidden: isMarkedHidden(attributes) ? true : undefined,
    headings: headingsOf(tokens, headingIds(tokens, slugRule)),
    slugRule,
    anchors: anchorIds(tokens),
  };
}

/** Names that several tools use in front matter for the title in lists. */
const navTitleNames = ['sidebarTitle', 'sidebar_label', 'nav_title'];
const hiddenNames = ['hidden', 'unlisted'];

function navTitleOf(attributes: Attributes): Pick<SitePage, 'navTitle'> {
  for (const name of navTitleNames) {
    const value = attributes[name];
    const title = typeof value === 'string' ? plainLine(value) : '';
    if (title !== '') return { navTitle: title };
  }
  return {};
}

function isMarkedHidden(attributes: Attributes): boolean {
  return hiddenNames.some((name) => attributes[name] === true);
}

type Mark = Partial<Pick<SitePage, 'version' | 'language' | 'isHidden'>>;

/**
 * Returns the version, language and visibility that the configuration's navigation gives each page, by route.
 */
function configuredMarks(entries: readonly ConfiguredEntry[]): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  const add = (below: readonly ConfiguredEntry[], mark: Mark): void => {
    for (const entry of below) {
      if (entry.kind === 'page') {
        const route = routeOf(entry.path);
        if (!marks.has(route)) marks.set(route, mark);
      } else if (entry.kind === 'group') {
        const own = entry.isHidden === true ? { ...mark, isHidden: true } : mark;
        const landing = entry.landing === undefined ? [] : [entry.landing];
        add(
          landing.map((path) => ({ kind: 'page', path })),
          own,
        );
        add(entry.entries, own);
      } else if (entry.kind === 'edition') {
        const { version, language } = entry;
        add(entry.entries, {
          ...mark,
          version: version === undefined ? mark.version : plainLine(version),
          language: language === undefined ? mark.language : plainLine(language),
        });
      }
    }
  };
  add(entries, {});
  return marks;
}

const headingParser = createHeadingParser();
const mdxHeadingParser = createHeadingParser().disable('code');

/**
 * Creates a parser that only parses inline Markdown in headings. The survey needs no other inline Markdown.
 */
function createHeadingParser(): MarkdownParser {
  const parser = new MarkdownIt({ html: true });
  parser.core.ruler.at('inline', ({ tokens, md, env }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'inline' || tokens[index - 1]?.type !== 'heading_open') continue;
      md.inline.parse(token.content, md, env, (token.children ??= []));
    }
  });
  return parser;
}

/**
 * Returns the headings of a page.
 * @param ids IDs by the index of the heading's opening token.
 */
export function headingsOf(
  tokens: readonly Token[],
  ids: ReadonlyMap<number, string>,
): SiteHeading[] {
  return [...tokens.entries()].flatMap(([index, token]) => {
    const inline = tokens[index + 1];
    if (token.type !== 'heading_open' || !inline) return [];
    return {
      id: ids.get(index) ?? '',
      text: plainLine(headingText(inline).text),
      level: Number(token.tag.slice(1)),
      isSection: token.level === 0,
    };
  });
}

const orderNames = ['order', 'nav_order', 'sidebar_position', 'position', 'weight'];

type Attributes = Readonly<Record<string, unknown>>;

function orderOf(attributes: Attributes): number {
  for (const name of orderNames) {
    const value = attributes[name];
    const order = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof order === 'number' && Number.isFinite(order)) return order;
  }
  return Infinity;
}

function isFolderPage(path: string): boolean {
  return /(?:^|\/)(?:index|readme)\.\w+$/i.test(path);
}

/**
 * Returns the site's file for each page. If a folder has both `index` and `README`, `index` becomes the
 * folder's page.
 */
function placePages(sources: readonly string[], paths: SitePaths, log: Log): Map<string, string> {
  const files = new Map<string, string>();
  const withPage = new Set<string>();
  const place = (source: string, wanted: string): void => {
    const { folder } = splitPath(source);
    const file = paths.file(folder, `${wanted}.html`);
    files.set(source, file);
    const names = [...folder.split('/').filter((name) => name !== ''), `${wanted}.html`];
    if (file === names.join('/')) return;
    const isTaken = file !== names.map(safeName).join('/');
    const line = `The page ${source} becomes ${file}`;
    if (isTaken)
      log.warn(
        `${line}, because the name of another page only differs in case or similar characters`,
      );
    else log.debug(line);
  };
  const isIndex = (source: string): boolean => /(?:^|\/)index\.\w+$/i.test(source);
  for (const source of [
    ...sources.filter(isIndex),
    ...sources.filter((source) => isFolderPage(source) && !isIndex(source)),
  ]) {
    const { folder, name } = splitPath(source);
    place(source, withPage.has(folder) ? name.replace(/\.\w+$/, '') : 'index');
    withPage.add(folder);
  }
  // The site always has an `index.html`. If the docs have none, the site adds it.
  if (!withPage.has('')) paths.file('', 'index.html');
  for (const source of sources) {
    if (!isFolderPage(source)) place(source, splitPath(source).name.replace(/\.\w+$/, ''));
  }
  return files;
}

function lookup(
  pages: readonly SitePage[],
): Omit<PageLookup<SitePage>, 'roots'> & Pick<SiteSurvey, 'addRoute'> {
  const byPlainRoute = new Map<string, SitePage>();
  const byPath = new Map<string, SitePage>();
  const byRoute = new Map<string, SitePage>();
  for (const page of pages) {
    const source = page.source ?? '';
    byPath.set(source, page);
    const route = routeOf(source);
    const isSecondFolderPage =
      isFolderPage(source) && !/(?:^|\/)index(?:-\d+)?\.html$/.test(page.file);
    if (!isSecondFolderPage || !byRoute.has(route)) byRoute.set(route, page);
    const plain = plainRoute(route);
    if (!byPlainRoute.has(plain)) byPlainRoute.set(plain, page);
  }
  return {
    pageAtPath: (path) => byPath.get(path),
    pageAtRoute: (route) => byRoute.get(route),
    pageAtPlainRoute: (route) => byPlainRoute.get(route),
    addRoute: (route, page) => {
      if (!byRoute.has(route)) byRoute.set(route, page);
      const plain = plainRoute(route);
      if (!byPlainRoute.has(plain)) byPlainRoute.set(plain, page);
    },
  };
}

import type { DocsPage } from '../pages/page';

/**
 * Paths of pages that mention everything and explain little: notes for coding agents, parts that other pages
 * include, changelogs, release notes, rules for contributors and posts with a date.
 */
const secondary =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|copilot-instructions|llms(?:-full)?)\.\w+$|(?:^|\/)\.[a-z]+\/|(?:^|\/)_?(?:snippets?|partials?|includes?|fixtures?|templates?)\/|(?:^|\/)_[^/]+$|(?:^|\/)(?:change-?logs?|history|release-?notes?|releases?|whats-?new|news|blogs?|posts?|contributing|code[-_]of[-_]conduct)(?:\/|[-_.\d]*\.\w+$|[-_]\d)|^changes[-_.\d]*\.\w+$|(?:^|\/)\d{4}-\d{2}-\d{2}[-_.]/i;

/**
 * Pages of the API that code imports with a subpath, such as `zod/v4/core`. The module with the package's own name has
 * what most code needs, and the others repeat it for older versions, for other builds and for tools.
 */
const sideModule = /^api\/(?:@[^/]+\/)?[^/@]+\/./;
const declarations = /\.d\.[cm]?ts(?:\/|$)/;

/** Factor for the score of such pages. They still answer what no other page does. */
const SECONDARY = 0.7;

/** Returns the factor for a page's score by its place in the docs. */
export function kindFactor({ path, route }: Pick<DocsPage, 'path' | 'route'>): number {
  const isSide = sideModule.test(route) && declarations.test(path);
  return isSide || secondary.test(path) ? SECONDARY : 1;
}

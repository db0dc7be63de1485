import { pageSequence, type Edition, type NavFolder, type SiteNavigation } from './navigationModel';
import { encodePath, type SitePaths } from './sitePaths';
import { ASSETS_FOLDER, type SitePage } from './siteSurvey';

export interface SearchIndexFile {
  readonly path: string;
  content(): string;
}

/** Headings of one page that can be found. */
const MAX_HEADINGS = 200;

/**
 * What the pages' search looks through, one file for each edition: titles, descriptions and
 * headings. A script rather than JSON, as pages opened from disk may load no other files.
 */
export function searchIndexFiles(
  { editions }: SiteNavigation,
  paths: SitePaths,
): Map<Edition, SearchIndexFile> {
  return new Map(
    editions.map((edition) => {
      const name = ['search', edition.version, edition.language]
        .filter((part) => part !== undefined)
        .join('-');
      const path = paths.file(ASSETS_FOLDER, `${name}.js`);
      return [edition, { path, content: () => indexScript(edition.root) }];
    }),
  );
}

/** `siteScript` reads it. */
function indexScript(root: NavFolder): string {
  const entries = pageSequence(root).map(({ page }) => entryOf(page));
  return `window.siteSearchIndex = [\n${entries.join(',\n')}\n];\n`;
}

function entryOf({ file, title, description, headings }: SitePage): string {
  const found = headings
    .filter(({ id, text, level }) => id !== '' && text !== '' && level > 1)
    .slice(0, MAX_HEADINGS);
  return JSON.stringify([
    encodePath(file),
    title,
    description,
    ...found.flatMap(({ id, text }) => [text, encodeURIComponent(id)]),
  ]);
}

import type { Edition, NavFolder, SiteNavigation } from './siteNavigation';
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
  const entries: string[] = [];
  const add = (folder: NavFolder): void => {
    const own = folder.landing.source === undefined ? [] : [folder.landing];
    for (const page of [...own, ...folder.pages]) entries.push(entryOf(page));
    folder.folders.forEach(add);
  };
  add(root);
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

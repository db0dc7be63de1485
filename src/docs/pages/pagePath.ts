const pageEnding = /\.(?:mdx|md|markdown)$/i;

const htmlEnding = /\.html?$/i;

/** Returns whether a file is a page of an exported site. */
export function isHtmlPath(path: string): boolean {
  return htmlEnding.test(path);
}

/** Returns whether a file is read as a page of Markdown or MDX. */
export function isPagePath(path: string): boolean {
  return pageEnding.test(path);
}

/** Returns whether a name is never documentation, such as `.git`, `.obsidian` or `node_modules`. */
export function isIgnoredName(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

/**
 * Returns the route of a page: `guides` for `guides/index.md` and Hugo's `guides/_index.md`, and `guides/start` for
 * `guides/start.mdx`, `guides/start.html` and `guides/start.html.md`. The route of the root page is empty.
 */
export function routeOf(path: string): string {
  return path
    .replace(pageEnding, '')
    .replace(htmlEnding, '')
    .replace(/(?:^|\/)(?:_?index|readme)$/i, '');
}

/** Returns the version that a folder of the path is named after: `v2`, `10.x`, or one that Docusaurus keeps. */
export function versionOfPath(path: string): string | undefined {
  const docusaurus = /(?:^|\/)versioned_docs\/version-([^/]+)\//.exec(path)?.[1];
  if (docusaurus !== undefined) return docusaurus;
  const folders = path.split('/').slice(0, -1);
  return folders.find((folder) => /^(?:v\d+(?:\.\d+)*|v?\d+(?:\.\d+)*\.(?:\d+|x))$/.test(folder));
}

export function languageFolder(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  return folders.find((folder) =>
    /^(?:de|en|es|fr|it|ja|ko|nl|pl|pt|ru|zh)(?:-[A-Za-z]{2})?$/.test(folder),
  );
}

/**
 * Matches the number that sorts a file, as in `2.install.md` of Nuxt and `02-install.md` of Docusaurus. The number of
 * `2-factor-login.md` can be part of its name.
 */
const orderNumber = /^(?:\d{1,3}\.|0\d{1,2}[-_])(?=\p{L}{2})/u;

export function titleFromPath(path: string): string {
  const name = routeOf(path).split('/').at(-1) ?? '';
  const spaced = name.replace(orderNumber, '').replace(/[-_]+/g, ' ').trim();
  return spaced === '' ? path : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

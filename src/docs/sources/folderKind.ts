/** Tells an exported site from a folder of Markdown, by the files that are in it. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isHtmlPath, isIgnoredName, isPagePath } from '../pages/pagePath';

/** Most files to look at before deciding. */
const MAX_LOOKED_AT = 2000;

/** Files at the top of a site's project, by which its generator is configured. */
const projectFile =
  /^(?:(?:astro|docusaurus|next)\.config\.\w+|(?:hugo|mkdocs|_config)\.\w+|book\.toml)$/;

/**
 * Returns `bundle` for an exported site, and `folder` for any other folder. An exported site has
 * HTML pages, and at least as many as Markdown pages, because a bundle can have both forms of a
 * page. A project can have as many in its build, so its Markdown counts if there is any.
 */
export async function folderKind(root: string): Promise<'folder' | 'bundle'> {
  let html = 0;
  let markdown = 0;
  let isProject = false;
  let left = MAX_LOOKED_AT;
  const folders = [root];
  for (let folder = folders.shift(); folder !== undefined && left > 0; folder = folders.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, left)) {
      if (isIgnoredName(entry.name)) continue;
      left -= 1;
      if (entry.isDirectory()) folders.push(path.join(folder, entry.name));
      else if (isHtmlPath(entry.name)) html += 1;
      else if (isPagePath(entry.name)) markdown += 1;
      else if (folder === root && projectFile.test(entry.name)) isProject = true;
    }
  }
  return html > 0 && html >= markdown && !(isProject && markdown > 0) ? 'bundle' : 'folder';
}

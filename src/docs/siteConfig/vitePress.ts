import path from 'node:path';
import * as v from 'valibot';
import { isElsewhere } from '../../shared/links';
import { parsedAs } from '../../shared/schemas';
import {
  type ConfigFiles,
  type ConfiguredEntry,
  fragmentOf,
  itemsOf,
  loose,
  looseList,
  looseText,
  pathBelow,
  type ConfiguredRedirect,
  type ToolConfig,
} from './configFiles';
import { readLiteralModule } from './literalModule';

const itemSchema = v.object({
  text: looseText,
  link: looseText,
  base: looseText,
  items: looseList,
});

const sidebarSchema = loose(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())]), []);
const themeSchema = v.object({ themeConfig: v.object({ sidebar: sidebarSchema }) });

const configSchema = v.object({
  base: looseText,
  lang: looseText,
  srcDir: looseText,
  themeConfig: loose(v.object({ sidebar: sidebarSchema }), { sidebar: [] }),
  locales: loose(v.record(v.string(), v.unknown()), {}),
  rewrites: loose(v.record(v.string(), v.string()), {}),
});

const endings = ['ts', 'mts', 'js', 'mjs', 'json'];
const configNames = ['config', 'config/index'].flatMap((name) =>
  endings.map((ending) => `.vitepress/${name}.${ending}`),
);

/**
 * Reads VitePress's configuration from the docs folder, from `docs` in it, or from above it if
 * `srcDir` names this folder.
 */
export async function readVitePress(files: ConfigFiles): Promise<ToolConfig | undefined> {
  for (const folder of ['', 'docs', '..']) {
    const found = await files.first(configNames.map((name) => path.posix.join(folder, name)));
    if (!found) continue;
    const module = await readLiteralModule(files, found.file, found.text);
    if (!module) return undefined;
    const config = files.parse(found.file, () => module.value, configSchema);
    if (!config) return undefined;
    const { srcDir } = config;
    if (folder === '..' && pathBelow('', srcDir) !== files.folderName) return undefined;
    const contentFolder = folder === '..' ? '' : pathBelow(folder, srcDir);
    const navigation = navigationOf(config, contentFolder);
    if (!module.isWhole && navigation.length === 0) {
      files.note(
        `${found.file} computes its sidebar with code, which is not run. The navigation follows the folders.`,
      );
    }
    return {
      generator: 'vitepress',
      file: found.file,
      navigation,
      contentFolder,
      publicFolders: [pathBelow(contentFolder, 'public')],
      basePaths: [pathBelow('', config.base)],
      rewrites: rewritesOf(config.rewrites),
      language: config.lang,
    };
  }
  return undefined;
}

type Sidebar = v.InferOutput<typeof sidebarSchema>;

function navigationOf(
  { themeConfig, locales }: v.InferOutput<typeof configSchema>,
  folder: string,
): ConfiguredEntry[] {
  const editions = Object.entries(locales).flatMap(([name, locale]): ConfiguredEntry[] => {
    const theme = parsedAs(themeSchema, locale)?.themeConfig;
    const entries = theme ? sidebarEntries(theme.sidebar, folder) : [];
    if (entries.length === 0) return [];
    return name === 'root' ? entries : [{ kind: 'edition', language: name, entries }];
  });
  return [...sidebarEntries(themeConfig.sidebar, folder), ...editions];
}

/** Returns the entries of one sidebar, or of one sidebar per folder. */
function sidebarEntries(sidebar: Sidebar, folder: string): ConfiguredEntry[] {
  if (Array.isArray(sidebar)) return entriesOf(sidebar, '', folder);
  return Object.values(sidebar).flatMap((value): ConfiguredEntry[] => {
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return entriesOf(items, '', folder);
    }
    const item = parsedAs(itemSchema, value);
    return item ? entriesOf(item.items, item.base, folder) : [];
  });
}

function entriesOf(
  items: readonly unknown[],
  inherited: string,
  folder: string,
): ConfiguredEntry[] {
  return itemsOf(items, itemSchema).flatMap((item): ConfiguredEntry[] => {
    const base = item.base === '' ? inherited : item.base;
    const title = item.text.replace(/<[^>]*>/g, '').trim();
    const page = item.link === '' || isElsewhere(item.link) ? '' : base + item.link;
    const below = entriesOf(item.items, base, folder);
    if (below.length > 0) {
      if (title === '') return below;
      const landing = page === '' || page.includes('#') ? {} : { landing: pathBelow(folder, page) };
      return [{ kind: 'group', title, ...landing, entries: below }];
    }
    if (item.link === '') return [];
    if (page === '') return [{ kind: 'link', title: title || item.link, href: item.link }];
    const fragment = fragmentOf(page);
    return [
      {
        kind: 'page',
        path: pathBelow(folder, page),
        title: title === '' ? undefined : title,
        fragment: fragment === '' ? undefined : fragment,
      },
    ];
  });
}

function rewritesOf(rewrites: Readonly<Record<string, string>>): ConfiguredRedirect[] {
  return Object.entries(rewrites).map(([from, to]) => ({ from: `/${from}`, to: `/${to}` }));
}

import path from 'node:path';
import * as v from 'valibot';
import { isElsewhere, parseUrl } from '../../shared/links';
import { parsedAs } from '../../shared/schemas';
import {
  type ConfigFiles,
  type ConfiguredEntry,
  itemsOf,
  loose,
  looseList,
  looseText,
  pathBelow,
  type ConfiguredRedirect,
  type ToolConfig,
  yamlValue,
} from './configFiles';

const mkdocsSchema = v.object({
  docs_dir: loose(v.string(), 'docs'),
  site_url: looseText,
  nav: looseList,
  theme: loose(v.object({ language: looseText }), { language: '' }),
  plugins: loose(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())]), []),
});

const entrySchema = v.record(v.string(), v.unknown());
const redirectsPlugin = v.object({
  redirects: v.object({ redirect_maps: v.record(v.string(), v.string()) }),
});

const names = ['mkdocs.yml', 'mkdocs.yaml'];

/** Reads `mkdocs.yml` from the docs folder, or from the folder above it if it names this folder. */
export async function readMkdocs(files: ConfigFiles): Promise<ToolConfig | undefined> {
  const own = await files.first(names);
  const found = own ?? (await files.first(names.map((name) => `../${name}`)));
  if (!found) return undefined;
  const config = files.parse(found.file, () => yamlValue(found.text), mkdocsSchema);
  if (!config) return undefined;
  const docsDir = path.posix.normalize(config.docs_dir).replace(/^\.\/|\/$/g, '');
  // This is the configuration of another folder.
  if (!own && docsDir !== files.folderName) return undefined;
  const folder = own && docsDir !== '.' ? docsDir : '';
  if (folder.startsWith('..') || path.posix.isAbsolute(folder)) {
    files.refuse(found.file, `docs_dir leads out of the folder (${docsDir})`);
    return undefined;
  }
  return {
    generator: 'mkdocs',
    file: found.file,
    navigation: entriesOf(config.nav, folder),
    redirects: redirectsOf(config.plugins),
    contentFolder: folder,
    basePaths: [basePath(config.site_url)],
    language: config.theme.language,
  };
}

function entriesOf(list: readonly unknown[], folder: string): ConfiguredEntry[] {
  return list.flatMap((item) => {
    if (typeof item === 'string') return entryOf(undefined, item, folder);
    const titled = Object.entries(parsedAs(entrySchema, item) ?? {});
    return titled.flatMap(([title, value]): ConfiguredEntry[] => {
      if (typeof value === 'string') return entryOf(title, value, folder);
      if (!Array.isArray(value)) return [];
      const items: readonly unknown[] = value;
      return [{ kind: 'group', title, entries: entriesOf(items, folder) }];
    });
  });
}

function entryOf(title: string | undefined, written: string, folder: string): ConfiguredEntry[] {
  if (isElsewhere(written)) return [{ kind: 'link', title: title ?? written, href: written }];
  // Plugins for navigation by folders have entries such as `reference/` and `reference/*`.
  if (/\/$|\*/.test(written)) {
    const entry = {
      kind: 'folder' as const,
      folder: pathBelow(folder, written.replace(/\*.*$/, '')),
    };
    return title === undefined ? [entry] : [{ kind: 'group', title, entries: [entry] }];
  }
  return [{ kind: 'page', path: pathBelow(folder, written), title }];
}

/** Returns the redirects of the plugin `mkdocs-redirects`, which maps page paths to targets. */
function redirectsOf(plugins: v.InferOutput<typeof mkdocsSchema>['plugins']): ConfiguredRedirect[] {
  const [plugin] = itemsOf(Array.isArray(plugins) ? plugins : [plugins], redirectsPlugin);
  return Object.entries(plugin?.redirects.redirect_maps ?? {}).map(([from, to]) => ({
    from: `/${from}`,
    to: isElsewhere(to) || to.startsWith('/') ? to : `/${to}`,
  }));
}

function basePath(siteUrl: string): string {
  return parseUrl(siteUrl)?.pathname.replace(/^\/+|\/+$/g, '') ?? '';
}

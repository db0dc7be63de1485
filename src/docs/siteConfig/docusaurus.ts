import path from 'node:path';
import * as v from 'valibot';
import { isElsewhere } from '../../shared/links';
import { parsedAs } from '../../shared/schemas';
import {
  type ConfigFiles,
  type ConfiguredEntry,
  itemsOf,
  jsonValue,
  loose,
  looseList,
  looseText,
  pathBelow,
  type ConfiguredRedirect,
  type ToolConfig,
  yamlValue,
} from './configFiles';
import { readLiteralModule } from './literalModule';

const names = (name: string): string[] =>
  ['ts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.${ending}`);

const docsOptions = v.object({
  path: v.optional(v.string(), 'docs'),
  routeBasePath: v.optional(v.string(), 'docs'),
  sidebarPath: looseText,
});
/** Schema of a preset, which has its options behind its name. */
const presetSchema = v.looseTuple([v.unknown(), v.object({ docs: docsOptions })]);

const configSchema = v.object({
  baseUrl: looseText,
  presets: looseList,
  plugins: looseList,
  i18n: loose(v.object({ defaultLocale: looseText }), { defaultLocale: '' }),
});

const redirectsSchema = v.looseTuple([
  v.unknown(),
  v.object({
    redirects: v.array(
      v.object({ from: v.union([v.string(), v.array(v.string())]), to: v.string() }),
    ),
  }),
]);

const itemSchema = v.object({
  type: looseText,
  id: looseText,
  label: looseText,
  href: looseText,
  dirName: looseText,
  items: v.optional(v.unknown()),
  link: loose(v.object({ type: looseText, id: looseText }), { type: '', id: '' }),
});

const shorthandSchema = v.record(v.string(), v.array(v.unknown()));
const sidebarsSchema = v.record(v.string(), v.unknown());

/**
 * Reads Docusaurus's configuration and sidebars, from the docs folder or from the folder above it.
 */
export async function readDocusaurus(files: ConfigFiles): Promise<ToolConfig | undefined> {
  for (const above of ['', '../']) {
    const found = await files.first(names(`${above}docusaurus.config`));
    if (!found) continue;
    const module = await readLiteralModule(files, found.file, found.text);
    const config = module && files.parse(found.file, () => module.value ?? {}, configSchema);
    if (!config) return undefined;
    const docs = docsOf(config);
    const docsPath = pathBelow('', docs.path);
    if (above !== '' && docsPath !== files.folderName) return undefined;
    const contentFolder = above === '' ? docsPath : '';
    const sidebars = await sidebarsOf(files, above, docs.sidebarPath, contentFolder);
    return {
      generator: 'docusaurus',
      file: sidebars?.file ?? found.file,
      navigation: isAllGenerated(sidebars?.entries ?? [], contentFolder)
        ? []
        : (sidebars?.entries ?? []),
      redirects: redirectsOf(config.plugins),
      contentFolder,
      publicFolders: above === '' ? ['static'] : [],
      language: config.i18n.defaultLocale,
      basePaths: [pathBelow(config.baseUrl, docs.routeBasePath), pathBelow('', docs.routeBasePath)],
    };
  }
  return undefined;
}

/** Returns whether the sidebar only lists the folders, which the navigation does without a sidebar file too. */
function isAllGenerated(entries: readonly ConfiguredEntry[], folder: string): boolean {
  return entries.every((entry) => entry.kind === 'folder' && entry.folder === folder);
}

function docsOf({
  presets,
}: v.InferOutput<typeof configSchema>): v.InferOutput<typeof docsOptions> {
  const [preset] = itemsOf(presets, presetSchema);
  return preset?.[1].docs ?? { path: 'docs', routeBasePath: 'docs', sidebarPath: '' };
}

function redirectsOf(plugins: readonly unknown[]): ConfiguredRedirect[] {
  return itemsOf(plugins, redirectsSchema).flatMap(([, { redirects }]) =>
    redirects.flatMap(({ from, to }) =>
      (typeof from === 'string' ? [from] : from).map((one) => ({ from: one, to })),
    ),
  );
}

async function sidebarsOf(
  files: ConfigFiles,
  above: string,
  sidebarPath: string,
  contentFolder: string,
): Promise<{ file: string; entries: ConfiguredEntry[] } | undefined> {
  const written = sidebarPath === '' ? [] : [path.posix.join(above, sidebarPath)];
  const found = await files.first([
    ...written,
    ...names(`${above}sidebars`),
    `${above}sidebars.json`,
  ]);
  if (!found) return undefined;
  const module = await readLiteralModule(files, found.file, found.text);
  const sidebars = module && files.parse(found.file, () => module.value, sidebarsSchema);
  if (!sidebars) return undefined;
  return {
    file: found.file,
    entries: Object.values(sidebars).flatMap((sidebar) => itemEntries(sidebar, contentFolder)),
  };
}

/**
 * Returns the entries for a list of items, or for the short form of categories: `{ Guides: ['a',
 * 'b'] }`.
 */
function itemEntries(items: unknown, folder: string): ConfiguredEntry[] {
  if (Array.isArray(items)) {
    const list: readonly unknown[] = items;
    return list.flatMap((item) => entryOf(item, folder));
  }
  return Object.entries(parsedAs(shorthandSchema, items) ?? {}).map(([title, below]) => ({
    kind: 'group',
    title,
    entries: itemEntries(below, folder),
  }));
}

function entryOf(written: unknown, folder: string): ConfiguredEntry[] {
  if (typeof written === 'string') return [{ kind: 'page', path: pathBelow(folder, written) }];
  const item = parsedAs(itemSchema, written);
  if (!item) return [];
  const { type, id, label, href, dirName, link } = item;
  switch (type) {
    case 'doc':
    case 'ref':
      return [
        { kind: 'page', path: pathBelow(folder, id), title: label === '' ? undefined : label },
      ];
    case 'link':
      if (isElsewhere(href)) return [{ kind: 'link', title: label || href, href }];
      return [{ kind: 'page', path: pathBelow(folder, href), title: label || href }];
    case 'category': {
      const entries = itemEntries(item.items, folder);
      const landing =
        link.type === 'doc' && link.id !== '' ? { landing: pathBelow(folder, link.id) } : {};
      return [{ kind: 'group', title: label, ...landing, entries }];
    }
    case 'autogenerated':
      return [{ kind: 'folder', folder: pathBelow(folder, dirName) }];
    case '':
      return itemEntries(written, folder);
    default:
      return [];
  }
}

/** Title and position of a folder from Docusaurus's `_category_.json`. */
export interface FolderCategory {
  readonly title: string;
  readonly order: number;
}

const categorySchema = v.object({
  label: looseText,
  position: loose(v.number(), Infinity),
});

const categoryNames = ['_category_.json', '_category_.yml', '_category_.yaml'];

/** Reads the titles and positions of folders that have a category file. */
export async function readCategories(
  files: ConfigFiles,
  folders: Iterable<string>,
): Promise<Map<string, FolderCategory>> {
  const categories = new Map<string, FolderCategory>();
  for (const folder of folders) {
    if (folder === '') continue;
    const found = await files.first(categoryNames.map((name) => `${folder}/${name}`));
    if (!found) continue;
    const category = files.parse(
      found.file,
      () => (found.file.endsWith('.json') ? jsonValue(found.text) : yamlValue(found.text)),
      categorySchema,
    );
    if (category) categories.set(folder, { title: category.label, order: category.position });
  }
  return categories;
}

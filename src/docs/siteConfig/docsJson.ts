import * as v from 'valibot';
import { isElsewhere } from '../../shared/links';
import { parsedAs } from '../../shared/schemas';
import {
  type ConfigFiles,
  type ConfiguredEntry,
  itemsOf,
  jsonValue,
  looseFlag,
  looseList,
  looseText,
  pathBelow,
  type ToolConfig,
} from './configFiles';

/** Reads `docs.json` and the older `mint.json`, by their public schemas. */

/** Schema of a division of the navigation. Each kind of division has its own field for the title. */
const divisionSchema = v.object({
  group: looseText,
  tab: looseText,
  anchor: looseText,
  dropdown: looseText,
  product: looseText,
  item: looseText,
  version: looseText,
  language: looseText,
  href: looseText,
  root: looseText,
  hidden: looseFlag,
  openapi: v.optional(v.unknown()),
  asyncapi: v.optional(v.unknown()),
  languages: looseList,
  versions: looseList,
  products: looseList,
  tabs: looseList,
  dropdowns: looseList,
  anchors: looseList,
  menu: looseList,
  groups: looseList,
  pages: looseList,
});
type Division = v.InferOutput<typeof divisionSchema>;

const redirectSchema = v.object({ source: v.string(), destination: v.string() });
const openApiSchema = v.object({ directory: v.string() });

const docsJsonSchema = v.object({
  navigation: v.optional(v.union([v.array(v.unknown()), divisionSchema]), []),
  redirects: looseList,
  /** Links next to the navigation, in `mint.json`. */
  anchors: looseList,
});

const mintAnchorSchema = v.object({ name: v.string(), url: v.string() });

/** Matches pages of an API description, such as `GET /users` or `openapi.json POST /users`. */
const operation = /^(?:\S+\s+)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+\S/i;

export async function readDocsJson(files: ConfigFiles): Promise<ToolConfig | undefined> {
  const found = await files.first(['docs.json', 'mint.json']);
  if (!found) return undefined;
  const config = files.parse(found.file, () => jsonValue(found.text), docsJsonSchema);
  if (!config) return undefined;
  const { navigation, redirects } = config;
  const generated = new Set<string>();
  const entries = Array.isArray(navigation)
    ? listOf(navigation, generated)
    : contentOf(navigation, generated);
  const links = itemsOf(config.anchors, mintAnchorSchema).flatMap(({ name, url }) =>
    isElsewhere(url) ? [{ kind: 'link' as const, title: name, href: url }] : [],
  );
  // The file has none of the known fields. For example, it only has the name of the site.
  if (entries.length === 0 && redirects.length === 0) return undefined;
  return {
    generator: 'mintlify',
    file: found.file,
    navigation: entries.length === 0 ? [] : [...entries, ...links],
    redirects: itemsOf(redirects, redirectSchema).map(({ source, destination }) => ({
      from: source,
      to: destination,
    })),
    generatedPaths: [...generated],
  };
}

function contentOf(division: Division, generated: Set<string>): ConfiguredEntry[] {
  if (division.openapi !== undefined || division.asyncapi !== undefined) {
    const api = parsedAs(openApiSchema, division.openapi ?? division.asyncapi);
    generated.add(pathBelow('', api?.directory ?? 'api-reference'));
  }
  return [
    division.languages,
    division.versions,
    division.products,
    division.tabs,
    division.dropdowns,
    division.anchors,
    division.menu,
    division.groups,
    division.pages,
  ].flatMap((list) => listOf(list, generated));
}

function listOf(list: readonly unknown[], generated: Set<string>): ConfiguredEntry[] {
  return list.flatMap((item) => {
    if (typeof item === 'string') return pageEntry(item);
    const division = parsedAs(divisionSchema, item);
    return division ? divisionEntry(division, generated) : [];
  });
}

function pageEntry(written: string): ConfiguredEntry[] {
  if (written.trim() === '' || operation.test(written)) return [];
  if (isElsewhere(written)) return [{ kind: 'link', title: written, href: written }];
  return [{ kind: 'page', path: pathBelow('', written) }];
}

function divisionEntry(division: Division, generated: Set<string>): ConfiguredEntry[] {
  const { version, language, href, root, hidden } = division;
  const entries = contentOf(division, generated);
  const title =
    [
      division.group,
      division.tab,
      division.anchor,
      division.dropdown,
      division.product,
      division.item,
    ].find((name) => name !== '') ?? '';
  if (entries.length === 0 && root === '') {
    return href === '' || hidden ? [] : [{ kind: 'link', title: title || href, href }];
  }
  const group: ConfiguredEntry[] =
    title === ''
      ? entries
      : [
          {
            kind: 'group',
            title,
            landing: root === '' ? undefined : pathBelow('', root),
            isHidden: hidden ? true : undefined,
            entries,
          },
        ];
  if (version === '' && language === '') return group;
  return [
    {
      kind: 'edition',
      version: version === '' ? undefined : version,
      language: language === '' ? undefined : language,
      entries: group,
    },
  ];
}

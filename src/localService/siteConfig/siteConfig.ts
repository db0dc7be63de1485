import path from 'node:path';
import type { Log } from '../../common/ports';
import { ConfigFiles } from './configFiles';
import { readDocsJson } from './docsJson';
import { readDocusaurus } from './docusaurus';
import { readMarkdownNav } from './markdownNav';
import { readMkdocs } from './mkdocs';
import { readNetlifyRedirects, type Redirect } from './redirects';
import { readVitePress } from './vitePress';

/** Tools that make sites of Markdown, each with a configuration and habits of its own. */
export type SiteGenerator =
  'mintlify' | 'vitepress' | 'docusaurus' | 'mkdocs' | 'docsify' | 'gitbook';

/**
 * An entry of a navigation as the configuration writes it. Paths are below the docs folder, with or
 * without the page's ending.
 */
export type ConfiguredEntry =
  | {
      readonly kind: 'page';
      readonly path: string;
      /** As the page itself has it, if absent. */
      readonly title?: string;
      /** The section that is meant, without `#`. */
      readonly fragment?: string;
    }
  | {
      readonly kind: 'group';
      readonly title: string;
      /** Path of the page that stands for the group. */
      readonly landing?: string;
      readonly isHidden?: boolean;
      readonly entries: readonly ConfiguredEntry[];
    }
  /** What belongs to one version or language, without a level of its own. */
  | {
      readonly kind: 'edition';
      readonly version?: string;
      readonly language?: string;
      readonly entries: readonly ConfiguredEntry[];
    }
  | { readonly kind: 'link'; readonly title: string; readonly href: string }
  /** All pages of a folder that no other entry names. */
  | { readonly kind: 'folder'; readonly folder: string };

/** What one tool's configuration says. */
export interface ToolConfig {
  readonly generator: SiteGenerator;
  /** The file that it stands in, as a reader of the log finds it. */
  readonly file: string;
  /** Empty where it lists none. */
  readonly navigation: readonly ConfiguredEntry[];
  readonly redirects?: readonly Redirect[];
  /** Where pages are served, by the path of their source. */
  readonly rewrites?: readonly Redirect[];
  /** The folder of the pages, below the docs folder; links from the site's root begin there. */
  readonly contentFolder?: string;
  /** Folders whose files are served at the site's root. */
  readonly publicFolders?: readonly string[];
  /** Addresses below which the pages are served: `docs`, without slashes around it. */
  readonly basePaths?: readonly string[];
  /** Files that look like pages and are part of the navigation. */
  readonly noPages?: readonly string[];
  /** Addresses below which the tool makes pages of something else, such as an API's description. */
  readonly generatedPaths?: readonly string[];
}

/** What the configuration of a docs folder's own site says of its pages. */
export interface SiteConfig extends Required<Omit<ToolConfig, 'generator' | 'file'>> {
  readonly generator: SiteGenerator | undefined;
  /** The file whose navigation is followed; empty without one. */
  readonly navigationFile: string;
}

/**
 * Reads the configuration of the tool that a docs folder is written for, of which nothing is run.
 * A file that cannot be understood is named in the log, and counts as absent.
 * @param root real path of the docs folder.
 */
export async function readSiteConfig(root: string, log: Log): Promise<SiteConfig> {
  const files = new ConfigFiles(root, log);
  const tools: ToolConfig[] = [];
  for (const read of [readDocsJson, readVitePress, readDocusaurus, readMkdocs, readMarkdownNav]) {
    const tool = await read(files);
    if (tool) tools.push(tool);
  }
  const listing = tools.find(({ navigation }) => navigation.length > 0);
  const all = <Value>(of: (tool: ToolConfig) => readonly Value[] | undefined): Value[] => [
    ...new Set(tools.flatMap((tool) => of(tool) ?? [])),
  ];
  const contentFolder = (listing ?? tools[0])?.contentFolder ?? '';
  const publicFolders = all((tool) => tool.publicFolders);
  for (const name of ['public', 'static']) {
    for (const folder of new Set([contentFolder, ''])) {
      const candidate = path.posix.join(folder, name);
      if (!publicFolders.includes(candidate)) publicFolders.push(candidate);
    }
  }
  return {
    generator: (listing ?? tools[0])?.generator,
    navigation: listing?.navigation ?? [],
    navigationFile: listing?.file ?? '',
    redirects: [
      ...all((tool) => tool.redirects),
      ...(await readNetlifyRedirects(files, publicFolders)),
    ],
    rewrites: all((tool) => tool.rewrites),
    contentFolder,
    publicFolders,
    // A folder `docs` is often served below `/docs`, whatever makes the site.
    basePaths: [...new Set([...all((tool) => tool.basePaths), files.folderName])].filter(
      (base) => base !== '',
    ),
    noPages: all((tool) => tool.noPages),
    generatedPaths: all((tool) => tool.generatedPaths),
  };
}

/** A configuration that says nothing, as of a folder without one. */
export const noSiteConfig: SiteConfig = {
  generator: undefined,
  navigation: [],
  navigationFile: '',
  redirects: [],
  rewrites: [],
  contentFolder: '',
  publicFolders: ['public', 'static'],
  basePaths: [],
  noPages: [],
  generatedPaths: [],
};

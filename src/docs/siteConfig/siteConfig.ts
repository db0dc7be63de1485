import path from 'node:path';
import type { Log } from '../../common/ports';
import { ConfigFiles, type SiteGenerator, type ToolConfig } from './configFiles';
import { readDocsJson } from './docsJson';
import { readDocusaurus } from './docusaurus';
import { readMarkdownNav } from './markdownNav';
import { readMkdocs } from './mkdocs';
import { readNetlifyRedirects } from './redirects';
import { readVitePress } from './vitePress';

/** Configuration of a docs folder's own site. */
export interface SiteConfig extends Required<Omit<ToolConfig, 'generator' | 'file'>> {
  readonly generator: SiteGenerator | undefined;
  /** File with the navigation, or an empty string. */
  readonly navigationFile: string;
}

/**
 * Reads the configuration of the tool that a docs folder is written for, without running its code. Logs
 * files that are not valid and otherwise ignores them.
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
    // With any tool, a folder such as `docs` is often served below `/docs`.
    basePaths: [...new Set([...all((tool) => tool.basePaths), files.folderName])].filter(
      (base) => base !== '',
    ),
    language: tools.map(({ language = '' }) => language).find((language) => language !== '') ?? '',
    noPages: all((tool) => tool.noPages),
    generatedPaths: all((tool) => tool.generatedPaths),
  };
}

/** An empty configuration, for folders without one. */
export const noSiteConfig: SiteConfig = {
  generator: undefined,
  navigation: [],
  navigationFile: '',
  redirects: [],
  rewrites: [],
  contentFolder: '',
  publicFolders: ['public', 'static'],
  basePaths: [],
  language: '',
  noPages: [],
  generatedPaths: [],
};

import * as vscode from 'vscode';
import { DocsAssistantError } from '../../../common/errors';
import type { PagePlace, ShownPackages } from '../../../common/localDocsApi';
import type { Clock } from '../../../common/ports';
import {
  isPageOf,
  matchPageFiles,
  outlineOf,
  pageFilePattern,
  type PageHints,
} from '../../../chat/sources/pageFile';
import { lineOfFragment, type PageOutline } from '../../../chat/sources/pageHeadings';
import {
  LOCAL_DOCS_PATH,
  sourceAddress,
  type SourceAddress,
} from '../../../chat/sources/sourceAddress';
import type { SourcePart } from '../../../shared/uiMessage';
import type { ActiveSite } from '../../../site/activeSite';
import { openDocument } from '../../openDocument';
import type { WorkbenchSettings } from '../../settings';
import { walkFiles } from '../../walkFiles';

/** The file of a cited page, with its content. */
export interface SourceFile {
  readonly uri: vscode.Uri;
  /** Path for display, relative to the workspace or to the folder of the local docs service. */
  readonly path: string;
  readonly isInWorkspace: boolean;
  /** The installed package that has the file, if the source is a page of one. */
  readonly place?: PagePlace;
  readonly text: string;
  readonly outline: PageOutline;
  /** Line of the cited heading, from 0. Absent if the file has no such heading. */
  readonly line?: number;
}

interface SourceFilesPorts {
  readonly packages: () => ShownPackages | undefined;
  readonly settings: WorkbenchSettings;
  readonly site: ActiveSite;
  readonly clock: Clock;
}

interface PageFolder {
  readonly root: vscode.Uri;
  /**
   * Whether the folder is set as docs. Elsewhere, the content must confirm that a file is the cited
   * page.
   */
  readonly isDocs: boolean;
}

/** Time for which a list of pages is reused. A click often follows the source's card. */
const LIST_AGE_MS = 10_000;
const MAX_PAGES = 20_000;
const MAX_PAGE_BYTES = 2_000_000;

/** Maximum number of files with a matching name that are read. */
const MAX_LOOKS = 5;

/**
 * Finds the files of cited pages in the workspace and in the folder of the local docs service. A URL
 * from a reply never becomes a path. It is compared with the paths of existing files.
 */
export class SourceFiles {
  readonly #ports: SourceFilesPorts;
  readonly #lists = new Map<string, { readonly paths: Promise<string[]>; readonly at: number }>();

  constructor(ports: SourceFilesPorts) {
    this.#ports = ports;
  }

  async find(source: SourcePart): Promise<SourceFile | undefined> {
    const address = sourceAddress(source.url);
    if (!address) return undefined;
    const inService = await this.findInService(source);
    if (inService) return inService;
    for (const folder of this.#foldersOfWorkspace()) {
      const found = await this.#findIn(folder, address, source);
      if (found) return found;
    }
    return undefined;
  }

  /** Finds the file of an address that a reply links to, among the pages of the running local docs service. */
  findByAddress(url: string): Promise<SourceFile | undefined> {
    return this.findInService({ type: 'source-url', sourceId: '', url });
  }

  /** Finds the file among the pages of the running local docs service only. */
  async findInService(source: SourcePart): Promise<SourceFile | undefined> {
    const packages = this.#ports.packages();
    const found = packages && (await findInPackages(packages, source.url));
    if (found) return found;
    const address = sourceAddress(source.url);
    const folder = address && this.#folderOfService(address);
    if (!folder) return undefined;
    const pathname = address.pathname.slice(LOCAL_DOCS_PATH.length - 1);
    return this.#findIn(folder, { ...address, pathname }, source);
  }

  /**
   * Returns the folder of the service's page. The port changes at each start, so the host decides.
   */
  #folderOfService({ url, pathname }: SourceAddress): PageFolder | undefined {
    const { local } = this.#ports.site;
    if (local?.docsFolder === undefined || !url) return undefined;
    const isLocal = url.origin === new URL(local.url).origin || url.hostname === '127.0.0.1';
    return isLocal && pathname.startsWith(LOCAL_DOCS_PATH)
      ? { root: vscode.Uri.file(local.docsFolder), isDocs: true }
      : undefined;
  }

  /** Returns the folders of the workspace. Folders that are set as docs come first. */
  #foldersOfWorkspace(): PageFolder[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => {
      const root = this.#ports.settings.docsFolder(folder);
      return root ? { root, isDocs: true } : { root: folder.uri, isDocs: false };
    });
    return [...folders.filter(({ isDocs }) => isDocs), ...folders.filter(({ isDocs }) => !isDocs)];
  }

  async #findIn(
    { root, isDocs }: PageFolder,
    address: SourceAddress,
    source: SourcePart,
  ): Promise<SourceFile | undefined> {
    const matches = matchPageFiles(await this.#pagesIn(root), address.pathname, this.#hints);
    for (const { path, isCertain } of matches.slice(0, MAX_LOOKS)) {
      const uri = vscode.Uri.joinPath(root, ...path.split('/'));
      const text = await textOf(uri);
      if (text === undefined) continue;
      const outline = outlineOf(path, text);
      const isPage =
        (isDocs && isCertain) ||
        isPageOf(outline, { title: source.title, fragment: address.fragment });
      if (!isPage) continue;
      const line = lineOfFragment(outline, address.fragment);
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      return {
        uri,
        path: folder ? vscode.workspace.asRelativePath(uri) : path,
        isInWorkspace: folder !== undefined,
        text,
        outline,
        line,
      };
    }
    return undefined;
  }

  get #hints(): PageHints {
    return this.#ports.site.filter;
  }

  #pagesIn(root: vscode.Uri): Promise<string[]> {
    const key = root.toString();
    const now = this.#ports.clock.now();
    const known = this.#lists.get(key);
    if (known && now - known.at < LIST_AGE_MS) return known.paths;
    const paths = pagePaths(root);
    this.#lists.set(key, { paths, at: now });
    return paths;
  }
}

/** Longest wait for the service, which is on this machine. */
const PLACE_LIMIT_MS = 10_000;

/** Finds the file of a package's page. The service of this window names only plain files of installed packages. */
async function findInPackages(
  packages: ShownPackages,
  url: string,
): Promise<SourceFile | undefined> {
  const { place } = await packages
    .place({ page: url }, AbortSignal.timeout(PLACE_LIMIT_MS))
    .catch((error: unknown) => {
      if (error instanceof DocsAssistantError) return { place: undefined };
      throw error;
    });
  if (!place) return undefined;
  const { file, path, line } = place;
  const uri = place.text === undefined ? vscode.Uri.file(file) : packageDocument(place);
  const text = place.text ?? (await textOf(uri));
  if (text === undefined) return undefined;
  const outline = outlineOf(path, pageFilePattern.test(path) ? text : '');
  const heading = lineOfFragment(outline, sourceAddress(url)?.fragment ?? '');
  return {
    uri,
    path: `${place.package}/${path}`,
    isInWorkspace: vscode.workspace.getWorkspaceFolder(uri) !== undefined,
    place,
    text,
    outline,
    line: line === undefined ? heading : line - 1,
  };
}

/** Scheme of the documents with files of archives, which editors can't open. */
const PACKAGE_SCHEME = 'docs-assistant-package';
/** Most texts that are remembered. A card about a source needs one that is never shown. */
const MAX_PACKAGE_TEXTS = 20;
const packageTexts = new Map<string, string>();
let isProviding = false;

/** Returns the URI of a read-only document with a file of an archive. */
function packageDocument({ package: name, path, text = '' }: PagePlace): vscode.Uri {
  const uri = vscode.Uri.from({ scheme: PACKAGE_SCHEME, path: `/${name}/${path}` });
  packageTexts.set(uri.toString(), text);
  for (const old of packageTexts.keys()) {
    if (packageTexts.size <= MAX_PACKAGE_TEXTS) break;
    packageTexts.delete(old);
  }
  if (isProviding) return uri;
  isProviding = true;
  vscode.workspace.registerTextDocumentContentProvider(PACKAGE_SCHEME, {
    provideTextDocumentContent: (shown) => packageTexts.get(shown.toString()) ?? '',
  });
  vscode.workspace.onDidCloseTextDocument(({ uri: closed }) => {
    if (closed.scheme === PACKAGE_SCHEME) packageTexts.delete(closed.toString());
  });
  return uri;
}

async function pagePaths(root: vscode.Uri): Promise<string[]> {
  const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
  return (await filesIn(root)).flatMap(({ path }) =>
    path.startsWith(start) && pageFilePattern.test(path) ? [path.slice(start.length)] : [],
  );
}

async function filesIn(root: vscode.Uri): Promise<vscode.Uri[]> {
  try {
    return await vscode.workspace.findFiles(
      new vscode.RelativePattern(root, '**/*.{md,mdx,markdown,MD,MDX}'),
      '**/{node_modules,bower_components,.git}/**',
      MAX_PAGES,
    );
  } catch {
    return walkFiles(root, MAX_PAGES);
  }
}

/**
 * Returns the text of a file, unsaved changes included. Returns undefined if it is gone or too
 * large.
 */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = openDocument(uri);
  if (open) return open.getText();
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_PAGE_BYTES) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

import * as vscode from 'vscode';
import { sectionQuote } from '../../../chat/sources/pageFile';
import {
  localPageAddress,
  packageOfPage,
  sourceAddress,
  webAddressOfPath,
} from '../../../chat/sources/sourceAddress';
import { markdownToBlocks, shortenedBlocks } from '../../../common/text/markdownText';
import type { SourceDescription, SourceTarget } from '../../../shared/protocol';
import type { SourcePart } from '../../../shared/uiMessage';
import { askWhereToSave } from '../saveFiles';
import { dataOfUrl } from '../../../chat/context/attachment';
import { safeFileName } from '../../../chat/context/fileNames';
import { mailReceivers, openableLink, percentDecoded } from '../../../shared/links';
import { type SourceFile, SourceFiles } from './sourceFile';
import type { ViewHandlers } from '../../../chat/view/viewChannel';
import type { ViewPorts } from './viewPorts';
import type { Log } from '../../../common/ports';
import type { LocalSite } from '../../../common/localSite';
import type { ActiveSite } from '../../../site/activeSite';
import type { SourcePlace } from '../../../common/contributions';
import { modals, plainText, translate } from '../../notifications';
import { errorCodeOrName } from '../../../common/errorCode';
import { baseName } from '../../../chat/context/documentPaths';

/** Length of the quote in a source card, in characters. */
const MAX_QUOTE_LENGTH = 600;

/** Returns the handlers that open and describe a reply's sources, files and links. */
export function sourceHandlers(ports: ViewPorts) {
  const { conversation, site, settings, log, previewPage } = ports;
  const files = new SourceFiles(ports);
  /**
   * Returns the web URL of a source that has only a path, from the URLs of the reply's other
   * sources.
   */
  const webAddress = (messageId: string, { url }: SourcePart): URL | undefined => {
    if (sourceAddress(url)?.url) return undefined;
    const reply = conversation.thread.messages.findLast(({ id }) => id === messageId);
    const parts = reply?.role === 'assistant' ? reply.parts : [];
    return webAddressOfPath(
      url,
      parts.flatMap((part) => (part.type === 'source-url' ? part.url : [])),
    );
  };
  return {
    'source-open': async ({ messageId, sourceId, target }) => {
      const source = conversation.shown.source(messageId, sourceId);
      const place = settings.values.openSourcesIn;
      if (!source) return;
      const address = webAddress(messageId, source)?.href ?? source.url;
      await openSource(source, address, target, place, { files, site, log, previewPage });
    },
    'source-describe': async ({ messageId, sourceId }) => {
      const source = conversation.shown.source(messageId, sourceId);
      if (!source) return null;
      const quoted = conversation.shown.quote(messageId, sourceId);
      const url = webAddress(messageId, source);
      return describe(source, { quoted, url, file: await files.find(source) });
    },
    'file-open': async ({ messageId, partIndex }) => {
      const file = conversation.shown.file(messageId, partIndex);
      if (!file) return;
      const content = dataOfUrl(file.url);
      if (content) await saveFile(safeFileName(file.filename), content.bytes);
      else await openLink(file.url, log);
    },
    'link-open': async ({ href }) => {
      const { local } = site;
      // Another server of this machine can have such URLs, too.
      const isOfService = local !== undefined && href.startsWith(`${local.url}/`);
      const file = isOfService && ports.packages() ? await files.findByAddress(href) : undefined;
      if (file) await showFile(file);
      const isShown = file ?? (isOfService && (await openInPreview(href, false, ports)));
      if (!isShown) await openLink(href, log);
    },
  } satisfies Partial<ViewHandlers>;
}

interface KnownOfSource {
  /** The passage that the service quoted, as plain text or Markdown. */
  readonly quoted: string | undefined;
  /** The web URL, if only other sources of the reply reveal it. */
  readonly url: URL | undefined;
  readonly file: SourceFile | undefined;
}

function describe(source: SourcePart, { quoted, url, file }: KnownOfSource): SourceDescription {
  const { pathname = '', fragment = '' } = sourceAddress(source.url) ?? {};
  const blocks = quoted === undefined ? [] : markdownToBlocks(quoted);
  const quote =
    blocks.length === 0
      ? file && sectionQuote(file.text, file.outline, fragment, MAX_QUOTE_LENGTH)
      : shortenedBlocks(blocks, MAX_QUOTE_LENGTH);
  return {
    title: source.title ?? file?.outline.title ?? '',
    // The address of a package's page is that of the service, which means nothing to the reader.
    path: file?.place ? file.path : percentDecoded(pathname + fragment),
    quote,
    url: url?.href,
    file: file?.path,
  };
}

async function saveFile(name: string, bytes: Uint8Array): Promise<void> {
  const target = await askWhereToSave(name);
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}

/** The ID of VS Code's Simple Browser extension, and its command for other extensions. */
const SIMPLE_BROWSER = 'vscode.simple-browser';
const OPEN_IN_SIMPLE_BROWSER = 'simpleBrowser.api.open';

interface OpenSourcePorts extends Pick<ViewPorts, 'site' | 'log' | 'previewPage'> {
  readonly files: SourceFiles;
}

/**
 * Opens a source where the user chose or the setting says, and in the browser if that fails. A source
 * without a web URL opens as its own file or not at all.
 *
 * @param address the web URL of the source, or what the service sent instead.
 */
async function openSource(
  source: SourcePart,
  address: string,
  target: SourceTarget | undefined,
  setting: SourcePlace,
  ports: OpenSourcePorts,
): Promise<void> {
  const { files, site, log } = ports;
  const wanted: SourceTarget | 'auto' =
    target ?? (setting === 'simpleBrowser' ? 'simple-browser' : setting);
  const isPathAlone =
    sourceAddress(address)?.url === undefined && openableLink(address) === undefined;
  if (wanted === 'file' || wanted === 'auto' || isPathAlone) {
    const file = await files.find(source);
    if (file && (wanted === 'file' || file.isInWorkspace || file.place)) {
      await showFile(file);
      return;
    }
    if (isPathAlone) {
      void vscode.window.showWarningMessage(
        plainText(translate('The page “{0}” is not in this workspace and has no URL.', source.url)),
      );
      return;
    }
  }
  if (await openInPreview(address, wanted === 'browser', ports)) return;
  const place = (await files.findInService(source))?.place;
  const cited = packageOfPage(source.url);
  if (!place && cited !== undefined) {
    const text = translate('{0} is not installed here, so its page can’t be opened.', cited);
    void vscode.window.showWarningMessage(plainText(text));
    return;
  }
  const href = place?.homepage ?? (await currentAddress({ ...source, url: address }, files, site));
  if (wanted === 'simple-browser') await openBeside(href, log);
  else await openLink(href, log);
}

/**
 * Opens a page of the served bundle in the bundle's preview, where it looks as on the site.
 * @returns false if the source isn't a page of the bundle, or if the preview can't start.
 */
async function openInPreview(
  source: string,
  isOutside: boolean,
  { site, log, previewPage }: Pick<ViewPorts, 'site' | 'log' | 'previewPage'>,
): Promise<boolean> {
  const folder = site.local?.docs?.bundleFolder;
  const address = packageOfPage(source) === undefined ? localPageAddress(source) : undefined;
  if (folder === undefined || address === undefined) return false;
  try {
    const label = site.local?.label ?? baseName(folder);
    await previewPage({ folder, label, address }, isOutside);
    return true;
  } catch (error) {
    log.warn(`The preview of a cited page did not open: ${errorCodeOrName(error)}`);
    return false;
  }
}

/** Opens a page in the Simple Browser beside the editor, or in the browser if there is none. */
async function openBeside(href: string, log: Log): Promise<void> {
  const link = openableLink(href);
  const isWeb = link !== undefined && /^https?:/.test(link);
  if (!isWeb || !vscode.extensions.getExtension(SIMPLE_BROWSER)) {
    await openLink(href, log);
    return;
  }
  // In a remote window, the URL must be forwarded to the user's machine.
  const address = await vscode.env.asExternalUri(vscode.Uri.parse(link, true));
  try {
    await vscode.commands.executeCommand(OPEN_IN_SIMPLE_BROWSER, address, {
      viewColumn: vscode.ViewColumn.Beside,
    });
  } catch (error) {
    log.warn(`The Simple Browser did not open: ${String(error)}`);
    await openLink(href, log);
  }
}

async function showFile({ uri, line, isInWorkspace, place }: SourceFile): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const start = new vscode.Position(Math.min(line ?? 0, document.lineCount - 1), 0);
  const editor = await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(start, start),
  });
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
  const isInstalled = place !== undefined && !place.isLinked && place.text === undefined;
  if (isInstalled || (!isInWorkspace && isOfExtension(uri))) {
    // An update of the extension or of the package would discard changes.
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
  }
}

function isOfExtension(uri: vscode.Uri): boolean {
  return vscode.extensions.all.some(
    ({ extensionUri, packageJSON }) =>
      (packageJSON as { readonly name?: unknown }).name === 'docs-assistant' &&
      uri.path.startsWith(`${extensionUri.path}/`),
  );
}

/**
 * Returns the URL of a source. A page of the local docs service gets the port that the service has
 * now.
 */
async function currentAddress(
  source: SourcePart,
  files: SourceFiles,
  { local }: ActiveSite,
): Promise<string> {
  const url = sourceAddress(source.url)?.url;
  if (!local || !url || url.origin === new URL(local.url).origin) return source.url;
  if (!isOwnPage(url, local) && !(await files.findInService(source))) return source.url;
  return new URL(url.pathname + url.search + url.hash, local.url).href;
}

/** Returns whether a URL is that of a page that an earlier run of the service showed itself. */
function isOwnPage(url: URL, { docs }: LocalSite): boolean {
  if (docs === undefined || localPageAddress(url.href) === undefined) return false;
  if (docs.kind === 'installed') return true;
  // A site on this machine can have such URLs, too.
  return docs.siteUrl === undefined
    ? docs.bundleFolder !== undefined
    : new URL(docs.siteUrl).origin !== url.origin;
}

/** Opens a link in the browser. VS Code asks before it opens a domain that isn't trusted. */
async function openLink(href: string, log: Log): Promise<void> {
  const link = openableLink(href);
  if (link === undefined) {
    log.warn('Did not open a link that is neither http, https nor mailto');
    void vscode.window.showWarningMessage(
      translate('This link can’t be opened. Only web and mail links can.'),
    );
    return;
  }
  if (!(await mayWriteTo(new URL(link)))) return;
  await vscode.env.openExternal(vscode.Uri.parse(link, true));
}

/** Asks before a mail to several receivers, because the text of its link may name only one. */
async function mayWriteTo(url: URL): Promise<boolean> {
  const receivers = url.protocol === 'mailto:' ? mailReceivers(url) : [];
  if (receivers.length <= 1) return true;
  return modals.confirm(
    translate('Write a mail to {0} receivers: {1}?', receivers.length, receivers.join(', ')),
    translate('Write Mail'),
  );
}

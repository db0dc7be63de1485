import * as vscode from 'vscode';
import { sectionQuote } from '../../context/pageFile';
import { sourceAddress, webAddressOfPath } from '../../context/sourceAddress';
import { plainMarkdown, shortened } from '../../context/plainMarkdown';
import type { SourceDescription } from '../../shared/protocol';
import type { SourcePart } from '../../shared/uiMessage';
import { askWhereToSave } from '../askWhereToSave';
import { openLink } from '../openLink';
import { dataOfUrl, safeFileName } from '../openableLink';
import { openSource } from './openSource';
import { SourceFiles, type SourceFile } from './sourceFile';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type SourceHandlers = Pick<
  ViewHandlers,
  'source-open' | 'source-describe' | 'file-open' | 'link-open'
>;

/** Characters of a quote that a card shows. */
const MAX_QUOTE_LENGTH = 600;

/** Where a reply's sources, files and links lead. */
export function sourceHandlers(ports: ViewPorts): SourceHandlers {
  const { conversation, site, settings, log } = ports;
  const files = new SourceFiles(ports);
  /** Of a source whose own address is a path alone. */
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
      const source = conversation.source(messageId, sourceId);
      const place = settings.values.openSourcesIn;
      if (!source) return null;
      const address = webAddress(messageId, source)?.href ?? source.url;
      await openSource(source, address, target, place, { files, site, log });
      return null;
    },
    'source-describe': async ({ messageId, sourceId }) => {
      const source = conversation.source(messageId, sourceId);
      if (!source) return null;
      const quoted = conversation.quote(messageId, sourceId);
      const url = webAddress(messageId, source);
      return describe(source, { quoted, url, file: await files.find(source) });
    },
    'file-open': async ({ messageId, partIndex }) => {
      const file = conversation.file(messageId, partIndex);
      if (!file) return null;
      const content = dataOfUrl(file.url);
      if (content) await saveFile(safeFileName(file.filename, 'file'), content.bytes);
      else await openLink(file.url, log);
      return null;
    },
    'link-open': async ({ href }) => {
      await openLink(href, log);
      return null;
    },
  };
}

interface KnownOfSource {
  /** What the service quoted: plain text or Markdown. */
  readonly quoted: string | undefined;
  /** Where other sources told it. */
  readonly url: URL | undefined;
  readonly file: SourceFile | undefined;
}

function describe(source: SourcePart, { quoted, url, file }: KnownOfSource): SourceDescription {
  const { pathname = '', fragment = '' } = sourceAddress(source.url) ?? {};
  const plain = quoted === undefined ? '' : plainMarkdown(quoted);
  const quote =
    plain === ''
      ? file && sectionQuote(file.text, file.outline, fragment, MAX_QUOTE_LENGTH)
      : shortened(plain, MAX_QUOTE_LENGTH);
  return {
    title: source.title ?? file?.outline.title ?? '',
    path: readable(pathname + fragment),
    ...(quote === undefined ? {} : { quote }),
    ...(url === undefined ? {} : { url: url.href }),
    ...(file === undefined ? {} : { file: file.path }),
  };
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function saveFile(name: string, bytes: Uint8Array): Promise<void> {
  const target = await askWhereToSave(name);
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}

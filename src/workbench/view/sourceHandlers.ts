import * as vscode from 'vscode';
import { sectionQuote } from '../../context/pageFile';
import { plainMarkdown, shortened } from '../../context/plainMarkdown';
import type { SourceDescription } from '../../shared/protocol';
import type { SourcePart } from '../../shared/uiMessage';
import { askWhereToSave } from '../askWhereToSave';
import { openLink } from '../openLink';
import { dataOfUrl, safeFileName } from '../openableLink';
import { openSource } from './openSource';
import { sourceAddress, SourceFiles, type SourceFile } from './sourceFile';
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
  return {
    'source-open': async ({ messageId, sourceId, target }) => {
      const source = conversation.source(messageId, sourceId);
      const place = settings.values.openSourcesIn;
      if (source) await openSource(source, target, place, { files, site, log });
      return null;
    },
    'source-describe': async ({ messageId, sourceId }) => {
      const source = conversation.source(messageId, sourceId);
      if (!source) return null;
      return describe(source, conversation.quote(messageId, sourceId), await files.find(source));
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

/** @param quoted what the service quoted: plain text or Markdown. */
function describe(
  source: SourcePart,
  quoted: string | undefined,
  file: SourceFile | undefined,
): SourceDescription {
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

/** Messages as Markdown for the clipboard. Loaded when a person copies a message first. */
import { codeSpan } from '../../src/shared/codeSpan';
import type { QuestionView, ReplyView } from '../../src/shared/uiMessage';
import { visibleLine } from '../dom';
import type { CitationIndex } from '../markdown/citations';

/** Returns the question as Markdown: its text as typed, then the names of its attachments. */
export function questionMarkdown({ text, contextItems, files }: QuestionView): string {
  const items = contextItems.map(({ path, label, startLine, endLine }) => {
    const name = visibleLine(path ?? label);
    const lines = startLine === undefined ? '' : `:${startLine}-${endLine ?? startLine}`;
    return `- ${codeSpan(`${name}${lines}`)}`;
  });
  const attached = (files ?? []).map(({ filename }) => `- ${codeSpan(visibleLine(filename))}`);
  const list = [...items, ...attached];
  return list.length === 0 ? text : `${text}\n\n${list.join('\n')}\n`;
}

/** Returns the reply as Markdown: its text as it came, then its sources. */
export function replyMarkdown(reply: ReplyView, { sources }: CitationIndex): string {
  const text = reply.parts
    .flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
    .join('\n\n');
  if (sources.length === 0) return text;
  const list = sources.map(({ number, source }) => {
    const title = visibleLine(source.title ?? '').replace(/[[\]\\]/g, '\\$&');
    return `${number}. ${title === '' ? `<${source.url}>` : `[${title}](<${source.url}>)`}`;
  });
  return `${text}\n\n---\n\n${list.join('\n')}\n`;
}
